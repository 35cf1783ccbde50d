//! `av.update_column`: changes the definition of a column.

use serde_json::json;

use super::cells::{not_stored, read};
use super::column::{ColumnChange, ColumnSettings, ColumnType, ColumnWrites};
use super::column_effects::{filled, losing_options, require_other_side};
use super::database_blocks::shown_in;
use crate::content::{cell::plain_text, icon::Icon, incoming::would_run_in_value};
use crate::kernel::api::av::{ColumnKey, Operation};
use crate::prelude::*;

/// Change a column.
///
/// A new type does not convert values: cells look empty until the column has its old type again.
#[derive(Debug, Action)]
#[action(
    av.update_column,
    effect = When(Self::removes_used, Destructive),
    danger = When(Self::removes_used, "Removes options of the column {name} from {n} cells."),
    deed = Delete(PutBack),
    idempotent = true,
    tier = advanced,
    calls = [query::FLUSH_TRANSACTION, query::SQL, av::GET_ATTRIBUTE_VIEW, transactions::TRANSACTIONS],
    examples = [
        {
            "id": "{av}", "column": "{column}", "name": "{new}", "description": "State of work", "icon": "🌱",
            "type": "select", "options": [{ "name": "Todo", "color": 3, "description": "Not begun" }],
            "after_column": "{relation}"
        },
        { "id": "{av}", "column": "{column}", "type": "number", "format": "EUR" },
        { "id": "{av}", "column": "{column}", "type": "template", "template": ".action{ .Status }" },
        {
            "id": "{av}", "column": "{relation}",
            "relation": { "id": "{av}", "two_way": true, "back_name": "Back" }
        },
        {
            "id": "{av}", "column": "{column}", "type": "rollup",
            "rollup": { "relation": "{relation}", "column": "{column}", "calc": "count_all" }
        },
    ],
)]
pub struct UpdateColumn {
    /// The database, or a block that shows it.
    #[needs(Write)]
    pub id: AvId,
    /// Name or id of the column.
    #[read_by()]
    pub column: Text<1, 512>,
    /// The name.
    #[read_by(Html)]
    pub name: Option<Text<1, 512>>,
    /// A sentence about the column.
    #[read_by(Html)]
    pub description: Option<Text<0, 4096>>,
    /// An emoji, its code points in hex (1f331), or emojis/<file>.
    pub icon: Option<Icon>,
    /// A type such as text, number, date, select or checkbox; an error lists all.
    pub r#type: Option<ColumnType>,
    /// The column to place it after; by default the last.
    #[read_by()]
    pub after_column: Option<Text<1, 512>>,
    /// Settings of its type.
    #[args]
    pub settings: ColumnSettings,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    database: AvId,
    column: String,
    setting: ColumnWrites,
    /// The number of cells that lose an option.
    losing: usize,
    /// The number of cells that look empty with the new type.
    emptied: usize,
}

impl UpdateColumn {
    fn removes_used(&self, plan: &Plan<Facts>) -> bool {
        plan.facts.losing > 0
    }
}

