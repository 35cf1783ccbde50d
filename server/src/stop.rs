//! When the process is to stop: a signal, or the end of its parent.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::watchdog::Parent;

/// How long calls that run may take to finish after somebody asked to stop (B-144).
const GRACE: Duration = Duration::from_secs(10);
/// The same after the parent has ended: the process must be gone within 2 seconds (B-145).
pub(crate) const ORPHAN_GRACE: Duration = Duration::from_millis(300);

/// How long an answer takes from the end of its call to the socket, generously.
const SENDING: Duration = Duration::from_millis(100);

/// A stop that may be asked for at any time.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    asked: CancellationToken,
    orphan: CancellationToken,
}

impl Stop {
    /// Stops at Ctrl-C, at the signal that asks a process to end, and when the parent has ended.
    ///
    /// # Errors
    /// With a sentence for the user when the parent has ended already.
    pub fn watch(parent: Option<u32>) -> Result<Stop, String> {
        let stop = Stop::default();
        if let Some(pid) = parent {
            let parent = Parent::of(pid).ok_or_else(|| {
                format!("There is no process {pid} to watch; give the id of a running one with --parent-pid.")
            })?;
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

    /// Stops when stdin is closed as well: whoever started us holds its other end (B-145).
    pub fn at_end_of_stdin(&self) {
        let asked = self.asked.clone();
        // A thread of its own: a read of stdin cannot be given up, and must not keep the runtime from ending.
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
            tracing::info!("stdin was closed");
            asked.cancel();
        });
    }

    /// Waits until somebody asks.
    pub async fn asked(&self) {
        self.asked.cancelled().await;
    }

    /// Asks.
    pub fn ask(&self) {
        self.asked.cancel();
    }

    /// Waits for running calls to finish, as long as they may now, and for their answers to leave.
    pub(crate) async fn let_finish(&self, running: &TaskTracker) {
        let grace = if self.orphan.is_cancelled() { ORPHAN_GRACE } else { GRACE };
        running.close();
        if !running.is_empty() {
            let _ = tokio::time::timeout(grace, running.wait()).await;
            tokio::time::sleep(SENDING).await;
        }
    }
}

/// Waits for a signal to end; one that comes after this was called is not missed.
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
        // A system that tells of no signals ends a process in its own way.
        std::future::pending::<()>().await;
    }
}
