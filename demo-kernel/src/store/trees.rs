//! Block trees in the store: the place of each document, and the document of each block.

use rusqlite::{OptionalExtension, Row, params};

use super::refs::renamed;
use super::tree::{Tree, set_title};
use super::{Db, Notebook};
use crate::answer::Refusal;
use crate::markdown::{Kind, Node};

/// A document as lists show it, without the tree.
#[derive(Debug, Clone)]
pub(crate) struct DocumentEntry {
    pub(crate) id: String,
    pub(crate) notebook: String,
    pub(crate) path: String,
    pub(crate) title: String,
    pub(crate) sort: i64,
    pub(crate) size: i64,
    pub(crate) updated: String,
}

impl DocumentEntry {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<DocumentEntry> {
        Ok(DocumentEntry {
            id: row.get("id")?,
            notebook: row.get("box")?,
            path: row.get("path")?,
            title: row.get("title")?,
            sort: row.get("sort")?,
            size: row.get("size")?,
            updated: row.get("updated")?,
        })
    }
}

const ENTRY: &str = "SELECT id, box, path, title, sort, updated, length(root) AS size FROM tree";

/// The ids that a storage path is made of.
pub(crate) fn path_ids(path: &str) -> impl Iterator<Item = &str> {
    path.trim_end_matches(".sy").split('/').filter(|id| !id.is_empty())
}

