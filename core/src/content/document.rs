//! The facts about a document, read from the index or from its attributes, and their form in an answer.

use serde_json::{Value, json};

use super::kramdown::AttributeList;
use super::{attrs, stamp};
use crate::id::DocId;
use crate::index;
use crate::kernel::api::attr::BlockAttrs;
use crate::kernel::api::block::Counts;
use crate::kernel::api::query::Row;
use crate::output::{object, put};
use crate::permission::{Grants, Place};

/// The columns that a document is read from.
pub const COLUMNS: [&str; 8] = ["id", "root_id", "path", "hpath", "content", "ial", "created", "updated"];

/// One document, whichever source it was read from.
#[derive(Debug)]
pub struct Document {
    /// Its id.
    pub id: DocId,
    title: String,
    hpath: String,
    notebook: String,
    storage_path: String,
    created: String,
    updated: String,
    attrs: AttributeList,
    /// Its counts, and the number of documents directly below it, if requested.
    pub counts: Option<(Counts, u64)>,
}

impl Document {
    /// The document from a row of the index with the [`COLUMNS`].
    pub fn of_row(id: &DocId, row: &Row) -> Document {
        Document {
            id: id.clone(),
            notebook: row.text("box").to_owned(),
            hpath: index::hpath(row).to_owned(),
            title: row.text("content").to_owned(),
            storage_path: row.text("path").to_owned(),
            created: row.text("created").to_owned(),
            updated: row.text("updated").to_owned(),
            attrs: AttributeList::parse(row.text("ial")).map(|(list, _)| list).unwrap_or_default(),
            counts: None,
        }
    }

    /// The document from its attributes and its place.
    pub fn of_attrs(id: &DocId, attrs: &BlockAttrs, hpath: String, place: &Place) -> Document {
        let mut list = AttributeList::default();
        for (name, value) in attrs {
            list.set(name, value);
        }
        Document {
            id: id.clone(),
            title: list.get("title").unwrap_or_default().to_owned(),
            hpath,
            notebook: place.notebook.to_string(),
            storage_path: place.storage.as_ref().map(|it| it.as_str().to_owned()).unwrap_or_default(),
            created: id.as_str().get(..14).unwrap_or_default().to_owned(),
            updated: list.get("updated").unwrap_or_default().to_owned(),
            attrs: list,
            counts: None,
        }
    }

    /// The storage path below which its children lie, without a final slash.
    pub fn below(&self) -> String {
        if self.id.as_str() == self.notebook {
            return String::new();
        }
        self.storage_path.strip_suffix(".sy").unwrap_or(&self.storage_path).to_owned()
    }

    /// Its location: its notebook, and `below`.
    pub fn place(&self) -> (String, String) {
        (self.notebook.clone(), self.below())
    }

    /// The document as an answer shows it, with the attributes that may be shown.
    pub fn to_json(&self, grants: &Grants) -> Value {
        const NAMED: [&str; 10] =
            ["id", "title", "type", "updated", "icon", "tags", "name", "alias", "memo", "bookmark"];
        let attr = |name: &str| json!(self.attrs.get(name));
        let tags: Vec<&str> = self
            .attrs
            .get("tags")
            .unwrap_or_default()
            .split(',')
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .collect();
        let mut rest = serde_json::Map::new();
        let rest_shown = |name: &str| !NAMED.contains(&name) && attrs::is_shown(name, grants);
        for (name, value) in self.attrs.iter().filter(|(name, _)| rest_shown(name)) {
            put(&mut rest, name, value.into());
        }
        let unless = |empty: bool, value: Value| if empty { Value::Null } else { value };
        let counts = self.counts.as_ref();
        Value::Object(object([
            ("id", json!(self.id.as_str())),
            ("title", json!(self.title)),
            ("hpath", json!(self.hpath)),
            ("notebook", json!(self.notebook)),
            ("storage_path", json!(self.storage_path)),
            ("created", json!(stamp::of_digits(&self.created))),
            ("updated", json!(stamp::of_digits(&self.updated))),
            ("icon", attr("icon")),
            ("tags", unless(tags.is_empty(), json!(tags))),
            ("name", attr("name")),
            ("alias", attr("alias")),
            ("memo", attr("memo")),
            ("bookmark", attr("bookmark")),
            ("attrs", unless(rest.is_empty(), json!(rest))),
            ("words", json!(counts.map(|(counts, _)| counts.word_count))),
            ("blocks", json!(counts.map(|(counts, _)| counts.block_count))),
            ("children", json!(counts.map(|(_, children)| children))),
        ]))
    }
}
