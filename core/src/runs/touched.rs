//! The things that a request changed, and whether they can be put back: one line for each route that writes.
//!
//! The documents of a plan are known before; this adds the things that only the request or its answer names.

use std::collections::BTreeSet;

use serde_json::Value;

use super::blocks;
use super::record::{ChangeKind, ChangedThing};
use crate::kernel::api::{
    asset, attr, av, block, file, filetree, history, notebook, notification, query, repo, riff, sync,
    template, transactions, ui,
};
use crate::kernel::files::{STORAGE, TEMP};
use crate::kernel::{Body, Route};
use crate::spec::{ActionSpec, Tool};

/// The folder of versions.
const HISTORY: &str = "/history/";

/// Whether what a route does can be put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recall {
    /// There is nothing to put back.
    Nothing,
    /// The version before comes back.
    Whole,
    /// The things that it made stay, and do no harm.
    Stays,
    /// The state before is nowhere.
    Never,
}

/// A thing that a request changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Touched {
    /// A document with this id is there now.
    Created(String),
    /// A document, which may be new, moved or gone.
    Document(String),
    /// A note of the day, by its id or that of a block, which may be new.
    Noted { id: String, is_changed: bool },
    /// Blocks of documents, by id: those that the request names, with those in them.
    Blocks(BTreeSet<String>),
    /// Perhaps any block of the documents.
    Anywhere,
    /// Something else.
    Thing { what: ChangedThing, kind: ChangeKind, id: String, within: String },
}

/// Reads the request and the data of its answer.
type Reads = fn(&Value, &Value) -> Vec<Touched>;

/// A route with its line.
type Line = (Route, Recall, Reads);

