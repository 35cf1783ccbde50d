//! `/api/storage`: data that pages keep: values by key, folded outlines, recently opened documents.

use serde_json::{Map, Value, json};

use super::shape::{self, object, text};
use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;

const VALUES: &str = "/data/storage/local.json";
const OUTLINES: &str = "/data/storage/outline.json";
const RECENT: &str = "/data/storage/recent-doc.json";

/// The number of outlines and documents that are remembered.
const MOST_OUTLINES: usize = 2000;
const MOST_RECENT: usize = 256;

/// Reads a file, lets `f` change it and writes it.
fn change(kernel: &Kernel, path: &str, f: impl FnOnce(&mut Value)) -> Outcome {
    let mut value = kernel.json_file(path);
    f(&mut value);
    kernel.write_file(path, value.to_string().as_bytes())?;
    Ok(Value::Null)
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn keys(args: &Args) -> Result<Vec<&str>, Refusal> {
    let keys = args.get("keys").ok_or_else(|| Refusal::new("Field [keys] is required"))?;
    let keys = keys.as_array().ok_or_else(|| Refusal::new("Field [keys] should be of type [Array]"))?;
    if keys.is_empty() {
        return Err(Refusal::new("Field [keys] must not be empty"));
    }
    let why = "Field [keys]: each element should be of type [String]";
    let empty = "Field [keys]: each element must not be empty";
    let one = |key: &'_ Value| match key.as_str() {
        Some("") => Err(Refusal::new(empty)),
        Some(_) => Ok(()),
        None => Err(Refusal::new(why)),
    };
    keys.iter().try_for_each(one)?;
    Ok(keys.iter().filter_map(Value::as_str).collect())
}

pub(super) fn values(kernel: &Kernel, _: &Args) -> Outcome {
    Ok(Value::Object(object(&kernel.json_file(VALUES))))
}

pub(super) fn value(kernel: &Kernel, args: &Args) -> Outcome {
    let key = args.field_filled("key")?;
    Ok(kernel.json_file(VALUES).get(key).cloned().unwrap_or_default())
}

pub(super) fn some_values(kernel: &Kernel, args: &Args) -> Outcome {
    let stored = kernel.json_file(VALUES);
    let one = |key: &str| (key.to_owned(), stored.get(key).cloned().unwrap_or_default());
    Ok(Value::Object(keys(args)?.into_iter().map(one).collect()))
}

pub(super) fn set_value(kernel: &Kernel, args: &Args) -> Outcome {
    let key = args.field_filled("key")?;
    let given = args.get("val").cloned().unwrap_or_default();
    set_all(kernel, [(key.to_owned(), given)].into_iter().collect())
}

pub(super) fn set_values(kernel: &Kernel, args: &Args) -> Outcome {
    let given = args.get("keyVals").ok_or_else(|| Refusal::new("Field [keyVals] is required"))?;
    set_all(kernel, object(given))
}

fn set_all(kernel: &Kernel, given: Map<String, Value>) -> Outcome {
    change(kernel, VALUES, |stored| {
        *stored = shape::with(Value::Object(object(stored)), &Value::Object(given));
    })
}

pub(super) fn remove_value(kernel: &Kernel, args: &Args) -> Outcome {
    remove_all(kernel, &[args.field_filled("key")?])
}

pub(super) fn remove_values(kernel: &Kernel, args: &Args) -> Outcome {
    remove_all(kernel, &keys(args)?)
}

fn remove_all(kernel: &Kernel, keys: &[&str]) -> Outcome {
    change(kernel, VALUES, |stored| {
        let mut left = object(stored);
        keys.iter().for_each(|key| {
            left.remove(*key);
        });
        *stored = Value::Object(left);
    })
}

pub(super) fn set_all_deprecated(_: &Kernel, _: &Args) -> Outcome {
    Err(deprecated("/api/storage/setLocalStorage"))
}

/// The kernel's refusal for a deprecated endpoint.
pub(super) fn deprecated(path: &str) -> Refusal {
    let why = "visit [https://github.com/siyuan-note/siyuan/issues/15727] for details";
    Refusal::new(format!("[{path}] is deprecated, {why}"))
}

