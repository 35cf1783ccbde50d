//! `/api/history`: versions of documents, kept as files below `history/`.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Value, json};
use time::macros::format_description;

use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;
use crate::markdown::write::{Style, write};
use crate::markdown::{Kind, Node, dom, sy};
use crate::store::{Db, Notebook, Tree};

mod marks;
mod merged;
mod search;

pub(super) use search::{files, items, times};

/// A larger version is shown as text.
const LARGE: usize = 1 << 20;

static EDITABLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(<(?:div|table)[^<>]*)contenteditable="true""#).ok());

/// The folder of the versions that an operation makes in this second.
fn folder(operation: &str) -> String {
    let stamp = format_description!("[year]-[month]-[day]-[hour][minute][second]");
    let time = crate::moment::now().format(stamp).unwrap_or_default();
    format!("/history/{time}-{operation}")
}

/// Keeps the present state of a document, under the name of the coming operation.
pub(super) fn keep(kernel: &Kernel, tree: &Tree, operation: &str) -> Result<(), Refusal> {
    let path = format!("{}/{}{}", folder(operation), tree.notebook, tree.path);
    kernel.write_file(&path, stored(&tree.root)?.as_bytes())
}

/// Keeps the databases that a document shows with its version.
fn keep_databases(kernel: &Kernel, db: &Db<'_>, tree: &Tree, operation: &str) -> Result<(), Refusal> {
    for id in databases_of(&tree.root) {
        let Some(database) = db.find_database(&id)? else { continue };
        let path = format!("{}/storage/av/{id}.json", folder(operation));
        kernel.write_file(&path, json!(database).to_string().as_bytes())?;
    }
    Ok(())
}

/// The databases that a document shows.
fn databases_of(root: &Node) -> Vec<String> {
    let mut found = Vec::new();
    root.walk(&mut |node| {
        if let Kind::Database { av, .. } = &node.kind {
            found.push(av.clone());
        }
    });
    found
}

/// The key of a version's file under which this kernel finds the tree again; SiYuan's format is only written here.
const OWN: &str = "DemoTree";

/// A version in SiYuan's own format.
fn stored(root: &Node) -> Result<String, Refusal> {
    let odd = |e: serde_json::Error| Refusal::new(e.to_string());
    let mut file: Value = serde_json::from_str(&sy::document(root)).map_err(odd)?;
    if let Some(fields) = file.as_object_mut() {
        fields.insert(OWN.to_owned(), serde_json::to_value(root).map_err(odd)?);
    }
    Ok(file.to_string())
}

/// Keeps a file of `data/`.
pub(super) fn keep_file(kernel: &Kernel, path: &str, operation: &str) -> Result<(), Refusal> {
    let bytes = std::fs::read(kernel.file(&format!("/data/{path}"))?)?;
    kernel.write_file(&format!("{}/{path}", folder(operation)), &bytes)
}

/// Keeps the settings of a notebook that is about to be removed; its documents are kept by themselves.
pub(super) fn keep_notebook(kernel: &Kernel, notebook: &Notebook) -> Result<(), Refusal> {
    let path = format!("{}/{}/.siyuan/conf.json", folder("delete"), notebook.id);
    kernel.write_file(&path, notebook.conf().to_string().as_bytes())
}

pub(super) fn create(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.field_filled("id")?;
    kernel.store.read(|db| {
        let tree = db.need_tree(id)?;
        keep(kernel, &tree, "update")?;
        keep_databases(kernel, db, &tree, "update")?;
        Ok(Value::Null)
    })
}

/// Versions are found in their folders, so there is no index to rebuild.
pub(super) fn reindex(_: &Kernel, _: &Args) -> Outcome {
    Ok(Value::Null)
}

fn parse(bytes: &[u8]) -> Result<Node, Refusal> {
    let odd = |e: serde_json::Error| Refusal::new(format!("parse tree failed: {e}"));
    let mut file: Value = serde_json::from_slice(bytes).map_err(odd)?;
    let own = file.get_mut(OWN).map(Value::take).unwrap_or_default();
    serde_json::from_value(own).map_err(odd)
}

/// Whether the file of a version is equal to what SiYuan would write for a document.
fn is_present(bytes: &[u8], root: &Node) -> bool {
    let parsed = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).ok();
    let Some(mut version) = parsed(bytes) else { return false };
    if let Some(fields) = version.as_object_mut() {
        fields.shift_remove(OWN);
    }
    parsed(sy::document(root).as_bytes()) == Some(version)
}

/// A version as editor DOM that cannot be edited, open and with the words of a search marked; a large one as text.
pub(super) fn content(kernel: &Kernel, args: &Args) -> Outcome {
    let path = args.field_filled("historyPath")?;
    let outside = |_| {
        let path = crate::kernel::clean(&kernel.workspace, path);
        Refusal::new(format!("Path [{}] is not in workspace", path.display()))
    };
    let file = kernel.file(path).map_err(outside)?;
    let Ok(bytes) = std::fs::read(&file) else {
        return Ok(json!({ "id": "", "rootID": "", "content": "", "isLargeDoc": false }));
    };
    let mut root = parse(&bytes)?;
    let large = bytes.len() >= LARGE;
    let words: Vec<&str> = args.text_or("k", "").split_whitespace().collect();
    let content = if large {
        write(&root, Style::Plain) + "\n"
    } else {
        root.walk_mut(&mut |node| {
            node.attrs.set("fold", "");
            node.attrs.set("heading-fold", "");
            if args.bool_or("highlight", true) {
                node.texts_mut().into_iter().for_each(|spans| marks::mark(spans, &words));
            }
        });
        let shown = dom::blocks(&root.children, 1);
        let editable = EDITABLE.as_ref().ok_or_else(Refusal::panicked)?;
        editable.replace_all(&shown, "${1}contenteditable=\"false\"").into_owned()
    };
    Ok(json!({ "id": root.id, "rootID": root.id, "content": content, "isLargeDoc": large }))
}