/// Every route that writes.
const LINES: &[Line] = &[
    (query::FLUSH_TRANSACTION, Recall::Nothing, planned),
    (history::CREATE_DOC_HISTORY, Recall::Nothing, planned),
    (notification::PUSH_MSG, Recall::Nothing, planned),
    (notification::PUSH_ERR_MSG, Recall::Nothing, planned),
    (ui::RELOAD_PROTYLE, Recall::Nothing, planned),
    (ui::RELOAD_ATTRIBUTE_VIEW, Recall::Nothing, planned),
    (ui::RELOAD_FILETREE, Recall::Nothing, planned),
    (ui::RELOAD_TAG, Recall::Nothing, planned),
    (block::APPEND_BLOCK, Recall::Whole, named_blocks),
    (block::PREPEND_BLOCK, Recall::Whole, named_blocks),
    (block::INSERT_BLOCK, Recall::Whole, named_blocks),
    (block::BATCH_INSERT_BLOCK, Recall::Whole, named_blocks),
    (block::UPDATE_BLOCK, Recall::Whole, named_blocks),
    (block::BATCH_UPDATE_BLOCK, Recall::Whole, named_blocks),
    (block::MOVE_BLOCK, Recall::Whole, planned),
    (block::MOVE_OUTLINE_HEADING, Recall::Whole, planned),
    (block::BATCH_UPDATE_TASK_LIST_ITEM_MARKER, Recall::Whole, named_blocks),
    (block::FOLD_BLOCK, Recall::Whole, planned),
    (block::UNFOLD_BLOCK, Recall::Whole, planned),
    (block::TRANSFER_BLOCK_REF, Recall::Whole, planned),
    (block::SWAP_BLOCK_REF, Recall::Whole, planned),
    // Changes of blocks, whose documents the plan names, and of databases.
    (transactions::TRANSACTIONS, Recall::Whole, operations),
    (block::APPEND_DAILY_NOTE_BLOCK, Recall::Whole, daily_note),
    (block::PREPEND_DAILY_NOTE_BLOCK, Recall::Whole, daily_note),
    (attr::SET_BLOCK_ATTRS, Recall::Whole, named_blocks),
    (attr::BATCH_SET_BLOCK_ATTRS, Recall::Whole, named_blocks),
    (filetree::RENAME_DOC_BY_ID, Recall::Whole, |body, _| document(&body["id"])),
    (filetree::CREATE_DOC_WITH_MD, Recall::Whole, |_, reply| created(reply)),
    (filetree::DUPLICATE_DOC, Recall::Whole, |_, reply| created(&reply["id"])),
    (filetree::CREATE_DAILY_NOTE, Recall::Whole, |_, reply| noted(&reply["id"], false)),
    (filetree::HEADING_TO_DOC, Recall::Whole, |body, _| created(&body["srcHeadingID"])),
    (filetree::ITEM_TO_DOC, Recall::Whole, |body, _| created(&body["srcListItemID"])),
    (filetree::DOC_TO_HEADING, Recall::Whole, |body, _| document(&body["srcID"])),
    (filetree::MOVE_DOCS_BY_ID, Recall::Whole, |body, _| each(&body["fromIDs"], document)),
    (filetree::REMOVE_DOC_BY_ID, Recall::Whole, |body, _| document(&body["id"])),
    (filetree::CHANGE_SORT, Recall::Whole, |body, _| notebooks(&body["notebook"])),
    (history::ROLLBACK_DOC_HISTORY, Recall::Whole, rolled_back),
    (av::SET_CELLS, Recall::Whole, cells),
    (av::ADD_ROWS, Recall::Whole, added_rows),
    (av::REMOVE_ROWS, Recall::Whole, removed_rows),
    (av::MAKE_DATABASE, Recall::Stays, |body, _| database(ChangeKind::Created, &body["id"])),
    (av::DUPLICATE, Recall::Stays, |_, reply| database(ChangeKind::Created, &reply["avID"])),
    (asset::RENAME_ASSET, Recall::Never, |_, reply| file_named(ChangeKind::Moved, &reply["newPath"])),
    (asset::REMOVE_UNUSED_ASSET, Recall::Never, |body, _| file_named(ChangeKind::Removed, &body["path"])),
    (asset::SET_IMAGE_OCR_TEXT, Recall::Never, |body, _| file_named(ChangeKind::Changed, &body["path"])),
    (asset::OCR, Recall::Never, |body, _| file_named(ChangeKind::Changed, &body["path"])),
    (file::PUT_FILE, Recall::Stays, |body, _| file_written(&body["path"])),
    // Exports and the files of the plugin itself.
    (file::REMOVE_FILE, Recall::Nothing, planned),
    (file::RENAME_FILE, Recall::Nothing, planned),
    (template::REMOVE_TEMPLATE, Recall::Never, |body, _| file_named(ChangeKind::Removed, &body["path"])),
    (notebook::CREATE_NOTEBOOK, Recall::Stays, |_, reply| {
        let id = reply.pointer("/notebook/id").unwrap_or(&Value::Null);
        thing(ChangedThing::Notebook, ChangeKind::Created, id)
    }),
    (notebook::REMOVE_NOTEBOOK, Recall::Never, |body, _| {
        thing(ChangedThing::Notebook, ChangeKind::Removed, &body["notebook"])
    }),
    (notebook::SET_NOTEBOOK_ICON, Recall::Never, |body, _| notebooks(&body["notebook"])),
    (notebook::RENAME_NOTEBOOK, Recall::Never, |body, _| notebooks(&body["notebook"])),
    (notebook::OPEN_NOTEBOOK, Recall::Never, |body, _| notebooks(&body["notebook"])),
    (notebook::CLOSE_NOTEBOOK, Recall::Never, |body, _| notebooks(&body["notebook"])),
    (notebook::SET_NOTEBOOK_CONF, Recall::Never, |body, _| notebooks(&body["notebook"])),
    (notebook::CHANGE_SORT_NOTEBOOK, Recall::Never, |body, _| each(&body["notebooks"], notebooks)),
    (riff::CREATE_RIFF_DECK, Recall::Stays, |_, reply| card(ChangeKind::Created, &reply["id"])),
    (riff::ADD_RIFF_CARDS, Recall::Never, |body, _| cards(ChangeKind::Created, &body["blockIDs"])),
    (riff::REMOVE_RIFF_CARDS, Recall::Never, |body, _| cards(ChangeKind::Removed, &body["blockIDs"])),
    (riff::RESET_RIFF_CARDS, Recall::Never, |body, _| cards(ChangeKind::Changed, &body["blockIDs"])),
    (riff::REVIEW_RIFF_CARD, Recall::Never, |body, _| card(ChangeKind::Changed, &body["cardID"])),
    (riff::SKIP_REVIEW_RIFF_CARD, Recall::Nothing, planned),
    (riff::BATCH_SET_RIFF_CARDS_DUE_TIME, Recall::Never, |body, _| {
        each(&body["cardDues"], |it| card(ChangeKind::Changed, &it["id"]))
    }),
    (repo::CREATE_SNAPSHOT, Recall::Stays, |_, _| workspace(ChangeKind::Created)),
    (repo::TAG_SNAPSHOT, Recall::Nothing, planned),
    (sync::PERFORM_SYNC, Recall::Never, |_, _| workspace(ChangeKind::Changed)),
];

