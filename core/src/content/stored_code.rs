//! Stored text that SiYuan runs when a note opens or a job of its index runs, for the person whose notes they are.
//!
//! Texts of agents are judged before they are written. This finds those that were stored otherwise: by people, by other
//! programs, or by agents before these judgements. The judgements are the same.

use std::collections::BTreeMap;

use futures_util::future::join_all;

use super::bound;
use super::incoming::{
    DRAWN, OutsideReach, draws_more, runs_a_script, runs_more_than_a_select, shown_by, would_run_in_value,
};
use super::template_column;
use crate::id::AvId;
use crate::index::{self, Raw};
use crate::kernel::api::av::{self, Database};
use crate::kernel::api::query::Row;
use crate::kernel::{self, Kernel, KernelError};
use crate::sorted::SharedSort as _;

/// The types of columns whose values become the names of groups.
const NAMING: [&str; 4] = ["text", "url", "email", "phone"];

/// The number of databases that are read at the same time.
const AT_ONCE: usize = 10;

/// Words without one of which, in small letters, no stored text shows a page or leads elsewhere. SiYuan stores addresses
/// as they were written, so one that is hidden in character references is not found.
const WORDS: [&str; 15] = [
    "<iframe",
    "<webview",
    "<object",
    "<embed",
    "<frame",
    "file:",
    "javascript:",
    "](\\\\",
    "](/",
    "api/network",
    "api/plugin",
    "getdynamicicon",
    "es/broadcast",
    "es/network",
    "bootprogress",
];

/// A kind of stored text that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CodeKind {
    /// A query embed that runs anything but one SELECT.
    Statements,
    /// A query embed that is JavaScript.
    Script,
    /// A code block that SiYuan draws, and that runs, links or styles something.
    Drawing,
    /// A block with a formula that links, loads or styles something.
    Formula,
    /// A database with a template column that this product would print otherwise.
    Template,
    /// A block that shows a page in a frame.
    Frame,
    /// A block with an address at which SiYuan acts, or that starts a program at a click.
    Address,
    /// A database with a name, description or value that is HTML where SiYuan shows it.
    Markup,
}

/// A block with such a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredCode {
    /// The kind.
    pub runs: CodeKind,
    /// The id of its notebook.
    pub notebook: String,
    /// The path of titles of its document in the notebook.
    pub hpath: String,
    /// The id of its document.
    pub doc: String,
    /// Its id.
    pub block: String,
}

impl StoredCode {
    fn of(row: &Row, runs: CodeKind) -> StoredCode {
        let text = |column| row.text(column).to_owned();
        let hpath = index::hpath(row).to_owned();
        StoredCode { runs, notebook: text("box"), hpath, doc: text("root_id"), block: text("id") }
    }
}

/// The blocks of all notebooks with such a text, in the order of their kinds and places.
pub async fn find(kernel: &dyn Kernel) -> Result<Vec<StoredCode>, KernelError> {
    let mut found = Vec::new();
    for row in Raw::embeds().for_the_person(kernel).await? {
        let markdown = row.text("markdown");
        let runs = runs_more_than_a_select(markdown).then_some(CodeKind::Statements);
        let runs = runs.or_else(|| runs_a_script(markdown).then_some(CodeKind::Script));
        found.extend(runs.map(|it| StoredCode::of(&row, it)));
    }
    for row in Raw::drawn(&DRAWN).for_the_person(kernel).await? {
        if draws_more(row.text("markdown")) {
            let runs = if row.text("type") == "c" { CodeKind::Drawing } else { CodeKind::Formula };
            found.push(StoredCode::of(&row, runs));
        }
    }
    for row in Raw::shown_pages(&WORDS).for_the_person(kernel).await? {
        let runs = match shown_by(row.text("markdown")) {
            Some(OutsideReach::Frame) => CodeKind::Frame,
            Some(OutsideReach::Address) => CodeKind::Address,
            None => continue,
        };
        found.push(StoredCode::of(&row, runs));
    }
    found.extend(databases(kernel).await?);
    found.sort_shared_by(Ord::cmp);
    Ok(found)
}

/// The blocks that show a database with an odd template column, or with markup where words are due.
async fn databases(kernel: &dyn Kernel) -> Result<Vec<StoredCode>, KernelError> {
    let rows = Raw::shown_databases().for_the_person(kernel).await?;
    let mut carriers: BTreeMap<AvId, Vec<&Row>> = BTreeMap::new();
    for row in &rows {
        if let Some(id) = bound::shown(row.text("markdown")).and_then(AvId::parse) {
            carriers.entry(id).or_default().push(row);
        }
    }
    let carriers: Vec<(AvId, Vec<&Row>)> = carriers.into_iter().collect();
    let mut found = Vec::new();
    for some in carriers.chunks(AT_ONCE) {
        let read = some.iter().map(|(id, _)| kernel::ask(kernel, av::get_attribute_view(id)));
        for ((_, rows), reply) in some.iter().zip(join_all(read).await) {
            let Some(database) = reply?.av else { continue };
            let mut columns = database.columns.iter().map(|it| &it.key);
            if columns.any(|it| it.kind == "template" && is_odd(&it.template)) {
                found.extend(rows.iter().map(|row| StoredCode::of(row, CodeKind::Template)));
            }
            if is_markup(&database) {
                found.extend(rows.iter().map(|row| StoredCode::of(row, CodeKind::Markup)));
            }
        }
    }
    Ok(found)
}

/// Whether a name, a description or a value of a database would act as HTML.
fn is_markup(database: &Database) -> bool {
    let views = database.views.iter().map(|it| it.name.as_str());
    let names = views.chain([database.name.as_str()]);
    let keys = database.columns.iter().map(|it| &it.key);
    let keys = keys.flat_map(|it| [it.name.as_str(), it.desc.as_str()]);
    let cells =
        database.columns.iter().filter(|it| NAMING.contains(&it.key.kind.as_str())).flat_map(|column| {
            column.values.iter().filter_map(|it| it.parts.get(&column.key.kind)?.get("content")?.as_str())
        });
    names.chain(keys).chain(cells).any(would_run_in_value)
}

/// Whether a template is none that this product prints.
fn is_odd(text: &str) -> bool {
    !template_column::printed(text).is_ok_and(|it| it == text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// S16: a name, a description or a cell that is HTML is found, and words are not.
    #[test]
    fn database_with_markup_is_found() {
        let database = |name: &str, desc: &str, view: &str, cell: &str| -> Database {
            let key = json!({ "id": "k", "name": name, "type": "text", "desc": desc });
            let values = json!([{ "blockID": "r", "text": { "content": cell } }]);
            let all = json!({ "name": "Plants", "keyValues": [{ "key": key, "values": values }], "views": [{ "id": "v", "name": view }] });
            serde_json::from_value(all).unwrap()
        };
        assert!(!is_markup(&database("Vec<T>", "the \"best\"", "Table", "a < b")));
        let frame = "<iframe src=https://e.org>";
        assert!(is_markup(&database(frame, "", "", "")) && is_markup(&database("", "", frame, "")));
        assert!(
            is_markup(&database("", "x\" onclick=\"y", "", "")) && is_markup(&database("", "", "", frame))
        );
    }
}
