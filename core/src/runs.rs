//! The ledger: which agent changed what, when, and where the version before lies.
//!
//! Before a call changes documents, each of them gets a version, once in a run, and the run's file names them: a crash
//! in between leaves a way back. The rest is read and written after the answer, by [`Runs::settle`].

mod look;
pub mod record;
mod settle;
pub mod touched;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex as Lock, MutexGuard as Locked, PoisonError};

use async_lock::Mutex;
use futures_util::future::{join_all, join3};

use self::record::{RunCall, RunRecord};
use self::touched::Touched;
use self::tree::{BlockTree, hash_of};
use crate::id::DocId;
use crate::kernel::api::history;
use crate::kernel::{self, Kernel, files};
use crate::sorted::IntoSorted as _;

/// The time without a change after which a run is over, in milliseconds.
pub const REST_MS: u64 = 10 * 60 * 1_000;
/// The number of requests that are made side by side.
const AT_ONCE: usize = 8;
/// The maximum number of documents whose last version is remembered.
const MOST_VERSIONS: usize = 10_000;

/// The maker of a change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Author {
    /// The name that the client gave itself; empty for a person.
    pub client: String,
    /// The session, if it has one.
    pub session: Option<String>,
    /// The transport, as analytics name it.
    pub transport: &'static str,
    /// Whether a person at the command line or in the page acts.
    pub is_person: bool,
}

impl Author {
    /// The hash by which the author's runs are known. A session's own name would be a key to it.
    pub(crate) fn hash(&self) -> String {
        let session = self.session.as_deref().unwrap_or_default();
        hash_of(&format!("{}\n{}\n{session}", self.transport, self.client))
    }
}

/// The runs of a process.
#[derive(Debug, Default)]
pub struct Runs {
    state: Lock<RunsState>,
    /// Held while versions are made: a call must not change a document whose version another one is making.
    beginning: Mutex<()>,
    /// Held while what was done is recorded.
    settling: Mutex<()>,
}

#[derive(Debug, Default)]
struct RunsState {
    open: Vec<OpenRun>,
    /// The calls that ended, or were dropped, and are not recorded yet.
    ended: Vec<BegunCall>,
    /// The second of the last version that this process made of a document.
    versions: BTreeMap<String, String>,
    /// Whether old files were removed.
    is_pruned: bool,
}

/// A run of this process.
#[derive(Debug, Default)]
struct OpenRun {
    record: RunRecord,
    /// The state in which the run left each document.
    trees: BTreeMap<String, BlockTree>,
}

/// The announcement of a change.
#[derive(Debug)]
pub(crate) struct Intent<'a> {
    pub(crate) author: &'a Author,
    /// The action, such as `document.rename`.
    pub(crate) action: String,
    /// The documents that it will change, with notebook and storage path where they are known.
    pub(crate) documents: BTreeMap<DocId, Option<(String, String)>>,
    /// Whether SiYuan itself keeps the version, because the documents go.
    pub(crate) removes: bool,
}

/// A call that has begun to change something.
#[derive(Debug, Clone, Default)]
struct BegunCall {
    run: String,
    /// Its number in the run.
    call: usize,
    /// The local time, as `YYYYMMDDHHmmss`.
    digits: String,
    /// The documents of its plan.
    documents: BTreeSet<String>,
    /// Whether the documents were to go.
    removes: bool,
    /// The documents as they were before, if the run had changed them already.
    before: BTreeMap<String, Vec<u8>>,
    /// The things that its requests named.
    touched: Arc<Lock<Vec<Touched>>>,
}

/// A change under way; its end is recorded in whatever way it ends.
#[derive(Debug)]
pub(crate) struct Underway<'a> {
    runs: &'a Runs,
    begun: BegunCall,
}

impl Drop for Underway<'_> {
    fn drop(&mut self) {
        self.runs.state().ended.push(std::mem::take(&mut self.begun));
    }
}

impl Runs {
    fn state(&self) -> Locked<'_, RunsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether something waits to be recorded.
    pub fn has_news(&self) -> bool {
        !self.state().ended.is_empty()
    }