/// Restores a version at the document's present or last place, or in a notebook called Rollback if its own is gone.
pub(super) fn rollback(kernel: &Kernel, args: &Args) -> Outcome {
    let path = args.field_filled("historyPath")?;
    let refuse = |why: &str| Refusal::new(format!("history path [{path}] {why}"));
    let file = kernel.file(path).map_err(|_| refuse("is not in workspace"))?;
    if !file.exists() {
        return Err(refuse("not exist"));
    }
    let below = file
        .strip_prefix(kernel.workspace.join("history"))
        .map_err(|_| refuse("is not under history directory"))?;
    let parts: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let [folder, notebook, folders @ .., _] = parts.as_slice() else { return Ok(Value::Null) };
    let bytes = std::fs::read(&file)?;
    let versions = kernel.workspace.join("history").join(folder);
    kernel.store.write(|db| {
        let root = merged::read(kernel, db, &bytes)?;
        for id in databases_of(&root) {
            let kept = std::fs::read(versions.join(format!("storage/av/{id}.json"))).ok();
            let read = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok());
            if let (Some(mut database), Some(_)) = (read, db.find_database(&id)?) {
                db.save_database(&mut database)?;
            }
        }
        let present = db.tree_of(&root.id)?.filter(|tree| tree.id() == root.id);
        if let Some(present) = present.filter(|tree| is_present(&bytes, &tree.root)) {
            // SiYuan removes the file first, and then writes none that equals what it holds in memory.
            db.remove_tree(&present)?;
            return Ok(Value::Null);
        }
        put_back(db, root, notebook, folders.last().map(String::as_str))?;
        Ok(Value::Null)
    })
}

fn put_back(db: &Db<'_>, mut root: Node, notebook: &str, parent: Option<&str>) -> Result<(), Refusal> {
    let open = db.notebook(notebook)?.filter(|n| !n.closed);
    let stand_in =
        |notebooks: Vec<Notebook>| notebooks.into_iter().find(|n| n.name == "Rollback" && !n.closed);
    let (notebook, fresh) = match open {
        Some(notebook) => (notebook, false),
        None => match stand_in(db.notebooks()?) {
            Some(notebook) => (notebook, false),
            None => (db.create_notebook("Rollback")?, true),
        },
    };
    if fresh {
        root.walk_mut(&mut |node| node.id = crate::id::new_id());
    }
    let working = db.tree_of(&root.id)?.filter(|_| !fresh);
    // A block that is in another document now keeps its id there.
    let own = working.as_ref().filter(|tree| tree.id() == root.id).map(|tree| tree.id().to_owned());
    let mut taken = Vec::new();
    let mut ids = Vec::new();
    root.walk(&mut |node| ids.push(node.id.clone()));
    for id in ids {
        let there = db.root_of(&id)?;
        taken.extend(there.filter(|there| Some(there) != own.as_ref()).map(|_| id));
    }
    root.walk_mut(&mut |node| {
        if taken.contains(&node.id) {
            node.id = crate::id::new_id();
        }
    });
    let tree = match working.filter(|_| own.is_some()) {
        Some(working) => Tree { root, ..working },
        None => {
            let parent = parent.map(|id| db.tree_of(id)).transpose()?.flatten();
            let folder =
                parent.filter(|tree| tree.id() != notebook.id).map_or("/".to_owned(), |t| t.folder());
            Tree { notebook: notebook.id, path: format!("{folder}{}.sy", root.id), sort: 0, root }
        }
    };
    if own.is_some() { db.save(&tree) } else { db.add(tree) }
}

/// Notebooks that were removed, the last one first.
pub(super) fn notebooks(kernel: &Kernel, _: &Args) -> Outcome {
    let mut out = Vec::new();
    for folder in subfolders(&kernel.workspace.join("history")) {
        let Some(time) = folder.strip_suffix("-delete") else { continue };
        for notebook in subfolders(&kernel.workspace.join("history").join(&folder)) {
            let path = format!("/history/{folder}/{notebook}");
            let conf = kernel.json_file(&format!("{path}/.siyuan/conf.json"));
            let Some(name) = conf.get("name") else { continue };
            let made = search::seconds(time).map_or(time.to_owned(), crate::id::clock);
            let item = json!({ "title": name, "path": path, "op": "delete", "notebook": "" });
            out.push(json!({ "hCreated": made, "items": [item] }));
        }
    }
    out.reverse();
    Ok(json!({ "histories": out }))
}

/// The names of the folders in a folder, in order.
fn subfolders(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort_unstable();
    names
}
