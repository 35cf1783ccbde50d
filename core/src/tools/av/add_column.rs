//! `av.add_column`: adds a column with its settings.

use super::cells::{not_stored, read};
use super::column::{ColumnChange, ColumnSettings, ColumnType, ColumnWrites};
use super::database_blocks::fresh_id;
use crate::content::cell::plain_text;
use crate::content::database::Visible;
use crate::content::icon::Icon;
use crate::kernel::api::av::Operation;
use crate::prelude::*;

/// Add a column of any type but `block`.
#[derive(Debug, Action)]
#[action(
    av.add_column,
    danger = None,
    idempotent = false,
    calls = [query::FLUSH_TRANSACTION, query::SQL, av::GET_ATTRIBUTE_VIEW, transactions::TRANSACTIONS],
    examples = [
        { "id": "{av}", "name": "{new}", "type": "number", "format": "EUR" },
        {
            "id": "{av}", "name": "{new}", "type": "select", "after_column": "{column}", "icon": "🌱",
            "options": [{ "name": "Todo", "color": 3, "description": "Not begun" }]
        },
        { "id": "{av}", "name": "{new}", "type": "template", "template": ".action{ .Status }" },
        {
            "id": "{av}", "name": "{new}", "type": "rollup",
            "rollup": { "relation": "{relation}", "column": "{column}", "calc": "count_all" }
        },
        {
            "id": "{av}", "name": "{new}", "type": "relation",
            "relation": { "id": "{av}", "two_way": true, "back_name": "Back" }
        },
    ],
)]
pub struct AddColumn {
    /// The database, or a block that shows it.
    #[needs(Write)]
    pub id: AvId,
    /// The name.
    #[read_by(Html)]
    pub name: Text<1, 512>,
    /// A type such as text, number, date, select or checkbox; an error lists all.
    pub r#type: ColumnType,
    /// The column to place it after; by default the last.
    #[read_by()]
    pub after_column: Option<Text<1, 512>>,
    /// An emoji, its code points in hex (1f331), or emojis/<file>.
    pub icon: Option<Icon>,
    /// Settings of its type.
    #[args]
    pub settings: ColumnSettings,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    database: AvId,
    previous: String,
}

impl Change for AddColumn {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let found = cx.places(&self.id).await?;
        let id = found.av().unwrap_or(&self.id);
        let database = read(id, found, cx).await?;
        // The kernel puts a column without a neighbour before the primary one.
        let previous = match &self.after_column {
            Some(name) => database.column("after_column", name.as_str())?.key.id.clone(),
            None => last_column(&database),
        };
        let (name, _) = self.setting(id, "", &database, cx).await?;
        let of = database.database().name.clone();
        let plan = Plan::new("add_column", Facts { database: id.clone(), previous });
        Ok(plan.show("name", name).show("type", self.r#type.name()).touching(1, of))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { database: id, previous } = plan.facts;
        let found = cx.places(&self.id).await?;
        let database = read(&id, found, cx).await?;
        let key = fresh_id(cx)?;
        let (name, mut setting) = self.setting(&id, &key, &database, cx).await?;
        let kind = self.r#type.name();
        setting.operations.insert(0, Operation::add_column(&id, &key, &name, kind, &previous));
        let Some(operations) = NonEmpty::of(&setting.operations) else {
            return Err(not_stored("this column"));
        };
        cx.ask(av::change(operations)).await?;
        let after = cx.ask(av::get_attribute_view(&id)).await?.av;
        let added = after.iter().flat_map(|it| &it.columns).find(|it| it.key.id == key);
        let added = &added.ok_or_else(|| not_stored("this column"))?.key;
        Ok(Output::new()
            .with("id", id.as_str())
            .with("changed", true)
            .with("column", key)
            .with("name", name)
            .failed(setting.lost(added)))
    }
}

impl AddColumn {
    async fn setting(
        &self,
        id: &AvId,
        key: &str,
        of: &Visible,
        cx: &Cx<'_>,
    ) -> Result<(String, ColumnWrites), ToolError> {
        let name = plain_text("name", self.name.as_str())?;
        let mut setting = ColumnWrites::default();
        if let Some(icon) = self.icon.as_ref().map(Icon::as_str) {
            setting.add("icon", icon.into(), Operation::set_icon(id, key, icon));
        }
        let column = ColumnChange { database: id, key, name: &name, kind: self.r#type.name(), before: None };
        self.settings.judge(column, of, cx, &mut setting).await?;
        Ok((name, setting))
    }
}

/// The last column of the first view, or else of the database.
fn last_column(database: &Visible) -> String {
    let first = database.database().views.first();
    let shown = first.and_then(|it| it.fields().last()).map(|it| it.id.as_str());
    let last = shown.or_else(|| database.keys().last().map(|it| it.id.as_str()));
    last.unwrap_or_default().to_owned()
}

#[cfg(test)]
#[path = "add_column_tests.rs"]
mod tests;
