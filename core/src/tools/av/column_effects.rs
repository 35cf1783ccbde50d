//! Effects of a changed or removed column beyond its definition: on its cells, and on the database that it leads to.

use super::database_blocks::require_rows;
use crate::content::cell;
use crate::content::database::Visible;
use crate::kernel::api::av::{Column, ColumnKey, Stored};
use crate::permission::Where;
use crate::prelude::*;

/// The values of a column in the rows that the caller may see.
pub(super) fn values<'c>(column: &'c Column, of: &Visible) -> impl Iterator<Item = &'c Stored> {
    column.values.iter().filter(|it| of.row(&it.row).is_some())
}

/// The number of rows with a value: they look empty once the column has another type.
pub(super) fn filled(column: &Column, of: &Visible, cx: &Cx<'_>) -> usize {
    let value = |it: &&Stored| cell::of_kernel(&column.key.kind, &it.parts, cx.ambient());
    values(column, of).filter(|it| value(it).is_some()).count()
}

/// The number of cells that lose an option when these go. Any row may lose one, so each must be one that the caller
/// may write; and where a cell does, the database is changed as by a deletion.
pub(super) fn losing_options(
    going: &[&str],
    column: &Column,
    (of, found): (&Visible, &Where),
    cx: &Cx<'_>,
) -> Result<usize, ToolError> {
    if going.is_empty() {
        return Ok(0);
    }
    require_rows(found, cx)?;
    let loses = |it: &&Stored| cell::chosen(&it.parts).any(|name| going.contains(&name));
    let losing = values(column, of).filter(loses).count();
    if losing > 0 {
        cx.require(Level::Delete, found.places().iter().map(|it| it.notebook.as_str()))?;
    }
    Ok(losing)
}

/// The column on the other side of a two-way relation stops leading back, or goes: a change of the other database
/// (B-056). A column keeps its relation while it has another type.
pub(super) async fn require_other_side(key: &ColumnKey, removed: bool, cx: &Cx<'_>) -> Result<(), ToolError> {
    let Some(relation) = key.relation.as_ref().filter(|it| it.two_way) else {
        return Ok(());
    };
    let missing =
        || ToolError::field("column", "a relation to a database where you have the level that this needs");
    let other = AvId::parse(&relation.database).ok_or_else(missing)?;
    let level = if removed { Level::Delete } else { Level::Write };
    let found = cx.databases(level, &[&other]).await?.pop().flatten().ok_or_else(missing)?;
    if removed { require_rows(&found, cx) } else { Ok(()) }
}
