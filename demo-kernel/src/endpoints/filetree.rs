//! `/api/filetree`: documents by id and by path; [`list`] shows many at once.

use serde_json::{Value, json};

use crate::answer::{Args, Outcome, Refusal, node_id};
use crate::kernel::Kernel;
use crate::markdown::{Kind, Node, names_a_wrong_id, scan_as};
use crate::store::{Db, Tree, path_ids, tags};

pub(super) mod convert;
pub(super) mod copy;
pub(super) mod daily;
pub(super) mod list;

/// The kernel's limit for the depth of documents below a notebook.
const DEEPEST: usize = 7;
/// Longer titles are cut.
const LONGEST: usize = 512;

/// A title as the kernel cleans it; an empty one is shown as Untitled.
fn clean_title(title: &str) -> String {
    let title: String =
        title.chars().filter(|c| !matches!(c, '/' | '\n' | '\r' | '\t')).take(LONGEST).collect();
    title.trim().to_owned()
}

/// Never refuses a path that is taken; parents that are missing are made.
pub(super) fn create_with_markdown(kernel: &Kernel, args: &Args) -> Outcome {
    let (notebook, path) = (args.id("notebook")?, args.text("path")?);
    let markdown = args.text("markdown")?;
    let (id, parent, given) =
        (args.text_or("id", ""), args.text_or("parentID", ""), args.text_or("tags", ""));
    kernel.store.write(|db| {
        db.open_notebook(notebook)?;
        let id = create(db, notebook, path, parent, |db, root| {
            if !id.is_empty() {
                id.clone_into(&mut root.id);
            }
            root.attrs.set("tags", &tags::kept(&given.replace('，', ",")));
            fill(db, root, markdown)
        })?;
        Ok(json!(id))
    })
}

/// Makes a document at a path of titles, gives it to `f` and writes it; answers its id.
pub(crate) fn create(
    db: &Db<'_>,
    notebook: &str,
    path: &str,
    parent: &str,
    f: impl FnOnce(&Db<'_>, &mut Node) -> Result<(), Refusal>,
) -> Result<String, Refusal> {
    let mut titles: Vec<&str> = path.split('/').map(str::trim).filter(|title| !title.is_empty()).collect();
    let title = if path.is_empty() { "." } else { titles.pop().unwrap_or_default() };
    let folder = folder_of(db, notebook, &titles, parent)?;
    let mut tree = Tree::new(notebook, &folder, &crate::id::new_id(), &clean_title(title));
    f(db, &mut tree.root)?;
    if tree.root.children.is_empty() {
        tree.root.children.push(Node::new(Kind::Paragraph));
    }
    // The id may be the caller's; a document that has it already is replaced and moves here.
    tree.path = format!("{folder}{}.sy", tree.id());
    let id = tree.id().to_owned();
    if db
        .tree_of(&id)?
        .is_some_and(|other| (other.notebook, other.path) == (tree.notebook.clone(), tree.path.clone()))
    {
        return Err(Refusal::new("Duplicated filename"));
    }
    db.add(tree)?;
    Ok(id)
}

/// Gives a document the blocks of a text.
pub(crate) fn fill(db: &Db<'_>, root: &mut Node, markdown: &str) -> Result<(), Refusal> {
    if names_a_wrong_id(markdown) {
        return Err(Refusal::panicked());
    }
    root.children = scan_as(db.siyuan(), markdown);
    if root.children.is_empty() {
        root.children.push(Node::new(Kind::Paragraph));
    }
    db.name_references(root)
}

/// The folder of a path of titles; documents on the way that are missing are made.
fn folder_of(db: &Db<'_>, notebook: &str, titles: &[&str], parent: &str) -> Result<String, Refusal> {
    if !parent.is_empty()
        && let Some(tree) = db.tree_of(parent)?.filter(|tree| tree.notebook == notebook)
        && db.hpath(&tree.path)?.trim_start_matches('/') == titles.join("/")
    {
        return Ok(tree.folder());
    }
    let mut folder = String::from("/");
    for (depth, title) in titles.iter().enumerate() {
        let found = db.entries_in(notebook, &folder)?.into_iter().find(|entry| entry.title == *title);
        if depth + 1 >= DEEPEST {
            return Err(Refusal::new(
                "The current settings do not allow the creation of sub-documents under a document 7 levels deep",
            ));
        }
        folder = match found {
            Some(entry) => format!("{}/", entry.path.trim_end_matches(".sy")),
            None => {
                let mut tree = Tree::new(notebook, &folder, &crate::id::new_id(), &clean_title(title));
                tree.root.children.push(Node::new(Kind::Paragraph));
                db.save(&tree)?;
                tree.folder()
            }
        };
    }
    Ok(folder)
}

pub(super) fn path_by_id(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.id("id")?;
    kernel.store.read(|db| {
        let tree = db.need_tree(id)?;
        Ok(json!({ "notebook": tree.notebook, "path": tree.path }))
    })
}

fn shown_hpath(db: &Db<'_>, tree: &Tree) -> Result<String, Refusal> {
    if tree.is_notebook() { Ok("/".into()) } else { db.hpath(&tree.path) }
}

pub(super) fn hpath_by_id(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.id("id")?;
    kernel.store.read(|db| Ok(json!(shown_hpath(db, &db.need_tree(id)?)?)))
}

/// The document of a storage path.
fn by_path(db: &Db<'_>, path: &str) -> Result<Tree, Refusal> {
    let id = path_ids(path).last().unwrap_or_default();
    let tree = db.tree_of(id)?.filter(|tree| tree.path == path);
    tree.ok_or_else(|| Refusal::new("block not found"))
}

pub(super) fn ids_by_hpath(kernel: &Kernel, args: &Args) -> Outcome {
    let (notebook, path) = (args.id("notebook")?, args.text("path")?);
    kernel.store.read(|db| {
        if db.open_notebook(notebook).is_err() {
            return Ok(json!([]));
        }
        if path == "/" {
            return Ok(json!([notebook]));
        }
        Ok(db.ids_by_hpath(notebook, path)?.into_iter().map(|entry| json!(entry.id)).collect())
    })
}

pub(super) fn rename_by_id(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, title) = (args.id("id")?, args.text("title")?);
    kernel.store.write(|db| {
        let tree = db.need_tree(id).map_err(|refusal| refusal.closing_after(7000))?;
        if title.chars().count() > LONGEST {
            return Err(Refusal::new("Maximum length is limited to 512 characters"));
        }
        db.rename_tree(tree, &clean_title(title))?;
        Ok(Value::Null)
    })
}

