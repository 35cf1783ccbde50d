//! `av.remove_rows`: removes rows with their cells; the blocks of bound rows stay.

use serde_json::{Value, json};

use super::cells::{not_stored, read};
use super::database_blocks::of_database;
use crate::prelude::*;

/// Remove rows with their cells; bound blocks stay.
#[derive(Debug, Action)]
#[action(
    av.remove_rows,
    danger = "Removes {n} rows and their cells from the database {name}.",
    deed = Delete(PutBack),
    idempotent = false,
    calls = [query::FLUSH_TRANSACTION, query::SQL, av::GET_ATTRIBUTE_VIEW, av::REMOVE_ROWS],
    examples = [{ "id": "{av}", "row_ids": ["{row}"] }],
)]
pub struct RemoveRows {
    /// The database, or a block that shows it.
    #[needs(Delete)]
    pub id: AvId,
    /// Ids of rows, or of blocks bound to rows.
    pub row_ids: Ids<Child<RowId>, 200>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    database: AvId,
    /// Ids and titles of the rows.
    rows: Vec<(String, String)>,
}

impl Change for RemoveRows {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let found = cx.places(&self.id).await?;
        let id = found.av().unwrap_or(&self.id);
        let database = read(id, found, cx).await?;
        let (mut rows, mut bound): (Vec<(String, String)>, Vec<&str>) = Default::default();
        for (at, row) in self.row_ids.as_slice().iter().enumerate() {
            let row = row.among(|id| database.row(id.as_str())).ok_or_else(|| {
                let expected = "a row of this database, or a block that is one";
                ToolError::field(&format!("row_ids[{at}]"), expected)
            })?;
            // The block of a row and the row's own id are one row.
            if !rows.iter().any(|(id, _)| *id == row.id) {
                rows.push((row.id.clone(), row.title.clone()));
            }
            bound.extend(row.block.as_deref().and_then(|block| found.row(block)).map(NotebookId::as_str));
        }
        // The kernel takes the mark of the database off their blocks.
        cx.require(Level::Write, bound)?;
        let entries: Vec<Value> =
            rows.iter().map(|(id, title)| json!({ "row": id, "title": title })).collect();
        let n = rows.len();
        let name = database.database().name.clone();
        let things = Things::of(rows.iter().map(|(_, title)| Thing::titled(title)));
        let plan = Plan::new("remove_rows", Facts { database: id.clone(), rows });
        let plan = plan.about(ThingKind::Row, things);
        Ok(of_database(plan, &database, found).show("removed", entries).touching(n, name))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { database, rows } = plan.facts;
        let ids: Vec<String> = rows.into_iter().map(|(id, _)| id).collect();
        let output = Output::new().with("id", database.as_str());
        let Some(going) = NonEmpty::of(&ids) else { return Ok(output.with("changed", false)) };
        // The kernel takes the mark of a row off each block, which a call that rewrites the block would bring back.
        cx.makes_rows().await;
        cx.ask(av::remove_rows(&database, going)).await?;
        let stored = cx.ask(av::get_attribute_view(&database)).await?.av.ok_or_else(ToolError::not_found)?;
        let primary = stored.columns.iter().filter(|it| it.key.kind == "block").flat_map(|it| &it.values);
        let left: Vec<&str> =
            primary.map(|it| it.row.as_str()).filter(|id| ids.iter().any(|it| it == id)).collect();
        let lost = || not_stored("the removal of this row");
        let failed = left.iter().map(|id| Failed::new(lost()).id(id).what("a row")).collect();
        let removed = ids.len() - left.len();
        Ok(output.with("changed", removed > 0).with("removed", removed).failed(failed))
    }
}

#[cfg(test)]
#[path = "remove_rows_tests.rs"]
mod tests;