/// The line of a route.
fn line(route: Route) -> Option<&'static Line> {
    LINES.iter().find(|(it, ..)| it.path == route.path)
}

/// Whether what a route does can be put back; nothing about a route that does not write.
pub fn recall(route: Route) -> Option<Recall> {
    line(route).map(|(_, recall, _)| *recall)
}

/// Whether a part of what an action does can never be put back.
pub fn is_irreversible(spec: &ActionSpec) -> bool {
    spec.calls.iter().any(|route| recall(*route) == Some(Recall::Never))
}

/// Whether an action makes something that stays when its run is put back, such as a file or a database that nothing
/// shows any more.
pub fn leaves_behind(spec: &ActionSpec) -> bool {
    // Elsewhere, files are written on the way to a change of documents, or are the puppy's.
    let writes_files = matches!(spec.tool, Tool::File | Tool::Notebook);
    let leaves = |route: Route| {
        recall(route) == Some(Recall::Stays) && (writes_files || route.path != file::PUT_FILE.path)
    };
    spec.calls.iter().any(|route| leaves(*route))
}

/// Whether SiYuan itself makes a version of a document at this request, under the name of those of the ledger.
pub(crate) fn keeps_version(route: Route, body: &Body) -> bool {
    let routes = [
        block::MOVE_BLOCK,
        filetree::HEADING_TO_DOC,
        filetree::ITEM_TO_DOC,
        filetree::DOC_TO_HEADING,
        av::REMOVE_ROWS,
    ];
    routes.contains(&route) || moves_at_once(route, body)
}

/// Whether a request moves blocks in a transaction: SiYuan makes a version of their document as it is before all of it.
pub(crate) fn moves_at_once(route: Route, body: &Body) -> bool {
    route == transactions::TRANSACTIONS && matches!(body, Body::Json(body) if moves(body))
}

/// Whether an operation of a transaction moves a block.
fn moves(body: &Value) -> bool {
    let is_move = |it: &Value| it["action"] == "move";
    let has_move = |it: &Value| it["doOperations"].as_array().is_some_and(|all| all.iter().any(is_move));
    body["transactions"].as_array().is_some_and(|all| all.iter().any(has_move))
}

/// Whether a request of this route changes notes or names things that the plan does not.
pub(crate) fn tells(route: Route) -> bool {
    let is_planned = |reads: Reads| std::ptr::fn_addr_eq(reads, planned as Reads);
    line(route).is_some_and(|(_, recall, reads)| *recall == Recall::Whole || !is_planned(*reads))
}

/// The things that a request changed, besides the documents of its plan.
pub(crate) fn touched(route: Route, body: &Value, reply: &Value) -> Vec<Touched> {
    let Some((_, recall, reads)) = line(route) else { return Vec::new() };
    let mut all = reads(body, reply);
    if *recall == Recall::Whole && !all.iter().any(|it| matches!(it, Touched::Blocks(_))) {
        all.push(Touched::Anywhere);
    }
    all
}

/// The blocks that all requests of a call name; `None` if one of them may change others.
pub(super) fn named_blocks_of(touched: &[Touched]) -> Option<BTreeSet<&str>> {
    let mut all = BTreeSet::new();
    let mut is_any = false;
    for it in touched {
        match it {
            Touched::Anywhere => return None,
            Touched::Blocks(ids) => {
                is_any = true;
                all.extend(ids.iter().map(String::as_str));
            }
            _ => {}
        }
    }
    is_any.then_some(all)
}

/// Nothing but the documents of the plan.
fn planned(_: &Value, _: &Value) -> Vec<Touched> {
    Vec::new()
}

fn named_blocks(body: &Value, reply: &Value) -> Vec<Touched> {
    vec![Touched::Blocks(blocks::named(body, reply))]
}

fn word(value: &Value) -> Option<String> {
    value.as_str().filter(|it| !it.is_empty()).map(str::to_owned)
}

fn created(id: &Value) -> Vec<Touched> {
    word(id).map(Touched::Created).into_iter().collect()
}

fn document(id: &Value) -> Vec<Touched> {
    word(id).map(Touched::Document).into_iter().collect()
}

fn noted(id: &Value, is_changed: bool) -> Vec<Touched> {
    word(id).map(|id| Touched::Noted { id, is_changed }).into_iter().collect()
}

fn each(list: &Value, of: impl Fn(&Value) -> Vec<Touched>) -> Vec<Touched> {
    list.as_array().into_iter().flatten().flat_map(of).collect()
}

