//! The tables that callers query, written from trees.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rusqlite::params;

use super::{Db, Tree};
use crate::answer::Refusal;
use crate::markdown::plain::{self, Take};
use crate::markdown::write::{Style, spans, write};
use crate::markdown::{Kind, Node};

/// A block as in the table `blocks`, without the columns from its document.
#[derive(Hash)]
struct Block<'t> {
    id: &'t str,
    parent: &'t str,
    kind: &'t str,
    subtype: String,
    tag: String,
    content: String,
    first: String,
    markdown: String,
    length: usize,
    ial: String,
    sort: i64,
}

impl Db<'_> {
    /// Writes the changed rows of a tree, and removes those of removed blocks.
    pub(super) fn index(&self, tree: &Tree) -> Result<(), Refusal> {
        let hpath = self.hpath(&tree.path)?;
        let mut known = self.prints(tree.id())?;
        let twice: bool = self.0.prepare_cached("SELECT on_ FROM twice")?.query_row([], |row| row.get(0))?;
        let mut parents: HashMap<&str, &str> = HashMap::new();
        parents_of(&tree.root, &mut parents);
        let mut nodes = Vec::new();
        tree.root.walk(&mut |node| nodes.push(node));
        let mut changed = Vec::new();
        for node in nodes {
            let parent = parents.get(node.id.as_str()).copied().unwrap_or_default();
            let mut block = self.block_row(node, parent)?;
            // The content of a database is updated only when its block itself changes, as in the kernel.
            let shown =
                matches!(node.kind, Kind::Database { .. }).then(|| std::mem::take(&mut block.content));
            let print = print(&(&block, &tree.notebook, &tree.path, &hpath));
            block.content = shown.unwrap_or(block.content);
            if known.remove(&node.id) != Some(print) {
                self.unindex(&node.id)?;
                self.insert(tree, &hpath, &block, node)?;
                if twice {
                    self.insert(tree, &hpath, &block, node)?;
                }
                let mut save = self.0.prepare_cached("REPLACE INTO node VALUES (?1, ?2, ?3)")?;
                save.execute(params![node.id, tree.id(), print])?;
                changed.push(node);
            }
        }
        for gone in known.keys() {
            self.unindex(gone)?;
            self.0.prepare_cached("DELETE FROM node WHERE id = ?1")?.execute([gone])?;
        }
        if changed.iter().any(|node| node.refers()) {
            self.index_references(tree)?;
        }
        self.follow_change(tree, &changed)
    }

    fn prints(&self, root: &str) -> Result<HashMap<String, i64>, Refusal> {
        let mut query = self.0.prepare_cached("SELECT id, print FROM node WHERE root = ?1")?;
        let rows = query.query_map([root], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Removes the rows of a block.
    fn unindex(&self, id: &str) -> Result<(), Refusal> {
        self.0
            .prepare_cached(
                "INSERT INTO blocks_fts (blocks_fts, rowid, name, alias, memo, tag, content)
                 SELECT 'delete', rowid, wide(name), wide(alias), wide(memo), wide(tag), wide(content)
                 FROM blocks WHERE id = ?1",
            )?
            .execute([id])?;
        self.0.prepare_cached("DELETE FROM blocks WHERE id = ?1")?.execute([id])?;
        for table in ["spans", "refs", "attributes", "assets"] {
            self.0.prepare_cached(&format!("DELETE FROM {table} WHERE block_id = ?1"))?.execute([id])?;
        }
        Ok(())
    }

    /// Removes the rows of a whole document.
    pub(super) fn unindex_root(&self, root: &str) -> Result<(), Refusal> {
        let ids = self.prints(root)?;
        ids.keys().try_for_each(|id| self.unindex(id))
    }

    fn block_row<'t>(&self, node: &'t Node, parent: &'t str) -> Result<Block<'t>, Refusal> {
        let own = self.without_lost_references(node)?;
        let node_or_own = own.as_ref().unwrap_or(node);
        let roomy = plain::roomy(node_or_own, Take::Targets);
        let content = match &node.kind {
            Kind::Database { av, .. } => self.find_database(av)?.map(|av| av.content()).unwrap_or_default(),
            _ => plain::content(node_or_own, Take::Targets),
        };
        let first = match &node.kind {
            Kind::Document => content.clone(),
            kind if kind.is_container() => {
                node.first_leaf().map(|n| plain::content(n, Take::Targets)).unwrap_or_default()
            }
            _ => String::new(),
        };
        let length = match &node.kind {
            kind if kind.is_container() => first.chars().count(),
            _ => roomy.chars().count(),
        };
        Ok(Block {
            id: &node.id,
            parent,
            kind: node.kind.short(),
            subtype: node.subtype(),
            tag: column(node).iter().map(|tag| format!("#{tag}#")).collect::<Vec<_>>().join(" "),
            content,
            first,
            markdown: if node.kind == Kind::Document {
                String::new()
            } else {
                write(node_or_own, Style::Plain)
            },
            length,
            ial: node.attrs.write(&node.id),
            sort: rank(&node.kind),
        })
    }

    /// The block with ids of references to missing blocks cleared, if there are any.
    fn without_lost_references(&self, node: &Node) -> Result<Option<Node>, Refusal> {
        let mut changed = None;
        for (at, span) in node.spans.iter().enumerate().filter(|(_, span)| span.is("block-ref")) {
            if self.root_of(span.attrs.text("data-id"))?.is_none() {
                let copy = changed.get_or_insert_with(|| node.clone());
                copy.spans.get_mut(at).into_iter().for_each(|span| span.attrs.set("data-id", ""));
            }
        }
        Ok(changed)
    }

    fn insert(&self, tree: &Tree, hpath: &str, block: &Block<'_>, node: &Node) -> Result<(), Refusal> {
        let attr = |name: &str| node.attrs.text(name);
        let created = block.id.get(..14).unwrap_or_default();
        let hash = format!("{:07x}", print(&(&block.content, &block.ial)) & 0x0fff_ffff);
        self.0
            .prepare_cached(
                "INSERT INTO blocks VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
                 ?17, ?18, ?19, ?20, ?21)",
            )?
            .execute(params![
                block.id,
                block.parent,
                tree.id(),
                hash,
                tree.notebook,
                tree.path,
                hpath,
                attr("name"),
                attr("alias"),
                attr("memo"),
                block.tag,
                block.content,
                block.first,
                block.markdown,
                i64::try_from(block.length).unwrap_or_default(),
                block.kind,
                block.subtype,
                block.ial,
                block.sort,
                created,
                attr("updated"),
            ])?;
        self.0
            .prepare_cached(
                "INSERT INTO blocks_fts (rowid, name, alias, memo, tag, content)
                 VALUES (last_insert_rowid(), wide(?1), wide(?2), wide(?3), wide(?4), wide(?5))",
            )?
            .execute([attr("name"), attr("alias"), attr("memo"), &block.tag, &block.content])?;
        self.insert_attributes(tree, node)?;
        self.insert_spans(tree, node)
    }

    fn insert_attributes(&self, tree: &Tree, node: &Node) -> Result<(), Refusal> {
        let known = ["name", "alias", "memo", "bookmark", "fold", "heading-fold", "style"];
        let mut insert =
            self.0.prepare_cached("INSERT INTO attributes VALUES (?1, ?2, ?3, 'b', ?4, ?5, ?6, ?7)")?;
        for (name, value) in node.attrs.iter() {
            if name.starts_with("custom-") || known.contains(&name) {
                let id = crate::id::row_id();
                insert.execute([&id, name, value, &node.id, tree.id(), &tree.notebook, &tree.path])?;
            }
        }
        Ok(())
    }

    fn insert_spans(&self, tree: &Tree, node: &Node) -> Result<(), Refusal> {
        if node.kind == Kind::Document {
            return tags(node)
                .iter()
                // The kernel does not say in which notebook the tags of a document are.
                .try_for_each(|tag| {
                    self.insert_span((tree, ""), node, tag, &format!("#{}#", escape(tag)), "tag")
                });
        }
        for span in node.texts().into_iter().flatten().filter(|span| !span.kind.is_empty()) {
            let mut shown = span.clone();
            if span.is("block-ref") && self.root_of(span.attrs.text("data-id"))?.is_none() {
                shown.attrs.set("data-id", "");
            }
            let markdown = spans(std::slice::from_ref(&shown), Style::Plain);
            let kind = if span.is("img") { "img".to_owned() } else { format!("textmark {}", span.kind) };
            self.insert_span((tree, &tree.notebook), node, &span.text, &markdown, &kind)?;
            let path = span.attrs.get("data-src").or(span.attrs.get("data-href")).unwrap_or_default();
            self.insert_asset(tree, node, path, span.attrs.text("title"))?;
        }
        node.source().map_or(Ok(()), |path| self.insert_asset(tree, node, path, ""))
    }

    fn insert_span(
        &self,
        (tree, notebook): (&Tree, &str),
        node: &Node,
        text: &str,
        markdown: &str,
        kind: &str,
    ) -> Result<(), Refusal> {
        let id = crate::id::row_id();
        let mut insert =
            self.0.prepare_cached("INSERT INTO spans VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, '')")?;
        insert.execute([&id, &node.id, tree.id(), notebook, &tree.path, text, markdown, kind])?;
        Ok(())
    }

    fn insert_asset(&self, tree: &Tree, node: &Node, path: &str, title: &str) -> Result<(), Refusal> {
        let Some(name) = path.strip_prefix("assets/") else { return Ok(()) };
        let name = name.rsplit('/').next().unwrap_or(name);
        let id = crate::id::row_id();
        let mut insert =
            self.0.prepare_cached("INSERT INTO assets VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, '')")?;
        insert.execute([&id, &node.id, tree.id(), &tree.notebook, &tree.path, path, name, title])?;
        Ok(())
    }
}

