//! A lock between calls that write texts and calls that make blocks rows of a database.
//!
//! A call that rewrites a block sends the block's attributes as it has read them, without the mark of a row that was
//! added meanwhile. And text is judged by whether blocks of its document are rows.

use std::sync::{Arc, Mutex, PoisonError};

use async_lock::{RwLock, RwLockReadGuardArc, RwLockWriteGuardArc};

/// The lock. Writers of texts share it.
#[derive(Debug, Default)]
pub(crate) struct TextLock(Arc<RwLock<()>>);

/// The hold of one call on the lock, until the call ends.
#[derive(Debug, Default)]
pub(crate) struct Hold(Mutex<Option<LockGuard>>);

#[derive(Debug)]
enum LockGuard {
    Shared(#[expect(dead_code, reason = "dropping it ends the hold")] RwLockReadGuardArc<()>),
    Alone(#[expect(dead_code, reason = "dropping it ends the hold")] RwLockWriteGuardArc<()>),
}

impl TextLock {
    /// Waits until no other call makes blocks rows. A call that holds the lock keeps its hold.
    pub(crate) async fn share(&self, hold: &Hold) {
        if !hold.is_held() {
            hold.keep(LockGuard::Shared(self.0.read_arc().await));
        }
    }

    /// Waits until no other call writes texts or makes blocks rows. A call that holds the lock keeps its hold.
    pub(crate) async fn take(&self, hold: &Hold) {
        if !hold.is_held() {
            hold.keep(LockGuard::Alone(self.0.write_arc().await));
        }
    }
}

impl Hold {
    fn is_held(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn keep(&self, held: LockGuard) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(held);
    }
}
