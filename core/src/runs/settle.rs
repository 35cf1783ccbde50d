//! After the answer: reads what a call left behind, and writes the file of its run.

use std::collections::{BTreeMap, BTreeSet};

use super::blocks;
use super::look::{self, DocumentFile};
use super::order;
use super::record::{self, ChangeKind, ChangedThing, RunChange, RunDatabase, RunDocument};
use super::touched::{Touched, named_blocks_of};
use super::tree::{BlockChange, BlockTree};
use super::{BegunCall, OpenRun, Runs};
use crate::kernel::api::history;
use crate::kernel::{Boxed, Kernel, files};
use crate::sorted::IntoSorted as _;

/// The time after which old files are removed again, in milliseconds.
const PRUNED_MS: u64 = 24 * 60 * 60 * 1_000;

/// The reason to look at a document, the weakest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Said {
    /// A request named it.
    #[default]
    Named,
    /// The plan changes it.
    Planned,
    /// A request changed it, or made it.
    Changed,
    /// A request made it.
    Made,
}

/// A document of a call, as it was found.
#[derive(Debug, Default)]
struct Found {
    id: String,
    said: Said,
    /// Its present place.
    now: Option<DocumentFile>,
    after: Option<BlockTree>,
    /// The state before, with the path of the version that holds it.
    before: Option<BlockTree>,
    version: String,
    /// The databases that it shows and that the call changed: their hashes before and after.
    databases: Vec<(String, Option<String>, String)>,
}

impl Runs {
    /// Records the calls that ended since the last time. Nobody waits for it. Without a type of its own, because each place
    /// that knows it would have its code once more.
    pub fn settle<'a>(&'a self, kernel: &'a dyn Kernel) -> Boxed<'a, ()> {
        Box::pin(self.settle_ended(kernel))
    }

    async fn settle_ended(&self, kernel: &dyn Kernel) {
        let _settling = self.settling.lock().await;
        let ended = std::mem::take(&mut self.state().ended);
        let mut runs = BTreeSet::new();
        for call in ended {
            let found = self.look(kernel, &call).await;
            let orders = order::changed(kernel, call.call, &call.orders).await;
            if let Some(run) = self.state().open.iter_mut().find(|it| it.record.id == call.run) {
                note(run, &call, found);
                run.record.orders.extend(orders);
            }
            runs.insert(call.run);
        }
        for id in runs {
            let is_empty = |runs: &Runs| {
                let state = runs.state();
                let run = state.open.iter().find(|it| it.record.id == id);
                run.map(|it| (it.record.is_empty(), it.is_stored))
            };
            match is_empty(self) {
                Some((false, _)) => {
                    self.save(kernel, &id).await;
                    let whole = self
                        .state()
                        .open
                        .iter()
                        .find(|it| it.record.id == id && it.is_whole)
                        .map(|it| it.record.puts_back.clone());
                    if let Some(run) = whole.filter(|it| record::is_run_id(it)) {
                        self.mark_put_back(kernel, &run, &id).await;
                    }
                }
                Some((true, true)) => {
                    let _writing = self.writing.lock().await;
                    // A plan that changed nothing after all, unless another call has begun meanwhile.
                    if is_empty(self).is_some_and(|(is_empty, _)| is_empty) {
                        look::forget(kernel, &id).await;
                    }
                }
                _ => {}
            }
        }
        let now = kernel.now_ms();
        let is_due = self.state().pruned.is_none_or(|it| now.saturating_sub(it) >= PRUNED_MS);
        if is_due {
            self.state().pruned = Some(now);
            look::prune(kernel).await;
        }
    }

    /// Waits until the calls that ended are recorded, also by somebody who has begun to.
    pub(crate) async fn catch_up(&self, kernel: &dyn Kernel) {
        drop(self.settling.lock().await);
        if self.has_news() {
            self.settle(kernel).await;
        }
    }