impl Db<'_> {
    /// The document of a block; none in a closed notebook.
    pub(crate) fn root_of(&self, id: &str) -> Result<Option<String>, Refusal> {
        let mut query = self.0.prepare_cached(
            "SELECT node.root FROM node JOIN tree ON tree.id = node.root JOIN notebook ON notebook.id = tree.box
             WHERE node.id = ?1 AND notebook.closed = 0",
        )?;
        Ok(query.query_row([id], |row| row.get(0)).optional()?)
    }

    /// Whether a block exists in a closed notebook.
    pub(crate) fn is_in_closed_notebook(&self, id: &str) -> Result<bool, Refusal> {
        let mut query = self.0.prepare_cached("SELECT count(*) FROM node WHERE id = ?1")?;
        let known: i64 = query.query_row([id], |row| row.get(0))?;
        Ok(known > 0 && self.root_of(id)?.is_none())
    }

    /// The tree of a block.
    pub(crate) fn tree_of(&self, id: &str) -> Result<Option<Tree>, Refusal> {
        let Some(root) = self.root_of(id)? else { return Ok(None) };
        let mut query = self.0.prepare_cached("SELECT * FROM tree WHERE id = ?1")?;
        Ok(query.query_row([root], Tree::from_row).optional()?)
    }

    /// The same, or the kernel's refusal.
    pub(crate) fn need_tree(&self, id: &str) -> Result<Tree, Refusal> {
        self.tree_of(id)?.ok_or_else(|| Refusal::new("tree not found"))
    }

    /// A document and all below it, as far as their notebook is concerned.
    pub(crate) fn trees_below(&self, tree: &Tree) -> Result<Vec<Tree>, Refusal> {
        let folder = tree.folder();
        let mut query = self.0.prepare_cached(
            "SELECT * FROM tree WHERE box = ?1 AND path >= ?2 AND path < ?2 || '~' ORDER BY path",
        )?;
        let rows = query.query_map(params![tree.notebook, folder], Tree::from_row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Every document of a notebook, open or closed.
    pub(crate) fn trees_in(&self, notebook: &str) -> Result<Vec<Tree>, Refusal> {
        let mut query = self.0.prepare_cached("SELECT * FROM tree WHERE box = ?1 ORDER BY path")?;
        let rows = query.query_map([notebook], Tree::from_row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// As lists show them, the documents directly below a storage path that ends with a slash.
    pub(crate) fn entries_in(&self, notebook: &str, folder: &str) -> Result<Vec<DocumentEntry>, Refusal> {
        let mut query = self
            .0
            .prepare_cached(&format!("{ENTRY} WHERE box = ?1 AND folder = ?2 AND id <> box ORDER BY path"))?;
        let rows = query.query_map([notebook, folder], DocumentEntry::from_row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The number of documents directly below a storage path that ends with a slash, and the highest rank there.
    fn count_and_last(&self, notebook: &str, folder: &str) -> Result<(i64, i64), Refusal> {
        let mut query = self.0.prepare_cached(
            "SELECT count(*), coalesce(max(sort), 0) FROM tree WHERE box = ?1 AND folder = ?2 AND id <> box",
        )?;
        Ok(query.query_row([notebook, folder], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }

    /// The number of documents directly below a storage path that ends with a slash.
    pub(crate) fn count_below(&self, notebook: &str, folder: &str) -> Result<i64, Refusal> {
        Ok(self.count_and_last(notebook, folder)?.0)
    }

    /// Documents, bytes and the newest change of a notebook.
    pub(crate) fn notebook_size(&self, notebook: &str) -> Result<(i64, i64, i64), Refusal> {
        let mut query = self.0.prepare_cached(
            "SELECT count(*) FILTER (WHERE id <> box), coalesce(sum(octet_length(root)), 0) FROM tree WHERE box = ?1",
        )?;
        let now = crate::id::now_ms() / 1000;
        Ok(query.query_row([notebook], |row| Ok((row.get(0)?, row.get(1)?, now)))?)
    }

    /// The path of titles of a storage path.
    pub(crate) fn hpath(&self, path: &str) -> Result<String, Refusal> {
        let mut query = self.0.prepare_cached("SELECT title FROM tree WHERE id = ?1")?;
        let mut hpath = String::new();
        for id in path_ids(path) {
            let title: Option<String> = query.query_row([id], |row| row.get(0)).optional()?;
            hpath.push('/');
            hpath += &title.ok_or_else(|| Refusal::new("block not found"))?;
        }
        Ok(hpath)
    }

    /// The documents of a path of titles.
    pub(crate) fn ids_by_hpath(&self, notebook: &str, hpath: &str) -> Result<Vec<DocumentEntry>, Refusal> {
        let titles: Vec<&str> = hpath.split('/').collect();
        let mut query = self.0.prepare_cached(&format!(
            "{ENTRY} WHERE box = ?1 AND title = ?2 ORDER BY substr(id, 1, 14), sort"
        ))?;
        let Some(last) = titles.last() else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        let rows = query.query_map([notebook, last], DocumentEntry::from_row)?;
        for entry in rows.collect::<Result<Vec<_>, _>>()? {
            if self.hpath(&entry.path)? == hpath && entry.id != notebook {
                found.push(entry);
            }
        }
        Ok(found)
    }

    /// Writes a tree and its rows in the index, and updates dynamic references to changed blocks.
    pub(crate) fn save(&self, tree: &Tree) -> Result<(), Refusal> {
        let names = self.names_in(tree.id())?;
        self.put(tree)?;
        self.follow_names(renamed(tree, &names))
    }

    /// Writes a tree and its rows in the index.
    pub(super) fn put(&self, tree: &Tree) -> Result<(), Refusal> {
        let root = serde_json::to_string(&tree.root).map_err(|e| Refusal::new(e.to_string()))?;
        let mut save = self.0.prepare_cached("REPLACE INTO tree VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
        let updated = tree.root.attrs.text("updated");
        save.execute(params![
            tree.id(),
            tree.notebook,
            tree.place(),
            tree.path,
            tree.title(),
            tree.sort,
            updated,
            root
        ])?;
        self.index(tree)
    }

    /// Rewrites all rows of a document.
    pub(crate) fn reindex(&self, id: &str) -> Result<(), Refusal> {
        self.0.execute("UPDATE node SET print = 0 WHERE root = ?1", [id])?;
        self.index(&self.need_tree(id)?)
    }

    /// Writes a new document behind its siblings.
    pub(crate) fn add(&self, mut tree: Tree) -> Result<(), Refusal> {
        tree.sort = self.count_and_last(&tree.notebook, tree.place())?.1 + 1;
        self.save(&tree)
    }

    /// Removes a document and all below it.
    pub(crate) fn remove_tree(&self, tree: &Tree) -> Result<(), Refusal> {
        for below in self.trees_below(tree)? {
            self.forget(below.id())?;
        }
        self.forget(tree.id())
    }

    pub(super) fn forget(&self, root: &str) -> Result<(), Refusal> {
        self.unindex_root(root)?;
        self.0.execute("DELETE FROM node WHERE root = ?1", [root])?;
        self.0.execute("DELETE FROM tree WHERE id = ?1", [root])?;
        Ok(())
    }

    /// Puts a document with all below it into a folder, perhaps of another notebook.
    pub(crate) fn move_tree(&self, mut tree: Tree, notebook: &str, folder: &str) -> Result<(), Refusal> {
        let (old_notebook, old_folder) = (tree.notebook.clone(), tree.folder());
        let below = self.trees_below(&tree)?;
        tree.notebook = notebook.to_owned();
        tree.path = format!("{folder}{}.sy", tree.id());
        let new_folder = tree.folder();
        if (notebook, &new_folder) == (old_notebook.as_str(), &old_folder) {
            return Ok(());
        }
        self.add(tree)?;
        for mut child in below {
            child.path = child.path.replacen(&old_folder, &new_folder, 1);
            notebook.clone_into(&mut child.notebook);
            self.save(&child)?;
        }
        Ok(())
    }

    /// Renames a document; the rows of its descendants contain the title, too.
    pub(crate) fn rename_tree(&self, mut tree: Tree, title: &str) -> Result<(), Refusal> {
        set_title(&mut tree.root, title);
        self.save(&tree)?;
        self.note_rename(tree.id())?;
        self.trees_below(&tree)?.iter().try_for_each(|below| self.index(below))
    }

    /// The document that a notebook has of its own: its id is the notebook's.
    pub(crate) fn create_notebook_document(&self, notebook: &Notebook) -> Result<(), Refusal> {
        let mut tree = Tree::new(&notebook.id, "/", &notebook.id, &notebook.name);
        tree.root.children.push(Node::new(Kind::Paragraph));
        self.save(&tree)
    }

    pub(crate) fn rename_notebook_document(&self, notebook: &Notebook) -> Result<(), Refusal> {
        let mut query = self.0.prepare_cached("SELECT * FROM tree WHERE id = ?1")?;
        match query.query_row([&notebook.id], Tree::from_row).optional()? {
            Some(tree) => self.rename_tree(tree, &notebook.name),
            None => Ok(()),
        }
    }

    /// Adds the documents of a notebook to the index, or removes them when it is closed.
    pub(crate) fn index_notebook(&self, notebook: &Notebook) -> Result<(), Refusal> {
        for tree in self.trees_in(&notebook.id)? {
            if notebook.closed {
                self.unindex_root(tree.id())?;
                // Another print makes every row new when the notebook is opened again.
                self.0.execute("UPDATE node SET print = 0 WHERE root = ?1", [tree.id()])?;
            } else {
                self.index(&tree)?;
            }
        }
        Ok(())
    }

    pub(crate) fn remove_notebook(&self, id: &str) -> Result<(), Refusal> {
        let mut query = self.0.prepare_cached("SELECT id FROM tree WHERE box = ?1")?;
        let roots = query.query_map([id], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
        roots.iter().try_for_each(|root| self.forget(root))?;
        self.0.execute("DELETE FROM notebook WHERE id = ?1", [id])?;
        Ok(())
    }
}
