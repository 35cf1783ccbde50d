//! `av.remove_column`: removes a column with its values.

use super::cells::{not_stored, read};
use super::column_effects::{require_other_side, values};
use super::database_blocks::{of_database, require_rows};
use crate::kernel::api::av::Operation;
use crate::prelude::*;

/// Remove a column with all its values.
#[derive(Debug, Action)]
#[action(
    av.remove_column,
    danger = "Removes the column {name} with {n} values.",
    deed = Delete(PutBack),
    idempotent = false,
    tier = advanced,
    calls = [query::FLUSH_TRANSACTION, query::SQL, av::GET_ATTRIBUTE_VIEW, transactions::TRANSACTIONS],
    examples = [{ "id": "{av}", "column": "{column}", "remove_back_column": true }],
)]
pub struct RemoveColumn {
    /// The database, or a block that shows it.
    #[needs(Delete)]
    pub id: AvId,
    /// Name or id of the column.
    #[read_by()]
    pub column: Text<1, 512>,
    /// Whether to remove the other side of a two-way relation too.
    pub remove_back_column: Flag<false>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    database: AvId,
    column: String,
    name: String,
    values: usize,
}

impl Change for RemoveColumn {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let found = cx.places(&self.id).await?;
        let id = found.av().unwrap_or(&self.id);
        let database = read(id, found, cx).await?;
        let column = database.column("column", self.column.as_str())?;
        if column.key.kind == "block" {
            return Err(ToolError::field("column", "another one: every database has a primary column"));
        }
        // Every row loses a value, or may.
        require_rows(found, cx)?;
        if column.key.kind == "relation" {
            require_other_side(&column.key, self.remove_back_column.is_set(), cx).await?;
        }
        let values = values(column, &database).count();
        let (key, name) = (column.key.id.clone(), column.key.name.clone());
        let facts = Facts { database: id.clone(), column: key, name: name.clone(), values };
        let things = Things::of([Thing::titled(&name)]);
        let plan = Plan::new("remove_column", facts).show("column", name.clone());
        let plan = plan.about(ThingKind::Column, things);
        let plan = of_database(plan, &database, found)
            .also((values > 0).then_some(Consequence::Values(values as u64)));
        Ok(plan.show("removed", values).touching(values, name))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { database, column, name, values } = plan.facts;
        let both = self.remove_back_column.is_set();
        cx.ask(av::change(NonEmpty::one(&Operation::remove_column(&database, &column, both)))).await?;
        let after = cx.ask(av::get_attribute_view(&database)).await?.av;
        if after.iter().flat_map(|it| &it.columns).any(|it| it.key.id == column) {
            return Err(not_stored("the removal of this column"));
        }
        let output = Output::new().with("id", database.as_str()).with("changed", true);
        Ok(output.with("column", name).with("removed", values))
    }
}

#[cfg(test)]
#[path = "remove_column_tests.rs"]
mod tests;
