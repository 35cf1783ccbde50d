//! The ledger: which agent changed what, when, and where the version before lies.
//!
//! Before a call changes documents, each of them gets a version, once in a run, and the run's file names them: a crash
//! in between leaves a way back. The rest is read and written after the answer, by [`Runs::settle`].

mod blocks;
mod foreseen;
mod look;
pub(crate) mod merge;
pub(crate) mod order;
pub mod put_back;
pub mod record;
mod settle;
pub mod touched;
pub(crate) mod trail;
mod tree;
mod versions;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex as Lock, MutexGuard as Locked, OnceLock, PoisonError};

use async_lock::Mutex;
use futures_util::future::{join, join_all, join3};
use serde_json::Value;

use self::foreseen::Foreseen;
use self::look::DocumentFile;
use self::order::SeenOrder;
use self::record::{RunCall, RunRecord};
use self::touched::Touched;
use self::tree::{BlockTree, hash_of};
use self::versions::VersionOutcome;
use crate::agents::{AgentMark, Identity};
use crate::errands;
use crate::id::{DocId, NotebookId};
use crate::kernel::{Kernel, files};
use crate::sorted::IntoSorted as _;

/// The time without a change after which a run is over, in milliseconds.
pub const REST_MS: u64 = 10 * 60 * 1_000;
/// The maximum number of runs that are kept and listed, the newest.
pub(crate) const MOST_RUNS: usize = 1_000;
/// The number of requests that are made side by side.
const AT_ONCE: usize = 8;
/// The maximum number of calls of a run; a further one begins another.
const MOST_CALLS: usize = 1_000;
/// The maximum number of documents of a run; the call after the one that reaches it begins another.
const MOST_DOCUMENTS: usize = 2_000;

/// The maker of a change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Author {
    /// The name that the client gave itself; empty for a person.
    pub client: String,
    /// The agent as which the caller is known.
    pub agent: Option<AgentMark>,
    /// The session, if it has one.
    pub session: Option<String>,
    /// The transport, as analytics name it.
    pub transport: &'static str,
    /// Whether a person at the command line or in the page acts.
    pub is_person: bool,
    /// The way in which the caller is known.
    pub identity: Identity,
}

impl Author {
    /// The name by which the author has errands; `None` for one that others may pass for.
    pub(crate) fn principal(&self) -> Option<&str> {
        match self.identity {
            // No page shows the errands of calls that run in a page.
            Identity::Own => None,
            _ if self.is_person => Some(""),
            _ => self.session.as_deref(),
        }
    }

    /// The hash by which the author's runs are known. A session's own name would be a key to it. The session of a
    /// transport may be the same in every process, so the hash has a part of the process.
    fn hash(&self, process: u64) -> String {
        let session = self.session.as_deref().unwrap_or_default();
        let agent = self.agent.as_ref().map(|it| (it.is_proved, &it.name));
        hash_of(&format!("{}\n{}\n{session}\n{process:x}\n{agent:?}", self.transport, self.client))
    }
}

/// The runs of a process.
#[derive(Debug, Default)]
pub struct Runs {
    state: Lock<RunsState>,
    /// A random part of this process.
    process: OnceLock<u64>,
    /// A lock for each document, held while its version is made: no other call must change it meanwhile.
    beginning: Lock<BTreeMap<DocId, Arc<Mutex<()>>>>,
    /// Held while the file of a run is written, so that no older state comes last.
    writing: Mutex<()>,
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
    /// The path of the last version of a document that was recorded.
    recorded: BTreeMap<String, String>,
    /// The time at which old files were removed, in milliseconds since 1970.
    pruned: Option<u64>,
}

impl RunRecord {
    /// The time without a change after which it is over, in milliseconds. An errand lasts longer than a rest.
    fn rest_ms(&self) -> u64 {
        if self.errand.is_empty() { REST_MS } else { errands::LONGEST_MS }
    }
}

impl RunsState {
    /// The entry of a call in its run.
    fn call(&mut self, begun: &BegunCall) -> Option<&mut RunCall> {
        let run = self.open.iter_mut().find(|it| it.record.id == begun.run)?;
        run.record.calls.get_mut(begun.call)
    }
}

