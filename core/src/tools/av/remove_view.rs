//! `av.remove_view`: removes a view.

use futures_util::future::join;

use super::cells::{not_stored, read};
use super::database_blocks::{carrier, carriers, named_view, of_database, view};
use crate::kernel::api::av::Operation;
use crate::prelude::*;

/// Remove a view; rows and columns stay.
#[derive(Debug, Action)]
#[action(
    av.remove_view,
    danger = "Removes the view {name} with its filters and sorting.",
    deed = Delete(PutBack),
    idempotent = false,
    tier = advanced,
    calls = [query::FLUSH_TRANSACTION, query::SQL, av::GET_ATTRIBUTE_VIEW, transactions::TRANSACTIONS],
    examples = [{ "id": "{av}", "view": "{second_view}" }],
)]
pub struct RemoveView {
    /// The database, or a block that shows it.
    #[needs(Delete)]
    pub id: AvId,
    /// A view, by id or exact name.
    #[read_by()]
    pub view: Text<1, 255>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    database: AvId,
    view: String,
    operations: Vec<Operation>,
}

impl Change for RemoveView {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let found = cx.places(&self.id).await?;
        let id = found.av().unwrap_or(&self.id);
        let (database, carriers) = join(read(id, found, cx), carriers(id, cx)).await;
        let (database, carriers) = (database?, carriers?);
        let views = &database.database().views;
        let going = named_view(views, self.view.as_str())?;
        if views.len() < 2 {
            return Err(ToolError::field("view", "one of several: a database keeps its last view"));
        }
        let former = view(views, None, &carriers, &self.id)?;
        let block = carrier(&carriers, &self.id).ok_or_else(ToolError::not_found)?.block();
        // The kernel removes whichever view the block shows.
        let mut operations =
            vec![Operation::show_view(id, block, &going.id), Operation::remove_view(id, block, &going.id)];
        if former.id != going.id {
            operations.push(Operation::show_view(id, block, &former.id));
        }
        let name = if going.name.is_empty() { going.id.clone() } else { going.name.clone() };
        let facts = Facts { database: id.clone(), view: going.id.clone(), operations };
        let plan = Plan::new("remove_view", facts).show("view", name.clone());
        let plan = plan.about(ThingKind::View, Things::of([Thing::titled(&going.name)]));
        Ok(of_database(plan, &database, found).touching(1, name))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { database, view, operations } = plan.facts;
        let Some(operations) = NonEmpty::of(&operations) else { return Err(ToolError::not_found()) };
        cx.ask(av::change(operations)).await?;
        let after = cx.ask(av::get_attribute_view(&database)).await?.av;
        if after.iter().flat_map(|it| &it.views).any(|it| it.id == view) {
            return Err(not_stored("the removal of this view"));
        }
        Ok(Output::new().with("id", database.as_str()).with("changed", true).with("view", view))
    }
}

#[cfg(test)]
#[path = "remove_view_tests.rs"]
mod tests;
