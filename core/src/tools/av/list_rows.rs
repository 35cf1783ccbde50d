//! `av.list_rows`: the rows of a view with their cells.

use futures_util::future::join;
use serde_json::{Map, Value, json};

use super::cells::read;
use super::database_blocks::{carriers, view};
use super::table::ViewTable;
use crate::content::database::{DatabaseRow, Visible};
use crate::content::paging::{PageStart, page};
use crate::content::window::CHARS_PER_TOKEN;
use crate::kernel::api::av::{ColumnKey, View};
use crate::output::json_chars;
use crate::prelude::*;

/// List rows with their cells, filtered and sorted by the view.
///
/// Empty cells are left out. So are templates and calculated rollups while a notebook is hidden from you.
#[derive(Debug, Action)]
#[action(
    av.list_rows,
    danger = None,
    idempotent = true,
    calls = [query::FLUSH_TRANSACTION, query::SQL, av::GET_ATTRIBUTE_VIEW, av::RENDER_VIEW],
    examples = [
        { "id": "{av}" },
        {
            "id": "{carrier}", "view": "{view}", "query": "mint", "only_columns": ["{column}"], "row_ids": ["{row}"],
            "limit": 50, "budget": 500
        },
    ],
)]
pub struct ListRows {
    /// The database, or a block that shows it.
    #[needs(Read)]
    pub id: AvId,
    /// A view, by id or exact name.
    #[read_by()]
    pub view: Option<Text<1, 255>>,
    /// Only results that contain this text.
    #[read_by()]
    pub query: Option<Text<0, 200>>,
    /// Only these columns, by name or id.
    #[read_by()]
    pub only_columns: Option<Many<Text<1, 512>, 0, 64>>,
    /// Ids of rows, or of blocks bound to rows.
    pub row_ids: Option<Ids<Child<RowId>, 64>>,
    /// A page of the rows.
    #[args]
    pub page: Paging<PageStart, 20, 200>,
    /// Approximate maximum length, in tokens.
    pub budget: Int<100, 32_000, 2_000>,
}

impl Run for ListRows {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let found = cx.places(&self.id).await?;
        let id = found.av().unwrap_or(&self.id);
        let (database, carriers) = join(read(id, found, cx), carriers(id, cx)).await;
        let (database, carriers) = (database?, carriers?);
        let views = &database.database().views;
        let view = view(views, self.view.as_ref().map(Text::as_str), &carriers, &self.id)?;
        let columns = self.columns(&database, view)?;
        let table = ViewTable::read(id, &database, view, cx).await?;
        let cells = table.cells(&columns, cx.ambient());
        let words = self.query.as_ref().map(|it| it.as_str().to_lowercase()).unwrap_or_default();
        let words: Vec<&str> = words.split_whitespace().collect();
        let wanted = self.rows(&database)?;
        let is_wanted = |row: &DatabaseRow| wanted.as_ref().is_none_or(|it| it.contains(&row.id.as_str()));
        let numbered = (1..).zip(table.rows()).filter(|(_, (row, _))| is_wanted(row));
        // Only a search needs the cells of rows that are not shown.
        let holds =
            |number: usize, row: &DatabaseRow| words.is_empty() || contains(row, &cells(number, row), &words);
        let items: Vec<(usize, (&DatabaseRow, &[String]))> =
            numbered.filter(|(number, (row, _))| holds(*number, row)).collect();
        let after = self.page.after();
        let most = page(&items, after, self.page.limit.get(), |it| it.1.0.id.as_str());
        let entries: Vec<Map<String, Value>> =
            most.items.iter().map(|(number, (row, groups))| item(row, cells(*number, row), groups)).collect();
        let fits = fitting(&entries, self.budget.get() * CHARS_PER_TOKEN);
        let shown = page(&items, after, fits, |it| it.1.0.id.as_str());
        let withheld: Vec<&str> =
            columns.iter().filter(|(key, _)| table.withholds(key)).map(|(_, label)| label.as_str()).collect();
        let names: Vec<&str> = columns.iter().map(|(_, label)| label.as_str()).collect();
        let entries: Vec<Value> = entries.into_iter().take(fits).map(Value::Object).collect();
        Ok(Output::new()
            .with("view", json!({ "id": view.id, "name": view.name, "layout": view.layout }))
            .with("columns", names)
            .with("items", entries)
            .with("total", items.len())
            .list("withheld", withheld)
            .list("ignored_conditions", table.ignored.clone())
            .flag("truncated", fits < most.items.len())
            .with("next", shown.next))
    }
}

