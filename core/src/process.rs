//! State that the calls of one process share: cached SiYuan settings and a lock on the plugin's files.

use std::sync::Arc;

use async_lock::{Mutex, MutexGuard};

use crate::kernel::api::system::{self, ConfFields};
use crate::kernel::{self, Kernel, KernelError};

/// The part of this state that actions reach.
#[derive(Debug, Default)]
pub(crate) struct Process {
    conf: Mutex<Option<(u64, Arc<ConfFields>)>>,
    writing: Mutex<()>,
}

impl Process {
    /// The time in milliseconds for which SiYuan's settings are cached.
    const CONF_LIFE_MS: u64 = 30_000;

    /// The readable part of the person's SiYuan settings, cached for half a minute.
    pub(crate) async fn conf(&self, kernel: &dyn Kernel) -> Result<Arc<ConfFields>, KernelError> {
        let mut conf = self.conf.lock().await;
        let now = kernel.now_ms();
        if let Some((read_at, fields)) = conf.as_ref()
            && now.checked_sub(*read_at).is_some_and(|age| age < Self::CONF_LIFE_MS)
        {
            return Ok(fields.clone());
        }
        let fields = Arc::new(kernel::ask(kernel, system::get_conf()).await?.conf);
        *conf = Some((now, fields.clone()));
        Ok(fields)
    }

    /// Waits until no other call of this process changes one of the plugin's files.
    pub(crate) async fn alone(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().await
    }
}
