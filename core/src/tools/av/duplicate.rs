//! `av.duplicate`: copies a database as a new one.

use super::cells::{not_stored, read};
use super::database_blocks::require_rows;
use crate::prelude::*;

/// Copy a database, and place the copy after a block.
#[derive(Debug, Action)]
#[action(
    av.duplicate,
    danger = None,
    idempotent = false,
    tier = advanced,
    calls = [
        query::FLUSH_TRANSACTION, query::SQL, av::GET_ATTRIBUTE_VIEW, av::DUPLICATE, av::REMOVE_ROWS,
        block::INSERT_BLOCK,
    ],
    examples = [{ "id": "{av}", "after": "{carrier}" }, { "id": "{av}", "after": "{block}", "with_rows": false }],
)]
pub struct Duplicate {
    /// The database, or a block that shows it.
    #[needs(Read)]
    pub id: AvId,
    /// The block to place it after.
    #[needs(Write)]
    pub after: BlockId,
    /// Whether rows are copied too.
    pub with_rows: Flag<true>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    database: AvId,
    after: BlockId,
}

impl Change for Duplicate {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let found = cx.places(&self.id).await?;
        let id = found.av().unwrap_or(&self.id);
        let database = read(id, found, cx).await?;
        // The kernel marks the block of every row as one of the copy, before a row can be taken out of it.
        require_rows(found, cx)?;
        let rows = if self.with_rows.is_set() { database.rows().len() } else { 0 };
        let name = database.database().name.clone();
        let plan = Plan::new("duplicate", Facts { database: id.clone(), after: self.after.clone() });
        Ok(plan.show("rows", rows).touching(1, name))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { database, after } = plan.facts;
        let copy = cx.ask(av::duplicate(&database)).await?;
        let stored = cx.ask(av::get_attribute_view(&copy.database)).await?.av;
        let stored = stored.ok_or_else(|| not_stored("this copy"))?;
        let primary = stored.columns.iter().filter(|it| it.key.kind == "block").flat_map(|it| &it.values);
        let rows: Vec<String> = primary.map(|it| it.row.clone()).collect();
        if let Some(rows) = NonEmpty::of(&rows).filter(|_| !self.with_rows.is_set()) {
            cx.ask(av::remove_rows(&copy.database, rows)).await?;
        }
        let dom = format!(
            r#"<div class="av" data-node-id="{}" data-av-id="{}" data-type="NodeAttributeView" data-av-type="table"></div>"#,
            copy.block, copy.database
        );
        let made = cx.ask(block::insert_dom_behind(&after, &dom)).await?;
        let block = crate::content::written::ids(&made)?.into_iter().next();
        let output = Output::new().with("id", copy.database.as_str()).with("name", stored.name);
        Ok(output.with("block", block.unwrap_or_else(|| copy.block.to_string())))
    }
}

#[cfg(test)]
#[path = "duplicate_tests.rs"]
mod tests;
