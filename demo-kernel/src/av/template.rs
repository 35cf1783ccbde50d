//! Template columns: each cell is a template that sees the other cells of its row.

use super::database::Database;
use super::render::{Item, Rendered, Source};
use super::value::{Kind, Text, Value};
use crate::answer::Refusal;

/// Renders the template columns; those that use other template columns come after them.
pub(super) fn fill(source: &Source<'_>, database: &Database, out: &mut Rendered) -> Result<(), Refusal> {
    let _ = source;
    for item in &mut out.items {
        fill_item(database, item)?;
    }
    Ok(())
}

fn fill_item(database: &Database, item: &mut Item) -> Result<(), Refusal> {
    for cell in item.cells.iter_mut().filter(|cell| cell.kind == Some(Kind::Template)) {
        let template = database.key(&cell.key).map(|key| key.template.clone()).unwrap_or_default();
        set(cell, template)?;
    }
    Ok(())
}

fn set(cell: &mut Value, content: String) -> Result<(), Refusal> {
    if content.contains(".action{") {
        return Err(Refusal::not_here("template columns with actions"));
    }
    cell.template = Some(Text { content });
    Ok(())
}
