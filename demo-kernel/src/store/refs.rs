//! References in the index: the blocks that refer to a block, and the text that stands for a block.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;
use rusqlite::Row;

use super::{Db, Tree};
use crate::answer::Refusal;
use crate::markdown::plain::{self, Take};
use crate::markdown::write::{Style, spans};
use crate::markdown::{Kind, Node, Span};

static IDS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\d{14}-[0-9a-z]{7}").ok());

/// One reference: from a block to a block.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    pub(crate) to: String,
    pub(crate) from: String,
}

impl Reference {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Reference> {
        Ok(Reference { to: row.get("def_block_id")?, from: row.get("block_id")? })
    }
}

impl Db<'_> {
    /// The references to a block, and, where wanted, to the blocks below it.
    pub(crate) fn references_to(&self, id: &str, below: bool) -> Result<Vec<Reference>, Refusal> {
        let mut found = Vec::new();
        let targets = if below { self.with_below(id)? } else { [id.to_owned()].into_iter().collect() };
        let mut query = self.0.prepare_cached("SELECT rowid, * FROM refs WHERE def_block_id = ?1")?;
        for target in targets {
            let rows = query.query_map([target], |row| Ok((row.get(0)?, Reference::from_row(row)?)))?;
            found.extend(rows.collect::<Result<Vec<(i64, Reference)>, _>>()?);
        }
        found.sort_by_key(|(at, _)| *at);
        Ok(found.into_iter().map(|(_, reference)| reference).collect())
    }

    /// A block and all below it, as in the index: blocks under a heading are below the heading.
    fn with_below(&self, id: &str) -> Result<HashSet<String>, Refusal> {
        let statement = "WITH RECURSIVE below (id) AS (
                SELECT ?1 UNION SELECT blocks.id FROM blocks JOIN below ON blocks.parent_id = below.id
            ) SELECT id FROM below";
        Ok(self.column(statement, id)?.into_iter().collect())
    }

    /// The blocks that a text may mean: it is their name, one of their aliases, their title, or the text of a
    /// reference to them. The newest first.
    pub(crate) fn blocks_called(&self, text: &str) -> Result<Vec<String>, Refusal> {
        let statement = "SELECT DISTINCT def_block_id FROM refs WHERE lower(content) = lower(?1)
            UNION SELECT id FROM blocks WHERE lower(name) = lower(?1)
                OR instr(',' || lower(alias) || ',', ',' || lower(?1) || ',') > 0
                OR (type = 'd' AND lower(content) = lower(?1))";
        let mut ids = self.column(statement, text)?;
        ids.sort_unstable_by(|a, b| b.cmp(a));
        ids.dedup();
        Ok(ids)
    }

    /// Gives references without a text that of their target; those without a target lose their id.
    pub(crate) fn name_references(&self, node: &mut Node) -> Result<(), Refusal> {
        let (mut own, mut targets) = (Vec::new(), Vec::new());
        node.walk(&mut |n| {
            own.push(n.id.clone());
            let references = n.texts().into_iter().flatten().filter(|span| span.is("block-ref"));
            targets.extend(references.map(|span| span.attrs.text("data-id").to_owned()));
        });
        let mut lost = Vec::new();
        for id in targets {
            if !own.contains(&id) && self.root_of(&id)?.is_none() && !self.is_in_closed_notebook(&id)? {
                lost.push(id);
            }
        }
        node.walk_mut(&mut |n| {
            let spans = n.texts_mut().into_iter().flatten();
            for span in spans.filter(|span| span.is("block-ref")) {
                if lost.iter().any(|id| span.attrs.text("data-id") == id) {
                    span.attrs.blank("data-id");
                    span.attrs.blank("data-subtype");
                }
            }
        });
        let mut wanted = Vec::new();
        node.walk_mut(&mut |n| {
            let empty = |span: &&Span| span.is("block-ref") && span.text.is_empty();
            wanted.extend(
                n.texts()
                    .into_iter()
                    .flatten()
                    .filter(empty)
                    .map(|span| span.attrs.text("data-id").to_owned()),
            );
        });
        for id in wanted {
            let tree = self.tree_of(&id)?;
            let Some(target) = tree.as_ref().and_then(|tree| tree.root.find(&id)) else { continue };
            let text = name_of(target);
            node.walk_mut(&mut |n| {
                for span in n.texts_mut().into_iter().flatten() {
                    if span.is("block-ref") && span.text.is_empty() && span.attrs.text("data-id") == id {
                        text.clone_into(&mut span.text);
                    }
                }
            });
        }
        Ok(())
    }

    /// Writes the references of a document in its order; several of a block to one other count once.
    pub(super) fn index_references(&self, tree: &Tree) -> Result<(), Refusal> {
        self.0.prepare_cached("DELETE FROM refs WHERE root_id = ?1")?.execute([tree.id()])?;
        let mut nodes = Vec::new();
        tree.root.walk(&mut |node| nodes.push(node));
        for node in nodes {
            let mut targets: Vec<&str> = Vec::new();
            for span in node.texts().into_iter().flatten().filter(|span| span.is("block-ref")) {
                let id = span.attrs.text("data-id");
                let id = if self.root_of(id)?.is_some() { id } else { "" };
                if !targets.contains(&id) {
                    targets.push(id);
                    let mut shown = span.clone();
                    shown.attrs.set("data-id", id);
                    let markdown = spans(std::slice::from_ref(&shown), Style::Plain);
                    self.insert_ref(tree, node, id, &span.text, &markdown, "textmark")?;
                }
            }
            if let (Kind::Embed(statement), Some(ids)) = (&node.kind, IDS.as_ref()) {
                for id in ids.find_iter(statement).map(|found| found.as_str()) {
                    if !targets.contains(&id) && self.root_of(id)?.is_some() {
                        targets.push(id);
                        self.insert_ref(tree, node, id, "", "", "query_embed")?;
                    }
                }
            }
        }
        Ok(())
    }

    fn insert_ref(
        &self,
        tree: &Tree,
        node: &Node,
        to: &str,
        text: &str,
        markdown: &str,
        kind: &str,
    ) -> Result<(), Refusal> {
        let mut insert = self.0.prepare_cached(
            "INSERT INTO refs SELECT ?1, ?2, coalesce(b.parent_id, ''), coalesce(b.root_id, ''),
             coalesce(b.path, ''), ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM (SELECT 1) LEFT JOIN blocks b ON b.id = ?2 LIMIT 1",
        )?;
        let id = crate::id::row_id();
        insert.execute([&id, to, &node.id, tree.id(), &tree.notebook, &tree.path, text, markdown, kind])?;
        Ok(())
    }

    /// The blocks that refer to a block, or to anything in a document; one that leads an item, quote or super
    /// block stands for it.
    pub(crate) fn users_of(&self, id: &str, is_document: bool) -> Result<Vec<String>, Refusal> {
        let column = if is_document { "def_block_root_id" } else { "def_block_id" };
        let users =
            format!("SELECT block_id FROM refs WHERE {column} = ?1 GROUP BY block_id ORDER BY min(rowid)");
        let mut ids = self.column(&users, id)?;
        for id in &mut ids {
            let tree = self.tree_of(id)?;
            let place = tree.as_ref().and_then(|tree| tree.root.parent_of(id));
            if let Some((parent, 0)) = place.filter(|(parent, _)| parent.kind != Kind::Document) {
                *id = parent.id.clone();
            }
        }
        Ok(ids)
    }

    /// The blocks of a document to which others refer, with their present texts.
    pub(super) fn names_in(&self, root: &str) -> Result<Vec<BlockName>, Refusal> {
        let referred =
            "SELECT DISTINCT def_block_id FROM refs WHERE def_block_root_id = ?1 AND type = 'textmark'";
        let ids = self.column(referred, root)?;
        let Some(tree) = (if ids.is_empty() { None } else { self.tree_of(root)? }) else {
            return Ok(Vec::new());
        };
        let nodes = ids.iter().filter_map(|id| tree.root.find(id));
        Ok(nodes.map(BlockName::of).collect())
    }

    /// Gives dynamic references the new text of blocks, and the references to those blocks theirs.
    /// A block may refer to itself, so the number of rounds is limited.
    pub(super) fn follow_names(&self, mut changed: Vec<BlockName>) -> Result<(), Refusal> {
        for _ in 0..ROUNDS {
            let mut next = Vec::new();
            for block in &changed {
                let users =
                    "SELECT DISTINCT block_id FROM refs WHERE def_block_id = ?1 AND type = 'textmark'";
                for user in self.column(users, &block.id)? {
                    let Some(mut tree) = self.tree_of(&user)? else { continue };
                    let names = self.names_in(tree.id())?;
                    if tree.root.find_mut(&user).is_some_and(|node| rename(node, block)) {
                        self.put(&tree)?;
                        next.extend(renamed(&tree, &names));
                    }
                }
            }
            changed = next;
        }
        Ok(())
    }

    /// Notes that a document has a new title.
    pub(super) fn note_rename(&self, id: &str) -> Result<(), Refusal> {
        self.0.prepare_cached("INSERT OR IGNORE INTO renamed VALUES (?1)")?.execute([id])?;
        Ok(())
    }

    /// References to documents take new titles only now; the real kernel checks every three seconds.
    pub(crate) fn follow_renames(&self) -> Result<(), Refusal> {
        let mut query = self.0.prepare_cached("SELECT id FROM renamed")?;
        let ids = query.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
        self.0.execute("DELETE FROM renamed", [])?;
        for id in ids {
            if let Some(tree) = self.tree_of(&id)? {
                self.follow_names(vec![BlockName::of(&tree.root)])?;
            }
        }
        Ok(())
    }
}

