//! The blocks that show a database, and the view that a call is about.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::content::database::Visible;
use crate::index::{self, Order, Select, Table};
use crate::kernel::api::av::View;
use crate::kernel::api::query::Row;
use crate::permission::Where;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The attribute of a block that names the view it shows.
const SHOWN: &str = "custom-sy-av-view=\"";

/// A block that shows a database, in a notebook that the caller may read.
#[derive(Debug)]
pub(super) struct DatabaseBlock(Row);

impl DatabaseBlock {
    /// Its id.
    pub(super) fn block(&self) -> &str {
        self.0.text("id")
    }

    /// The view that it shows, if it says so.
    fn view(&self) -> Option<&str> {
        self.0.text("ial").split_once(SHOWN)?.1.split('"').next()
    }

    /// Its entry in an answer.
    pub(super) fn to_json(&self) -> Value {
        json!({ "block": self.block(), "hpath": index::hpath(&self.0), "notebook": self.0.text("box") })
    }
}

/// The blocks that show a database; resolving the target has already flushed the index.
pub(super) async fn carriers(id: &AvId, cx: &Cx<'_>) -> Result<Vec<DatabaseBlock>, ToolError> {
    let select = Select::from(Table::Blocks)
        .columns(["b.id", "b.root_id", "b.hpath", "b.ial"])
        .per(["b.id"])
        .filter(index::eq("b.type", "av"))
        .filter(index::contains("b.markdown", &format!("data-av-id=\"{id}\"")))
        .order([Order::Up("b.id")]);
    Ok(cx.select(select).await?.rows.into_iter().map(DatabaseBlock).collect())
}

/// The view of that id or name; a name that fits several views is an error that lists them.
pub(super) fn named_view<'d>(all: &'d [View], name: &str) -> Result<&'d View, ToolError> {
    let of_id = all.iter().find(|it| it.id == name);
    let named: Vec<&View> = all.iter().filter(|it| it.name == name).collect();
    match (of_id, named.as_slice()) {
        (Some(one), _) | (None, &[one]) => Ok(one),
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

/// The view that is named, or else the one that the block shows: the block that the call names, or the first one.
pub(super) fn view<'d>(
    all: &'d [View],
    name: Option<&str>,
    carriers: &[DatabaseBlock],
    asked: &AvId,
) -> Result<&'d View, ToolError> {
    if let Some(name) = name {
        return named_view(all, name);
    }
    let shown = carrier(carriers, asked).and_then(DatabaseBlock::view);
    let shown = all.iter().find(|it| Some(it.id.as_str()) == shown);
    shown
        .or(all.first())
        .ok_or_else(|| ToolError::conflict("This database has no view. Open it in SiYuan once."))
}

/// The block that the call names, or the first that shows the database.
pub(super) fn carrier<'c>(carriers: &'c [DatabaseBlock], asked: &AvId) -> Option<&'c DatabaseBlock> {
    carriers.iter().find(|it| it.block() == asked.as_str()).or(carriers.first())
}

/// Refuses a change that the kernel also makes on the blocks of all rows, unless each of them may be written (B-056).
/// With a row that the caller may not read, the database looks like one that does not exist.
pub(super) fn require_rows(found: &Where, cx: &Cx<'_>) -> Result<(), ToolError> {
    cx.require(Level::Write, found.all_rows().ok_or_else(ToolError::not_found)?)
}

/// The documents that show a database, for a question.
pub(super) fn shown_in(found: &Where) -> Consequence {
    let documents: BTreeSet<&DocId> = found.places().iter().filter_map(|it| it.doc.as_ref()).into_set();
    Consequence::across(0, documents)
}

/// The plan with the database that it changes and the documents that show it, which name it where it has no name.
pub(super) fn of_database<F>(plan: Plan<F>, database: &Visible, found: &Where) -> Plan<F> {
    plan.and(Thing::titled(&database.database().name)).also(shown_in(found))
}

/// An id for something new in a database, of the kernel's form.
pub(super) fn fresh_id(cx: &Cx<'_>) -> Result<String, ToolError> {
    let ambient = cx.ambient();
    let id = crate::id::fresh_doc_id(&ambient.local_digits(), ambient.random());
    id.map(|it| it.to_string()).ok_or_else(|| ToolError::internal("the clock gave no time".to_owned()))
}
