//! A document, and those that it is linked to: breadth first, each once, until the room is used up (B-114).

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::{join_all, join3, join5, try_join_all};
use serde_json::{Map, Value, json};

use super::document::{BUDGET, bounded, described, page};
use super::reader::read_checked;
use super::{ResourceText, uri};
use crate::content::reading::database_id;
use crate::content::window::CHARS_PER_TOKEN;
use crate::cx::Cx;
use crate::error::{ErrorType, ToolError};
use crate::id::DocId;
use crate::index::{self, Order, RowCondition, Select, Table};
use crate::kernel::api::block::{self, ChildBlock};
use crate::kernel::api::query::Row;
use crate::kernel::api::{attr, filetree};
use crate::output::object;
use crate::permission::{Places, StoragePath, Target};
use crate::sorted::{IntoSorted as _, SharedSort as _};

/// The maximum number of documents of one relation that one step reads.
const ROWS: usize = 200;
/// Documents read at the same time.
const AT_A_TIME: usize = 8;
/// The maximum number of documents that are named without their text.
const LINKS: usize = 100;

/// The relation by which a document was found, in order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DocRelation {
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

impl DocRelation {
    const fn word(self) -> &'static str {
        match self {
            DocRelation::Child => "child",
            DocRelation::Reference => "reference",
            DocRelation::Embed => "embed",
            DocRelation::Backlink => "backlink",
            DocRelation::Database => "database",
        }
    }
}

/// A document next to another one.
#[derive(Debug, Clone)]
struct Neighbour {
    id: String,
    path: String,
    relation: DocRelation,
    of: String,
    row: Row,
}

/// The documents found around a document.
#[derive(Debug, Default)]
struct NearbyDocuments {
    /// The documents with room for their text.
    contents: Vec<ResourceText>,
    /// The other documents, by name only.
    links: Vec<Value>,
}

impl Neighbour {
    fn new(relation: DocRelation, of: String, row: Row) -> Neighbour {
        let text = |column: &str| row.text(column).to_owned();
        Neighbour { id: text("id"), path: text("path"), relation, of, row }
    }

    fn head(&self, cx: &Cx<'_>, step: u8) -> Map<String, Value> {
        let notebook = cx.scope().visible_notebooks().find(|it| it.id == self.row.text("box"));
        object([
            ("title", json!(self.row.text("content"))),
            ("id", json!(self.id)),
            ("hpath", json!(self.row.text("hpath"))),
            ("notebook", json!(notebook.map_or("", |it| it.name.as_str()))),
            ("relation", json!(self.relation.word())),
            ("of", json!(self.of)),
            ("depth", json!(step)),
        ])
    }

    fn link(&self, step: u8) -> Value {
        json!({
            "uri": uri::of_document(&self.id),
            "title": self.row.text("content"),
            "relation": self.relation.word(),
            "of": self.of,
            "depth": step,
        })
    }
}

/// A document and, to a depth, the documents that it is linked to.
pub(super) async fn read(
    cx: &Cx<'_>,
    id: &DocId,
    depth: u8,
) -> Result<(Vec<ResourceText>, Places), ToolError> {
    // These endpoints are always current.
    let read = async {
        let (attrs, hpath, blocks) = join3(
            cx.ask(attr::get_block_attrs(id)),
            cx.ask(filetree::get_hpath_by_id(id)),
            cx.ask(block::get_child_blocks(id)),
        )
        .await;
        Ok((attrs?, hpath?, blocks?))
    };
    let (places, (attrs, hpath, blocks)) = read_checked(cx, id, read).await?;
    let place = places.of(&Target::Doc(id.clone())).ok_or_else(ToolError::not_found)?;
    let window = bounded(blocks);
    let mut head = described(id, &hpath, &place.notebook_name, &attrs, cx.grants());
    if let Some(next) = window.next {
        head.insert("truncated".to_owned(), json!(true));
        head.insert("next".to_owned(), json!(next.to_string()));
    }
    let mut others = Vec::new();
    if depth > 0 {
        let storage = place.storage.as_ref().map(StoragePath::as_str).unwrap_or_default();
        let room = (BUDGET * CHARS_PER_TOKEN).saturating_sub(window.text.chars().count());
        let NearbyDocuments { contents, links } = around(cx, id.as_str(), storage, depth, room).await?;
        if !links.is_empty() {
            head.insert("truncated".to_owned(), json!(true));
        }
        head.insert("linked".to_owned(), json!(contents.len()));
        if !links.is_empty() {
            head.insert("links".to_owned(), Value::Array(links));
        }
        others = contents;
    }
    let mut contents =
        vec![ResourceText { uri: uri::of_document(id.as_str()), text: page(head, &window.text) }];
    contents.extend(others);
    Ok((contents, places))
}