fn print(value: &impl Hash) -> i64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    // Zero means "not in the index".
    hasher.finish().cast_signed() | 1
}

/// The parent of every block, as the index has it: below a heading it is the heading.
fn parents_of<'t>(node: &'t Node, parents: &mut HashMap<&'t str, &'t str>) {
    let mut headings: Vec<(u8, &str)> = Vec::new();
    for child in &node.children {
        if let Kind::Heading(level) = child.kind {
            headings.retain(|(other, _)| *other < level);
        }
        let parent = headings.last().map_or(node.id.as_str(), |(_, id)| id);
        parents.insert(&child.id, parent);
        if let Kind::Heading(level) = child.kind {
            headings.push((level, &child.id));
        }
        parents_of(child, parents);
    }
}

/// The tags of a block as its column has them, which decodes those of a document once more.
fn column(node: &Node) -> Vec<String> {
    match node.kind {
        Kind::Document => super::tags::indexed(node.attrs.text("tags")),
        _ => tags(node).into_iter().map(str::to_owned).collect(),
    }
}

/// As in the kernel's list of tags, with quotes as numbers.
fn escape(tag: &str) -> String {
    crate::markdown::attrs::escape(tag).replace("&quot;", "&#34;")
}

/// The tags of a block's own text; a document's are in its attribute.
fn tags(node: &Node) -> Vec<&str> {
    if node.kind == Kind::Document {
        return node.attrs.text("tags").split(',').filter(|tag| !tag.is_empty()).collect();
    }
    let spans = node.texts().into_iter().flatten();
    spans.filter(|span| span.is("tag")).map(|span| span.text.as_str()).collect()
}

/// The rank of a type, by which results are sorted.
fn rank(kind: &Kind) -> i64 {
    match kind {
        Kind::Document => 0,
        Kind::Heading(_) => 5,
        Kind::Paragraph | Kind::Code { .. } | Kind::Math(_) | Kind::Table(_) | Kind::Html(_) => 10,
        Kind::List(_) | Kind::Item { .. } | Kind::Quote | Kind::Callout { .. } => 20,
        Kind::Tabs | Kind::Tab { .. } | Kind::Mindmap(_) | Kind::MindmapItem { .. } => 20,
        Kind::Custom { .. } => 10,
        Kind::Super { .. } | Kind::Database { .. } => 30,
        Kind::Break | Kind::Embed(_) | Kind::Media { .. } => 100,
    }
}
