//! The demo workspace: reads a fixture folder and writes its notebooks, documents and permissions.

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::answer::Refusal;
use crate::endpoints::{asset, attr, filetree};
use crate::kernel::Kernel;
use crate::markdown::{Kind, Node};
use crate::store::{Db, Tree};

mod extras;

/// A link to the document of a title.
static LINK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\[\[(.+?)\]\]").ok());
/// The plugin's table of levels.
const PERMISSIONS: &str = "/data/storage/petal/siyuan-mcp-puppy/notebookPermissions";

/// The ids of documents by the keys of their notebooks and their paths.
type Ids<'p> = HashMap<(&'p str, &'p str), String>;

/// `fixture.json`.
#[derive(Debug, Deserialize)]
struct Plan {
    notebooks: Vec<FixtureNotebook>,
    assets: Vec<FixtureAsset>,
    documents: Vec<Document>,
    databases: Vec<extras::FixtureDatabase>,
    flashcards: Vec<extras::Flashcards>,
    bookmarks: Vec<Bookmark>,
}

#[derive(Debug, Deserialize)]
struct FixtureNotebook {
    key: String,
    name: String,
    icon: String,
    /// The level in the table; without one the notebook is not listed there.
    permission: Option<String>,
}

#[derive(Debug, Deserialize)]
struct FixtureAsset {
    file: String,
}

#[derive(Debug, Deserialize)]
struct Document {
    notebook: String,
    path: String,
    file: String,
    icon: Option<String>,
    tags: Option<String>,
    /// Whether it has blocks that only SiYuan 3.8 knows: it is left out before. Its last list is a mind map.
    #[serde(default)]
    newer: bool,
}

#[derive(Debug, Deserialize)]
struct Bookmark {
    notebook: String,
    path: String,
    label: String,
}

/// Loads a fixture folder into an empty kernel.
pub(crate) fn load(kernel: &Kernel, folder: &Path) -> Result<(), String> {
    let read = |file: &str| {
        let bytes = std::fs::read(folder.join(file));
        bytes.map_err(|e| format!("the fixture's {file} cannot be read: {e}"))
    };
    let mut plan: Plan = serde_json::from_slice(&read("fixture.json")?)
        .map_err(|e| format!("the fixture's fixture.json: {e}"))?;
    plan.documents.retain(|it| !it.newer || kernel.siyuan.is_newer());
    let describe = |refusal: Refusal| format!("the fixture: {}", refusal.msg);
    let mut moved = Vec::new();
    for asset in &plan.assets {
        let name = asset.file.rsplit('/').next().unwrap_or_default();
        let path = asset::keep(kernel, "assets", name, &read(&asset.file)?).map_err(describe)?;
        moved.push((format!("({}", asset.file), format!("({path}")));
    }
    let mut texts = Vec::new();
    for document in &plan.documents {
        let text = String::from_utf8_lossy(&read(&document.file)?).into_owned();
        texts.push(moved.iter().fold(text, |text, (old, new)| text.replace(old, new)));
    }
    let notebooks = kernel.store.write(|db| write(db, &plan, &texts)).map_err(describe)?;
    let levels = plan.notebooks.iter().filter_map(|notebook| {
        Some((notebooks.get(&notebook.key)?.clone(), json!(notebook.permission.as_ref()?)))
    });
    let table = Value::Object(levels.collect::<Map<_, _>>());
    kernel.write_file(PERMISSIONS, table.to_string().as_bytes()).map_err(describe)
}

/// Writes everything in one transaction; returns the ids of the notebooks by their keys.
fn write(db: &Db<'_>, plan: &Plan, texts: &[String]) -> Result<HashMap<String, String>, Refusal> {
    let mut notebooks = HashMap::new();
    // A new notebook goes before the others, so the last one comes first.
    for wanted in plan.notebooks.iter().rev() {
        let mut notebook = db.create_notebook(&wanted.name)?;
        notebook.icon.clone_from(&wanted.icon);
        db.save_notebook(&notebook)?;
        notebooks.insert(wanted.key.clone(), notebook.id);
    }
    let unknown = |what: &str| Refusal::new(format!("no notebook or document of the plan is called {what}"));
    let mut ids: Ids<'_> = HashMap::new();
    let mut titles: HashMap<&str, String> = HashMap::new();
    for document in &plan.documents {
        let notebook = notebooks.get(&document.notebook).ok_or_else(|| unknown(&document.notebook))?;
        let id = filetree::create(db, notebook, &document.path, "", |_, root| {
            root.attrs.set("icon", document.icon.as_deref().unwrap_or_default());
            root.attrs.set("tags", document.tags.as_deref().unwrap_or_default());
            Ok(())
        })?;
        titles.insert(document.path.rsplit('/').next().unwrap_or_default(), id.clone());
        ids.insert((&document.notebook, &document.path), id);
    }
    // References need the ids of all documents, so the texts come when all are there.
    for (document, text) in plan.documents.iter().zip(texts) {
        let id = ids
            .get(&(document.notebook.as_str(), document.path.as_str()))
            .ok_or_else(|| unknown(&document.path))?;
        let mut tree: Tree = db.need_tree(id)?;
        filetree::fill(db, &mut tree.root, &linked(text, &titles))?;
        if document.newer {
            draw_last_list(&mut tree.root);
        }
        db.save(&tree)?;
    }
    extras::write(db, plan, &ids)?;
    for bookmark in &plan.bookmarks {
        let id = ids.get(&(bookmark.notebook.as_str(), bookmark.path.as_str()));
        let attrs = [("bookmark".to_owned(), json!(bookmark.label))].into_iter().collect();
        attr::set(db, id.ok_or_else(|| unknown(&bookmark.path))?, &attrs)?;
    }
    Ok(notebooks)
}

/// Turns the last list of a document into a mind map.
fn draw_last_list(root: &mut Node) {
    let last = root.children.iter_mut().rev().find(|it| matches!(it.kind, Kind::List(_)));
    last.into_iter().for_each(|list| {
        list.walk_mut(&mut |node| {
            node.kind = match std::mem::replace(&mut node.kind, Kind::Break) {
                Kind::List(list) => Kind::Mindmap(list),
                Kind::Item { marker, task } => Kind::MindmapItem { marker, task },
                other => other,
            };
        });
    });
}

/// `[[Title]]` becomes a reference to the document of that title.
fn linked(text: &str, titles: &HashMap<&str, String>) -> String {
    let Some(pattern) = &*LINK else { return text.to_owned() };
    let link = |found: &regex::Captures<'_>| {
        let whole = found.get(0).map_or("", |m| m.as_str());
        let title = found.get(1).map_or("", |m| m.as_str());
        titles.get(title).map_or_else(|| whole.to_owned(), |id| format!("(({id} '{title}'))"))
    };
    pattern.replace_all(text, link).into_owned()
}
