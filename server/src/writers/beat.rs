//! The rhythm of the files: written shortly after a pause, then at a limited rate, until the writers stop.

use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Wakes a writer when there is something to write and the pause has passed.
#[derive(Debug)]
pub(super) struct Beat {
    news: Notify,
    stop: CancellationToken,
}

impl Beat {
    pub(super) fn new(stop: CancellationToken) -> Beat {
        Beat { news: Notify::new(), stop }
    }

    /// Signals that there is something to write.
    pub(super) fn wake(&self) {
        self.news.notify_one();
    }

    /// Waits for news and returns at once if some is pending; `None` when the writers stop.
    pub(super) async fn news(&self) -> Option<Instant> {
        tokio::select! {
            biased;
            () = self.stop.cancelled() => None,
            () = self.news.notified() => Some(Instant::now()),
        }
    }

    /// Waits until `pause` has passed since the last write began.
    pub(super) async fn rest(&self, began: Instant, pause: Duration) {
        tokio::select! {
            () = self.stop.cancelled() => {}
            () = tokio::time::sleep_until(began + pause) => {}
        }
    }
}
