//! `/api/filetree`: headings into documents and documents into headings.

use serde_json::{Value, json};

use super::by_path;
use crate::answer::{Args, Outcome, Refusal};
use crate::edit::{self, Place};
use crate::kernel::Kernel;
use crate::markdown::plain::{self, Take};
use crate::markdown::{Kind, Node};
use crate::store::Tree;

/// A heading with what lies below it becomes a document; it keeps its id.
pub(crate) fn heading_to_document(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, notebook) = (args.text("srcHeadingID")?, args.text("targetNoteBook")?);
    let target = args.text_or("targetPath", "/");
    kernel.store.write(|db| {
        let mut source = db.need_tree(id)?;
        let folder = if target == "/" { "/".to_owned() } else { by_path(db, target)?.folder() };
        let below = edit::below_heading(&source.root, id).ok_or_else(|| Refusal::new("heading not found"))?;
        let below: Vec<Node> = below.to_vec();
        let heading = source.root.find(id).ok_or_else(Refusal::panicked)?;
        crate::endpoints::history::keep(kernel, &source, "update")?;
        let mut tree = Tree::new(notebook, &folder, id, plain::content(heading, Take::Seen).trim());
        for gone in below.iter().map(|node| node.id.as_str()).chain([id]) {
            edit::remove(&mut source.root, gone);
        }
        tree.root.children = if below.is_empty() { vec![Node::new(Kind::Paragraph)] } else { below };
        db.save(&source)?;
        db.add(tree)?;
        Ok(Value::Null)
    })
}

/// A document becomes a heading of the target's level behind the target's section, with its text below it.
pub(crate) fn document_to_heading(kernel: &Kernel, args: &Args) -> Outcome {
    let (source, target) = (args.text("srcID")?, args.text("targetID")?);
    let after = args.bool_or("after", true);
    kernel.store.write(|db| {
        let tree = db.need_tree(source)?;
        let mut into = db.need_tree(target)?;
        if tree.id() == into.id() || !after {
            // The real kernel ends, or doubles the text.
            return Err(Refusal::not_here("documents as headings in themselves or before a block"));
        }
        let Some(Kind::Heading(level)) = into.root.find(target).map(|node| node.kind.clone()) else {
            // The real kernel loses the document.
            return Err(Refusal::not_here("documents as headings beside a block that is none"));
        };
        let below = edit::below_heading(&into.root, target).ok_or_else(Refusal::panicked)?;
        let last = below.last().map_or(target, |node| node.id.as_str()).to_owned();
        let mut heading = Node::new(Kind::Heading(level));
        heading.id = tree.id().to_owned();
        heading.spans = crate::markdown::inline::parse(tree.title());
        let blocks: Vec<Node> = std::iter::once(heading).chain(tree.root.children.clone()).collect();
        db.remove_tree(&tree)?;
        edit::insert(&mut into.root, blocks, Place::After(&last)).ok_or_else(Refusal::panicked)?;
        db.save(&into)?;
        Ok(json!({ "srcTreeBox": tree.notebook, "srcTreePath": tree.path }))
    })
}
