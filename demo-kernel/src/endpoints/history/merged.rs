//! Reads a file in SiYuan's own format, which this kernel only writes: each block is found in the versions of its
//! document or in its present text.

use std::path::Path;

use serde_json::Value;

use super::{OWN, parse};
use crate::answer::Refusal;
use crate::kernel::Kernel;
use crate::markdown::{Node, sy};
use crate::store::Db;

/// The tree of a file.
pub(super) fn read(kernel: &Kernel, db: &Db<'_>, bytes: &[u8]) -> Result<Node, Refusal> {
    let odd = |e: serde_json::Error| Refusal::new(format!("parse tree failed: {e}"));
    let mut file: Value = serde_json::from_slice(bytes).map_err(odd)?;
    let own = file.as_object_mut().and_then(|fields| fields.shift_remove(OWN));
    let own: Option<Node> = own.and_then(|it| serde_json::from_value(it).ok());
    let id = field(&file, "ID").unwrap_or_default().to_owned();
    without_times(&mut file);
    if let Some(own) = own.filter(|own| is_printed_as(own, &file)) {
        return Ok(own);
    }
    let mut known: Vec<Node> = db.tree_of(&id)?.into_iter().map(|tree| tree.root).collect();
    add_versions(&kernel.workspace.join("history"), &format!("{id}.sy"), &mut known);
    find(&file, &known)
}

fn is_printed_as(root: &Node, file: &Value) -> bool {
    let mut printed: Value = serde_json::from_str(&sy::document(root)).unwrap_or_default();
    without_times(&mut printed);
    printed == *file
}

/// Adds the versions of a document, wherever they are.
fn add_versions(folder: &Path, name: &str, known: &mut Vec<Node>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            add_versions(&path, name, known);
        } else if entry.file_name() == name {
            known.extend(std::fs::read(&path).ok().and_then(|bytes| parse(&bytes).ok()));
        }
    }
}

/// The block that prints like this one, with the blocks inside it.
fn find(block: &Value, known: &[Node]) -> Result<Node, Refusal> {
    let id = field(block, "ID").unwrap_or_default();
    let is_same = |node: &&Node| {
        let mut printed = sy::block(node);
        without_times(&mut printed);
        alone(&printed) == alone(block)
    };
    let found = known.iter().filter_map(|root| root.find(id)).find(is_same);
    let mut node = found.ok_or_else(|| Refusal::new(format!("parse tree failed: block {id}")))?.clone();
    let children = block.get("Children").and_then(Value::as_array).into_iter().flatten();
    let children = children.filter(|it| field(it, "ID").is_some());
    node.children = children.map(|it| find(it, known)).collect::<Result<_, _>>()?;
    Ok(node)
}

/// A block without the blocks inside it; of a document only its properties.
fn alone(block: &Value) -> Value {
    let mut block = block.clone();
    if field(&block, "Type") == Some("NodeDocument") {
        return block.get_mut("Properties").map(Value::take).unwrap_or_default();
    }
    if let Some(children) = block.get_mut("Children").and_then(Value::as_array_mut) {
        children.retain(|it| field(it, "ID").is_none());
        if children.is_empty()
            && let Some(fields) = block.as_object_mut()
        {
            fields.shift_remove("Children");
        }
    }
    block
}

fn field<'v>(block: &'v Value, name: &str) -> Option<&'v str> {
    block.get(name).and_then(Value::as_str)
}

fn without_times(node: &mut Value) {
    match node {
        Value::Object(fields) => {
            fields.shift_remove("updated");
            fields.values_mut().for_each(without_times);
        }
        Value::Array(items) => items.iter_mut().for_each(without_times),
        _ => {}
    }
}
