//! `av.add_view`: adds a view.

use futures_util::future::join;

use super::cells::{not_stored, read};
use super::database_blocks::{carrier, carriers, fresh_id, view};
use super::layout::LayoutName;
use super::view_setting::Setting;
use super::view_settings::Settings;
use crate::content::cell::plain_text;
use crate::kernel::api::av::{Operation, View};
use crate::prelude::*;

/// Add a view.
///
/// A kanban view groups by the first select column, which is created if missing. Settings as in update_view.
#[derive(Debug, Action)]
#[action(
    av.add_view,
    danger = None,
    idempotent = false,
    tier = advanced,
    calls = [query::FLUSH_TRANSACTION, query::SQL, av::GET_ATTRIBUTE_VIEW, transactions::TRANSACTIONS],
    examples = [
        { "id": "{av}", "name": "{new}", "layout": "gallery" },
        {
            "id": "{av}", "name": "{new}", "filters": { "or": [{ "column": "{column}", "is": "empty" }] },
            "sorts": [{ "column": "{column}", "order": "asc" }], "group": { "column": "{column}" }, "hidden": ["{column}"],
            "order": ["{column}"], "calc": { "Status": "count_all" }, "page_size": 20, "show": true
        },
    ],
)]
pub struct AddView {
    /// The database, or a block that shows it.
    #[needs(Write)]
    pub id: AvId,
    /// The layout of the rows.
    pub layout: LayoutName,
    /// The name.
    #[read_by(Html)]
    pub name: Text<1, 255>,
    /// The filters, columns and other settings of the view.
    #[args]
    pub settings: Settings,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    database: AvId,
    block: String,
    former: String,
    name: String,
    setting: Setting,
}

impl Change for AddView {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let found = cx.places(&self.id).await?;
        let id = found.av().unwrap_or(&self.id);
        let (database, carriers) = join(read(id, found, cx), carriers(id, cx)).await;
        let (database, carriers) = (database?, carriers?);
        let views = &database.database().views;
        let former = view(views, None, &carriers, &self.id)?;
        let block = carrier(&carriers, &self.id).ok_or_else(ToolError::not_found)?.block();
        let name = plain_text("name", self.name.as_str())?;
        // A new view has the columns of the first one, without their calculations and all shown.
        let columns = views.first().unwrap_or(former).fields().iter().map(|it| it.id.clone());
        let model = View::table(columns);
        let setting = self.settings.judge((id, block), &model, &database, cx)?;
        let facts = Facts {
            database: id.clone(),
            block: block.to_owned(),
            former: former.id.clone(),
            name: name.clone(),
            setting,
        };
        let layout = self.layout.name();
        let plan = Plan::new("add_view", facts).show("name", name).show("layout", layout);
        Ok(plan.touching(1, database.database().name.clone()))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { database, block, former, name, setting } = plan.facts;
        let new = fresh_id(cx)?;
        let mut operations = vec![
            Operation::add_view(&database, &block, &new, self.layout.name()),
            Operation::name_view(&database, &new, &name),
        ];
        operations.extend(setting.operations.iter().cloned());
        if !self.settings.show.is_set() {
            operations.push(Operation::show_view(&database, &block, &former));
        }
        let Some(operations) = NonEmpty::of(&operations) else { return Err(ToolError::not_found()) };
        cx.ask(av::change(operations)).await?;
        let after = cx.ask(av::get_attribute_view(&database)).await?.av;
        let added = after.iter().flat_map(|it| &it.views).find(|it| it.id == new && it.name == name);
        let (_, lost) = setting.found(added.ok_or_else(|| not_stored("this view"))?);
        let failed: Vec<Failed> =
            lost.iter().map(|it| Failed::new(not_stored("this setting")).what(it)).collect();
        let output = Output::new().with("id", database.as_str()).with("changed", true);
        Ok(output.with("view", new).with("name", name).failed(failed))
    }
}

#[cfg(test)]
#[path = "add_view_tests.rs"]
mod tests;
