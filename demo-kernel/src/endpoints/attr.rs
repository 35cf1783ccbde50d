//! `/api/attr`: the attributes of blocks.

use serde_json::{Map, Value, json};

use crate::answer::{Args, Outcome, Refusal, node_id};
use crate::kernel::Kernel;
use crate::markdown::{Kind, Node};
use crate::store::{Db, tags};

/// All attributes of a block, its id among them.
pub(super) fn show(node: &Node) -> Value {
    let id = [("id".to_owned(), json!(node.id))];
    let rest = node.attrs.iter().map(|(name, value)| (name.to_owned(), json!(value)));
    Value::Object(id.into_iter().chain(rest).collect())
}

fn shown(db: &Db<'_>, id: &str) -> Result<Option<Value>, Refusal> {
    let tree = db.tree_of(id)?;
    Ok(tree.as_ref().and_then(|tree| tree.root.find(id)).map(show))
}

pub(super) fn get(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.id("id")?;
    kernel.store.read(|db| Ok(shown(db, id)?.unwrap_or_else(|| json!({}))))
}

pub(super) fn batch_get(kernel: &Kernel, args: &Args) -> Outcome {
    let ids = args.texts("ids")?;
    kernel.store.read(|db| {
        let mut out = Map::new();
        for id in ids {
            if let Some(attrs) = shown(db, id)? {
                out.insert(id.to_owned(), attrs);
            }
        }
        Ok(Value::Object(out))
    })
}

/// The attributes of a request: texts, or null to remove one.
fn given(args: &Map<String, Value>) -> Result<Map<String, Value>, Refusal> {
    let attrs = args.get("attrs").and_then(Value::as_object).ok_or_else(Refusal::panicked)?;
    for (name, value) in attrs {
        if !value.is_string() && !value.is_null() {
            return Err(Refusal::new(format!("the value of attr [{name}] must be a string")));
        }
    }
    Ok(attrs.clone())
}

/// Sets attributes of a block; `title` names a document, `id` is left alone.
pub(crate) fn set(db: &Db<'_>, id: &str, attrs: &Map<String, Value>) -> Result<(), Refusal> {
    let mut tree = db.need_tree(id)?;
    let node = tree.root.find_mut(id).ok_or_else(|| Refusal::new("tree not found"))?;
    for name in attrs.keys() {
        let name = name.to_lowercase();
        let letters = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        let own = name.strip_prefix("custom-").unwrap_or(&name);
        if !letters || !own.starts_with(|c: char| c.is_ascii_lowercase()) {
            return Err(Refusal::new(format!(
                "The attribute name can only contain lowercase English letters, digits, and hyphens, and must start \
                 with a lowercase English letter [{id}]"
            )));
        }
    }
    // The names of databases are written when a block becomes a row and gone with the next change.
    node.attrs.set(crate::av::NAMES, "");
    for (name, value) in attrs {
        if name != "id" && !(name == "type" && node.kind == Kind::Document) {
            let (name, value) = (name.to_lowercase(), value.as_str().unwrap_or_default().trim());
            let kept = if name == "tags" { tags::kept(value) } else { value.to_owned() };
            node.attrs.set(&name, &kept);
        }
    }
    let renamed = node.kind == Kind::Document && attrs.contains_key("title");
    let title = tree.title().to_owned();
    if renamed && !title.is_empty() { db.rename_tree(tree, &title) } else { db.save(&tree) }
}

pub(super) fn set_one(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.id("id")?;
    let attrs = given(&args.0)?;
    kernel.store.write(|db| set(db, id, &attrs))?;
    Ok(Value::Null)
}

/// The entries before an unknown id are written; the real kernel does not roll them back.
pub(super) fn batch_set(kernel: &Kernel, args: &Args) -> Outcome {
    for entry in args.list("blockAttrs")? {
        let entry = entry.as_object().ok_or_else(Refusal::panicked)?;
        let id = entry.get("id").and_then(Value::as_str).ok_or_else(Refusal::panicked)?;
        node_id(id)?;
        let attrs = given(entry)?;
        kernel.store.write(|db| {
            if db.root_of(id)?.is_none() {
                return Err(Refusal::new(format!("Content block with id [{id}] not found")));
            }
            set(db, id, &attrs)
        })?;
    }
    Ok(Value::Null)
}