    /// The documents of a call, as they are now and as they were.
    async fn look(&self, kernel: &dyn Kernel, call: &BegunCall) -> Vec<Found> {
        let touched = call.touched.lock().map(|it| it.clone()).unwrap_or_default();
        let planned = if call.removes { Said::Named } else { Said::Planned };
        let mut ids: BTreeMap<String, Said> =
            call.documents.iter().map(|id| (id.clone(), planned)).into_map();
        for it in &touched {
            let (id, said) = match it {
                Touched::Created(id) => (id.clone(), Said::Made),
                Touched::Document(id) => (id.clone(), Said::Named),
                Touched::Noted { id, is_changed } => match look::document_of(kernel, id).await {
                    Some(doc) => {
                        let now = look::file_of(kernel, &doc).await;
                        let is_new = call.foreseen.has_new(kernel, &doc, now.as_ref()).await;
                        let said = if *is_changed { Said::Changed } else { Said::Named };
                        (doc, if is_new { Said::Made } else { said })
                    }
                    None => continue,
                },
                Touched::Blocks(_) | Touched::Anywhere | Touched::Thing { .. } => continue,
            };
            let known = ids.entry(id).or_default();
            *known = said.max(*known);
        }
        let mut versions = look::VersionFolders::default();
        let mut all: Vec<Found> = Vec::new();
        while let Some((id, said)) = ids.pop_first() {
            if all.iter().any(|it| it.id == id) {
                continue;
            }
            let entry = self.entry(&call.run, &id);
            if entry.as_ref().is_some_and(|(it, _)| it.is_unfinished()) && call.stood.contains_key(&id) {
                // The call that began with it records it, with this change, or could not.
                continue;
            }
            // A state that cannot be read stays unrecorded, as after a crash.
            let Ok(now) = look::settled_file_of(kernel, &id).await else { continue };
            let kept = call.after.get(&id).cloned();
            let after = match &now {
                Some(file) if kept.is_none() => files::read(kernel, &file.path()).await,
                _ => Ok(kept),
            };
            let Ok(after) = after else { continue };
            let after = after.and_then(|it| BlockTree::parse(&it));
            if let Some(now) = now.as_ref().filter(|_| said == Said::Made) {
                // SiYuan makes the documents above it that are missing.
                for above in now.parents() {
                    let file = look::file_of(kernel, above).await;
                    if call.foreseen.has_new(kernel, above, file.as_ref()).await {
                        ids.insert(above.to_owned(), Said::Made);
                    }
                }
            }
            let mut found = Found { id, said, now, after, ..Found::default() };
            let (entry, tree) = entry.unwrap_or_default();
            if let Some(before) = call.before.get(&found.id).and_then(|it| BlockTree::parse(it)).or(tree) {
                found.before = Some(before);
            } else if said < Said::Made {
                let version = version_of(kernel, &mut versions, &entry, &found).await;
                if let Some((path, before)) = version {
                    self.record_version(&found.id, &path);
                    (found.version, found.before) = (path, Some(before));
                }
            }
            found.databases = databases_of(kernel, call, &touched, &entry, &found).await;
            all.push(found);
        }
        all
    }

    /// The entry of a document in a run, with the state in which the run left it.
    fn entry(&self, run: &str, id: &str) -> Option<(RunDocument, Option<BlockTree>)> {
        let state = self.state();
        let run = state.open.iter().find(|it| it.record.id == run)?;
        Some((run.record.document(id)?.clone(), run.trees.get(id).cloned()))
    }
}

/// The databases that a document shows and a call changed. The state before is that of its version, or the one that
/// was read before the call.
async fn databases_of(
    kernel: &dyn Kernel,
    call: &BegunCall,
    touched: &[Touched],
    entry: &RunDocument,
    found: &Found,
) -> Vec<(String, Option<String>, String)> {
    let shown = found.before.iter().chain(&found.after).flat_map(|it| &it.databases);
    let is_touched = |id: &&String| {
        let names = |it: &Touched| matches!(it, Touched::Thing { what: ChangedThing::Database, id: named, .. } if named == *id);
        touched.iter().any(names) || entry.databases.iter().any(|it| it.id == **id)
    };
    let ids: BTreeSet<&String> = shown.filter(is_touched).into_set();
    let version = if found.version.is_empty() { &entry.version } else { &found.version };
    let mut all = Vec::new();
    for id in ids {
        let Some(after) = look::database_at(kernel, &look::database_path(id)).await else { continue };
        let before = match (call.databases.get(id), entry.databases.iter().any(|it| it.id == *id)) {
            (Some(hash), true) => Some(hash.clone()),
            (None, true) => None,
            (_, false) => match look::database_of_version(version, id) {
                Some(path) => look::database_at(kernel, &path).await,
                None => None,
            },
        };
        if before.as_ref() != Some(&after) {
            all.push((id.clone(), before, after));
        }
    }
    all
}

