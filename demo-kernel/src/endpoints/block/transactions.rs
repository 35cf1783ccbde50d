//! `/api/transactions`: the page's protocol of operations.

use serde_json::{Value, json};

use super::super::attr;
use super::fold::fold_heading;
use super::write::{beside, into_parent, optional, relocate, replace, show_operation, take_away};
use crate::answer::{Args, Outcome, Refusal};
use crate::edit::Place;
use crate::endpoints::riff;
use crate::kernel::Kernel;
use crate::markdown::dom;
use crate::store::Db;

/// The page's protocol: insert, update, delete and attributes; any other action is confirmed without effect.
pub(crate) fn run(kernel: &Kernel, args: &Args) -> Outcome {
    let given = args.get("transactions").ok_or_else(|| Refusal::new("Field [transactions] is required"))?;
    let wrong = || Refusal::new("Field [transactions] should be of type [Array]");
    let given = given.as_array().ok_or_else(wrong)?;
    if given.is_empty() {
        return Err(Refusal::new("Field [transactions] must not be empty"));
    }
    let time = args.int_or("reqId", 0);
    kernel.store.write(|db| {
        let mut done = Vec::new();
        for one in given {
            let operations =
                one.get("doOperations").and_then(Value::as_array).ok_or_else(Refusal::panicked)?;
            let (mut shown, mut given_up) = (Vec::new(), false);
            for operation in operations {
                // When the kernel fails inside, it confirms the rest of the transaction without doing it.
                if given_up {
                    shown.push(operation.clone());
                    continue;
                }
                given_up = crate::av::operations::is_the_last(db, operation)?;
                shown.push(show_operation(&perform(db, operation)?));
            }
            let undo = one.get("undoOperations").cloned().unwrap_or_default();
            done.push(json!({ "timestamp": time, "doOperations": shown, "undoOperations": undo }));
        }
        Ok(Value::Array(done))
    })
}

/// An operation of the page as the entry of a batch: the page sends editor DOM.
fn as_dom(operation: &Value) -> Value {
    let mut entry = operation.as_object().cloned().unwrap_or_default();
    entry.insert("dataType".into(), json!("dom"));
    Value::Object(entry)
}

/// Does what an operation says, and answers it with what the kernel fills in. A block that is not there is no
/// failure here.
fn perform(db: &Db<'_>, operation: &Value) -> Result<Value, Refusal> {
    let mut shown = operation.clone();
    if let Some(result) = crate::av::operations::perform(db, operation)? {
        if let Some(shown) = shown.as_object_mut() {
            shown.insert("retData".into(), result);
        }
        return Ok(shown);
    }
    let (id, parent) = (optional(operation, "id"), optional(operation, "parentID"));
    let known = !id.is_empty() && db.root_of(id)?.is_some();
    match optional(operation, "action") {
        action @ ("insert" | "appendInsert" | "prependInsert") => {
            let value = as_dom(operation);
            let last = action == "appendInsert";
            let done = if last { into_parent(db, &value, true)? } else { beside(db, &value)? };
            if let Some(shown) = shown.as_object_mut() {
                shown.insert("action".into(), json!("insert"));
                shown.insert("parentID".into(), json!(done.parent));
                shown.insert("previousID".into(), json!(done.previous));
            }
        }
        "update" if known => {
            replace(db, &as_dom(operation))?;
        }
        "delete" => take_away(db, id)?,
        action @ ("addFlashcards" | "removeFlashcards") => {
            let blocks = operation.get("blockIDs").and_then(Value::as_array).ok_or_else(Refusal::panicked)?;
            let blocks: Vec<&str> = blocks.iter().filter_map(Value::as_str).collect();
            let change = if action == "addFlashcards" { riff::add } else { riff::remove };
            change(db, optional(operation, "deckID"), &blocks)?;
        }
        "move" if known => match (optional(operation, "previousID"), parent) {
            ("", "") => {}
            ("", _) => relocate(db, id, parent, Place::FirstIn(parent))?,
            (previous, _) => relocate(db, id, previous, Place::After(previous))?,
        },
        "append" if known => relocate(db, id, parent, Place::LastIn(parent))?,
        action @ ("foldHeading" | "unfoldHeading") if known => {
            let folds = action == "foldHeading";
            let below = fold_heading(db, db.need_tree(id)?, id, if folds { "1" } else { "" })?;
            let ids: Vec<&str> = below.iter().map(|node| node.id.as_str()).collect();
            let result = if folds { json!(ids) } else { json!(dom::blocks(&below, 1)) };
            if let Some(shown) = shown.as_object_mut() {
                shown.insert("retData".into(), result);
            }
        }
        "setAttrs" | "updateAttrs" if known => {
            let data = operation.get("data").unwrap_or(&Value::Null);
            let read = data.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
            let attrs = read.as_ref().or(data.get("new")).and_then(Value::as_object).cloned();
            attr::set(db, id, &attrs.unwrap_or_default())?;
        }
        _ => {}
    }
    Ok(shown)
}

/// The undo state: a page cannot undo writes that came through this interface.
pub(crate) fn undo_state(_: &Kernel, args: &Args) -> Outcome {
    args.field_text("rootID")?;
    Ok(json!({ "canUndo": false, "canRedo": false, "peekMutatedRootIDs": null }))
}
