//! The titles that are most like what was looked for in vain.

use serde_json::{Value, json};

use super::any_word;
use crate::index;
use crate::kernel::api::query::Row;
use crate::output::object;
use crate::prelude::*;
use crate::sorted::SharedSort as _;

/// The number of titles.
const MOST: usize = 5;
/// The number of letters of a query and of a title that are compared, which takes time proportional to both.
const LETTERS: usize = 64;

/// Readable documents whose titles contain the beginning of one of the words, the most alike first.
pub(super) async fn near(query: &str, cx: &Cx<'_>) -> Result<Vec<Value>, ToolError> {
    let words = any_word::words(query);
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let rows = cx.select(index::titled(words.iter().map(|it| index::beginning(it)))).await?.rows;
    let small = |text: &str| text.to_lowercase().chars().take(LETTERS).collect::<String>();
    let asked = small(query);
    let likeness = |row: Row| (strsim::jaro_winkler(&asked, &small(row.text("content"))), row);
    let mut rows: Vec<(f64, Row)> = rows.into_iter().map(likeness).collect();
    rows.sort_shared_by(|(one, _), (other, _)| other.total_cmp(one));
    let told = |(_, row): &(f64, Row)| {
        Value::Object(object([
            ("id", json!(row.text("id"))),
            ("title", json!(row.text("content"))),
            ("hpath", json!(index::hpath(row))),
        ]))
    };
    Ok(rows.iter().take(MOST).map(told).collect())
}