/// The documents around a document, up to `depth` steps and `room` characters.
async fn around(
    cx: &Cx<'_>,
    id: &str,
    storage: &str,
    depth: u8,
    mut room: usize,
) -> Result<NearbyDocuments, ToolError> {
    let mut around = NearbyDocuments::default();
    let mut seen = BTreeSet::from([id.to_owned()]);
    let mut level = vec![(id.to_owned(), storage.to_owned())];
    for step in 1..=depth {
        let mut next = neighbours(cx, &level).await?;
        next.retain(|it| seen.insert(it.id.clone()));
        for some in next.chunks(AT_A_TIME) {
            // Documents found from here on could not even be named.
            if around.links.len() >= LINKS {
                return Ok(around);
            }
            let texts = join_all(some.iter().map(|it| text_of(cx, &it.id, room))).await;
            for (it, text) in some.iter().zip(texts) {
                // A document that has gone or is no longer readable is left out; nothing else fails because of it.
                let Some(text) = text? else { continue };
                match text {
                    Some(text) if text.chars().count() <= room => {
                        let text = page(it.head(cx, step), &text);
                        room = room.saturating_sub(text.chars().count());
                        around.contents.push(ResourceText { uri: uri::of_document(&it.id), text });
                    }
                    _ if around.links.len() < LINKS => around.links.push(it.link(step)),
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

/// A document's text, checked by its current place (the index may be seconds old). `None` if the caller may not read
/// it, `Some(None)` if there is no room for any text.
async fn text_of(cx: &Cx<'_>, id: &str, room: usize) -> Result<Option<Option<String>>, ToolError> {
    let Some(doc) = DocId::parse(id) else { return Ok(None) };
    let read = async {
        if room == 0 {
            return Ok(None);
        }
        Ok(Some(joined(&cx.ask(block::get_child_blocks(&doc)).await?)))
    };
    match read_checked(cx, &doc, read).await {
        Ok((_, text)) => Ok(Some(text)),
        Err(error) if matches!(error.kind, ErrorType::NotFound | ErrorType::Validation) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The documents next to these, nearest relation first; the caller may read every one of them.
async fn neighbours(cx: &Cx<'_>, level: &[(String, String)]) -> Result<Vec<Neighbour>, ToolError> {
    let ids = |column: &'static str| index::in_list(column, level.iter().map(|(id, _)| id.as_str()));
    let parents = level.iter().map(|(_, path)| path.strip_suffix(".sy").unwrap_or(path));
    let children = Select::documents()
        .below_notebooks()
        .column(index::PARENT_ID, "origin")
        .filter(index::in_list(index::PARENT, parents))
        .order([Order::Up("b.path")]);
    let by_path = || [Order::Up("b.hpath"), Order::Up("b.id")];
    // `b` is the document that is found, `t` the block that a reference leads to.
    let out = || {
        let select = Select::documents().join_as("t", Table::Blocks, "t.root_id", "b.id");
        let select = select.join(Table::Refs, "r.def_block_id", "t.id").column("r.root_id", "origin");
        select.filter(ids("r.root_id")).per(["b.id", "r.root_id"]).order(by_path())
    };
    let references = out().filter(index::is_not("r.type", "query_embed"));
    let embeds = out().filter(index::eq("r.type", "query_embed"));
    let back = Select::documents()
        .join(Table::Refs, "r.root_id", "b.id")
        .join_as("t", Table::Blocks, "t.id", "r.def_block_id")
        .column("t.root_id", "origin")
        .filter(ids("t.root_id"))
        .per(["b.id", "t.root_id"])
        .order(by_path());
    let found_by = |relation: DocRelation, select: Select| async move {
        let rows = cx.select(select.limit(ROWS)).await?.rows;
        let each = rows.into_iter().map(|row| Neighbour::new(relation, row.text("origin").to_owned(), row));
        Ok::<_, ToolError>(each.collect::<Vec<_>>())
    };
    let (children, references, embeds, back, rows) = join5(
        found_by(DocRelation::Child, children),
        found_by(DocRelation::Reference, references),
        found_by(DocRelation::Embed, embeds),
        found_by(DocRelation::Backlink, back),
        in_databases(cx, ids("b.root_id")),
    )
    .await;
    let mut found = [children?, references?, embeds?, back?, rows?].concat();
    // Breadth first: the documents in their order, each with its nearest relations first.
    let places: BTreeMap<&str, usize> =
        level.iter().enumerate().map(|(at, (id, _))| (id.as_str(), at)).into_map();
    let place = |it: &Neighbour| places.get(it.of.as_str()).copied().unwrap_or(usize::MAX);
    found.sort_shared_by_key(|it| (place(it), it.relation));
    Ok(found)
}

/// The documents that are rows of the databases in some documents.
async fn in_databases(cx: &Cx<'_>, is_inside: RowCondition) -> Result<Vec<Neighbour>, ToolError> {
    let shown = Select::from(Table::Blocks).columns(["b.id", "b.root_id", "b.markdown"]).per(["b.id"]);
    let shown = shown.filter(index::eq("b.type", "av")).filter(is_inside).order([Order::Up("b.id")]);
    let shown = cx.select(shown.limit(ROWS)).await?.rows;
    let shown =
        shown.iter().filter_map(|row| Some((row.text("root_id"), database_id(row.text("markdown"))?)));
    // A document's attribute lists the databases that it is a row of.
    let asked = shown.take(AT_A_TIME).map(|(of, database)| async move {
        let select = Select::documents().filter(index::is_row_of(database));
        let select = select.order([Order::Up("b.hpath"), Order::Up("b.id")]).limit(ROWS);
        let rows = cx.select(select).await?.rows;
        let each = rows.into_iter().map(|row| Neighbour::new(DocRelation::Database, of.to_owned(), row));
        Ok::<_, ToolError>(each.collect())
    });
    let found: Vec<Vec<Neighbour>> = try_join_all(asked).await?;
    Ok(found.concat())
}

/// The text of a document's blocks.
fn joined(blocks: &[ChildBlock]) -> String {
    blocks.iter().map(|it| it.markdown.as_str()).collect::<Vec<_>>().join("\n\n")
}