fn named(what: ChangedThing, kind: ChangeKind, id: &Value, within: &Value) -> Vec<Touched> {
    let within = word(within).unwrap_or_default();
    word(id).map(|id| Touched::Thing { what, kind, id, within }).into_iter().collect()
}

fn thing(what: ChangedThing, kind: ChangeKind, id: &Value) -> Vec<Touched> {
    named(what, kind, id, &Value::Null)
}

fn notebooks(id: &Value) -> Vec<Touched> {
    thing(ChangedThing::Notebook, ChangeKind::Changed, id)
}

fn database(kind: ChangeKind, id: &Value) -> Vec<Touched> {
    thing(ChangedThing::Database, kind, id)
}

fn card(kind: ChangeKind, id: &Value) -> Vec<Touched> {
    thing(ChangedThing::Card, kind, id)
}

fn cards(kind: ChangeKind, blocks: &Value) -> Vec<Touched> {
    each(blocks, |id| card(kind, id))
}

fn workspace(kind: ChangeKind) -> Vec<Touched> {
    thing(ChangedThing::Workspace, kind, &Value::from("workspace"))
}

fn file_named(kind: ChangeKind, path: &Value) -> Vec<Touched> {
    thing(ChangedThing::File, kind, path)
}

/// A file that was written; the plugin's own are none of the person's.
fn file_written(path: &Value) -> Vec<Touched> {
    let is_own =
        path.as_str().is_none_or(|it| [STORAGE, TEMP, HISTORY].iter().any(|own| it.starts_with(own)));
    if is_own { Vec::new() } else { file_named(ChangeKind::Changed, path) }
}

/// The document of the first operation, and the blocks that are new in it.
fn daily_note(_: &Value, reply: &Value) -> Vec<Touched> {
    let mut all = Vec::new();
    let operations = reply.as_array().into_iter().flatten().filter_map(|it| it["doOperations"].as_array());
    for it in operations.flatten() {
        if all.is_empty() {
            let id = word(&it["parentID"]).or_else(|| word(&it["id"]));
            all.extend(id.map(|id| Touched::Noted { id, is_changed: true }));
        }
        all.extend(named(ChangedThing::Block, ChangeKind::Created, &it["id"], &it["parentID"]));
    }
    all.push(Touched::Blocks(blocks::named(&Value::Null, reply)));
    all
}

fn rolled_back(body: &Value, _: &Value) -> Vec<Touched> {
    let name = body["historyPath"].as_str().and_then(|it| it.rsplit('/').next());
    document(&Value::from(name.and_then(|it| it.strip_suffix(".sy")).unwrap_or_default()))
}

fn operations(body: &Value, reply: &Value) -> Vec<Touched> {
    let of_one = |it: &Value| database(ChangeKind::Changed, &it["avID"]);
    let mut all = each(&body["transactions"], |it| each(&it["doOperations"], of_one));
    // The blocks that others passed may seem to have moved instead.
    if !moves(body) {
        all.push(Touched::Blocks(blocks::named(body, reply)));
    }
    all
}

fn cells(body: &Value, _: &Value) -> Vec<Touched> {
    let row = |it: &Value| named(ChangedThing::Row, ChangeKind::Changed, &it["itemID"], &body["avID"]);
    let mut all = database(ChangeKind::Changed, &body["avID"]);
    all.extend(each(&body["values"], row));
    all
}

fn added_rows(body: &Value, _: &Value) -> Vec<Touched> {
    let row = |it: &Value| named(ChangedThing::Row, ChangeKind::Created, &it["itemID"], &body["avID"]);
    let mut all = database(ChangeKind::Changed, &body["avID"]);
    all.extend(each(&body["srcs"], row));
    all
}

