//! `/api/transactions`: the page's protocol of operations.

use serde_json::{Value, json};

use super::super::attr;
use super::fold::fold_heading;
use super::heading::rearrange_in;
use super::write::{
    beside, delete_block, fill_document, into_parent, optional, relocate, replace, show_operation,
};
use crate::answer::{Args, Outcome, Refusal};
use crate::edit::Place;
use crate::endpoints::{history, riff};
use crate::kernel::Kernel;
use crate::markdown::{Kind, dom};
use crate::store::Db;
use crate::undo::UndoStep;

/// The page's protocol: insert, update, delete, move and attributes; any other action is confirmed without effect. A
/// transaction in which an operation fails changes nothing, and is confirmed too.
pub(crate) fn run(kernel: &Kernel, args: &Args) -> Outcome {
    let given = args.get("transactions").ok_or_else(|| Refusal::new("Field [transactions] is required"))?;
    let wrong = || Refusal::new("Field [transactions] should be of type [Array]");
    let given = given.as_array().ok_or_else(wrong)?;
    if given.is_empty() {
        return Err(Refusal::new("Field [transactions] must not be empty"));
    }
    let time = args.int_or("reqId", 0);
    let mut done = Vec::new();
    for one in given {
        let operations = listed(one, "doOperations").ok_or_else(Refusal::panicked)?;
        let back = listed(one, "undoOperations");
        let performed = kernel.store.write(|db| perform_all(kernel, db, &operations))?;
        if !performed.failed {
            let back = back.clone().unwrap_or_default();
            kernel.undo.record(performed.shown.clone(), back, performed.documents);
        }
        let undo = back.map(|back| back.iter().map(show_operation).collect::<Vec<Value>>());
        done.push(json!({ "timestamp": time, "doOperations": performed.shown, "undoOperations": undo }));
    }
    Ok(Value::Array(done))
}

fn listed(transaction: &Value, name: &str) -> Option<Vec<Value>> {
    transaction.get(name).and_then(Value::as_array).cloned()
}

/// The result of a transaction.
struct Performed {
    /// The operations, with the fields that the kernel fills in.
    shown: Vec<Value>,
    /// Whether one of them failed, so that nothing was changed.
    failed: bool,
    /// The documents that were changed.
    documents: Vec<String>,
}

/// Performs operations, all or none.
fn perform_all(kernel: &Kernel, db: &Db<'_>, operations: &[Value]) -> Result<Performed, Refusal> {
    let mut documents = Vec::new();
    let (mut shown, mut failed) = (Vec::new(), false);
    keep_versions(kernel, db, operations)?;
    db.attempt(|| {
        let mut given_up = false;
        let gets_more = |id: &str| {
            let inserts = operations.iter().filter(|it| optional(it, "action") == "insert");
            inserts.map(|it| optional(it, "parentID")).any(|parent| parent == id)
        };
        for operation in operations {
            // When the kernel fails inside, it confirms the rest of the transaction without doing it.
            if failed || given_up {
                shown.push(show_operation(operation));
                continue;
            }
            add_documents(db, operation, &mut documents)?;
            given_up = crate::av::operations::is_the_last(db, operation)?;
            let done = perform(kernel, db, operation, gets_more)?;
            failed = done.is_none();
            let done = done.unwrap_or_else(|| operation.clone());
            add_documents(db, &done, &mut documents)?;
            shown.push(show_operation(&done));
        }
        documents.iter().try_for_each(|document| fill_document(db, document))?;
        Ok(!failed)
    })?;
    Ok(Performed { shown, failed, documents })
}

/// Keeps a version of each document in which a block is to move, as it is before the transaction.
fn keep_versions(kernel: &Kernel, db: &Db<'_>, operations: &[Value]) -> Result<(), Refusal> {
    let mut kept = Vec::new();
    for it in operations.iter().filter(|it| optional(it, "action") == "move") {
        let Some(tree) = db.tree_of(optional(it, "id"))? else { continue };
        if !kept.iter().any(|it| it == tree.id()) {
            history::keep(kernel, &tree, "update")?;
            kept.push(tree.id().to_owned());
        }
    }
    Ok(())
}