    /// Prepares a way back before a change: the versions of documents that the run has not changed yet, and their ids
    /// in its file. A version that fails does not stop the change; the document then has none.
    pub(crate) async fn begin<'a>(
        &'a self,
        kernel: &dyn Kernel,
        intent: Intent<'_>,
        touched: Arc<Lock<Vec<Touched>>>,
    ) -> Underway<'a> {
        let _beginning = self.beginning.lock().await;
        let (mut begun, new, known, record) = self.open(kernel, &intent);
        begun.touched = touched;
        let kept = async { if intent.removes { Vec::new() } else { self.keep_versions(kernel, &new).await } };
        let saved = async {
            if !new.is_empty() {
                write(kernel, &record).await;
            }
        };
        let (kept, (), before) = join3(kept, saved, read_all(kernel, known)).await;
        begun.before = before;
        if let Some(run) = self.state().open.iter_mut().find(|it| it.record.id == begun.run) {
            let has_none = |id: &str| !kept.iter().any(|it| it == id);
            for id in new.iter().map(DocId::as_str).filter(|id| has_none(id)) {
                if let Some(entry) = run.record.entry(id) {
                    entry.versioned.clear();
                }
            }
        }
        Underway { runs: self, begun }
    }

    /// Enters a call: its run, the documents that are new to the run, and the files of those that are not.
    fn open(
        &self,
        kernel: &dyn Kernel,
        intent: &Intent<'_>,
    ) -> (BegunCall, Vec<DocId>, Vec<(String, String)>, RunRecord) {
        let (now, author) = (kernel.now_ms(), intent.author.hash());
        let mut state = self.state();
        let is_over = |it: &OpenRun| now.saturating_sub(it.record.latest) >= REST_MS;
        let waiting: BTreeSet<String> = state.ended.iter().map(|it| it.run.clone()).into_set();
        state.open.retain(|it| !is_over(it) || waiting.contains(&it.record.id));
        let at = state.open.iter().position(|it| it.record.author == author && !is_over(it));
        let at = at.unwrap_or_else(|| {
            let record = RunRecord {
                id: format!("{now:x}-{:08x}", kernel.random() & 0xffff_ffff),
                client: intent.author.client.clone(),
                transport: intent.author.transport.to_owned(),
                author,
                started: now,
                ..RunRecord::default()
            };
            state.open.push(OpenRun { record, ..OpenRun::default() });
            state.open.len() - 1
        });
        let Some(run) = state.open.get_mut(at) else { return Default::default() };
        let record = &mut run.record;
        record.latest = now;
        record.calls.push(RunCall { at: now, action: intent.action.clone(), finished: false });
        let digits = kernel.local_digits();
        let (mut new, mut known) = (Vec::new(), Vec::new());
        for (id, place) in &intent.documents {
            if let Some(entry) = record.document(id.as_str()) {
                known.push((entry.id.clone(), entry.file()));
                continue;
            }
            if let Some(entry) = record.entry(id.as_str()) {
                (entry.notebook, entry.path) = place.clone().unwrap_or_default();
                entry.versioned.clone_from(&digits);
            }
            new.push(id.clone());
        }
        let begun = BegunCall {
            run: record.id.clone(),
            call: record.calls.len().saturating_sub(1),
            digits,
            documents: intent.documents.keys().map(ToString::to_string).into_set(),
            removes: intent.removes,
            ..BegunCall::default()
        };
        (begun, new, known, record.clone())
    }

    /// Makes versions and returns the ids of the documents that have one now.
    async fn keep_versions(&self, kernel: &dyn Kernel, documents: &[DocId]) -> Vec<String> {
        let mut kept = Vec::new();
        for some in documents.chunks(AT_ONCE) {
            let each = some.iter().map(async |id| {
                let digits = kernel.local_digits();
                let is_kept = kernel::ask(kernel, history::create_doc_history(id)).await.is_ok();
                is_kept.then(|| (id.to_string(), digits))
            });
            for (id, digits) in join_all(each).await.into_iter().flatten() {
                self.note_version(&id, digits);
                kept.push(id);
            }
        }
        kept
    }

    fn note_version(&self, id: &str, digits: String) {
        let mut state = self.state();
        if state.versions.len() >= MOST_VERSIONS {
            state.versions.clear();
        }
        state.versions.insert(id.to_owned(), digits);
    }

    /// Whether this process made a version of a document in this second. A further one would overwrite it, because
    /// SiYuan names versions by the second.
    pub(crate) fn has_version_of_now(&self, id: &str, digits: &str) -> bool {
        self.state().versions.get(id).is_some_and(|it| it == digits)
    }
}

/// The files of documents as they are now.
async fn read_all(kernel: &dyn Kernel, known: Vec<(String, String)>) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for some in known.chunks(AT_ONCE) {
        let each = some.iter().filter(|(_, file)| !file.is_empty()).map(async |(id, file)| {
            let read = files::read(kernel, file).await.ok().flatten();
            read.map(|bytes| (id.clone(), bytes))
        });
        join_all(each).await.into_iter().flatten().for_each(|(id, bytes)| _ = all.insert(id, bytes));
    }
    all
}

/// Writes the file of a run; whether that succeeded.
async fn write(kernel: &dyn Kernel, record: &RunRecord) -> bool {
    let Ok(bytes) = serde_json::to_vec(record) else { return false };
    files::write(kernel, &record::path_of(&record.id), bytes).await.is_ok()
}
