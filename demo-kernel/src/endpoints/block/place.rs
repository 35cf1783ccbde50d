//! `/api/block`: the place of a block: its parent, its neighbours, its number.

use serde_json::{Map, Value, json};

use super::with_block;
use crate::answer::{Args, Outcome};
use crate::kernel::Kernel;
use crate::markdown::{Kind, Node};

/// Parent, previous and next block.
type Neighbours = [Option<String>; 3];

pub(crate) fn siblings(kernel: &Kernel, args: &Args) -> Outcome {
    show(kernel, args, ["parent", "previous", "next"], outer_siblings)
}

pub(crate) fn relevant(kernel: &Kernel, args: &Args) -> Outcome {
    show(kernel, args, ["parentID", "previousID", "nextID"], around)
}

fn show(kernel: &Kernel, args: &Args, names: [&str; 3], find: fn(&Node, &str) -> Neighbours) -> Outcome {
    let named = |values: Neighbours| -> Value {
        let values = values.map(|id| json!(id.unwrap_or_default()));
        Value::Object(names.map(str::to_owned).into_iter().zip(values).collect())
    };
    with_block(kernel, args.text("id")?, named(Neighbours::default()), |_, tree, node| {
        Ok(named(find(&tree.root, &node.id)))
    })
}

/// The block before or behind a block in its parent.
fn beside(root: &Node, id: &str, by: isize) -> Option<String> {
    let (parent, at) = root.parent_of(id)?;
    parent.children.get(at.checked_add_signed(by)?).map(|node| node.id.clone())
}

fn around(root: &Node, id: &str) -> Neighbours {
    let parent = root.parent_of(id).map(|(parent, _)| parent.id.clone());
    [parent, beside(root, id, -1), beside(root, id, 1)]
}

/// The neighbours as the page's arrow keys go: from text in a list to the items around it.
fn outer_siblings(root: &Node, id: &str) -> Neighbours {
    let Some((parent, _)) = root.parent_of(id) else { return Neighbours::default() };
    let mut above = Vec::new();
    let mut at = id;
    while let Some((holder, _)) = root.parent_of(at) {
        above.push(holder);
        at = &holder.id;
    }
    let by =
        |first: &str, second: &str, by: isize| beside(root, first, by).or_else(|| beside(root, second, by));
    if !above.iter().any(|node| matches!(node.kind, Kind::List(_))) {
        return [Some(parent.id.clone()), by(&parent.id, id, -1), by(&parent.id, id, 1)];
    }
    let mut items = above.iter().filter(|node| matches!(node.kind, Kind::Item { .. }));
    let [_, previous, next] = around(root, id);
    match (root.find(id).map(|node| &node.kind), items.next(), items.next()) {
        (Some(Kind::Item { .. }), _, _) => {
            let outer = root.parent_of(&parent.id).map(|(outer, _)| outer.id.clone());
            [outer, previous, next]
        }
        (_, Some(item), None) => {
            [Some(item.id.clone()), beside(root, &item.id, -1), beside(root, &item.id, 1)]
        }
        (_, Some(item), Some(outer)) => {
            [Some(outer.id.clone()), by(&item.id, &outer.id, -1), by(&item.id, &outer.id, 1)]
        }
        _ => [Some(parent.id.clone()), previous, next],
    }
}

/// The number of the outermost block around each block, from 1.
fn numbers(root: &Node) -> Map<String, Value> {
    let mut numbers = Map::new();
    for (at, outermost) in root.children.iter().enumerate() {
        outermost.walk(&mut |node| {
            numbers.insert(node.id.clone(), json!(at + 1));
        });
    }
    numbers
}

/// The number of the outermost block around a block; of a document how many it has.
pub(crate) fn index(kernel: &Kernel, args: &Args) -> Outcome {
    with_block(kernel, args.text("id")?, json!(0), |_, tree, node| {
        Ok(numbers(&tree.root).remove(&node.id).unwrap_or_else(|| json!(tree.root.children.len())))
    })
}

/// The numbers of blocks in the document of the first one; 0 for a block of another document.
pub(crate) fn indexes(kernel: &Kernel, args: &Args) -> Outcome {
    let ids = args.texts("ids")?;
    kernel.store.read(|db| {
        let tree = ids.first().map_or(Ok(None), |id| db.tree_of(id))?;
        let Some(tree) = tree else { return Ok(json!({})) };
        let mut numbers = numbers(&tree.root);
        let shown = ids.iter().map(|id| ((*id).to_owned(), numbers.remove(*id).unwrap_or_else(|| json!(0))));
        Ok(Value::Object(shown.collect()))
    })
}