/// Adds the documents of the blocks that an operation names.
fn add_documents(db: &Db<'_>, operation: &Value, documents: &mut Vec<String>) -> Result<(), Refusal> {
    for name in ["id", "parentID", "previousID", "nextID"] {
        let id = optional(operation, name);
        let root = if id.is_empty() { None } else { db.root_of(id)? };
        documents.extend(root.filter(|root| !documents.contains(root)));
    }
    Ok(())
}

/// An operation of the page as the entry of a batch: the page sends editor DOM.
fn as_dom(operation: &Value) -> Value {
    let mut entry = operation.as_object().cloned().unwrap_or_default();
    entry.insert("dataType".into(), json!("dom"));
    Value::Object(entry)
}

/// The anchors of a block that is inserted, the one that counts first.
const ANCHORS: [&str; 3] = ["nextID", "previousID", "parentID"];

/// Whether the anchor that counts exists.
fn anchor_exists(operation: &Value, exists: impl Fn(&str) -> Result<bool, Refusal>) -> Result<bool, Refusal> {
    let given = ANCHORS.iter().map(|name| optional(operation, name)).find(|id| !id.is_empty());
    given.map_or(Ok(false), exists)
}

/// Whether a block is a document.
fn is_document(db: &Db<'_>, id: &str) -> Result<bool, Refusal> {
    Ok(!id.is_empty() && db.root_of(id)?.is_some_and(|root| root == id))
}

/// Whether a block is an item of a list.
fn is_item(db: &Db<'_>, id: &str) -> Result<bool, Refusal> {
    let tree = if id.is_empty() { None } else { db.tree_of(id)? };
    let found = tree.as_ref().and_then(|tree| tree.root.find(id));
    Ok(found.is_some_and(|it| matches!(it.kind, Kind::Item { .. })))
}

