//! `/api/repo`: snapshots of the workspace; their list only, no copies of files.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::endpoints::history;
use crate::kernel::Kernel;
use crate::moment;

/// The number of snapshots on a page.
const PAGE: usize = 32;

/// A tag is the name of a file, with something behind it while it is written.
const LONGEST: usize = 244;

const NO_KEY: &str =
    "Please initialize the data repo key first in [Settings - Account & Sync - Data repo key]";
const EMPTY: &str = "Input can not be empty";
const BAD_NAME: &str = "Do not include symbols \\ / : * ? &quot; &#039; &lt; &gt; |";

#[derive(Debug, Clone)]
struct Snapshot {
    id: String,
    memo: String,
    /// Milliseconds since 1970.
    created: i64,
    state: State,
}

/// A state of the workspace: its files by extension, and a hash that changes with any of them.
#[derive(Debug, Clone, Default)]
struct State {
    mark: u64,
    size: u64,
    types: BTreeMap<String, usize>,
}

#[derive(Debug, Default)]
struct Repo {
    key: String,
    /// The newest last.
    snapshots: Vec<Snapshot>,
    /// By name: the id, and when it was given.
    tags: BTreeMap<String, (String, i64)>,
}

/// The snapshots since the start of this kernel.
#[derive(Debug, Default)]
pub(crate) struct Snapshots(Mutex<Repo>);

impl Snapshots {
    fn repo(&self) -> MutexGuard<'_, Repo> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// As above, if there is a key.
    fn with_key(&self) -> Result<MutexGuard<'_, Repo>, Refusal> {
        let repo = self.repo();
        if repo.key.is_empty() { Err(Refusal::new(NO_KEY)) } else { Ok(repo) }
    }

    /// The key, as the configuration shows it.
    pub(crate) fn key(&self) -> String {
        self.repo().key.clone()
    }
}

impl Repo {
    /// Adds a snapshot unless nothing has changed since the last one.
    fn add(&mut self, memo: &str, state: State) {
        if self.snapshots.last().is_some_and(|last| last.state.mark == state.mark) {
            return;
        }
        let id = moment::draw(|dice| format!("{:08x}{:032x}", dice.u32(..), dice.u128(..)));
        self.snapshots.push(Snapshot { id, memo: memo.to_owned(), created: crate::id::now_ms(), state });
    }
}

impl Snapshot {
    fn show(&self, tag: &str, tagged: i64) -> Value {
        let clock = |ms: i64| if ms == 0 { String::new() } else { crate::id::clock(ms / 1000) };
        let mut types: Vec<_> = self.state.types.iter().collect();
        types.sort_by(|a, b| b.1.cmp(a.1));
        let types = types.into_iter().map(|(end, count)| json!({ "type": end, "count": count }));
        json!({
            "id": self.id,
            "memo": self.memo,
            "created": self.created,
            "hCreated": clock(self.created),
            "files": null,
            "count": self.state.types.values().sum::<usize>(),
            "size": self.state.size,
            "hSize": size(self.state.size),
            "systemID": "d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0",
            "systemName": "demo",
            "systemOS": std::env::consts::OS,
            "tag": tag,
            "hTagUpdated": clock(tagged),
            "typesCount": types.take(10).collect::<Value>(),
        })
    }
}

/// A size in steps of a thousand, rounded up.
fn size(bytes: u64) -> String {
    let step = if bytes < 1000 { 0 } else { bytes.ilog10() / 3 }.min(3);
    match step {
        0 => format!("{bytes} B"),
        _ => {
            let hundredths = bytes.div_ceil(10_u64.pow(3 * step - 2));
            let unit = ["kB", "MB", "GB"].get(step as usize - 1).unwrap_or(&"GB");
            format!("{}.{:02} {unit}", hundredths / 100, hundredths % 100)
        }
    }
}

/// The present state of the workspace.
fn state(kernel: &Kernel) -> Result<State, Refusal> {
    let (mut state, mut mark) = (State::default(), DefaultHasher::new());
    kernel.store.read(|db| {
        for (path, text) in db.everything()? {
            (&path, &text).hash(&mut mark);
            state.count(&path, text.len() as u64);
        }
        Ok(())
    })?;
    history::files(&kernel.workspace.join("data"), &mut |file: &Path| {
        let Ok(meta) = file.metadata() else { return };
        (file, meta.len(), meta.modified().ok()).hash(&mut mark);
        state.count(&file.to_string_lossy(), meta.len());
    });
    state.mark = mark.finish();
    Ok(state)
}

