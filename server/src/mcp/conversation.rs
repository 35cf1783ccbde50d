//! The life of a session: what ends with it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::channel::Channel;

/// The callers of one session. The handlers of a session share it, and their errands end with the last of them.
#[derive(Debug)]
pub(super) struct Conversation {
    channel: Channel,
    callers: Mutex<BTreeSet<String>>,
}

impl Conversation {
    pub(super) fn new(channel: Channel) -> Arc<Conversation> {
        Arc::new(Conversation { channel, callers: Mutex::default() })
    }

    /// Notes the caller of a request, if its session is known.
    pub(super) fn note(&self, caller: Option<&str>) {
        if let Some(caller) = caller {
            let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
            if !callers.contains(caller) {
                callers.insert(caller.to_owned());
            }
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        for caller in self.callers.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            self.channel.session_ended(caller);
        }
    }
}
