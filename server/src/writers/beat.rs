//! The rhythm of a file: written at once after a pause, then at most so often.

use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

/// Wakes a writer when there is something to write and enough time has passed.
#[derive(Debug)]
pub(super) struct Beat {
    news: Notify,
}

impl Beat {
    pub(super) fn new() -> Beat {
        Beat { news: Notify::new() }
    }

    /// There is something to write.
    pub(super) fn wake(&self) {
        self.news.notify_one();
    }

    /// Waits for news; news that came meanwhile is there at once.
    pub(super) async fn news(&self) -> Instant {
        self.news.notified().await;
        Instant::now()
    }
}

/// Leaves a file alone until so long after its last write began.
pub(super) async fn rest(began: Instant, pause: Duration) {
    tokio::time::sleep_until(began + pause).await;
}
