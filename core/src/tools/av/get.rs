//! `av.get`: the structure of a database, without its rows.

use std::collections::BTreeSet;

use futures_util::future::join;
use serde_json::{Value, json};

use super::cells::read;
use super::database_blocks::{DatabaseBlock, carriers, named_view};
use super::view::ViewWords;
use crate::content::database::Visible;
use crate::content::hash;
use crate::kernel::api::av::ColumnKey;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

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
    /// A view, by id or exact name.
    #[read_by()]
    pub view: Option<Text<1, 255>>,
}

impl Run for Get {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let found = cx.places(&self.id).await?;
        let id = found.av().unwrap_or(&self.id);
        let (database, carriers) = join(read(id, found, cx), carriers(id, cx)).await;
        let database = database?;
        let carriers: Vec<Value> = carriers?.iter().map(DatabaseBlock::to_json).collect();
        let related = related(&database, cx).await?;
        let columns: Vec<Value> = database.keys().map(|it| column(it, &database, &related)).collect();
        let words = ViewWords { columns: database.column_names(), ambient: cx.ambient() };
        let all = &database.database().views;
        let views: Vec<Value> = match &self.view {
            Some(name) => vec![words.view(named_view(all, name.as_str())?)],
            None => all.iter().map(|it| words.view(it)).collect(),
        };
        let output = Output::new()
            .with("id", id.as_str())
            .with("name", database.database().name.as_str())
            .with("columns", columns)
            .with("views", views)
            .with("carriers", carriers)
            .with("row_count", database.rows().len());
        let hash = hash::of_blocks([Value::Object(output.data.clone()).to_string().as_str()]);
        Ok(output.with("hash", hash))
    }
}

/// The databases that relations lead to, if the caller may read them.
async fn related(database: &Visible, cx: &Cx<'_>) -> Result<BTreeSet<AvId>, ToolError> {
    let ids: BTreeSet<AvId> =
        database.keys().filter_map(|it| AvId::parse(&it.relation.as_ref()?.database)).into_set();
    let all: Vec<&AvId> = ids.iter().collect();
    let found = if all.is_empty() { Vec::new() } else { cx.databases(Level::Read, &all).await? };
    Ok(found.iter().flatten().filter_map(|it| it.av().cloned()).collect())
}

fn column(key: &ColumnKey, database: &Visible, related: &BTreeSet<AvId>) -> Value {
    let options: Vec<Value> = key
        .options
        .iter()
        .map(|it| {
            let fields = [("name", &it.name), ("color", &it.color), ("description", &it.desc)];
            Value::Object(object(fields.map(|(name, text)| (name, json!(text)))))
        })
        .collect();
    // The definition of a column must not reveal that there is a database that the caller may not read.
    let readable =
        |key: &ColumnKey| AvId::parse(&key.relation.as_ref()?.database).filter(|id| related.contains(id));
    let relation = key.relation.as_ref().zip(readable(key)).map(|(it, id)| {
        let two_way = it.two_way.then_some(true);
        Value::Object(object([("id", json!(id)), ("two_way", json!(two_way))]))
    });
    let rollup = key.rollup.as_ref().map(|it| {
        let relation = database.keys().find(|other| other.id == it.relation);
        let shown = relation.and_then(readable).map(|_| it.column.as_str());
        let name = relation.map(|it| it.name.as_str());
        let calc = it.calc.as_ref().map(|calc| calc.operator.as_str());
        let fields = [("relation", json!(name)), ("column", json!(shown)), ("calc", json!(calc))];
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
        ("icon", json!(key.icon)),
    ]))
}

#[cfg(test)]
#[path = "get_tests.rs"]
mod tests;
