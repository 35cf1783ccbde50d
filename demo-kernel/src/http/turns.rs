//! Turns: most paths serve one request at a time, and some wait for the transaction queue.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

/// Areas whose requests run in parallel.
const FREE: [&str; 5] = ["/api/query/", "/api/search/", "/api/broadcast/", "/api/ai/", "/api/network/"];
/// Names of functions that also run in parallel.
const READERS: [&str; 5] = ["get", "list", "search", "render", "ls"];
/// Those among them that read little.
const SHORT: [&str; 2] = ["get", "ls"];
/// The endpoints that wait for the queue, although they may only read.
const WAITING: [&str; 17] = [
    "/api/attr/batchSetBlockAttrs",
    "/api/attr/setBlockAttrs",
    "/api/block/appendBlock",
    "/api/block/batchAppendBlock",
    "/api/block/batchInsertBlock",
    "/api/block/batchPrependBlock",
    "/api/block/batchUpdateBlock",
    "/api/block/foldBlock",
    "/api/block/getDocInfo",
    "/api/block/insertBlock",
    "/api/block/moveBlock",
    "/api/block/prependBlock",
    "/api/block/unfoldBlock",
    "/api/block/updateBlock",
    "/api/filetree/renameDocByID",
    "/api/sqlite/flushTransaction",
    "/api/transactions",
];

/// One turn per path.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<HashMap<String, Arc<Turn<()>>>>);

impl Turns {
    /// Waits until no other request of this path runs; the path is taken until the guard is dropped.
    pub(super) async fn take(&self, path: &str) -> Option<OwnedMutexGuard<()>> {
        if FREE.iter().any(|area| path.starts_with(area)) || is_one_of(&READERS, path) {
            return None;
        }
        let turn = {
            let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(turns.entry(path.to_owned()).or_default())
        };
        Some(turn.lock_owned().await)
    }
}

fn is_one_of(starts: &[&str], path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    starts.iter().any(|start| name.starts_with(start))
}

/// Whether a request reads a little and is done at once.
pub(super) fn is_short(path: &str) -> bool {
    is_one_of(&SHORT, path)
}

/// The real kernel's pause before it answers.
pub(super) fn pause(path: &str) -> Duration {
    match path {
        "/api/filetree/createDocWithMd" => Duration::from_millis(250),
        path if WAITING.contains(&path) => Duration::from_millis(50),
        _ => Duration::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn requests_per_path_run_in_turn_and_reads_run_together() {
        let turns = Turns::default();
        let first = turns.take("/api/block/appendBlock").await;
        assert!(turns.take("/api/block/appendBlock").now_or_never().is_none(), "the path is taken");
        assert!(turns.take("/api/block/prependBlock").now_or_never().is_some(), "another path is not");
        for free in ["/api/block/getBlockInfo", "/api/query/sql", "/api/notebook/lsNotebooks"] {
            assert!(turns.take(free).await.is_none(), "{free}");
        }
        drop(first);
        assert!(turns.take("/api/block/appendBlock").now_or_never().is_some());
    }
}