impl State {
    fn count(&mut self, path: &str, size: u64) {
        let name = path.rsplit('/').next().unwrap_or(path);
        let end = name.rsplit_once('.').map_or("NoExt".to_owned(), |(_, end)| format!(".{end}"));
        *self.types.entry(end).or_default() += 1;
        self.size += size;
    }
}

/// A new key, and the first snapshot.
pub(super) fn init_key(kernel: &Kernel, _: &Args) -> Outcome {
    let state = state(kernel)?;
    let key = BASE64_STANDARD
        .encode(moment::draw(|dice| [dice.u128(..).to_be_bytes(), dice.u128(..).to_be_bytes()]).concat());
    let mut repo = Repo { key: key.clone(), ..Repo::default() };
    repo.add("[Init] Init local data repo", state);
    *kernel.snapshots.repo() = repo;
    Ok(json!({ "key": key }))
}

pub(super) fn list(kernel: &Kernel, args: &Args) -> Outcome {
    let page = args.get("page").ok_or_else(|| Refusal::new("Field [page] is required"))?;
    let page = page.as_f64().ok_or_else(|| Refusal::new("Field [page] should be of type [Number]"))?;
    let repo = kernel.snapshots.with_key()?;
    // The real handler counts pages from one and crashes on others.
    let skipped = (page as usize).checked_sub(1).ok_or_else(Refusal::panicked)?.saturating_mul(PAGE);
    let shown = repo.snapshots.iter().rev().skip(skipped).take(PAGE).map(|snapshot| snapshot.show("", 0));
    let count = repo.snapshots.len();
    Ok(json!({
        "snapshots": shown.collect::<Value>(), "pageCount": count.div_ceil(PAGE), "totalCount": count,
    }))
}

pub(super) fn list_tagged(kernel: &Kernel, _: &Args) -> Outcome {
    let repo = kernel.snapshots.with_key()?;
    let snapshots = repo.snapshots.iter().rev().flat_map(|snapshot| {
        let tags = repo.tags.iter().filter(|(_, (id, _))| *id == snapshot.id);
        tags.map(|(tag, (_, at))| snapshot.show(tag, *at))
    });
    Ok(json!({ "snapshots": snapshots.collect::<Value>() }))
}

/// The refusal of both writing calls after a failure.
fn failed(why: &str) -> Refusal {
    Refusal::new(format!("Failed to create data snapshot: {why}")).closing_after(5000)
}

/// Returns no id, and code 0 even when nothing has changed.
pub(super) fn create(kernel: &Kernel, args: &Args) -> Outcome {
    let memo = args.field_text("memo")?.trim();
    drop(kernel.snapshots.with_key().map_err(|refusal| failed(&refusal.msg))?);
    if memo.is_empty() {
        return Err(failed(EMPTY));
    }
    let state = state(kernel)?;
    kernel.snapshots.repo().add(memo, state);
    Ok(Value::Null)
}

/// Gives a snapshot a name; a name that another one has moves.
pub(super) fn tag(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, name) = (args.field_filled("id")?, args.field_text("name")?.trim());
    let mut repo = kernel.snapshots.with_key().map_err(|refusal| failed(&refusal.msg))?;
    if name.is_empty() {
        return Err(failed(EMPTY));
    }
    if name.contains(|c| "\\/:*?\"'<>|".contains(c)) {
        return Err(failed(BAD_NAME));
    }
    if !repo.snapshots.iter().any(|snapshot| snapshot.id == id) {
        let file = kernel.workspace.join("repo/indexes").join(id);
        return Err(failed(&format!("open {}: no such file or directory", file.display())));
    }
    if name.len() > LONGEST {
        let file = kernel.workspace.join("repo/refs/tags").join(name);
        return Err(failed(&format!("open {}: file name too long", file.display())));
    }
    repo.tags.insert(name.to_owned(), (id.to_owned(), crate::id::now_ms()));
    Ok(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_up() {
        assert_eq!(size(0), "0 B");
        assert_eq!(size(999), "999 B");
        assert_eq!(size(4261), "4.27 kB");
        assert_eq!(size(1_000_000), "1.00 MB");
    }

    #[test]
    fn the_same_state_is_no_new_snapshot() {
        let mut repo = Repo::default();
        repo.add("one", State::default());
        repo.add("two", State::default());
        repo.add("three", State { mark: 1, ..State::default() });
        let memos: Vec<_> = repo.snapshots.iter().map(|snapshot| snapshot.memo.as_str()).collect();
        assert_eq!(memos, ["one", "three"]);
    }
}