impl ListRows {
    /// The columns that the view shows, or those that are asked for, each with a label that no other one has.
    fn columns<'d>(
        &self,
        database: &'d Visible,
        view: &View,
    ) -> Result<Vec<(&'d ColumnKey, String)>, ToolError> {
        let names = database.column_names();
        let keys: Vec<&ColumnKey> = match &self.only_columns {
            Some(only) => {
                let primary = database.keys().filter(|it| it.kind == "block");
                let named = only.as_slice().iter().enumerate().map(|(at, name)| {
                    database.column(&format!("only_columns[{at}]"), name.as_str()).map(|it| &it.key)
                });
                let named: Vec<&ColumnKey> = named.collect::<Result<_, _>>()?;
                primary.chain(named.into_iter().filter(|it| it.kind != "block")).collect()
            }
            None => {
                let shown = view.fields().iter().filter(|it| !it.hidden);
                shown.filter_map(|it| names.get(it.id.as_str()).copied()).collect()
            }
        };
        let label = |key: &&'d ColumnKey| {
            let twins = database.keys().filter(|it| it.name == key.name).count();
            (*key, if twins > 1 { key.id.clone() } else { key.name.clone() })
        };
        Ok(keys.iter().map(label).collect())
    }

    /// The ids of the rows that are asked for.
    fn rows<'d>(&self, database: &'d Visible) -> Result<Option<Vec<&'d str>>, ToolError> {
        let Some(ids) = &self.row_ids else { return Ok(None) };
        let row = |(at, id): (usize, &Child<RowId>)| {
            let row = id.among(|id| database.row(id.as_str())).map(|it| it.id.as_str());
            let expected = "a row of this database, or a block that is one";
            row.ok_or_else(|| ToolError::field(&format!("row_ids[{at}]"), expected))
        };
        ids.as_slice().iter().enumerate().map(row).collect::<Result<_, _>>().map(Some)
    }
}

fn item(row: &DatabaseRow, cells: Map<String, Value>, groups: &[String]) -> Map<String, Value> {
    let group = match groups {
        [] => Value::Null,
        [one] => json!(one),
        several => json!(several),
    };
    object([
        ("row", json!(row.id)),
        ("block", json!(row.block)),
        ("title", json!(row.title)),
        ("cells", Value::Object(cells)),
        ("group", group),
    ])
}

/// Whether the title or a cell contains every word. The kernel's own search would also look into cells that the caller
/// does not see.
fn contains(row: &DatabaseRow, cells: &Map<String, Value>, words: &[&str]) -> bool {
    let texts = cells.values().map(|it| it.as_str().map_or_else(|| it.to_string(), str::to_owned));
    let mut texts = texts.chain([row.title.clone()]).map(|it| it.to_lowercase());
    texts.any(|text| words.iter().all(|word| text.contains(word)))
}

/// The number of rows within a budget of characters, at least one.
fn fitting(items: &[Map<String, Value>], budget: usize) -> usize {
    let mut left = budget;
    let mut fits = 0;
    for item in items {
        let Some(rest) = left.checked_sub(json_chars(item)) else { break };
        left = rest;
        fits += 1;
    }
    fits.max(1)
}

#[cfg(test)]
#[path = "list_rows_tests.rs"]
mod tests;
