//! Operations on databases, as the page sends them: one request makes several, in order.
//!
//! The kernel answers code 0 for an operation that did nothing, so whoever sends one reads the database again.

use serde::Serialize;
use serde_json::{Value, json};

use super::{NewFilter, NewGroup, NewSort};
use crate::id::AvId;
use crate::kernel::api::block::Transaction;
use crate::kernel::api::transactions::TRANSACTIONS;
use crate::kernel::{NonEmpty, TypedRequest};

/// One operation.
#[derive(Debug, Clone, Hash, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Operation(Value);

/// The other end of a relation.
#[derive(Debug, Clone, Hash)]
pub struct Leads {
    /// The database there.
    pub to: AvId,
    /// Id and name of the column there that leads back, if one does.
    pub back: Option<(String, String)>,
}

/// Makes these operations, one after the other (`TRANSACTIONS`).
pub fn change(operations: NonEmpty<'_, Operation>) -> TypedRequest<Vec<Transaction>> {
    let body = json!({
        "transactions": [{ "doOperations": operations, "undoOperations": [] }],
        "reqId": 1, "app": "siyuan-mcp-puppy", "session": "siyuan-mcp-puppy",
    });
    TypedRequest::json(TRANSACTIONS, body)
}

macro_rules! operations {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident($($arg:ident: $ty:ty),* $(,)?) = $action:literal { $($body:tt)* };
    )*) => {
        impl Operation {$(
            $(#[doc = $doc])+
            pub fn $name($($arg: $ty),*) -> Operation {
                let mut body = json!({ $($body)* });
                if let Some(map) = body.as_object_mut() {
                    map.insert("action".to_owned(), $action.into());
                }
                Operation(body)
            }
        )*}
    };
}

operations! {
    /// Names a database; the kernel writes the name on the blocks of its rows too.
    rename(id: &AvId, name: &str) = "setAttrViewName" { "id": id, "avID": id, "data": name };

    /// Adds a column behind another one; with an empty `previous` it would become the first.
    add_column(id: &AvId, key: &str, name: &str, kind: &str, previous: &str)
        = "addAttrViewCol" { "avID": id, "id": key, "name": name, "type": kind, "data": "", "previousID": previous };
    /// Sets the name and the type of a column.
    set_column(id: &AvId, key: &str, name: &str, kind: &str)
        = "updateAttrViewCol" { "avID": id, "id": key, "name": name, "type": kind };
    /// Sets the icon of a column.
    set_icon(id: &AvId, key: &str, icon: &str) = "setAttrViewColIcon" { "avID": id, "id": key, "data": icon };
    /// Sets the description of a column.
    set_description(id: &AvId, key: &str, text: &str)
        = "setAttrViewColDesc" { "avID": id, "id": key, "data": text };
    /// Adds new options to a select and changes those that it has; none goes.
    set_options(id: &AvId, key: &str, options: &Value)
        = "updateAttrViewColOptions" { "avID": id, "id": key, "data": options };
    /// Removes an option of a select, also from cells and filters.
    remove_option(id: &AvId, key: &str, name: &str)
        = "removeAttrViewColOption" { "avID": id, "id": key, "data": name };
    /// Sets the format of numbers.
    set_format(id: &AvId, key: &str, format: &str)
        = "updateAttrViewColNumberFormat" { "avID": id, "id": key, "type": "number", "format": format };
    /// Sets the text of a template column.
    set_template(id: &AvId, key: &str, template: &str)
        = "updateAttrViewColTemplate" { "avID": id, "id": key, "type": "template", "data": template };
    /// Leads a relation to a database; a two-way one gets the column `back` there.
    set_relation(id: &AvId, key: &str, name: &str, leads: &Leads)
        = "updateAttrViewColRelation" {
            "avID": id, "keyID": key, "format": name, "id": leads.to, "isTwoWay": leads.back.is_some(),
            "backRelationKeyID": leads.back.as_ref().map(|it| it.0.as_str()).unwrap_or_default(),
            "name": leads.back.as_ref().map(|it| it.1.as_str()).unwrap_or_default(),
        };
    /// Defines a rollup.
    set_rollup(id: &AvId, key: &str, relation: &str, column: &str, operator: &str)
        = "updateAttrViewColRollup" {
            "avID": id, "id": key, "parentID": relation, "keyID": column,
            "data": { "calc": { "operator": operator, "result": null } },
        };
    /// Moves a column behind another in the order of the database.
    sort_key(id: &AvId, key: &str, previous: &str)
        = "sortAttrViewKey" { "avID": id, "id": key, "previousID": previous };
    /// Removes a column with its values; `both` removes the other side of a two-way relation too.
    remove_column(id: &AvId, key: &str, both: bool)
        = "removeAttrViewCol" { "avID": id, "id": key, "removeDest": both };

    /// Lets a block show a view. The operations on views change the one that their block shows.
    show_view(id: &AvId, carrier: &str, view: &str)
        = "setAttrViewBlockView" { "avID": id, "blockID": carrier, "id": view };
    /// Adds a view, which the block then shows.
    add_view(id: &AvId, carrier: &str, view: &str, layout: &str)
        = "addAttrViewView" { "avID": id, "blockID": carrier, "id": view, "layout": layout };
    /// Names a view.
    name_view(id: &AvId, view: &str, name: &str)
        = "setAttrViewViewName" { "avID": id, "id": view, "data": name };
    /// Removes the view that the block shows, unless it is the last.
    remove_view(id: &AvId, carrier: &str, view: &str)
        = "removeAttrViewView" { "avID": id, "blockID": carrier, "id": view };
    /// Gives the view that the block shows another layout.
    set_layout(id: &AvId, carrier: &str, layout: &str)
        = "changeAttrViewLayout" { "avID": id, "blockID": carrier, "layout": layout };
    /// Sets the conditions of the view that the block shows.
    set_filters(id: &AvId, carrier: &str, filters: &[NewFilter])
        = "setAttrViewFilters" { "avID": id, "blockID": carrier, "data": filters };
    /// Sets the columns by which the view that the block shows is sorted.
    set_sorts(id: &AvId, carrier: &str, sorts: &[NewSort])
        = "setAttrViewSorts" { "avID": id, "blockID": carrier, "data": sorts };
    /// Sets the grouping of the view that the block shows.
    set_group(id: &AvId, carrier: &str, group: &NewGroup)
        = "setAttrViewGroup" { "avID": id, "blockID": carrier, "data": group };
    /// Ungroups the view that the block shows.
    ungroup(id: &AvId, carrier: &str) = "removeAttrViewGroup" { "avID": id, "blockID": carrier };
    /// Hides or shows a column in the view that the block shows.
    hide(id: &AvId, carrier: &str, key: &str, hidden: bool)
        = "setAttrViewColHidden" { "avID": id, "blockID": carrier, "id": key, "data": hidden };
    /// Moves a column behind another in the view that the block shows; to the front with an empty `previous`.
    sort_column(id: &AvId, carrier: &str, key: &str, previous: &str)
        = "sortAttrViewCol" { "avID": id, "blockID": carrier, "id": key, "previousID": previous };
    /// Sets the calculation below a column of the view that the block shows.
    calculate(id: &AvId, carrier: &str, key: &str, operator: &str)
        = "setAttrViewColCalc" {
            "avID": id, "blockID": carrier, "id": key, "data": { "operator": operator, "result": null },
        };
    /// Sets the number of rows a page of the view that the block shows.
    set_page_size(id: &AvId, carrier: &str, size: usize)
        = "setAttrViewPageSize" { "avID": id, "blockID": carrier, "data": size };
}
