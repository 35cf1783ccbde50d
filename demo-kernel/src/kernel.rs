//! The state of one kernel: its store, workspace folder, token, log and faults.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::watch;

use crate::answer::Refusal;
use crate::broadcast::Channels;
use crate::endpoints::asset::index::Index;
use crate::faults::Faults;
use crate::http::Turns;
use crate::log::Log;
use crate::moment::ticks;
use crate::siyuan::Siyuan;
use crate::snapshots::Snapshots;
use crate::store::Store;
use crate::switches::{Board, Switches};
use crate::undo::UndoLog;

#[derive(Debug)]
pub(crate) struct Kernel {
    pub(crate) siyuan: Siyuan,
    pub(crate) store: Store,
    pub(crate) workspace: PathBuf,
    pub(crate) stage: Option<PathBuf>,
    pub(crate) token: String,
    /// Whether callers must send the token.
    pub(crate) closed: bool,
    pub(crate) log: Log,
    pub(crate) faults: Faults,
    pub(crate) channels: Arc<Channels>,
    /// The sockets of pages; the channel of each is the id of its page.
    pub(crate) pages: Arc<Channels>,
    pub(crate) switches: Board,
    pub(crate) turns: Turns,
    /// Announces how long the kernel goes away.
    pub(crate) restart: watch::Sender<Duration>,
    /// The time until which it reports that it is starting.
    starting: Mutex<Option<Instant>>,
    pub(crate) assets: Index,
    pub(crate) snapshots: Snapshots,
    pub(crate) undo: UndoLog,
    removed: Mutex<HashMap<String, Duration>>,
    /// Whether sync is switched on, and the time of the last one in milliseconds since 1970, else 0.
    sync: Mutex<(bool, i64)>,
    /// The settings of SiYuan's own assistant.
    ai: Mutex<Value>,
}

/// The time after the removal of a document in which an unknown id is "being indexed", as in the real kernel.
const INDEXING: Duration = Duration::from_millis(150);

impl Kernel {
    /// A kernel over these databases and an empty workspace.
    pub(crate) fn new(
        siyuan: Siyuan,
        store: Store,
        workspace: PathBuf,
        token: Option<String>,
        stage: Option<PathBuf>,
    ) -> Kernel {
        let closed = token.is_some();
        let token = token.unwrap_or_else(|| crate::id::letters() + &crate::id::letters());
        Kernel {
            siyuan,
            store,
            workspace,
            stage,
            token,
            closed,
            log: Log::default(),
            faults: Faults::default(),
            channels: Arc::default(),
            pages: Arc::default(),
            switches: Board::default(),
            turns: Turns::default(),
            restart: watch::channel(Duration::ZERO).0,
            starting: Mutex::default(),
            assets: Index::default(),
            snapshots: Snapshots::default(),
            undo: UndoLog::default(),
            removed: Mutex::default(),
            sync: Mutex::default(),
            ai: Mutex::new(serde_json::json!({})),
        }
    }

    /// Sets the switches.
    pub(crate) fn switch(&self, switches: Switches) -> Result<(), Refusal> {
        self.store.set_lag(Duration::from_millis(switches.index_lag));
        self.store.set_twice(switches.twice)?;
        self.switches.set(switches);
        Ok(())
    }

    /// Whether sync is switched on, and the time of the last one in milliseconds since 1970, else 0.
    pub(crate) fn sync(&self) -> (bool, i64) {
        *lock(&self.sync)
    }

    pub(crate) fn set_sync(&self, enabled: bool) {
        lock(&self.sync).0 = enabled;
    }

    /// Syncs at once, if that is switched on.
    pub(crate) fn note_sync(&self) {
        let mut sync = lock(&self.sync);
        if sync.0 {
            sync.1 = crate::id::now_ms().max(sync.1 + 1);
        }
    }

    /// The settings of SiYuan's own assistant.
    pub(crate) fn ai(&self) -> Value {
        lock(&self.ai).clone()
    }

    pub(crate) fn set_ai(&self, ai: Value) {
        *lock(&self.ai) = ai;
    }

    /// Reports for this long that it is starting.
    pub(crate) fn note_start(&self, for_so_long: Duration) {
        *lock(&self.starting) = Some(Instant::now() + for_so_long);
    }

    pub(crate) fn is_starting(&self) -> bool {
        lock(&self.starting).is_some_and(|until| Instant::now() < until)
    }

    /// Notes that a document was removed.
    pub(crate) fn note_removal(&self, id: &str) {
        let mut removed = lock(&self.removed);
        let now = ticks();
        removed.retain(|_, at| now.saturating_sub(*at) < INDEXING);
        removed.insert(id.to_owned(), now);
    }

    /// Whether a document was removed a moment ago.
    pub(crate) fn is_indexing(&self, id: &str) -> bool {
        lock(&self.removed).get(id).is_some_and(|at| ticks().saturating_sub(*at) < INDEXING)
    }

    /// The file that a workspace path such as `/data/storage/x` means; a path that leaves the workspace is
    /// refused.
    pub(crate) fn file(&self, path: &str) -> Result<PathBuf, Refusal> {
        let mut depth = 0_i32;
        for part in Path::new(path.trim_start_matches('/')).components() {
            match part {
                Component::Normal(_) => depth += 1,
                Component::CurDir => {}
                _ => depth -= 1,
            }
            if depth < 0 {
                return Err(Refusal::code(403, "permission denied"));
            }
        }
        Ok(self.workspace.join(path.trim_start_matches('/')))
    }

    /// A JSON file of the workspace; null when it is missing or no JSON.
    pub(crate) fn json_file(&self, path: &str) -> Value {
        let text = self.file(path).ok().and_then(|file| std::fs::read(file).ok());
        text.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    pub(crate) fn write_file(&self, path: &str, bytes: &[u8]) -> Result<(), Refusal> {
        let file = self.file(path)?;
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        // A reader must never see half a file.
        let part = self.workspace.join(format!("temp/.part-{}", crate::id::letters()));
        std::fs::write(&part, bytes)?;
        // In a test the kernel has a time of its own.
        let now = std::time::SystemTime::from(crate::moment::now());
        std::fs::File::options().write(true).open(&part)?.set_modified(now)?;
        std::fs::rename(&part, &file)?;
        Ok(())
    }
}

/// A path below a folder with its `..` taken out, wherever it leads.
pub(crate) fn clean(folder: &Path, path: &str) -> PathBuf {
    let mut out = folder.to_owned();
    for part in Path::new(path.trim_start_matches('/')).components() {
        match part {
            Component::Normal(name) => out.push(name),
            Component::CurDir => {}
            _ => {
                out.pop();
            }
        }
    }
    out
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
