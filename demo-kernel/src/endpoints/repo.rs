//! `/api/repo`: snapshots of the workspace.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::endpoints::history;
use crate::kernel::Kernel;
use crate::moment;
use crate::snapshots::{Repo, WorkspaceState};

/// The number of snapshots on a page.
const PAGE: usize = 32;

/// A tag is the name of a file, with something behind it while it is written.
const LONGEST: usize = 244;

const EMPTY: &str = "Input can not be empty";
const BAD_NAME: &str = "Do not include symbols \\ / : * ? &quot; &#039; &lt; &gt; |";

/// The present state of the workspace.
fn state(kernel: &Kernel) -> Result<WorkspaceState, Refusal> {
    let (mut state, mut mark) = (WorkspaceState::default(), DefaultHasher::new());
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