impl Change for UpdateColumn {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let found = cx.places(&self.id).await?;
        let id = found.av().unwrap_or(&self.id);
        let database = read(id, found, cx).await?;
        let column = database.column("column", self.column.as_str())?;
        let key = &column.key;
        let mut setting = ColumnWrites::default();
        let (name, kind) = self.identity(key, cx).await?;
        if (name.as_str(), kind) != (key.name.as_str(), key.kind.as_str()) {
            setting.add("type", json!(kind), Operation::set_column(id, &key.id, &name, kind));
            setting.wanted.push(("name", json!(name)));
        }
        if let Some(text) = self.description.as_ref().map(Text::as_str) {
            if would_run_in_value(text) {
                return Err(ToolError::field("description", "a text without active content such as scripts"));
            }
            setting.add("description", json!(text), Operation::set_description(id, &key.id, text));
        }
        if let Some(icon) = self.icon.as_ref().map(Icon::as_str) {
            setting.add("icon", json!(icon), Operation::set_icon(id, &key.id, icon));
        }
        if let Some(previous) = &self.after_column {
            let previous = &database.column("after_column", previous.as_str())?.key.id;
            setting.operations.push(Operation::sort_key(id, &key.id, previous));
        }
        let going = self.going_options(key);
        setting.operations.extend(going.iter().map(|name| Operation::remove_option(id, &key.id, name)));
        let losing = losing_options(&going, column, (&database, found), cx)?;
        if self.settings.relation.is_some() {
            require_other_side(key, false, cx).await?;
        }
        let of = ColumnChange { database: id, key: &key.id, name: &name, kind, before: Some(key) };
        self.settings.judge(of, &database, cx, &mut setting).await?;
        if kind != key.kind && self.settings.rollup.is_some() {
            // The type comes last: once it has changed, 3.7.3 fails over a rollup that is not yet defined and leaves out
            // the rest.
            setting.operations.rotate_left(1);
        }
        if setting.operations.is_empty() {
            setting.wanted.clear();
        }
        let emptied = if kind == key.kind { 0 } else { filled(column, &database, cx) };
        let changed = setting.differing(key).chain(self.after_column.is_some().then_some("after_column"));
        let changed = json!(changed.collect::<Vec<_>>());
        let facts = Facts { database: id.clone(), column: key.id.clone(), setting, losing, emptied };
        let plan = Plan::new("update_column", facts).show("column", key.name.clone());
        let plan = plan.show("changed", changed).touching(losing, key.name.clone());
        let options = Things::of(going.iter().map(|it| Thing::titled(it)));
        let plan = plan.about(ThingKind::Choice, options).and(Thing::titled(&key.name));
        let values = Consequence::Values(losing as u64);
        let with_losses =
            |it: Plan<Facts>| it.show("cells_losing_an_option", losing).also(values).also(shown_in(found));
        Ok(if losing > 0 { with_losses(plan) } else { plan })
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { database, column, setting, emptied, .. } = plan.facts;
        let changed = plan.shows.get("changed").cloned().unwrap_or_else(|| json!([]));
        let output = Output::new().with("id", database.as_str()).with("column", column.as_str());
        let output = output.with("changed", changed);
        let Some(operations) = NonEmpty::of(&setting.operations) else { return Ok(output) };
        cx.ask(av::change(operations)).await?;
        let after = cx.ask(av::get_attribute_view(&database)).await?.av;
        let after = after.iter().flat_map(|it| &it.columns).find(|it| it.key.id == column);
        let after = &after.ok_or_else(|| not_stored("this column"))?.key;
        Ok(output.with("emptied", (emptied > 0).then_some(emptied)).failed(setting.lost(after)))
    }
}

impl UpdateColumn {
    /// The name and the type that the column gets or keeps.
    async fn identity<'k>(&self, key: &'k ColumnKey, cx: &Cx<'_>) -> Result<(String, &'k str), ToolError> {
        let name = self.name.as_ref().map(|it| plain_text("name", it.as_str())).transpose()?;
        let kind = self.r#type.map_or(key.kind.as_str(), |it| it.name());
        if kind != key.kind && key.kind == "block" {
            return Err(ToolError::field("type", "left out: the primary column keeps its type"));
        }
        if kind != key.kind && [kind, key.kind.as_str()].contains(&"relation") {
            require_other_side(key, false, cx).await?;
        }
        Ok((name.unwrap_or_else(|| key.name.clone()), kind))
    }

    /// The options that the new list lacks.
    fn going_options<'k>(&self, key: &'k ColumnKey) -> Vec<&'k str> {
        let Some(options) = &self.settings.options else { return Vec::new() };
        let stays = |name: &str| options.as_slice().iter().any(|it| it.name.as_str().trim() == name);
        key.options.iter().map(|it| it.name.as_str()).filter(|it| !stays(it)).collect()
    }
}

#[cfg(test)]
#[path = "update_column_tests.rs"]
mod tests;