/// The stored outline of a document.
pub(super) fn outline_of(kernel: &Kernel, document: &str) -> Map<String, Value> {
    let stored = list(&kernel.json_file(OUTLINES));
    let found = stored.iter().find(|entry| text(entry, "docID") == document);
    found.and_then(|entry| entry.get("data")).map(object).unwrap_or_default()
}

pub(super) fn outline(kernel: &Kernel, args: &Args) -> Outcome {
    Ok(Value::Object(outline_of(kernel, args.field_filled("docID")?)))
}

pub(super) fn set_outline(kernel: &Kernel, args: &Args) -> Outcome {
    let document = args.field_filled("docID")?;
    let given = args.get("val").ok_or_else(|| Refusal::new("Field [val] is required"))?;
    keep_outline(kernel, document, Some(given))
}

pub(super) fn remove_outline(kernel: &Kernel, args: &Args) -> Outcome {
    keep_outline(kernel, args.field_filled("docID")?, None)
}

fn keep_outline(kernel: &Kernel, document: &str, given: Option<&Value>) -> Outcome {
    change(kernel, OUTLINES, |stored| {
        let others = list(stored).into_iter().filter(|entry| text(entry, "docID") != document);
        let own = given.map(|data| json!({ "docID": document, "data": data }));
        *stored = own.into_iter().chain(others).take(MOST_OUTLINES).collect();
    })
}

/// Documents by the time they were seen, opened or closed; or by their last change, opened or not.
pub(super) fn recent(kernel: &Kernel, args: &Args) -> Outcome {
    let by = args.text_or("sortBy", "viewedAt");
    kernel.store.read(|db| {
        if by == "updated" {
            let newest = "type = 'd' ORDER BY updated DESC LIMIT 32";
            let ids = db.blocks_where(newest, &[])?;
            let trees = ids.iter().map(|row| db.tree_of(text(row, "id"))).collect::<Result<Vec<_>, _>>()?;
            return Ok(trees.iter().flatten().map(|tree| known(tree, &json!({}))).collect());
        }
        let by = if matches!(by, "openAt" | "closedAt") { by } else { "viewedAt" };
        let at = |entry: &Value| entry.get(by).and_then(Value::as_i64).unwrap_or(0);
        let mut stored = list(&kernel.json_file(RECENT));
        stored.retain(|entry| at(entry) > 0);
        stored.sort_by_key(|entry| std::cmp::Reverse(at(entry)));
        let mut out = Vec::new();
        for entry in &stored {
            out.extend(db.tree_of(text(entry, "rootID"))?.map(|tree| known(&tree, entry)));
        }
        Ok(Value::Array(out))
    })
}

/// A document of the list with its name as it is now.
fn known(tree: &crate::store::Tree, entry: &Value) -> Value {
    let mut shown = shape::with(json!({ "rootID": tree.id(), "title": tree.title() }), entry);
    if let Some(icon) = tree.root.attrs.get("icon") {
        shape::put(&mut shown, "icon", json!(icon));
    }
    shown
}

pub(super) fn note_opened(kernel: &Kernel, args: &Args) -> Outcome {
    note(kernel, &[args.text_or("rootID", "")], &["openAt", "viewedAt"])
}

pub(super) fn note_viewed(kernel: &Kernel, args: &Args) -> Outcome {
    note(kernel, &[args.text_or("rootID", "")], &["viewedAt"])
}

pub(super) fn note_closed(kernel: &Kernel, args: &Args) -> Outcome {
    note(kernel, &[args.text_or("rootID", "")], &["closedAt"])
}

fn note(kernel: &Kernel, documents: &[&str], fields: &[&str]) -> Outcome {
    let now = crate::id::now_ms() / 1000;
    change(kernel, RECENT, |stored| {
        let mut entries = list(stored);
        for document in documents.iter().filter(|id| !id.is_empty()) {
            let place = entries.iter().position(|entry| text(entry, "rootID") == *document);
            let mut entry = place.map_or_else(|| json!({ "rootID": document }), |at| entries.remove(at));
            fields.iter().for_each(|field| shape::put(&mut entry, field, json!(now)));
            if fields.contains(&"openAt") {
                entry.as_object_mut().and_then(|entry| entry.remove("closedAt"));
            }
            entries.insert(0, entry);
        }
        *stored = entries.into_iter().take(MOST_RECENT).collect();
    })
}