fn removed_rows(body: &Value, _: &Value) -> Vec<Touched> {
    let row = |it: &Value| named(ChangedThing::Row, ChangeKind::Removed, it, &body["avID"]);
    let mut all = database(ChangeKind::Changed, &body["avID"]);
    all.extend(each(&body["srcIDs"], row));
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use expect_test::expect;
    use serde_json::json;

    use super::*;
    use crate::kernel::Nature;
    use crate::registry::ACTIONS;

    /// An action that declares a new route fails here until the route has its line.
    #[test]
    fn every_route_that_writes_has_its_line() {
        let declared = ACTIONS.iter().flat_map(|spec| spec.calls).filter(|it| it.nature == Nature::Write);
        let missing: BTreeSet<&str> =
            declared.filter(|it| recall(**it).is_none()).map(|it| it.path).collect();
        assert_eq!(missing, BTreeSet::new());
        let lines: BTreeSet<&str> = LINES.iter().map(|(route, ..)| route.path).collect();
        assert_eq!(lines.len(), LINES.len());
    }

    /// Every other action can be put back whole, or leaves behind what does no harm.
    #[test]
    fn irreversible_actions_are_known() {
        let named: Vec<String> =
            ACTIONS.iter().filter(|spec| is_irreversible(spec)).map(|spec| spec.path()).collect();
        expect!["notebook.create notebook.rename notebook.set_icon notebook.set_open_state notebook.reorder notebook.set_conf notebook.remove file.rename_asset file.delete_assets file.set_asset_text file.delete_template system.sync flashcard.add_cards flashcard.remove_cards flashcard.review_card flashcard.reschedule_cards"].assert_eq(&named.join(" "));
    }

    #[test]
    fn transactions_keep_versions_where_they_move() {
        let keeps = |action: &str| {
            let operations = json!([{ "action": "delete" }, { "action": action }]);
            let body = json!({ "transactions": [{ "doOperations": operations }] });
            keeps_version(transactions::TRANSACTIONS, &Body::Json(body))
        };
        assert!(keeps("move") && !keeps("setAttrs"));
        let body = json!({ "transactions": [{ "doOperations": [{ "action": "move" }] }] });
        assert_eq!(touched(transactions::TRANSACTIONS, &body, &Value::Null), [Touched::Anywhere]);
        assert!(keeps_version(block::MOVE_BLOCK, &Body::Json(json!({}))));
    }

    /// An agent chooses the values of attributes, which SiYuan's answer repeats.
    #[test]
    fn values_of_attributes_name_nothing() {
        let ids = ["20250615150640-aaaaaaa", "20250615150640-bbbbbbb"];
        let shown = json!({ "old": {}, "new": { "custom-x": ids[1], "memo": format!("data-node-id=\"{}\"", ids[1]) } });
        let set = json!({ "custom-x": ids[1], "memo": format!("data-node-id=\"{}\"", ids[1]) }).to_string();
        let operations = json!([
            { "action": "setAttrs", "id": ids[0], "data": set },
            { "action": "updateAttrs", "id": ids[0], "data": shown },
        ]);
        let reply = json!([{ "doOperations": operations, "undoOperations": operations }]);
        let body = json!({ "transactions": reply });
        let named = BTreeSet::from([ids[0].to_owned()]);
        assert_eq!(touched(transactions::TRANSACTIONS, &body, &reply), [Touched::Blocks(named)]);
    }

    #[test]
    fn requests_name_what_they_change() {
        let made = touched(filetree::CREATE_DOC_WITH_MD, &json!({}), &json!("a"));
        assert_eq!(made, [Touched::Created("a".to_owned()), Touched::Anywhere]);
        let back = json!({ "historyPath": "/history/2025-06-15-150640-update/box/a/b.sy" });
        assert_eq!(
            touched(history::ROLLBACK_DOC_HISTORY, &back, &Value::Null),
            [Touched::Document("b".to_owned()), Touched::Anywhere]
        );
        let own = json!({ "path": format!("{STORAGE}notebookPermissions") });
        assert_eq!(touched(file::PUT_FILE, &own, &Value::Null), []);
        let rows = touched(av::REMOVE_ROWS, &json!({ "avID": "v", "srcIDs": ["r", "s"] }), &Value::Null);
        assert_eq!((rows.len(), rows.last()), (4, Some(&Touched::Anywhere)));
        assert!(tells(block::MOVE_BLOCK) && !tells(query::FLUSH_TRANSACTION));
        assert_eq!(touched(block::MOVE_BLOCK, &json!({}), &Value::Null), [Touched::Anywhere]);
        let ids = ["20250615150640-aaaaaaa", "20250615150640-bbbbbbb", "20250615150640-ccccccc"];
        // A caller's text names nothing, whatever is in it.
        let text = format!("<b data-node-id=\"{}\">x</b>", ids[2]);
        let body =
            json!({ "id": ids[0], "previousID": ids[2], "data": text, "attrs": { "custom-x": ids[2] } });
        let dom = format!("<div data-node-id=\"{}\"><span data-id=\"{}\">x</span></div>", ids[1], ids[2]);
        let reply = json!([{ "doOperations": [{ "id": ids[0], "data": dom, "parentID": ids[2] }] }]);
        let named = ids[..2].iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(touched(block::UPDATE_BLOCK, &body, &reply), [Touched::Blocks(named)]);
    }
}
