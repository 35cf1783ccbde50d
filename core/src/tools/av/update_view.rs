//! `av.update_view`: changes a view.

use futures_util::future::join;
use serde_json::json;

use super::cells::{not_stored, read};
use super::database_blocks::{carrier, carriers, view};
use super::layout::LayoutName;
use super::view_setting::{Setting, Wanted};
use super::view_settings::Settings;
use crate::content::cell::plain_text;
use crate::kernel::api::av::Operation;
use crate::prelude::*;

/// Change a view.
///
/// `is`: equal, not_equal, greater, greater_or_equal, less, less_or_equal, contains, not_contains, starts_with,
/// ends_with, between, empty, not_empty, true, false. `by`: value, number, relative_date, day, week, month, year.
#[derive(Debug, Action)]
#[action(
    av.update_view,
    danger = None,
    idempotent = true,
    tier = advanced,
    calls = [query::FLUSH_TRANSACTION, query::SQL, av::GET_ATTRIBUTE_VIEW, transactions::TRANSACTIONS],
    examples = [
        {
            "id": "{av}", "filters": { "and": [{ "column": "{column}", "is": "equal", "value": "Done" }] },
            "sorts": [{ "column": "{column}", "order": "desc" }], "group": { "column": "{column}" }
        },
        {
            "id": "{av}", "view": "{view}", "name": "{new}", "layout": "table", "hidden": ["{column}"],
            "order": ["{column}"], "calc": { "Status": "count_all" }, "page_size": 20, "show": true
        },
    ],
)]
pub struct UpdateView {
    /// The database, or a block that shows it.
    #[needs(Write)]
    pub id: AvId,
    /// A view, by id or exact name.
    #[read_by()]
    pub view: Option<Text<1, 255>>,
    /// The name.
    #[read_by(Html)]
    pub name: Option<Text<1, 255>>,
    /// The layout of the rows.
    pub layout: Option<LayoutName>,
    /// The filters, columns and other settings of the view.
    #[args]
    pub settings: Settings,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    database: AvId,
    view: String,
    setting: Setting,
}

impl Change for UpdateView {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let found = cx.places(&self.id).await?;
        let id = found.av().unwrap_or(&self.id);
        let (database, carriers) = join(read(id, found, cx), carriers(id, cx)).await;
        let (database, carriers) = (database?, carriers?);
        let views = &database.database().views;
        let former = view(views, None, &carriers, &self.id)?;
        let view = view(views, self.view.as_ref().map(Text::as_str), &carriers, &self.id)?;
        let block = carrier(&carriers, &self.id).ok_or_else(ToolError::not_found)?.block();
        let mut setting = Setting::default();
        setting.operations.push(Operation::show_view(id, block, &view.id));
        if let Some(layout) = self.layout.map(LayoutName::name) {
            setting.add(Wanted::Layout(layout), Operation::set_layout(id, block, layout));
        }
        if let Some(name) = &self.name {
            let name = plain_text("name", name.as_str())?;
            let operation = Operation::name_view(id, &view.id, &name);
            setting.add(Wanted::Name(name), operation);
        }
        let own = self.settings.judge((id, block), view, &database, cx)?;
        setting.operations.extend(own.operations);
        setting.wanted.extend(own.wanted);
        let shows = self.settings.show.is_set();
        if setting.wanted.is_empty() && !shows {
            return Err(ToolError::field("name", "given, or another setting: nothing would change"));
        }
        if former.id != view.id && !shows {
            setting.operations.push(Operation::show_view(id, block, &former.id));
        }
        let (before, _) = setting.found(view);
        let changes = setting.wanted.iter().map(Wanted::word).filter(|it| !before.contains(it));
        let changed = json!(changes.collect::<Vec<_>>());
        let (name, view) = (view.name.clone(), view.id.clone());
        let plan = Plan::new("update_view", Facts { database: id.clone(), view, setting });
        Ok(plan.show("view", name.clone()).show("changed", changed).touching(1, name))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { database, view, setting } = plan.facts;
        let Some(operations) = NonEmpty::of(&setting.operations) else { return Err(ToolError::not_found()) };
        cx.ask(av::change(operations)).await?;
        let after = cx.ask(av::get_attribute_view(&database)).await?.av;
        let after = after.iter().flat_map(|it| &it.views).find(|it| it.id == view);
        let (_, lost) = setting.found(after.ok_or_else(|| not_stored("this view"))?);
        let failed: Vec<Failed> =
            lost.iter().map(|it| Failed::new(not_stored("this setting")).what(it)).collect();
        let changed = plan.shows.get("changed").cloned().unwrap_or_default();
        Ok(Output::new()
            .with("id", database.as_str())
            .with("view", view)
            .with("changed", changed)
            .failed(failed))
    }
}

#[cfg(test)]
#[path = "update_view_tests.rs"]
mod tests;
