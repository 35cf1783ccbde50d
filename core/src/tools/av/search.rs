//! `av.search`: the databases that a readable notebook shows, by name.
//!
//! The kernel's own search returns twelve databases of all notebooks, so hidden ones would push others out of it. The
//! index tells which databases are shown where, and each one's name is read from itself.

use futures_util::future::{join, join_all};
use serde_json::{Value, json};

use crate::index::{self, Order, Select, StartKey, Table};
use crate::kernel::api::query::Row;
use crate::prelude::*;

/// The id of the database that a block shows.
const SHOWN: &str = "substr(b.markdown, instr(b.markdown, 'data-av-id=\"') + 12, 22)";
/// The number of databases that one call reads to find a name.
const READ: usize = 100;
/// The number of them that are read at the same time.
const AT_ONCE: usize = 10;

/// Find databases by name.
///
/// With a query, one call searches 100 databases; `next` continues.
#[derive(Debug, Action)]
#[action(
    av.search,
    workspace = Read,
    danger = None,
    idempotent = true,
    calls = [query::FLUSH_TRANSACTION, query::SQL, av::GET_ATTRIBUTE_VIEW],
    examples = [{}, { "query": "plants", "notebook": "{notebook}", "limit": 10 }],
)]
pub struct Search {
    /// Only results that contain this text.
    #[read_by()]
    pub query: Option<Text<0, 200>>,
    /// Only in this notebook, by id or exact name.
    #[needs(Read, else = workspace)]
    pub notebook: Option<NotebookRef>,
    /// A page of the databases.
    #[args]
    pub page: Paging<String, 20, 100>,
}

impl Run for Search {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let notebook = match &self.notebook {
            Some(notebook) => Some(cx.found(notebook).await?.notebook.clone()),
            None => None,
        };
        cx.ask(query::flush_transaction()).await?;
        let words = self.query.as_ref().map(|it| it.as_str().to_lowercase()).unwrap_or_default();
        let words: Vec<&str> = words.split_whitespace().collect();
        let limit = self.page.limit.get();
        let count = if words.is_empty() { limit } else { READ };
        let mut select = shown(notebook.as_ref()).column(SHOWN, "av").per([SHOWN]).order([Order::Up(SHOWN)]);
        if let Some(after) = self.page.after() {
            select = select.after([StartKey::from(after.as_str())]);
        }
        let found = cx.select(select.limit(count).counted()).await?;
        let ids: Vec<AvId> = found.rows.iter().filter_map(|row| AvId::parse(row.text("av"))).collect();
        let (databases, carriers) = join(read(&ids, cx), carriers(&ids, notebook.as_ref(), cx)).await;
        let (databases, carriers) = (databases?, carriers?);
        let mut items: Vec<Value> = Vec::new();
        let mut last = None;
        for (id, database) in ids.iter().zip(&databases) {
            if items.len() == limit {
                break;
            }
            last = Some(id);
            let Some(database) = database else { continue };
            let name = database.name.to_lowercase();
            if words.iter().all(|word| name.contains(word)) {
                items.push(item(id, database, &carriers));
            }
        }
        let more = found.more || last != ids.last();
        let next = last.filter(|_| more).map(ToString::to_string);
        let total = found.total.filter(|_| words.is_empty());
        Ok(Output::new().with("items", items).with("total", total).with("next", next))
    }
}

/// The blocks that show databases.
fn shown(notebook: Option<&NotebookId>) -> Select {
    let select = Select::from(Table::Blocks).filter(index::eq("b.type", "av"));
    match notebook {
        Some(notebook) => select.filter(index::eq("b.box", notebook.as_str())),
        None => select,
    }
}

async fn carriers(ids: &[AvId], notebook: Option<&NotebookId>, cx: &Cx<'_>) -> Result<Vec<Row>, ToolError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let select = shown(notebook)
        .columns(["b.id", "b.root_id", "b.hpath"])
        .column(SHOWN, "av")
        .per(["b.id"])
        .filter(index::in_list(SHOWN, ids.iter().map(AvId::as_str)))
        .order([Order::Up("b.id")]);
    Ok(cx.select(select).await?.rows)
}

/// The databases, in the order of their ids; `None` for one whose file is gone.
async fn read(ids: &[AvId], cx: &Cx<'_>) -> Result<Vec<Option<av::Database>>, ToolError> {
    let mut all = Vec::with_capacity(ids.len());
    for some in ids.chunks(AT_ONCE) {
        for reply in join_all(some.iter().map(|id| cx.ask(av::get_attribute_view(id)))).await {
            all.push(reply?.av);
        }
    }
    Ok(all)
}

fn item(id: &AvId, database: &av::Database, carriers: &[Row]) -> Value {
    let view = |it: &av::View| json!({ "id": it.id, "name": it.name, "layout": it.layout });
    let views: Vec<Value> = database.views.iter().map(view).collect();
    let carrier = |row: &Row| json!({ "block": row.text("id"), "hpath": index::hpath(row), "notebook": row.text("box") });
    let own = carriers.iter().filter(|row| row.text("av") == id.as_str());
    let carriers: Vec<Value> = own.map(carrier).collect();
    Value::Object(object([
        ("id", json!(id)),
        ("name", json!(database.name)),
        ("views", json!(views)),
        ("carriers", json!(carriers)),
    ]))
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
