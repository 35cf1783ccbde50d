//! `/api/outline`: the headings of a document as a tree.

use serde_json::{Value, json};

use super::{bookmark, shape, storage};
use crate::answer::{Args, Outcome};
use crate::kernel::Kernel;
use crate::markdown::{Kind, Node, Span};
use crate::store::Tree;

/// A heading with those below it.
struct Heading {
    id: String,
    level: u8,
    name: String,
    below: Vec<Heading>,
}

pub(super) fn of_document(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.id("id")?;
    let preview = args.bool_or("preview", false);
    let Some(tree) = kernel.store.read(|db| db.tree_of(id))? else { return Ok(json!([])) };
    let mut flat = Vec::new();
    if preview {
        let name = bookmark::shown(&[Span::plain(tree.title())]);
        flat.push(Heading { id: tree.id().to_owned(), level: 1, name, below: Vec::new() });
    }
    collect(&tree.root, &mut flat);
    if flat.is_empty() {
        return Ok(Value::Null);
    }
    let folds = Folds::of(kernel, id);
    Ok(nest(flat).iter().map(|heading| top(&tree, heading, &folds)).collect())
}

/// All headings except those in quotes and callouts.
fn collect(node: &Node, flat: &mut Vec<Heading>) {
    for child in &node.children {
        match child.kind {
            Kind::Heading(level) => {
                flat.push(Heading { id: child.id.clone(), level, name: styled(child), below: Vec::new() });
            }
            Kind::Quote | Kind::Callout { .. } => {}
            _ => collect(child, flat),
        }
    }
}

/// The text of a heading in its looks.
fn styled(heading: &Node) -> String {
    let name = bookmark::shown(&heading.spans).trim().replace('\n', "");
    match heading.attrs.get("style") {
        Some(style) => format!("<span style=\"{style}\">{name}</span>"),
        None => name,
    }
}

/// Every heading below the nearest one before it that is higher.
fn nest(flat: Vec<Heading>) -> Vec<Heading> {
    let mut flat = flat.into_iter().peekable();
    let mut out = Vec::new();
    while let Some(mut heading) = flat.next() {
        let mut below = Vec::new();
        while let Some(next) = flat.next_if(|next| next.level > heading.level) {
            below.push(next);
        }
        heading.below = nest(below);
        out.push(heading);
    }
    out
}

/// The headings that the user folded: none unless something is stored, then all except the named ones.
enum Folds {
    None,
    All,
    But(Vec<String>),
}

impl Folds {
    fn of(kernel: &Kernel, document: &str) -> Folds {
        let stored = storage::outline_of(kernel, document);
        match stored.get("expandIds").and_then(Value::as_array) {
            Some(ids) => Folds::But(ids.iter().filter_map(|id| id.as_str().map(str::to_owned)).collect()),
            None if stored.is_empty() => Folds::None,
            None => Folds::All,
        }
    }

    fn hide(&self, id: &str) -> bool {
        match self {
            Folds::None => false,
            Folds::All => true,
            Folds::But(open) => !open.iter().any(|other| other == id),
        }
    }
}

fn top(tree: &Tree, heading: &Heading, folds: &Folds) -> Value {
    let mut shown = shape::path(&json!({
        "id": heading.id,
        "box": tree.notebook,
        "name": heading.name,
        "type": "outline",
        "nodeType": "NodeHeading",
        "subType": format!("h{}", heading.level),
        "count": heading.below.len(),
        "folded": folds.hide(&heading.id),
    }));
    if !heading.below.is_empty() {
        shape::put(&mut shown, "blocks", below(tree, heading, folds, 1));
    }
    shown
}

fn below(tree: &Tree, heading: &Heading, folds: &Folds, depth: usize) -> Value {
    let show = |heading: &Heading| {
        let children = match heading.below.is_empty() {
            true => Value::Null,
            false => below(tree, heading, folds, depth + 1),
        };
        shape::block(&json!({
            "box": tree.notebook,
            "path": tree.path,
            "id": heading.id,
            "rootID": tree.id(),
            "content": heading.name,
            "type": "NodeHeading",
            "subType": format!("h{}", heading.level),
            "depth": depth,
            "count": heading.below.len(),
            "folded": folds.hide(&heading.id),
            "children": children,
        }))
    };
    heading.below.iter().map(show).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(headings: &[Heading]) -> String {
        headings.iter().map(|h| format!("{}({})", h.name, names(&h.below))).collect()
    }

    #[test]
    fn outline_nests_headings_below_the_nearest_higher_one() {
        let mut root = Node::new(Kind::Document);
        root.children =
            crate::markdown::scan("### c\n\n# a\n\n### b\n\n## d\n\n- # item\n\n> # quoted\n\n# e");
        let mut flat = Vec::new();
        collect(&root, &mut flat);
        assert_eq!(names(&nest(flat)), "c()a(b()d())item()e()");
    }
}
