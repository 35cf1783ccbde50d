//! The channel end of the command `errands`: it lists the active errands of running servers, and ends them.

use std::time::Duration;

use puppy_core::channel::{CHANNEL, Errand, FromSidecar, Key, News, PageEnd};
use puppy_core::kernel::KernelError;
use tokio::time::{Instant, timeout};

use super::random;
use crate::kernel::{HttpKernel, Socket};

/// The time without a message after which every server is taken to have answered.
const QUIET: Duration = Duration::from_millis(500);
/// The longest time to listen: servers that work say much.
const LONGEST: Duration = Duration::from_secs(3);

/// An open end.
pub(crate) struct ErrandEnd {
    socket: Socket,
    page: PageEnd,
    began: Instant,
}

impl ErrandEnd {
    /// Connects and receives the active errands; `None` if no server has used the channel.
    pub(crate) async fn open(kernel: &HttpKernel) -> Result<Option<ErrandEnd>, KernelError> {
        let Some(key) = Key::read(kernel).await? else { return Ok(None) };
        let socket = kernel.socket(CHANNEL).await?;
        let page = PageEnd::new(env!("CARGO_PKG_VERSION"), &[], false);
        let mut end = ErrandEnd { socket, page, began: Instant::now() };
        let hello = end.page.connected(key, random());
        end.socket.send(hello).await;
        end.listen(|_| false).await;
        Ok(Some(end))
    }

    /// The active errands of all servers.
    pub(crate) fn standing(&self) -> Vec<FromSidecar<Errand>> {
        self.page.errands(self.now())
    }

    /// Ends errands and says goodbye; returns those that their servers still list.
    pub(crate) async fn stop(mut self, errands: &[FromSidecar<Errand>]) -> Vec<FromSidecar<Errand>> {
        for it in errands {
            if let Some(text) = self.page.revoke(&it.sidecar, &it.it.id) {
                self.socket.send(text).await;
            }
        }
        let is_left = |all: &[FromSidecar<Errand>]| {
            let stands = |one: &&FromSidecar<Errand>| all.iter().any(|it| it.it.id == one.it.id);
            errands.iter().filter(stands).cloned().collect::<Vec<_>>()
        };
        self.listen(|all| is_left(all).is_empty()).await;
        let left = is_left(&self.standing());
        self.leave().await;
        left
    }

    /// Says goodbye: a page that stays away would count as one that hears changes.
    pub(crate) async fn leave(mut self) {
        let now = self.now();
        if let Some(bye) = self.page.leave(now) {
            self.socket.send(bye).await;
        }
    }

    /// Listens until all is quiet or said.
    async fn listen(&mut self, is_said: impl Fn(&[FromSidecar<Errand>]) -> bool) {
        let end = Instant::now() + LONGEST;
        while Instant::now() < end && !is_said(&self.standing()) {
            let Ok(Some(text)) = timeout(QUIET, self.socket.receive()).await else { return };
            for news in self.page.receive(&text, self.now()) {
                if let News::Send(text) = news {
                    self.socket.send(text).await;
                }
            }
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}