/// The version from before a call, with its path: the one that the ledger made or shares, or that of a removal.
async fn version_of(
    kernel: &dyn Kernel,
    versions: &mut look::VersionFolders,
    entry: &RunDocument,
    found: &Found,
) -> Option<(String, BlockTree)> {
    if !entry.version.is_empty() {
        return look::tree_at(kernel, &entry.version).await.map(|tree| (entry.version.clone(), tree));
    }
    if entry.versioned.is_empty() && found.now.is_some() {
        return None;
    }
    // SiYuan's own versions of this hour may be newer; on another clock the name is not known.
    if let Some(folder) = history::folder(&entry.versioned, "update").filter(|_| !entry.path.is_empty()) {
        let path = format!("{folder}/{}", entry.place());
        if let Some(tree) = look::tree_at(kernel, &path).await {
            return Some((path, tree));
        }
    }
    let place = (entry.notebook.as_str(), entry.path.as_str());
    versions.find(kernel, &found.id, place, found.now.as_ref()).await
}

/// Adds what a call did to its run.
fn note(run: &mut OpenRun, call: &BegunCall, found: Vec<Found>) {
    let touched = call.touched.lock().map(|it| it.clone()).unwrap_or_default();
    let named = named_blocks_of(&touched);
    for it in found {
        note_document(run, call, it, named.as_ref());
    }
    let mut seen = BTreeSet::new();
    for it in touched {
        if let Touched::Thing { what, kind, id, within } = it
            && seen.insert((what, kind, id.clone()))
        {
            let change = RunChange { call: call.call, kind, what, id, r#in: within, ..RunChange::default() };
            run.record.add(change);
        }
    }
    if let Some(entry) = run.record.calls.get_mut(call.call) {
        entry.finished = true;
        run.record.latest = run.record.latest.max(entry.at);
    }
}

/// The changes of blocks that a call made, and the blocks that somebody else changed meanwhile. Without the blocks that
/// its requests named, all are its own.
fn own_changes<'t>(
    before: &'t BlockTree,
    after: &'t BlockTree,
    named: Option<&BTreeSet<&str>>,
) -> (Vec<BlockChange<'t>>, Vec<String>) {
    let is_own = |it: &BlockChange<'_>| named.is_none_or(|ids| blocks::is_named(ids, it.id, [before, after]));
    let (own, others): (Vec<_>, Vec<_>) = before.changes(after).into_iter().partition(is_own);
    (own, others.into_iter().map(|it| it.id.to_owned()).collect())
}

