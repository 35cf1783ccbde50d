//! `av.rename`: names a database.

use super::cells::{not_stored, read};
use super::database_blocks::require_rows;
use crate::content::cell::plain_text;
use crate::kernel::api::av::Operation;
use crate::prelude::*;

/// Rename a database.
#[derive(Debug, Action)]
#[action(
    av.rename,
    danger = None,
    idempotent = true,
    calls = [query::FLUSH_TRANSACTION, query::SQL, av::GET_ATTRIBUTE_VIEW, transactions::TRANSACTIONS],
    examples = [{ "id": "{av}", "name": "{new}" }],
)]
pub struct Rename {
    /// The database, or a block that shows it.
    #[needs(Write)]
    pub id: AvId,
    /// The name.
    #[read_by(Html)]
    pub name: Text<1, 512>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    database: AvId,
    previous: String,
    name: String,
}

impl Change for Rename {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let found = cx.places(&self.id).await?;
        let id = found.av().unwrap_or(&self.id);
        let name = plain_text("name", self.name.as_str())?;
        // The kernel writes the name on the block of every row.
        require_rows(found, cx)?;
        let previous = read(id, found, cx).await?.database().name.clone();
        let plan = Plan::new(
            "rename",
            Facts { database: id.clone(), previous: previous.clone(), name: name.clone() },
        );
        Ok(plan.show("name", name).show("previous", previous.clone()).touching(1, previous))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { database, previous, name } = plan.facts;
        let output = Output::new().with("id", database.as_str());
        if name == previous {
            return Ok(output.with("changed", false).with("name", name));
        }
        cx.ask(av::change(NonEmpty::one(&Operation::rename(&database, &name)))).await?;
        let stored = cx.ask(av::get_attribute_view(&database)).await?.av.map(|it| it.name);
        if stored.as_deref() != Some(name.as_str()) {
            return Err(not_stored("this name"));
        }
        Ok(output.with("changed", true).with("name", name).with("previous", previous))
    }
}

#[cfg(test)]
#[path = "rename_tests.rs"]
mod tests;
