//! `av.get`: the structure of a database, without its rows.

use std::collections::BTreeSet;

use futures_util::future::join;
use serde_json::{Value, json};

use super::view::Words;
use crate::content::database::Visible;
use crate::content::hash;
use crate::index::{self, Order, Rows, Select, Table};
use crate::kernel::api::av::Key;
use crate::kernel::api::query::Row;
use crate::prelude::*;

/// Show a database: columns with options, views with filters and sorting, and where it is shown.
#[derive(Debug, Action)]
#[action(
    av.get,
    danger = None,
    idempotent = true,
    calls = [query::FLUSH_TRANSACTION, query::SQL, av::GET_ATTRIBUTE_VIEW],
    examples = [{ "id": "{av}" }, { "id": "{carrier}", "view": "{view}" }],
)]
pub struct Get {
    /// The database, or a block that shows it.
    #[needs(Read)]
    pub id: AvId,
    /// Only this view, by id or exact name.
    pub view: Option<Text<1, 255>>,
}

impl Run for Get {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let found = cx.places(&self.id).await?;
        let id = found.av().unwrap_or(&self.id);
        let (reply, carriers) = join(cx.ask(av::get_attribute_view(id)), cx.select(carriers(id))).await;
        let database = Visible::new(reply?.av.ok_or_else(ToolError::not_found)?, found);
        let Rows { rows, .. } = carriers?;
        let carriers: Vec<Value> = rows.iter().map(carrier).collect();
        let related = related(&database, cx).await?;
        let columns: Vec<Value> = database.keys().map(|it| column(it, &database, &related)).collect();
        let words = Words { columns: database.column_names(), ambient: cx.ambient() };
        let views = self.views(&database, &words)?;
        let told = Output::new()
            .with("id", id.as_str())
            .with("name", database.database().name.as_str())
            .with("columns", columns)
            .with("views", views)
            .with("carriers", carriers)
            .with("row_count", database.rows().len());
        let hash = hash::of_blocks([Value::Object(told.data.clone()).to_string().as_str()]);
        Ok(told.with("hash", hash))
    }
}

impl Get {
    fn views(&self, database: &Visible, words: &Words<'_>) -> Result<Vec<Value>, ToolError> {
        let all = &database.database().views;
        let Some(name) = self.view.as_ref().map(Text::as_str) else {
            return Ok(all.iter().map(|it| words.view(it)).collect());
        };
        let of_id = all.iter().find(|it| it.id == name);
        let named: Vec<_> = all.iter().filter(|it| it.name == name).collect();
        match (of_id, named.as_slice()) {
            (Some(one), _) | (None, &[one]) => Ok(vec![words.view(one)]),
            (None, []) => {
                let known: Vec<&str> = all.iter().map(|it| it.name.as_str()).collect();
                Err(ToolError::field("view", format!("one of the views {}", known.join(", "))))
            }
            (None, several) => {
                let ids: Vec<&str> = several.iter().map(|it| it.id.as_str()).collect();
                let expected = format!("an id: {} views are called \"{name}\"", ids.len());
                Err(ToolError::field("view", expected).with("candidates", ids))
            }
        }
    }
}

/// The statement for blocks that show a database; resolving the target has already flushed the index.
fn carriers(id: &AvId) -> Select {
    Select::from(Table::Blocks)
        .columns(["b.id", "b.root_id", "b.hpath"])
        .per(["b.id"])
        .filter(index::eq("b.type", "av"))
        .filter(index::contains("b.markdown", &format!("data-av-id=\"{id}\"")))
        .order([Order::Up("b.id")])
}

fn carrier(row: &Row) -> Value {
    json!({ "block": row.text("id"), "hpath": index::hpath(row), "notebook": row.text("box") })
}

/// The databases that relations lead to, if the caller may read them.
async fn related(database: &Visible, cx: &Cx<'_>) -> Result<BTreeSet<AvId>, ToolError> {
    let ids: BTreeSet<AvId> =
        database.keys().filter_map(|it| AvId::parse(&it.relation.as_ref()?.database)).collect();
    let all: Vec<&AvId> = ids.iter().collect();
    let found = if all.is_empty() { Vec::new() } else { cx.databases(Level::Read, &all).await? };
    Ok(found.iter().flatten().filter_map(|it| it.av().cloned()).collect())
}

fn column(key: &Key, database: &Visible, related: &BTreeSet<AvId>) -> Value {
    let options: Vec<Value> = key
        .options
        .iter()
        .map(|it| {
            let fields = [("name", &it.name), ("color", &it.color), ("description", &it.desc)];
            Value::Object(object(fields.map(|(name, text)| (name, json!(text)))))
        })
        .collect();
    let relation = key.relation.as_ref().filter(|it| !it.database.is_empty()).map(|it| {
        let readable = AvId::parse(&it.database).filter(|id| related.contains(id));
        let two_way = it.two_way.then_some(true);
        Value::Object(object([("id", json!(readable.map(|it| it.to_string()))), ("two_way", json!(two_way))]))
    });
    let rollup = key.rollup.as_ref().map(|it| {
        let relation = database.keys().find(|other| other.id == it.relation).map(|it| it.name.clone());
        let calc = it.calc.as_ref().and_then(|calc| calc.get("operator")).cloned();
        let fields =
            [("relation", json!(relation)), ("column", json!(it.column)), ("calc", calc.unwrap_or_default())];
        Value::Object(object(fields))
    });
    Value::Object(object([
        ("id", json!(key.id)),
        ("name", json!(key.name)),
        ("type", json!(key.kind)),
        ("options", if options.is_empty() { Value::Null } else { json!(options) }),
        ("format", json!(key.number_format)),
        ("relation", relation.unwrap_or_default()),
        ("rollup", rollup.unwrap_or_default()),
        ("template", json!(key.template)),
        ("description", json!(key.desc)),
    ]))
}
