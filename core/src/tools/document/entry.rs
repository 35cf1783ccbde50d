//! A document as `document.list` shows it, from the file tree or from the index.

use serde_json::{Value, json};

use crate::content::stamp;
use crate::kernel::api::filetree::DocFile;
use crate::kernel::api::query::Row;
use crate::output::{object, put};

/// A document of the list.
pub(super) struct DocumentEntry {
    pub(super) id: String,
    title: String,
    hpath: String,
    updated: String,
    /// Its level below the place, from 1.
    depth: usize,
    rest: [(&'static str, Value); 4],
}

impl DocumentEntry {
    pub(super) fn of_file(file: DocFile, above: &str) -> DocumentEntry {
        let children = file.sub_file_count;
        DocumentEntry {
            hpath: format!("{above}/{}", file.name),
            updated: stamp::of_seconds(file.mtime),
            depth: 1,
            rest: [
                ("children", if children > 0 { json!(children) } else { Value::Null }),
                ("size", json!(file.size)),
                ("icon", json!(file.icon)),
                ("bookmark", json!(file.bookmark)),
            ],
            id: file.id,
            title: file.name,
        }
    }

    pub(super) fn of_row(row: &Row, depth: usize, children: usize) -> DocumentEntry {
        DocumentEntry {
            id: row.text("id").to_owned(),
            title: row.text("content").to_owned(),
            hpath: row.text("hpath").to_owned(),
            updated: stamp::of_digits(row.text("updated")),
            depth,
            rest: [
                ("children", if children > 0 { json!(children) } else { Value::Null }),
                ("size", Value::Null),
                ("icon", Value::Null),
                ("bookmark", Value::Null),
            ],
        }
    }

    pub(super) fn to_json(&self, is_deep: bool) -> Value {
        let mut item = object([
            ("id", json!(self.id)),
            ("title", json!(self.title)),
            ("hpath", json!(self.hpath)),
            ("depth", if is_deep { json!(self.depth) } else { Value::Null }),
            ("updated", json!(self.updated)),
        ]);
        self.rest.iter().for_each(|(name, value)| put(&mut item, name, value.clone()));
        Value::Object(item)
    }
}