/// A run of this process.
#[derive(Debug, Default)]
struct OpenRun {
    record: RunRecord,
    /// Whether no further call joins it.
    is_closed: bool,
    /// Whether its file was written.
    is_stored: bool,
    /// Whether it puts back all of a run.
    is_whole: bool,
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
    /// The hpaths at which it may create documents.
    pub(crate) paths: BTreeSet<(NotebookId, String)>,
    /// The places below which it may change the order of documents.
    pub(crate) orders: BTreeSet<(NotebookId, String)>,
    /// Whether SiYuan itself keeps the version, because the documents go.
    pub(crate) removes: bool,
    /// Whether a part of what the call does can never be put back.
    pub(crate) is_irreversible: bool,
    /// Whether it is a run of its own.
    pub(crate) is_alone: bool,
    /// The id of the errand that it is a part of; empty if it is part of none.
    pub(crate) errand: String,
    /// The run that it puts back, and whether all of it.
    pub(crate) puts_back: Option<(String, bool)>,
    /// Whether it may change what neither its plan nor a target names, such as a document that it makes.
    pub(crate) is_blind: bool,
}

/// A document, with notebook and storage path where they are known.
type CalledDocument = (DocId, Option<(String, String)>);

/// The documents that a run has changed already, and the ids of such databases.
type KnownFiles = (Vec<CalledDocument>, BTreeSet<String>);

