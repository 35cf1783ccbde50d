//! The state of the items that a listener of the newer era subscribes to, read before the acknowledgement.
//!
//! rmcp acknowledges a subscription before it calls `listen`. A change between the two would count as the state at the
//! subscription and never be announced (B-116).

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::SubscriptionFilter;
use tokio::runtime::Handle;
use tokio::task::block_in_place;
use tokio::time::timeout;

use super::Snapshot;
use crate::aside::leaves_a_thread;
use crate::mcp::Handler;

/// The time an acknowledgement waits for SiYuan. After it, the first state is read when the listening begins.
const PATIENCE: Duration = Duration::from_secs(2);
/// The number of states kept for subscriptions that have not begun, in case some never do.
const MOST: usize = 16;

/// The states of subscriptions that are about to begin.
#[derive(Debug, Clone, Default)]
pub(in crate::mcp) struct NewSubscriptions(Arc<Mutex<Vec<(SubscriptionFilter, Snapshot)>>>);

impl NewSubscriptions {
    /// Removes and returns the state for this filter.
    pub(super) fn take(&self, filter: &SubscriptionFilter) -> Option<Snapshot> {
        let mut states = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = states.iter().position(|(of, _)| of == filter)?;
        Some(states.remove(at).1)
    }

    fn put(&self, filter: SubscriptionFilter, state: Snapshot) {
        let mut states = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if states.len() >= MOST {
            states.remove(0);
        }
        states.push((filter, state));
    }
}

impl Handler {
    /// Reads the state of the items that a filter names. It blocks, because rmcp calls the filter function outside of its
    /// async code; so only a few run at a time, and the others read their first state when they listen.
    pub(in crate::mcp) fn begin(&self, filter: &SubscriptionFilter) {
        if !leaves_a_thread() {
            return;
        }
        let Some(_place) = self.announcer.place_to_begin() else { return };
        let state = block_in_place(|| {
            Handle::current().block_on(async { timeout(PATIENCE, self.state_of(filter)).await })
        });
        if let Ok(state) = state {
            self.subscribing.put(filter.clone(), state);
        }
    }
}
