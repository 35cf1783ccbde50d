//! The titles that are most like what was looked for in vain.

use serde_json::{Value, json};

use super::any_word;
use crate::index::{self, Order, Select};
use crate::kernel::api::query::Row;
use crate::output::object;
use crate::prelude::*;

/// The number of titles.
const MOST: usize = 5;
/// The number of titles that are compared.
const COMPARED: usize = 200;
/// The letters of a word that a title must contain: one letter wrong later in the word does no harm.
const LETTERS: usize = 3;

/// The advice where no title is alike.
const ELSE: &str =
    "Nothing holds these words. Try fewer or other words, or fs.tree for the titles there are.";

/// Adds a way on to an answer without hits.
pub(super) async fn way_on(reply: Output, query: &str, cx: &Cx<'_>) -> Reply {
    let near = near(query, cx).await?;
    Ok(if near.is_empty() { reply.with("hint", ELSE) } else { reply.with("near_titles", near) })
}

/// Readable documents whose titles contain the beginning of one of the words, the most alike first.
async fn near(query: &str, cx: &Cx<'_>) -> Result<Vec<Value>, ToolError> {
    let words = any_word::words(query);
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let begins: Vec<String> = words.iter().map(|it| it.chars().take(LETTERS).collect()).collect();
    let holds = index::any(begins.iter().map(|it| index::in_any_case("b.content", it)));
    let select = Select::documents().below_notebooks().columns(["b.root_id", "b.updated"]).filter(holds);
    let select = select.order([Order::Down("b.updated"), Order::Up("b.id")]).limit(COMPARED);
    let mut rows = cx.select(select).await?.rows;
    let asked = query.to_lowercase();
    let alike = |row: &Row| strsim::jaro_winkler(&asked, &row.text("content").to_lowercase());
    rows.sort_by(|one, other| alike(other).total_cmp(&alike(one)));
    let told = |row: &Row| {
        Value::Object(object([
            ("id", json!(row.text("id"))),
            ("title", json!(row.text("content"))),
            ("hpath", json!(index::hpath(row))),
        ]))
    };
    Ok(rows.iter().take(MOST).map(told).collect())
}
