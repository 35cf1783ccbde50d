//! `/api/filetree`: lists and trees of documents, and documents by their names.

use std::cmp::Ordering;

use serde_json::{Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;
use crate::store::{Db, Entry};

/// How many documents a list shows unless told.
const MOST: i64 = 512;

/// The documents directly below a storage path, in the asked or the user's order.
pub(crate) fn by_path(kernel: &Kernel, args: &Args) -> Outcome {
    let (notebook, path) = (args.text("notebook")?, args.text("path")?);
    let most = usize::try_from(args.int_or("maxListCount", MOST)).unwrap_or(0);
    kernel.store.read(|db| {
        let own = db.open_notebook(notebook)?.sort_mode;
        let mut entries = db.entries_in(notebook, &folder(path))?;
        let mode = args.int_or("sort", own);
        entries.sort_by(|a, b| order(mode, a, b));
        if most > 0 {
            entries.truncate(most);
        }
        let files = entries.iter().map(|entry| show(db, entry)).collect::<Result<Value, _>>()?;
        Ok(json!({ "box": notebook, "path": path, "files": files }))
    })
}

fn folder(path: &str) -> String {
    let path = path.trim_end_matches(".sy").trim_end_matches('/');
    format!("{path}/")
}

fn order(mode: i64, a: &Entry, b: &Entry) -> Ordering {
    let name = |e: &Entry| e.title.to_lowercase();
    let updated = |e: &Entry| e.updated.clone();
    let by = match mode {
        0 | 4 => name(a).cmp(&name(b)),
        1 | 5 => name(b).cmp(&name(a)),
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

fn show(db: &Db<'_>, entry: &Entry) -> Outcome {
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
        "count": db.references_to_document(&entry.id)?.len(),
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

/// Ids only, all levels; the real kernel refuses the root of a notebook.
pub(crate) fn tree(kernel: &Kernel, args: &Args) -> Outcome {
    let (notebook, path) = (args.text("notebook")?, args.text("path")?);
    if path == "/" {
        return Err(Refusal::new("path escapes notebook directory"));
    }
    kernel.store.read(|db| {
        let entries = db.entries(notebook)?;
        Ok(json!({ "tree": branch(&entries, &folder(path)) }))
    })
}

fn branch(entries: &[Entry], folder: &str) -> Value {
    let direct = |entry: &&Entry| entry.path.strip_prefix(folder).is_some_and(|name| !name.contains('/'));
    let show = |entry: &Entry| {
        let below = branch(entries, &format!("{}/", entry.path.trim_end_matches(".sy")));
        match below.as_array().is_some_and(Vec::is_empty) {
            true => json!({ "id": entry.id }),
            false => json!({ "id": entry.id, "children": below }),
        }
    };
    entries.iter().filter(direct).map(show).collect()
}

/// Documents whose path of titles holds a text.
pub(crate) fn search(kernel: &Kernel, args: &Args) -> Outcome {
    let wanted = args.text("k")?.to_lowercase();
    kernel.store.read(|db| {
        let mut found = Vec::new();
        for notebook in db.notebooks()?.into_iter().filter(|n| !n.closed) {
            for entry in db.entries(&notebook.id)? {
                let hpath = format!("{}{}", notebook.name, db.hpath(&entry.path)?);
                if entry.title.to_lowercase().contains(&wanted) || hpath.to_lowercase().contains(&wanted) {
                    found.push(json!({
                        "box": notebook.id, "boxIcon": notebook.icon, "hPath": hpath, "path": entry.path,
                    }));
                }
            }
        }
        Ok(Value::Array(found))
    })
}