/// Moves documents below a document or to the root of a notebook; a document is never moved below itself.
pub(super) fn move_by_id(kernel: &Kernel, args: &Args) -> Outcome {
    let (from, to) = (args.texts("fromIDs")?, args.text("toID")?);
    from.iter().chain([&to]).try_for_each(|id| node_id(id).map(drop))?;
    if from.is_empty() {
        return Err(Refusal::new("block not found").closing_after(7000));
    }
    kernel.store.write(|db| {
        let trees = from.iter().map(|id| db.need_tree(id)).collect::<Result<Vec<_>, _>>();
        let trees = trees.map_err(|refusal| refusal.closing_after(7000))?;
        let notebook = db.notebook(to)?.filter(|n| !n.closed);
        let (notebook, folder) = match (notebook, db.tree_of(to)?) {
            (Some(notebook), _) => (notebook.id, "/".to_owned()),
            (None, Some(tree)) => (tree.notebook.clone(), tree.folder()),
            (None, None) => {
                let why = format!("can't found box or tree by id [{to}]");
                return Err(Refusal::new(why).closing_after(7000));
            }
        };
        for tree in trees {
            if !folder.starts_with(&tree.folder()) || tree.notebook != notebook {
                db.move_tree(tree, &notebook, &folder)?;
            }
        }
        Ok(Value::Null)
    })
}

fn remove(kernel: &Kernel, db: &Db<'_>, tree: &Tree) -> Outcome {
    super::history::keep(kernel, tree, "delete")?;
    for below in db.trees_below(tree)? {
        super::history::keep(kernel, &below, "delete")?;
    }
    let mut gone = db.trees_below(tree)?;
    db.remove_tree(tree)?;
    gone.push(tree.clone());
    for tree in &gone {
        let mut nodes = Vec::new();
        tree.root.walk(&mut |node| nodes.push(node));
        db.follow_removal(&nodes)?;
    }
    kernel.note_removal(tree.id());
    Ok(Value::Null)
}

pub(super) fn remove_by_id(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.id("id")?;
    kernel.store.write(|db| {
        let tree = db.need_tree(id).map_err(|refusal| refusal.closing_after(7000))?;
        remove(kernel, db, &tree)
    })
}

pub(super) fn change_sort(kernel: &Kernel, args: &Args) -> Outcome {
    let (_, paths) = (args.text("notebook")?, args.texts("paths")?);
    kernel.store.write(|db| {
        for (sort, path) in (1..).zip(paths) {
            if let Ok(mut tree) = by_path(db, path) {
                tree.sort = sort;
                db.save(&tree)?;
            }
        }
        Ok(Value::Null)
    })
}
