//! Stops the process on a signal or at the end of its parent.

use std::io::BufRead;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::watchdog::Parent;
use crate::words::StartWords;

/// The time that running calls have to finish after a request to stop (B-144).
const GRACE: Duration = Duration::from_secs(10);
/// The same after the parent has ended: the process must exit within 2 seconds (B-145).
pub(crate) const ORPHAN_GRACE: Duration = Duration::from_millis(300);

/// A generous bound on the time an answer takes from the end of its call to the socket.
const SENDING: Duration = Duration::from_millis(100);

/// The line on stdin that asks for the stop.
const STOP: &str = "stop";

/// A stop that can be requested at any time.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    asked: CancellationToken,
    orphan: CancellationToken,
    parent: Option<Parent>,
}

impl Stop {
    /// Stops on Ctrl-C, on the system's termination signal, and when the parent has ended.
    ///
    /// # Errors
    /// Returns a sentence for the user if the parent has ended already.
    pub fn watch(parent: Option<u32>) -> Result<Stop, String> {
        let mut stop = Stop::default();
        if let Some(pid) = parent {
            let parent = Parent::of(pid).ok_or_else(|| StartWords::here().no_parent(pid))?;
            stop.parent = Some(parent);
            let (asked, orphan) = (stop.asked.clone(), stop.orphan.clone());
            tokio::spawn(async move {
                parent.ended().await;
                tracing::info!("the parent process has ended");
                orphan.cancel();
                asked.cancel();
            });
        }
        let (asked, signal) = (stop.asked.clone(), signal());
        tokio::spawn(async move {
            signal.await;
            asked.cancel();
        });
        Ok(stop)
    }

    /// Also stops when stdin closes (B-145), and at the line `stop`, which works where there are no signals.
    ///
    /// A page that is loaded again closes its pipes, but its process goes on and finds this one again: beside a watched
    /// parent that runs, the end of stdin says nothing.
    pub fn at_end_of_stdin(&self) {
        let (asked, parent) = (self.asked.clone(), self.parent);
        // A thread of its own: a read of stdin cannot be cancelled, and it must not keep the runtime from ending.
        std::thread::spawn(move || {
            let mut lines = std::io::stdin().lock().lines().map_while(Result::ok);
            if !lines.any(|line| line.trim() == STOP) {
                tracing::info!("stdin was closed");
                if parent.is_some_and(|it| it.lives()) {
                    return;
                }
            }
            asked.cancel();
        });
    }

    /// Waits until a stop is requested.
    pub async fn asked(&self) {
        self.asked.cancelled().await;
    }

    /// Requests the stop.
    pub fn ask(&self) {
        self.asked.cancel();
    }

    /// Waits within the grace period for running calls to finish and for their answers to be sent.
    pub(crate) async fn let_finish(&self, running: &TaskTracker) {
        let grace = if self.orphan.is_cancelled() { ORPHAN_GRACE } else { GRACE };
        running.close();
        if !running.is_empty() {
            let _ = tokio::time::timeout(grace, running.wait()).await;
            tokio::time::sleep(SENDING).await;
        }
    }
}

/// Waits for a termination signal; a signal that arrives after this call is not missed.
pub(crate) fn signal() -> impl Future<Output = ()> + Send + 'static {
    #[cfg(unix)]
    let mut signals = {
        use tokio::signal::unix::{SignalKind, signal};
        [SignalKind::terminate(), SignalKind::hangup(), SignalKind::interrupt()].map(signal)
    };
    #[cfg(windows)]
    let mut signals = {
        use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown};
        (ctrl_break(), ctrl_close(), ctrl_shutdown(), ctrl_c())
    };
    async move {
        #[cfg(unix)]
        {
            use futures_util::FutureExt;
            let all: Vec<_> =
                signals.iter_mut().flatten().map(|signal| async { signal.recv().await }.boxed()).collect();
            if !all.is_empty() {
                futures_util::future::select_all(all).await;
                return;
            }
        }
        #[cfg(windows)]
        if let (Ok(break_), Ok(close), Ok(shutdown), Ok(c)) =
            (&mut signals.0, &mut signals.1, &mut signals.2, &mut signals.3)
        {
            tokio::select! {
                _ = break_.recv() => {}
                _ = close.recv() => {}
                _ = shutdown.recv() => {}
                _ = c.recv() => {}
            }
            return;
        }
        // A system without signals ends a process in its own way.
        std::future::pending::<()>().await;
    }
}
