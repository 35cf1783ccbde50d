//! Stored text that SiYuan runs when a note opens or a job of its index runs, for the person whose notes they are.
//!
//! What agents send is judged before it is written. This finds what was stored otherwise: by people, by other programs,
//! or by agents before these judgements. The judgements are the same.

use std::collections::BTreeMap;

use futures_util::future::join_all;

use super::bound;
use super::incoming::{DRAWN, draws_more, runs_a_script, runs_more_than_a_select};
use super::template_column;
use crate::id::AvId;
use crate::index::{self, Raw};
use crate::kernel::api::av;
use crate::kernel::api::query::Row;
use crate::kernel::{self, Kernel, KernelError};

/// The number of databases that are read at the same time.
const AT_ONCE: usize = 10;

/// A kind of stored text that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Runs {
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
}

/// A block with such a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredCode {
    /// The kind.
    pub runs: Runs,
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
    fn of(row: &Row, runs: Runs) -> StoredCode {
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
        let runs = runs_more_than_a_select(markdown).then_some(Runs::Statements);
        let runs = runs.or_else(|| runs_a_script(markdown).then_some(Runs::Script));
        found.extend(runs.map(|it| StoredCode::of(&row, it)));
    }
    for row in Raw::drawn(&DRAWN).for_the_person(kernel).await? {
        if draws_more(row.text("markdown")) {
            let runs = if row.text("type") == "c" { Runs::Drawing } else { Runs::Formula };
            found.push(StoredCode::of(&row, runs));
        }
    }
    found.extend(templates(kernel).await?);
    found.sort();
    Ok(found)
}

/// The blocks that show a database with an odd template column.
async fn templates(kernel: &dyn Kernel) -> Result<Vec<StoredCode>, KernelError> {
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
            let columns = reply?.av.map(|it| it.columns).unwrap_or_default();
            if columns.iter().any(|it| it.key.kind == "template" && is_odd(&it.key.template)) {
                found.extend(rows.iter().map(|row| StoredCode::of(row, Runs::Template)));
            }
        }
    }
    Ok(found)
}

/// Whether a template is none that this product prints.
fn is_odd(text: &str) -> bool {
    !template_column::printed(text).is_ok_and(|it| it == text)
}