/// The number of rounds in which a change of text reaches the blocks that refer to it.
const ROUNDS: usize = 7;

/// A block with the text by which references show it.
#[derive(Debug)]
pub(super) struct BlockName {
    id: String,
    name: String,
    /// The text that differs after a change that references follow at once.
    state: String,
}

impl BlockName {
    fn of(node: &Node) -> BlockName {
        let name = name_of(node);
        let state = match &node.kind {
            // A title is updated later.
            Kind::Document => node.attrs.text("name").to_owned(),
            kind if kind.is_container() => name.clone(),
            _ => format!("{} {name}", node.attrs.text("updated")),
        };
        BlockName { id: node.id.clone(), name, state }
    }
}

/// The blocks of a tree that were changed since.
pub(super) fn renamed(tree: &Tree, before: &[BlockName]) -> Vec<BlockName> {
    let now = before.iter().filter_map(|block| Some((block, BlockName::of(tree.root.find(&block.id)?))));
    now.filter(|(block, now)| block.state != now.state).map(|(_, now)| now).collect()
}

/// Gives the dynamic references to a block its text; returns whether one of them changed.
fn rename(node: &mut Node, block: &BlockName) -> bool {
    let mut changed = false;
    for span in node.texts_mut().into_iter().flatten().filter(|span| span.is("block-ref")) {
        let dynamic = span.attrs.text("data-subtype") == "d" && span.attrs.text("data-id") == block.id;
        if dynamic && span.text.trim() != block.name {
            block.name.clone_into(&mut span.text);
            changed = true;
        }
    }
    changed
}

/// The longest text by which a reference shows a block.
const LONGEST_NAME: usize = 96;

/// The text by which references show a block: its name, or its text on one line; its id when it has none.
pub(crate) fn name_of(node: &Node) -> String {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    if let Some(name) = node.attrs.get("name") {
        return escape(name.trim());
    }
    let text = match &node.kind {
        Kind::Embed(_) => "Query Embed Block...".into(),
        Kind::Break => "Thematic Break...".into(),
        Kind::Media { name, .. } if name == "iframe" => "IFrame...".into(),
        Kind::Media { name, .. } if name == "video" => "Video...".into(),
        Kind::Media { .. } => "Audio...".into(),
        kind if kind.is_container() && *kind != Kind::Document => {
            node.first_leaf().map(|leaf| plain::content(leaf, Take::Seen)).unwrap_or_default()
        }
        _ => plain::content(node, Take::Seen),
    };
    let text = escape(&text.trim().replace('\n', ""));
    match text.char_indices().nth(LONGEST_NAME) {
        _ if text.is_empty() => node.id.clone(),
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