/// Adds the changes of one document.
fn note_document(run: &mut OpenRun, call: &BegunCall, found: Found, named: Option<&BTreeSet<&str>>) {
    let Found { id, said, now, after, before, version, databases } = found;
    let (own, mut others) = match (&before, &after) {
        (Some(before), Some(after)) => own_changes(before, after, named),
        _ => Default::default(),
    };
    let is_new = run.record.document(&id).is_none();
    let is_created = said == Said::Made;
    let left = run.trees.get(&id).cloned();
    let hash = |tree: &Option<BlockTree>| tree.as_ref().map(|it| it.hash.clone()).unwrap_or_default();
    let (hash_before, hash_after) = (hash(&before), hash(&after));
    let mut changes: Vec<RunChange> = Vec::new();
    let mut add = |kind, before: &str, after: &str| {
        let (id, what) = (id.clone(), ChangedThing::Document);
        let [before, after] = [before, after].map(str::to_owned);
        changes.push(RunChange { call: call.call, kind, what, id, before, after, ..RunChange::default() });
    };
    // An earlier call that is still under way may have moved it.
    let is_next = run.record.calls.iter().take(call.call).all(|it| it.finished);
    let Some(entry) = run.record.entry(&id) else { return };
    if entry.before.is_empty() && !entry.created {
        entry.before.clone_from(&hash_before);
        entry.version = version;
        if entry.path.is_empty()
            && let Some((notebook, path)) = look::place_of_version(&entry.version)
        {
            (entry.notebook, entry.path) = (notebook.to_owned(), path.to_owned());
        }
    }
    match &now {
        None if (entry.created || entry.was_absent) && entry.after.is_empty() => {}
        None => {
            add(ChangeKind::Removed, &hash_before, "");
            entry.removed = true;
        }
        Some(file) if (is_created && is_new) || (entry.was_absent && !entry.created) => {
            add(ChangeKind::Created, "", &hash_after);
            (entry.notebook, entry.path, entry.created) = (file.notebook.clone(), file.storage.clone(), true);
            entry.removed = false;
        }
        Some(file) => {
            entry.removed = false;
            if entry.path.is_empty() {
                (entry.notebook, entry.path) = (file.notebook.clone(), file.storage.clone());
            }
            let place = file.place();
            let stood = call.stood.get(&id);
            if let Some((notebook, path)) = stood.filter(|_| entry.moved_to.is_empty() && is_next) {
                // A move by somebody else between two calls stays.
                (entry.notebook, entry.path) = (notebook.clone(), path.clone());
            }
            let was = if entry.moved_to.is_empty() { entry.place() } else { entry.moved_to.clone() };
            let is_where_it_stood =
                stood.is_some_and(|(notebook, path)| place == format!("{notebook}{path}"));
            if was != place && !is_where_it_stood {
                add(ChangeKind::Moved, &hash_before, &hash_after);
                entry.moved_to = if entry.place() == place { String::new() } else { place };
            }
            // Without a version, what was planned counts as done.
            let is_changed = match (&before, &after) {
                (Some(_), Some(_)) => !own.is_empty(),
                (Some(_), None) => true,
                (None, _) => said >= Said::Planned,
            };
            if is_changed {
                add(ChangeKind::Changed, &hash_before, &hash_after);
            }
        }
    }
    (entry.after, entry.is_settled) = (hash_after, true);
    note_databases(entry, databases);
    changes.extend(own.into_iter().map(|it| of_block(call.call, &id, it)));
    if let (Some(left), Some(before)) = (&left, &before) {
        others.extend(left.changes(before).into_iter().map(|it| it.id.to_owned()));
    }
    for other in others {
        if !entry.others.contains(&other) {
            entry.others.push(other);
        }
    }
    entry.is_tied |= call.is_irreversible && !changes.is_empty();
    if is_new && changes.is_empty() && entry.databases.is_empty() {
        // A request named it and left it as it was.
        run.record.documents.retain(|it| it.id != id);
        return;
    }
    if let (Some(before), Some(after)) = (&before, &after) {
        follow_places(&mut run.record.changes, &id, before, after);
    }
    changes.into_iter().for_each(|it| run.record.add(it));
    match after {
        Some(after) => _ = run.trees.insert(id, after),
        None => _ = run.trees.remove(&id),
    }
}

/// A change of a block, or of a document's own properties.
fn of_block(call: usize, document: &str, change: BlockChange<'_>) -> RunChange {
    let BlockChange { id, kind, before, after, place } = change;
    let [id, r#in, before, after] = [id, document, before, after].map(str::to_owned);
    RunChange {
        call,
        kind,
        what: ChangedThing::Block,
        id,
        r#in,
        before,
        after,
        place: place.unwrap_or_default(),
    }
}

/// Lets the places of earlier moves follow what the run itself puts before those blocks.
fn follow_places(changes: &mut [RunChange], document: &str, before: &BlockTree, after: &BlockTree) {
    for it in changes.iter_mut().filter(|it| !it.place.is_empty() && it.r#in == document) {
        if before.place(&it.id).as_ref() == Some(&it.place) {
            it.place = after.place(&it.id).unwrap_or_default();
        }
    }
}

/// Adds the databases that a call changed.
fn note_databases(entry: &mut RunDocument, found: Vec<(String, Option<String>, String)>) {
    for (id, before, after) in found {
        match entry.databases.iter_mut().find(|it| it.id == id) {
            Some(known) => {
                known.is_mixed |= before.is_none_or(|it| it != known.after);
                known.after = after;
            }
            None => {
                let before = before.unwrap_or_default();
                entry.databases.push(RunDatabase { id, before, after, is_mixed: false });
            }
        }
    }
}
