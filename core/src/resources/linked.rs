//! The documents that a document is linked to, breadth first, each once, until the room is used up (B-114).

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::{join_all, join5};
use serde_json::{Value, json};

use super::document::page;
use super::{Content, Library, uri};
use crate::content::reading::database_id;
use crate::error::{ErrorType, ToolError};
use crate::id::DocId;
use crate::kernel::api::block::{self, ChildBlock};
use crate::kernel::api::query::Row;
use crate::kernel::sql;
use crate::output::object;
use crate::permission::Target;

/// The maximum number of documents of one relation that one step reads.
const ROWS: usize = 200;
/// Documents read at the same time.
const AT_A_TIME: usize = 8;
/// The maximum number of documents that are named without their text.
const LINKS: usize = 100;
/// Characters of `/<id>.sy`, the last segment of a storage path.
const SEGMENT: usize = 26;

/// The relation by which a document was found, in order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Relation {
    /// It is below.
    Child,
    /// A reference leads to it.
    Reference,
    /// It is shown by an embed.
    Embed,
    /// A reference or embed in it leads here.
    Backlink,
    /// It is a row of a database here.
    Database,
}

impl Relation {
    const fn word(self) -> &'static str {
        match self {
            Relation::Child => "child",
            Relation::Reference => "reference",
            Relation::Embed => "embed",
            Relation::Backlink => "backlink",
            Relation::Database => "database",
        }
    }
}

/// A document next to another one.
#[derive(Debug, Clone)]
struct Neighbour {
    id: String,
    path: String,
    relation: Relation,
    of: String,
    row: Row,
}

/// The documents found around a document.
#[derive(Debug, Default)]
pub(super) struct Around {
    /// The documents with room for their text.
    pub(super) contents: Vec<Content>,
    /// The other documents, by name only.
    pub(super) links: Vec<Value>,
}