/// A call that has begun to change something.
#[derive(Debug, Clone, Default)]
struct BegunCall {
    run: String,
    /// Its number in the run.
    call: usize,
    /// The documents of its plan.
    documents: BTreeSet<String>,
    /// Whether the run's file names it already.
    is_named: bool,
    /// Whether the documents were to go.
    removes: bool,
    is_irreversible: bool,
    /// The documents as they were before, if the run had changed them already.
    before: BTreeMap<String, Vec<u8>>,
    /// The documents as the next call found them, if it began before this one was recorded.
    after: BTreeMap<String, Vec<u8>>,
    /// The notebooks and storage paths that such documents had then. Somebody else may have moved them in between.
    stood: BTreeMap<String, (String, String)>,
    /// The hashes of the databases as they were before, if the run had changed them already.
    databases: BTreeMap<String, String>,
    /// The places at which it may have created documents.
    foreseen: Foreseen,
    /// The orders of documents that it may have changed.
    orders: Vec<SeenOrder>,
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
        let begun = std::mem::take(&mut self.begun);
        let has_touched = begun.touched.lock().map_or(true, |it| !it.is_empty());
        let is_idle = begun.documents.is_empty() && !begun.is_named && !has_touched;
        let mut state = self.runs.state();
        if !is_idle {
            state.ended.push(begun);
        } else if let Some(call) = state.call(&begun) {
            // It changed nothing that a run holds.
            call.finished = true;
        }
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
    /// in its file. A version that fails does not stop the change; the document then has none. Also returns the ids of
    /// the documents that have got one.
    pub(crate) async fn begin<'a>(
        &'a self,
        kernel: &dyn Kernel,
        intent: Intent<'_>,
        touched: Arc<Lock<Vec<Touched>>>,
    ) -> (Underway<'a>, Vec<String>) {
        let locks = self.locks(intent.documents.keys());
        let mut held = Vec::with_capacity(locks.len());
        for lock in &locks {
            held.push(lock.lock().await);
        }
        let (mut begun, new, known) = self.open(kernel, &intent);
        begun.touched = touched;
        let (run, waiting) = (begun.run.clone(), self.waiting(&begun.run));
        let Intent { removes, paths, orders, is_blind, .. } = intent;
        let kept =
            async { if removes { Default::default() } else { self.keep_versions(kernel, &new).await } };
        let saved = async {
            // A crash must leave the run, also where nothing else in it names the call.
            (!new.is_empty() || is_blind) && self.save(kernel, &run).await
        };
        let (known, databases) = known;
        let places = join(Foreseen::look(kernel, paths), order::look(kernel, orders));
        let looked = join3(read_all(kernel, known), hash_all(kernel, databases), places);
        let (outcomes, is_named, (before, databases, (foreseen, orders))) = join3(kept, saved, looked).await;
        begun.is_named = is_named;
        for (id, (place, bytes)) in before {
            begun.stood.insert(id.clone(), place);
            begun.before.insert(id, bytes);
        }
        self.note_after(&begun.run, &waiting, &begun.before, &orders);
        begun.orders = orders;
        (begun.databases, begun.foreseen) = (databases, foreseen);
        if let Some(run) = self.state().open.iter_mut().find(|it| it.record.id == begun.run) {
            for (id, _) in &new {
                let Some(entry) = run.record.entry(id.as_str()) else { continue };
                entry.versioned.clear();
                match outcomes.get(id.as_str()) {
                    Some(VersionOutcome::Made(digits)) => entry.versioned.clone_from(digits),
                    Some(VersionOutcome::Shared(path)) => entry.version.clone_from(path),
                    Some(VersionOutcome::Absent) => entry.was_absent = true,
                    Some(VersionOutcome::Failed) | None => {}
                }
            }
        }
        let has_one = |it: &VersionOutcome| matches!(it, VersionOutcome::Made(_) | VersionOutcome::Shared(_));
        let kept = outcomes.into_iter().filter(|(_, it)| has_one(it)).map(|(id, _)| id).collect();
        (Underway { runs: self, begun }, kept)
    }

    /// The calls of a run that ended and are not recorded yet.
    fn waiting(&self, run: &str) -> BTreeSet<usize> {
        self.state().ended.iter().filter(|it| it.run == run).map(|it| it.call).into_set()
    }

    /// Keeps what those calls left behind, since another one is about to change it.
    fn note_after(
        &self,
        run: &str,
        calls: &BTreeSet<usize>,
        files: &BTreeMap<String, Vec<u8>>,
        orders: &[SeenOrder],
    ) {
        for it in self.state().ended.iter_mut().filter(|it| it.run == run && calls.contains(&it.call)) {
            for (id, file) in files {
                it.after.entry(id.clone()).or_insert_with(|| file.clone());
            }
            for known in it.orders.iter_mut().filter(|it| it.after.is_none()) {
                let is_same = |it: &&SeenOrder| it.notebook == known.notebook && it.below == known.below;
                known.after = orders.iter().find(is_same).map(|it| it.before.clone());
            }
        }
    }

    /// The locks of documents, in one order for all calls.
    fn locks<'d>(&self, documents: impl Iterator<Item = &'d DocId>) -> Vec<Arc<Mutex<()>>> {
        let mut all = self.beginning.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, it| Arc::strong_count(it) > 1);
        documents.map(|id| Arc::clone(all.entry(id.clone()).or_default())).collect()
    }

    /// The hash by which an author's runs are known in this process.
    pub(crate) fn hash_of_author(&self, kernel: &dyn Kernel, author: &Author) -> String {
        author.hash(*self.process.get_or_init(|| kernel.random()))
    }

    /// Enters a call: its run, the documents that are new to the run, and the files of those that are not.
    fn open(&self, kernel: &dyn Kernel, intent: &Intent<'_>) -> (BegunCall, Vec<CalledDocument>, KnownFiles) {
        let (now, author) = (kernel.now_ms(), self.hash_of_author(kernel, intent.author));
        let mut state = self.state();
        let is_over = |it: &OpenRun| now.saturating_sub(it.record.latest) >= it.record.rest_ms();
        let waiting: BTreeSet<String> = state.ended.iter().map(|it| it.run.clone()).into_set();
        state.open.retain(|it| !is_over(it) || waiting.contains(&it.record.id));
        // An errand is one run: it begins one, and its end ends it.
        let ends = |it: &&mut OpenRun| {
            it.record.author == author && (intent.is_alone || it.record.errand != intent.errand)
        };
        state.open.iter_mut().filter(ends).for_each(|it| it.is_closed = true);
        let is_full = |it: &RunRecord| it.calls.len() >= MOST_CALLS || it.documents.len() >= MOST_DOCUMENTS;
        let joins = |it: &OpenRun| {
            it.record.author == author && !it.is_closed && !is_over(it) && !is_full(&it.record)
        };
        let at = state.open.iter().position(joins);
        let at = at.unwrap_or_else(|| {
            let record = RunRecord {
                id: format!("{now:x}-{:08x}", kernel.random() & 0xffff_ffff),
                client: intent.author.client.clone(),
                agent: intent.author.agent.clone(),
                transport: intent.author.transport.to_owned(),
                author: author.clone(),
                is_person: intent.author.is_person,
                errand: intent.errand.clone(),
                puts_back: intent.puts_back.clone().map(|(run, _)| run).unwrap_or_default(),
                started: now,
                latest: now,
                ..RunRecord::default()
            };
            let is_whole = intent.puts_back.as_ref().is_some_and(|(_, is_whole)| *is_whole);
            state.open.push(OpenRun { record, is_closed: intent.is_alone, is_whole, ..OpenRun::default() });
            state.open.len() - 1
        });
        let Some(run) = state.open.get_mut(at) else { return Default::default() };
        let record = &mut run.record;
        if !intent.documents.is_empty() {
            record.latest = now;
        }
        record.calls.push(RunCall { at: now, action: intent.action.clone(), finished: false });
        let digits = kernel.local_digits();
        let (mut new, mut known, mut databases) = (Vec::new(), Vec::new(), BTreeSet::new());
        for (id, place) in &intent.documents {
            if let Some(entry) = record.document(id.as_str()) {
                known.push((id.clone(), place.clone()));
                databases.extend(entry.databases.iter().map(|it| it.id.clone()));
                continue;
            }
            if let Some(entry) = record.entry(id.as_str()) {
                (entry.notebook, entry.path) = place.clone().unwrap_or_default();
                entry.versioned.clone_from(&digits);
                entry.since.clone_from(&digits);
            }
            new.push((id.clone(), place.clone()));
        }
        let begun = BegunCall {
            run: record.id.clone(),
            call: record.calls.len().saturating_sub(1),
            documents: intent.documents.keys().map(ToString::to_string).into_set(),
            removes: intent.removes,
            is_irreversible: intent.is_irreversible,
            ..BegunCall::default()
        };
        (begun, new, (known, databases))
    }

    /// Marks the run that another one put back; and since it then is as it was before that, the run that it put back
    /// itself is not any more.
    async fn mark_put_back(&self, kernel: &dyn Kernel, id: &str, by: &str) {
        let puts_back = self.marked(kernel, id, by).await;
        if let Some(again) = puts_back.filter(|it| !it.is_empty()) {
            self.marked(kernel, &again, "").await;
        }
    }

    /// Writes the mark, and gives the run that the marked one puts back.
    async fn marked(&self, kernel: &dyn Kernel, id: &str, by: &str) -> Option<String> {
        let open = self.state().open.iter_mut().find(|it| it.record.id == id).map(|it| {
            by.clone_into(&mut it.record.put_back_by);
            it.record.puts_back.clone()
        });
        if let Some(puts_back) = open {
            self.save(kernel, id).await;
            return Some(puts_back);
        }
        let _writing = self.writing.lock().await;
        let path = record::path_of(id);
        let bytes = files::read(kernel, &path).await.ok().flatten()?;
        let mut record = RunRecord::parse(&bytes).filter(|it| it.id == id)?;
        by.clone_into(&mut record.put_back_by);
        // Without the mark the list says less, and nothing else.
        let _ = files::write(kernel, &path, serde_json::to_vec(&record).ok()?).await;
        Some(record.puts_back)
    }

    /// Writes the file of a run as it is now; whether that succeeded.
    async fn save(&self, kernel: &dyn Kernel, id: &str) -> bool {
        let _writing = self.writing.lock().await;
        let record = self.state().open.iter().find(|it| it.record.id == id).map(|it| it.record.clone());
        let Some(bytes) = record.and_then(|it| serde_json::to_vec(&it).ok()) else { return false };
        let is_stored = files::write(kernel, &record::path_of(id), bytes).await.is_ok();
        if let Some(run) = self.state().open.iter_mut().find(|it| it.record.id == id) {
            run.is_stored |= is_stored;
        }
        is_stored
    }
}

