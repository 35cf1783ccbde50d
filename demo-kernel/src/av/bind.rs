//! Databases in the store, the blocks that show them, and the blocks that are rows of them.

use super::database::{Database, UNTITLED};
use super::group;
use super::render::Source;
use super::render::fill::STATIC_TEXT;
use crate::answer::Refusal;
use crate::markdown::attrs::{escape, unescape};
use crate::markdown::{Kind, Node, plain};
use crate::store::{Db, Tree};

/// The attribute that lists the databases a block is a row of.
const ROW_OF: &str = "custom-avs";
/// Their names, as the page shows them.
pub(crate) const NAMES: &str = "av-names";
/// The attribute of a block that shows a database: the view it shows.
pub(crate) const SHOWN_VIEW: &str = "custom-sy-av-view";

const DATABASE: &str = "database";
const CARRIERS: &str = "carriers";

impl Db<'_> {
    pub(crate) fn find_database(&self, id: &str) -> Result<Option<Database>, Refusal> {
        self.document(DATABASE, id)
    }

    /// The database, or the kernel's refusal.
    pub(crate) fn database(&self, id: &str) -> Result<Database, Refusal> {
        if !crate::id::is_node_id(id) {
            return Err(Refusal::new("invalid attribute view id"));
        }
        self.find_database(id)?.ok_or_else(|| Refusal::new("view not found"))
    }

    /// All databases, the last changed first.
    pub(crate) fn databases(&self) -> Result<Vec<Database>, Refusal> {
        Ok(self.documents(DATABASE)?.into_iter().map(|(_, database)| database).collect())
    }

    pub(crate) fn save_database(&self, database: &mut Database) -> Result<(), Refusal> {
        database.tidy();
        self.save_document(DATABASE, &database.id, database)
    }

    /// Removes a database, even if blocks show it.
    pub(crate) fn forget_database(&self, id: &str) -> Result<(), Refusal> {
        self.remove_document(DATABASE, id)?;
        self.remove_document(CARRIERS, id)
    }

    /// Rebuilds its groups and writes it.
    pub(crate) fn regroup_and_save(&self, database: &mut Database) -> Result<(), Refusal> {
        group::regroup(&Source::new(self), database)?;
        self.save_database(database)
    }

    /// Rebuilds the groups of the databases that have a relation to this one.
    pub(crate) fn refresh_related(&self, id: &str) -> Result<(), Refusal> {
        for mut other in self.databases()? {
            let leads_here = |column: &super::database::Column| {
                column.key.relation.as_ref().is_some_and(|relation| relation.database == id)
            };
            if other.id != id && other.columns.iter().any(leads_here) {
                self.regroup_and_save(&mut other)?;
            }
        }
        Ok(())
    }

    /// The blocks known to show a database, whether they are there or not.
    pub(crate) fn carriers(&self, database: &str) -> Result<Vec<String>, Refusal> {
        Ok(self.document(CARRIERS, database)?.unwrap_or_default())
    }

    /// Those that are there.
    pub(crate) fn carriers_there(&self, database: &str) -> Result<Vec<String>, Refusal> {
        let mut there = Vec::new();
        for id in self.carriers(database)? {
            if self.root_of(&id)?.is_some() {
                there.push(id);
            }
        }
        Ok(there)
    }

    pub(crate) fn is_mirror(&self, database: &str) -> Result<bool, Refusal> {
        Ok(self.carriers(database)?.len() > 1)
    }

    pub(crate) fn add_carrier(&self, database: &str, block: &str) -> Result<(), Refusal> {
        let mut blocks = self.carriers(database)?;
        if !blocks.iter().any(|id| id == block) {
            blocks.push(block.to_owned());
            self.save_document(CARRIERS, database, &blocks)?;
        }
        Ok(())
    }

    /// Changes the attributes of a block, when it is there.
    fn change_attrs(&self, block: &str, f: impl FnOnce(&mut Node)) -> Result<(), Refusal> {
        let Some(mut tree) = self.tree_of(block)? else { return Ok(()) };
        let Some(node) = tree.root.find_mut(block) else { return Ok(()) };
        let before = node.clone();
        f(node);
        if *node == before { Ok(()) } else { self.save(&tree) }
    }

    /// The view a block shows; empty when it says none.
    pub(crate) fn shown_view(&self, block: &str) -> Result<String, Refusal> {
        let tree = if block.is_empty() { None } else { self.tree_of(block)? };
        let node = tree.as_ref().and_then(|tree| tree.root.find(block));
        Ok(node.map(|node| node.attrs.text(SHOWN_VIEW).to_owned()).unwrap_or_default())
    }

    /// Lets a block show a view.
    pub(crate) fn show_view(&self, block: &str, view: &str, layout: &str) -> Result<(), Refusal> {
        self.change_attrs(block, |node| {
            node.attrs.set(SHOWN_VIEW, view);
            if let Kind::Database { view, .. } = &mut node.kind {
                layout.clone_into(view);
            }
        })
    }

    /// Notes on a block that it is a row of a database.
    pub(crate) fn bind(&self, database: &str, block: &str) -> Result<(), Refusal> {
        self.set_row_of(block, |ids| {
            if !ids.iter().any(|id| id == database) {
                ids.push(database.to_owned());
            }
        })
    }

    /// Notes that it is no longer; databases that are gone go too.
    pub(crate) fn unbind(&self, database: &str, block: &str) -> Result<(), Refusal> {
        let mut gone = Vec::new();
        if let Some(tree) = self.tree_of(block)?
            && let Some(node) = tree.root.find(block)
        {
            for id in node.attrs.text(ROW_OF).split(',') {
                if self.find_database(id)?.is_none() {
                    gone.push(id.to_owned());
                }
            }
        }
        self.set_row_of(block, |ids| ids.retain(|id| id != database && !gone.contains(id)))
    }

    fn set_row_of(&self, block: &str, f: impl FnOnce(&mut Vec<String>)) -> Result<(), Refusal> {
        let Some(tree) = self.tree_of(block)? else { return Ok(()) };
        let Some(node) = tree.root.find(block) else { return Ok(()) };
        let mut ids: Vec<String> = rows_of(node);
        f(&mut ids);
        let names = self.names(&ids)?;
        self.change_attrs(block, |node| {
            node.attrs.set(ROW_OF, &ids.join(","));
            node.attrs.set(NAMES, &names);
        })
    }

    /// The names of databases as the page shows them on a row's block.
    fn names(&self, ids: &[String]) -> Result<String, Refusal> {
        let mut names = Vec::new();
        for id in ids {
            let name = self.find_database(id)?.map(|database| database.name).unwrap_or_default();
            let name = if name.is_empty() { UNTITLED.to_owned() } else { escape(&name) };
            names.push(format!(
                "<span data-av-id=\"{id}\" data-popover-url=\"/api/av/getMirrorDatabaseBlocks\" \
                 class=\"popover__block\">{name}</span>"
            ));
        }
        Ok(names.join("&nbsp;"))
    }

    /// Updates the name of a database on the blocks of its rows.
    pub(crate) fn rename_on_rows(&self, database: &Database) -> Result<(), Refusal> {
        database.bound_blocks().iter().try_for_each(|block| self.set_row_of(block, |_| {}))
    }

    /// The icon and title that a block gives to its row.
    pub(crate) fn row_text(&self, block: &str, database: &str) -> Result<Option<(String, String)>, Refusal> {
        let tree = self.tree_of(block)?;
        Ok(tree.as_ref().and_then(|tree| tree.root.find(block)).map(|node| row_text(node, database)))
    }

    /// Gives a block another title in one database; an empty one gives its own back.
    pub(crate) fn set_static_text(&self, block: &str, database: &str, text: &str) -> Result<(), Refusal> {
        self.change_attrs(block, |node| {
            node.attrs.set(&format!("{STATIC_TEXT}-{database}"), text);
            node.attrs.set(NAMES, "");
        })
    }

    /// Applies a change of a document to databases: rows take the new text, blocks that show one are known.
    pub(crate) fn follow_change(&self, tree: &Tree, changed: &[&Node]) -> Result<(), Refusal> {
        for node in changed {
            if let Kind::Database { av, .. } = &node.kind {
                self.add_carrier(av, &node.id)?;
            }
        }
        let mut rows = Vec::new();
        tree.root.walk(&mut |node| {
            if node.attrs.get(ROW_OF).is_some() {
                rows.push(node);
            }
        });
        for node in rows {
            let touched = changed.iter().any(|other| node.find(&other.id).is_some());
            for id in rows_of(node).iter().filter(|_| touched) {
                self.follow_row(id, node)?;
            }
        }
        Ok(())
    }

    fn follow_row(&self, id: &str, node: &Node) -> Result<(), Refusal> {
        let Some(mut database) = self.find_database(id)? else { return Ok(()) };
        let (icon, title) = row_text(node, id);
        let rows = database.primary()?.values.iter_mut().filter_map(|row| row.block.as_mut());
        let Some(row) = rows.into_iter().find(|block| block.id == node.id) else { return Ok(()) };
        if (&row.icon, &row.content) == (&icon, &title) {
            return Ok(());
        }
        (row.icon, row.content) = (icon, title);
        self.save_database(&mut database)?;
        self.refresh_related(id)
    }

    /// Applies the removal of blocks: their rows go, and databases that nothing shows any more drop their rows.
    pub(crate) fn follow_removal(&self, removed: &[&Node]) -> Result<(), Refusal> {
        for node in removed {
            for id in rows_of(node) {
                let Some(mut database) = self.find_database(&id)? else { continue };
                let of_node = |row: &super::value::Value| row.block.as_ref().is_some_and(|b| b.id == node.id);
                if database.rows().iter().any(of_node) {
                    database.primary()?.values.retain(|row| !of_node(row));
                    self.regroup_and_save(&mut database)?;
                }
            }
            if let Kind::Database { av, .. } = &node.kind {
                let mut blocks = self.carriers(av)?;
                let was_mirror = blocks.len() > 1;
                blocks.retain(|id| *id != node.id);
                self.save_document(CARRIERS, av, &blocks)?;
                if let Some(database) = self.find_database(av)?.filter(|_| !was_mirror) {
                    let mut bound = database.bound_blocks();
                    bound.retain(|block| !removed.iter().any(|node| node.id == *block));
                    bound.iter().try_for_each(|block| {
                        self.set_row_of(block, |ids| ids.retain(|id| *id != database.id))
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Readies a block for being put in: it is no row yet and no card, and shows the view of its database.
    pub(crate) fn ready_for_insert(&self, node: &mut Node) -> Result<(), Refusal> {
        let no_copy = |name: &str| {
            [ROW_OF, NAMES, "custom-riff-decks"].contains(&name) || name.starts_with(STATIC_TEXT)
        };
        node.attrs.0.retain(|(name, _)| !no_copy(name));
        let Kind::Database { av, view: layout } = &mut node.kind else { return Ok(()) };
        let Some(database) = self.find_database(av)? else { return Ok(()) };
        if let Some(view) = database.find_view(&database.view) {
            view.layout.name().clone_into(layout);
            if node.attrs.get(SHOWN_VIEW).is_none() {
                node.attrs.set(SHOWN_VIEW, &view.id);
            }
        }
        database.bound_blocks().iter().try_for_each(|block| self.bind(&database.id, block))
    }
}

/// The databases a block is a row of.
pub(crate) fn rows_of(node: &Node) -> Vec<String> {
    node.attrs.text(ROW_OF).split(',').filter(|id| !id.is_empty()).map(str::to_owned).collect()
}

fn row_text(node: &Node, database: &str) -> (String, String) {
    let icon = node.attrs.text("icon").to_owned();
    let own = node.attrs.text(&format!("{STATIC_TEXT}-{database}"));
    let text = match (own, node.attrs.text("name").trim()) {
        ("", "") => first_text(node),
        ("", name) => name.to_owned(),
        (own, _) => own.to_owned(),
    };
    let text = unescape(text.trim());
    (icon, if text.is_empty() { UNTITLED.to_owned() } else { text })
}

/// The text of a block; for a container, that of its first child.
fn first_text(node: &Node) -> String {
    match &node.kind {
        Kind::Embed(_) => return "Query Embed Block...".into(),
        Kind::Break => return "Thematic Break...".into(),
        Kind::Database { .. } => return "Database...".into(),
        _ => {}
    }
    match node.children.first().filter(|_| node.kind != Kind::Document) {
        Some(first) => first_text(first),
        None => plain::content(node, plain::Take::Seen).chars().take(1024).collect(),
    }
}