impl Library<'_> {
    /// The documents around a document, up to `depth` steps and `room` characters.
    pub(super) async fn around(
        &self,
        id: &str,
        storage: &str,
        depth: u8,
        mut room: usize,
    ) -> Result<Around, ToolError> {
        let mut around = Around::default();
        let Some(boxes) = self.boxes() else { return Ok(around) };
        let mut seen = BTreeSet::from([id.to_owned()]);
        let mut level = vec![(id.to_owned(), storage.to_owned())];
        for step in 1..=depth {
            let mut next = Vec::new();
            for it in self.neighbours(&level, &boxes).await? {
                if seen.insert(it.id.clone()) {
                    next.push(it);
                }
            }
            for some in next.chunks(AT_A_TIME) {
                // Documents found from here on could not even be named.
                if around.links.len() >= LINKS {
                    return Ok(around);
                }
                let texts = join_all(some.iter().map(|it| self.text_of(&it.id, room))).await;
                for (it, text) in some.iter().zip(texts) {
                    // A document that has gone or is no longer readable is left out; nothing else fails because of
                    // it.
                    let Some(text) = text? else { continue };
                    match text {
                        Some(text) if text.chars().count() <= room => {
                            let text = page(self.head(it, step), &text);
                            room = room.saturating_sub(text.chars().count());
                            around.contents.push(Content { uri: uri::of_document(&it.id), text });
                        }
                        _ if around.links.len() < LINKS => {
                            around.links.push(self.link(it, step));
                        }
                        _ => {}
                    }
                }
            }
            level = next.into_iter().map(|it| (it.id, it.path)).collect();
            if level.is_empty() {
                break;
            }
        }
        Ok(around)
    }

    /// A document's text, checked by its current place (the index may be seconds old). `None` if the caller may not
    /// read it, `Some(None)` if there is no room for any text.
    async fn text_of(&self, id: &str, room: usize) -> Result<Option<Option<String>>, ToolError> {
        let Some(doc) = DocId::parse(id) else { return Ok(None) };
        let found = if room == 0 {
            self.place("id", Target::Doc(doc)).await.map(|_| None)
        } else {
            let blocks = self.ask(block::get_child_blocks(&doc));
            self.place_beside(&doc, blocks).await.map(|(_, blocks)| Some(joined(&blocks)))
        };
        match found {
            Ok(text) => Ok(Some(text)),
            Err(error) if matches!(error.kind, ErrorType::NotFound | ErrorType::Validation) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn head(&self, it: &Neighbour, step: u8) -> serde_json::Map<String, Value> {
        object([
            ("title", json!(it.row.text("content"))),
            ("id", json!(it.id)),
            ("hpath", json!(it.row.text("hpath"))),
            ("notebook", json!(self.notebook_name(it.row.text("box")))),
            ("relation", json!(it.relation.word())),
            ("of", json!(it.of)),
            ("depth", json!(step)),
        ])
    }

    fn link(&self, it: &Neighbour, step: u8) -> Value {
        json!({
            "uri": uri::of_document(&it.id),
            "title": it.row.text("content"),
            "relation": it.relation.word(),
            "of": it.of,
            "depth": step,
        })
    }

    /// The documents next to these, nearest relation first; the caller may read every one of them.
    async fn neighbours(&self, level: &[(String, String)], boxes: &str) -> Result<Vec<Neighbour>, ToolError> {
        let ids = sql::list(level.iter().map(|(id, _)| id.as_str()));
        let parents = level.iter().map(|(_, path)| path.strip_suffix(".sy").unwrap_or(path));
        let parents = sql::list(parents);
        let columns = "d.id AS id, d.box AS box, d.path AS path, d.hpath AS hpath, d.content AS content";
        let is_doc = format!("d.type = 'd' AND d.box IN ({boxes})");
        let children = format!(
            "SELECT {columns}, substr(d.path, length(d.path) - {}, 22) AS origin FROM blocks AS d WHERE {is_doc} AND d.id <> d.box \
             AND substr(d.path, 1, length(d.path) - {SEGMENT}) IN ({parents}) GROUP BY d.id ORDER BY d.path LIMIT {ROWS}",
            SEGMENT + 21
        );
        let out = |condition: &str| {
            format!(
                "SELECT {columns}, r.root_id AS origin FROM refs AS r JOIN blocks AS t ON t.id = r.def_block_id \
                 JOIN blocks AS d ON d.id = t.root_id WHERE {is_doc} AND r.box IN ({boxes}) AND r.root_id IN ({ids}) \
                 AND {condition} GROUP BY d.id, r.root_id ORDER BY d.hpath, d.id LIMIT {ROWS}"
            )
        };
        let back = format!(
            "SELECT {columns}, t.root_id AS origin FROM refs AS r JOIN blocks AS t ON t.id = r.def_block_id \
             JOIN blocks AS d ON d.id = r.root_id WHERE {is_doc} AND r.box IN ({boxes}) AND t.root_id IN ({ids}) \
             GROUP BY d.id, t.root_id ORDER BY d.hpath, d.id LIMIT {ROWS}"
        );
        let (references, embeds) = (out("r.type <> 'query_embed'"), out("r.type = 'query_embed'"));
        let (children, references, embeds, back, databases) = join5(
            self.rows(&children),
            self.rows(&references),
            self.rows(&embeds),
            self.rows(&back),
            self.in_databases(&ids, boxes, columns, &is_doc),
        )
        .await;
        let mut found = Vec::new();
        for (relation, rows) in [
            (Relation::Child, children?),
            (Relation::Reference, references?),
            (Relation::Embed, embeds?),
            (Relation::Backlink, back?),
            (Relation::Database, databases?),
        ] {
            found.extend(rows.into_iter().map(|row| Neighbour {
                id: row.text("id").to_owned(),
                path: row.text("path").to_owned(),
                of: row.text("origin").to_owned(),
                relation,
                row,
            }));
        }
        // Breadth first: the documents in their order, each with its nearest relations first.
        let places: BTreeMap<&str, usize> =
            level.iter().enumerate().map(|(at, (id, _))| (id.as_str(), at)).collect();
        let place = |it: &Neighbour| places.get(it.of.as_str()).copied().unwrap_or(usize::MAX);
        found.sort_by_key(|it| (place(it), it.relation));
        Ok(found)
    }

    /// The documents that are rows of the databases in these documents.
    async fn in_databases(
        &self,
        ids: &str,
        boxes: &str,
        columns: &str,
        is_doc: &str,
    ) -> Result<Vec<Row>, ToolError> {
        let stmt = format!(
            "SELECT id, box, root_id, markdown FROM blocks WHERE type = 'av' AND root_id IN ({ids}) AND box IN ({boxes}) \
             GROUP BY id ORDER BY id LIMIT {ROWS}"
        );
        let shown = self.rows(&stmt).await?;
        let shown: Vec<(&str, &str)> = shown
            .iter()
            .filter_map(|row| Some((row.text("root_id"), database_id(row.text("markdown"))?)))
            .collect();
        let mut rows = Vec::new();
        // A document's attribute lists the databases that it is a row of.
        let asked = shown.iter().take(AT_A_TIME).map(|(of, av)| {
            let stmt = format!(
                "SELECT {columns}, {} AS origin FROM attributes AS a JOIN blocks AS d ON d.id = a.root_id \
                 WHERE {is_doc} AND a.box IN ({boxes}) AND a.name = 'custom-avs' AND instr(a.value, {}) > 0 \
                 GROUP BY d.id ORDER BY d.hpath, d.id LIMIT {ROWS}",
                sql::text(of),
                sql::text(av)
            );
            async move { self.rows(&stmt).await }
        });
        for some in join_all(asked).await {
            rows.extend(some?);
        }
        Ok(rows)
    }
}

/// The text of a document's blocks.
fn joined(blocks: &[ChildBlock]) -> String {
    blocks.iter().map(|it| it.markdown.as_str()).collect::<Vec<_>>().join("\n\n")
}