/// The hash of a document's file; empty for anything else.
pub(crate) fn hash_of_file(bytes: &[u8]) -> String {
    BlockTree::parse(bytes).map(|it| it.hash).unwrap_or_default()
}

/// The hash of a block in a document's file, without the blocks inside it; empty if it is not there.
pub(crate) fn hash_of_block(bytes: &[u8], id: &str) -> String {
    let tree = BlockTree::parse(bytes).unwrap_or_default();
    tree.blocks.get(id).map(|it| it.hash.clone()).unwrap_or_default()
}

/// The hash of a database's file, whatever the order and the space in it.
pub(crate) fn hash_of_database(bytes: &[u8]) -> String {
    match serde_json::from_slice::<Value>(bytes) {
        Ok(file) => hash_of(&file.to_string()),
        Err(_) => String::new(),
    }
}

/// The title in a document's file.
pub(crate) fn title_of_file(bytes: &[u8]) -> String {
    let root: Value = serde_json::from_slice(bytes).unwrap_or_default();
    root.pointer("/Properties/title").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The files of documents as they are now, with notebook and storage path.
async fn read_all(
    kernel: &dyn Kernel,
    known: Vec<CalledDocument>,
) -> BTreeMap<String, ((String, String), Vec<u8>)> {
    let mut all = BTreeMap::new();
    for some in known.chunks(AT_ONCE) {
        let each = some.iter().map(|(id, place)| async move {
            // It may have left the place in which the run put it.
            let file = match place.clone() {
                Some((notebook, storage)) => DocumentFile { notebook, storage },
                None => look::file_of(kernel, id.as_str()).await?,
            };
            let bytes = files::read(kernel, &file.path()).await.ok().flatten()?;
            Some((id.to_string(), ((file.notebook, file.storage), bytes)))
        });
        all.extend(join_all(each).await.into_iter().flatten());
    }
    all
}

/// The hashes of databases as they are now.
async fn hash_all(kernel: &dyn Kernel, ids: BTreeSet<String>) -> BTreeMap<String, String> {
    let each = ids.into_iter().map(|id| async move {
        let hash = look::database_at(kernel, &look::database_path(&id)).await?;
        Some((id, hash))
    });
    join_all(each).await.into_iter().flatten().into_map()
}
