//! `/api/filetree`: lists and trees of documents, and documents by their names.

use std::cmp::Ordering;
use std::collections::HashMap;

use serde_json::{Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;
use crate::store::{Db, DocumentEntry, path_ids};

/// The default number of documents in a list.
const MOST: i64 = 512;

/// The documents directly below a storage path, in the requested or the user's order.
pub(crate) fn by_path(kernel: &Kernel, args: &Args) -> Outcome {
    let (notebook, path) = (args.text("notebook")?, args.text("path")?);
    let most = usize::try_from(args.int_or("maxListCount", MOST)).unwrap_or(0);
    kernel.store.read(|db| {
        let own = db.open_notebook(notebook)?.sort_mode;
        // A folder exists if a document of its name does.
        if path_ids(path).last().is_some_and(|id| !crate::id::is_node_id(id)) {
            let folder = kernel.workspace.join("data").join(notebook).join(path.trim_matches('/'));
            return Err(Refusal::new(format!("open {}: no such file or directory", folder.display())));
        }
        let mut entries = db.entries_in(notebook, &folder(path))?;
        let mode = args.int_or("sort", own);
        entries.sort_by(|a, b| order(mode, a, b));
        if let (7 | 8 | 13 | 14, true) = (mode, entries.len() > 1) {
            sort_by_count(db, &mut entries, mode)?;
        }
        if !args.bool_or("showHidden", false) {
            entries.retain(|entry| !is_hidden(db, entry));
        }
        if most > 0 {
            entries.truncate(most);
        }
        let files = entries.iter().map(|entry| show(db, entry)).collect::<Result<Value, _>>()?;
        Ok(json!({ "box": notebook, "path": path, "files": files }))
    })
}

/// Whether a person hides a document in the tree.
fn is_hidden(db: &Db<'_>, entry: &DocumentEntry) -> bool {
    db.need_tree(&entry.id).is_ok_and(|tree| tree.root.attrs.text("custom-hidden") == "true")
}

fn folder(path: &str) -> String {
    let path = path.trim_end_matches(".sy").trim_end_matches('/');
    format!("{path}/")
}

fn order(mode: i64, a: &DocumentEntry, b: &DocumentEntry) -> Ordering {
    let name = |e: &DocumentEntry| e.title.to_lowercase();
    let updated = |e: &DocumentEntry| e.updated.clone();
    let by = match mode {
        0 => name(a).cmp(&name(b)),
        1 => name(b).cmp(&name(a)),
        4 => natural(&a.title).cmp(&natural(&b.title)),
        5 => natural(&b.title).cmp(&natural(&a.title)),
        2 => updated(a).cmp(&updated(b)),
        3 => updated(b).cmp(&updated(a)),
        9 => a.id.cmp(&b.id),
        10 => b.id.cmp(&a.id),
        11 => a.size.cmp(&b.size),
        12 => b.size.cmp(&a.size),
        _ => a.sort.cmp(&b.sort),
    };
    by.then_with(|| a.id.cmp(&b.id))
}

/// A title as its runs of digits and other characters: numbers sort by their size, before texts.
fn natural(title: &str) -> Vec<(bool, u128, &str)> {
    let digit = |c: char| c.is_ascii_digit();
    let runs = title.as_bytes().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    let mut at = 0;
    let texts = runs.map(|run| {
        at += run.len();
        title.get(at - run.len()..at).unwrap_or_default()
    });
    let part = |text| match str::starts_with(text, digit) {
        true => (false, text.parse().unwrap_or(u128::MAX), ""),
        false => (true, 0, text),
    };
    texts.map(part).collect()
}

/// By references (7 and 8) or documents below (13 and 14), the second each from the most to the least.
fn sort_by_count(db: &Db<'_>, entries: &mut [DocumentEntry], mode: i64) -> Result<(), Refusal> {
    let mut counts = HashMap::new();
    for entry in entries.iter() {
        let folder = folder(&entry.path);
        let count = match mode {
            7 | 8 => i64::try_from(db.users_of(&entry.id, true)?.len()).unwrap_or(i64::MAX),
            _ => db.count_below(&entry.notebook, &folder)?,
        };
        counts.insert(entry.id.clone(), if matches!(mode, 8 | 14) { -count } else { count });
    }
    entries.sort_by_key(|entry| counts.get(&entry.id).copied());
    Ok(())
}

fn show(db: &Db<'_>, entry: &DocumentEntry) -> Outcome {
    let tree = db.need_tree(&entry.id)?;
    let attr = |name: &str| tree.root.attrs.text(name).to_owned();
    let made = crate::id::seconds_of(entry.id.get(..14).unwrap_or_default());
    let changed = crate::id::seconds_of(&entry.updated);
    let shown = json!({
        "path": entry.path,
        "name": entry.title,
        "icon": attr("icon"),
        "name1": attr("name"),
        "alias": attr("alias"),
        "memo": attr("memo"),
        "bookmark": attr("bookmark"),
        "id": entry.id,
        "count": db.users_of(&entry.id, true)?.len(),
        "size": entry.size,
        "hSize": format!("{} B", entry.size),
        "mtime": changed,
        "ctime": made,
        "hMtime": format!("{}, now", crate::id::clock(changed)),
        "hCtime": format!("{}, now", crate::id::clock(made)),
        "sort": entry.sort,
        "subFileCount": db.count_below(&entry.notebook, &tree.folder())?,
        "newFlashcardCount": 0,
        "dueFlashcardCount": 0,
        "flashcardCount": 0,
    });
    let untitled = tree.is_untitled().then(|| ("titleEmpty".to_owned(), json!(true)));
    Ok(Value::Object(shown.as_object().cloned().into_iter().flatten().chain(untitled).collect()))
}
