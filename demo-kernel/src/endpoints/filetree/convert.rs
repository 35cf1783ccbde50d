//! `/api/filetree`: headings into documents and documents into headings.

use serde_json::{Value, json};

use super::by_path;
use crate::answer::{Args, Outcome, Refusal};
use crate::edit::{self, Place};
use crate::kernel::Kernel;
use crate::markdown::plain::{self, Take};
use crate::markdown::{Kind, Node, Span};
use crate::store::Tree;

/// Turns a heading with the blocks below it into a document, which keeps its id.
pub(crate) fn heading_to_document(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, notebook) = (args.text("srcHeadingID")?, args.text("targetNoteBook")?);
    let target = args.text_or("targetPath", "/");
    kernel.store.write(|db| {
        let mut source = db.need_tree(id)?;
        let folder = if target == "/" { "/".to_owned() } else { by_path(db, target)?.folder() };
        // A block that is no heading stays where it is, without an error.
        let Some(below) = edit::below_heading(&source.root, id) else { return Ok(Value::Null) };
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

/// A document becomes a heading with its text below it: behind the section of a heading with the same level, or
/// behind another block, one level below the heading above that. Its own headings follow, its tags become text.
pub(crate) fn document_to_heading(kernel: &Kernel, args: &Args) -> Outcome {
    let (source, target) = (args.text("srcID")?, args.text("targetID")?);
    let after = args.bool_or("after", true);
    kernel.store.write(|db| {
        let tree = db.need_tree(source)?;
        let Some(mut into) = db.tree_of(target)? else {
            return Ok(json!({ "srcTreeBox": "", "srcTreePath": "" }));
        };
        if tree.id() == into.id() || into.id() == target {
            // The real kernel ends, doubles the text, or loses the document.
            return Err(Refusal::not_here(
                "documents as headings in themselves or in another document as a whole",
            ));
        }
        if db.count_below(&tree.notebook, &tree.folder())? > 0 {
            return Err(Refusal::new("Please move or delete the subdocuments first").closing_after(5000));
        }
        let mut pivot = into.root.find(target).ok_or_else(Refusal::panicked)?;
        if matches!(pivot.kind, Kind::Item { .. }) {
            pivot = pivot.children.last().ok_or_else(Refusal::panicked)?;
        }
        let own = level_of(&into.root, &pivot.id);
        let lower = u8::from(!matches!(pivot.kind, Kind::Heading(_)));
        let tops = tree.root.children.iter().filter_map(heading_level);
        let delta = i16::from(own + lower) - i16::from(tops.min().unwrap_or(0)) + 1;
        let below = edit::below_heading(&into.root, &pivot.id).unwrap_or_default();
        let last = if after { below.last().map_or(&pivot.id, |node| &node.id) } else { &pivot.id }.clone();
        let mut heading = Node::new(Kind::Heading((own + lower).clamp(1, 6)));
        heading.id = tree.id().to_owned();
        heading.spans = vec![Span::plain(tree.title())];
        let mut blocks = vec![heading];
        blocks.extend(tag_line(tree.root.attrs.text("tags")));
        blocks.extend(tree.root.children.iter().cloned().map(|mut block| {
            if let Kind::Heading(level) = &mut block.kind {
                *level = u8::try_from((i16::from(*level) + delta).clamp(1, 6)).unwrap_or(6);
            }
            block
        }));
        db.remove_tree(&tree)?;
        let place = if after { Place::After(&last) } else { Place::Before(&last) };
        edit::insert(&mut into.root, blocks, place).ok_or_else(Refusal::panicked)?;
        db.save(&into)?;
        Ok(json!({ "srcTreeBox": tree.notebook, "srcTreePath": tree.path }))
    })
}

fn heading_level(node: &Node) -> Option<u8> {
    if let Kind::Heading(level) = node.kind { Some(level) } else { None }
}

/// The level of a heading, or of the nearest one before a block in its parent; 0 without one.
fn level_of(root: &Node, id: &str) -> u8 {
    let Some((parent, at)) = root.parent_of(id) else { return 0 };
    parent.children.iter().take(at + 1).rev().find_map(heading_level).unwrap_or(0)
}

/// The tags of a document as a paragraph.
fn tag_line(tags: &str) -> Option<Node> {
    let mut line = Node::new(Kind::Paragraph);
    for tag in tags.split(',').filter(|tag| !tag.is_empty()) {
        if !line.spans.is_empty() {
            line.spans.push(Span::plain(" "));
        }
        line.spans.push(Span { kind: "tag".into(), text: tag.to_owned(), ..Span::default() });
    }
    (!line.spans.is_empty()).then_some(line)
}