/// Does what an operation says, and answers it with what the kernel fills in; `None` when it fails. A deleted block
/// that is not there is no failure.
fn perform(
    kernel: &Kernel,
    db: &Db<'_>,
    operation: &Value,
    gets_more: impl Fn(&str) -> bool,
) -> Result<Option<Value>, Refusal> {
    let mut shown = operation.clone();
    let mut fill = |name: &str, value: Value| {
        if let Some(shown) = shown.as_object_mut() {
            shown.insert(name.into(), value);
        }
    };
    if let Some(result) = crate::av::operations::perform(db, operation)? {
        fill("retData", result);
        return Ok(Some(shown));
    }
    let (id, parent) = (optional(operation, "id"), optional(operation, "parentID"));
    let anchor =
        optional(operation, if optional(operation, "nextID").is_empty() { "previousID" } else { "nextID" });
    let exists = |id: &str| Ok::<_, Refusal>(!id.is_empty() && db.root_of(id)?.is_some());
    let known = exists(id)?;
    match optional(operation, "action") {
        "insert" if !anchor_exists(operation, exists)? => {
            // Without any anchor nothing is inserted, and the page loads again; with one that is not the first, it fails.
            let is_none = ANCHORS
                .iter()
                .try_fold(true, |none, name| Ok::<_, Refusal>(none && !exists(optional(operation, name))?))?;
            return Ok(is_none.then_some(shown));
        }
        // SiYuan fails inside next to a document, and then does nothing of the transaction.
        "insert" if is_document(db, anchor)? => return Ok(None),
        // SiYuan puts it into the list as it is, until it is deleted.
        "insert" if is_item(db, anchor)? && !optional(operation, "data").contains("NodeList") => {}
        action @ ("insert" | "appendInsert" | "prependInsert") => {
            let value = as_dom(operation);
            let last = action == "appendInsert";
            let done = if last { into_parent(db, &value, true)? } else { beside(db, &value)? };
            fill("action", json!("insert"));
            fill("parentID", json!(done.parent));
            fill("previousID", json!(done.previous));
        }
        "update" if known => {
            replace(db, &as_dom(operation))?;
        }
        "delete" => delete_block(db, id, gets_more)?,
        action @ ("addFlashcards" | "removeFlashcards") => {
            let blocks = operation.get("blockIDs").and_then(Value::as_array).ok_or_else(Refusal::panicked)?;
            let blocks: Vec<&str> = blocks.iter().filter_map(Value::as_str).collect();
            let change = if action == "addFlashcards" { riff::add } else { riff::remove };
            change(db, optional(operation, "deckID"), &blocks)?;
        }
        "move" if known => match (optional(operation, "previousID"), parent) {
            ("", parent) if exists(parent)? => relocate(db, id, parent, Place::FirstIn(parent))?,
            (previous, _) if exists(previous)? => relocate(db, id, previous, Place::After(previous))?,
            _ => return Ok(None),
        },
        "moveOutlineHeading" if known => {
            rearrange_in(kernel, db, id, parent, optional(operation, "previousID"))?;
            fill("retData", json!(db.root_of(id)?));
        }
        "append" if known => relocate(db, id, parent, Place::LastIn(parent))?,
        action @ ("foldHeading" | "unfoldHeading") if known => {
            let folds = action == "foldHeading";
            let below = fold_heading(db, db.need_tree(id)?, id, if folds { "1" } else { "" })?;
            let ids: Vec<&str> = below.iter().map(|node| node.id.as_str()).collect();
            fill("retData", if folds { json!(ids) } else { json!(dom::blocks(&below, 1)) });
        }
        "setAttrs" if known => {
            let data = operation.get("data").and_then(Value::as_str).ok_or_else(Refusal::panicked)?;
            let attrs: Option<Value> = serde_json::from_str(data).ok();
            let attrs = attrs.as_ref().and_then(Value::as_object).cloned();
            if attr::set(db, id, &attrs.unwrap_or_default()).is_err() {
                return Ok(None);
            }
        }
        "update" | "move" | "moveOutlineHeading" | "setAttrs" => return Ok(None),
        _ => {}
    }
    Ok(Some(shown))
}

/// Whether changes of a document can be taken back or brought again.
pub(crate) fn undo_state(kernel: &Kernel, args: &Args) -> Outcome {
    let (undo, redo, documents) = kernel.undo.state(args.field_text("rootID")?);
    Ok(json!({ "canUndo": undo, "canRedo": redo, "peekMutatedRootIDs": documents }))
}

/// Undoes the newest change of a document, no matter who made it.
pub(crate) fn undo(kernel: &Kernel, args: &Args) -> Outcome {
    replay(kernel, args.field_text("rootID")?, UndoStep::Undo)
}

/// Brings the change again that was taken back last.
pub(crate) fn redo(kernel: &Kernel, args: &Args) -> Outcome {
    replay(kernel, args.field_text("rootID")?, UndoStep::Redo)
}

fn replay(kernel: &Kernel, document: &str, step: UndoStep) -> Outcome {
    let Some(entry) = kernel.undo.newest(document, step) else {
        return Ok(json!({ "canUndo": false, "canRedo": false }));
    };
    let (forward, back) = match step {
        UndoStep::Undo => (&entry.back, &entry.forward),
        UndoStep::Redo => (&entry.forward, &entry.back),
    };
    let performed = kernel.store.write(|db| perform_all(kernel, db, forward))?;
    if performed.failed {
        let word = if step == UndoStep::Undo { "undo" } else { "redo" };
        return Ok(json!({ "failed": true, "msg": format!("{word} failed") }));
    }
    kernel.undo.took(document, step, &entry);
    let (can_undo, can_redo, _) = kernel.undo.state(document);
    Ok(json!({
        "doOperations": performed.shown,
        "undoOperations": back.iter().map(show_operation).collect::<Vec<_>>(),
        "mutatedRootIDs": entry.documents,
        "canUndo": can_undo, "canRedo": can_redo, "isUndo": step == UndoStep::Undo,
    }))
}
