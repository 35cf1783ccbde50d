//! Covers of cards: a picture of the row's block or of an asset column, or the beginning of the block.

use super::{Item, Source};
use crate::answer::Refusal;
use crate::av::value::Value;
use crate::av::view::View;
use crate::markdown::{Kind, Node, dom};

/// The number of bytes of a document that a card shows.
const ENOUGH: usize = 4096;

/// The address of the picture and the editor DOM; one of them, or neither.
pub(super) fn of(
    source: &Source<'_>,
    view: &View,
    item: &Item,
    row: Option<&Value>,
) -> Result<(String, String), Refusal> {
    let look = view.shown_layout().map(|layout| layout.look.clone()).unwrap_or_default();
    let from = look.get("coverFrom").and_then(serde_json::Value::as_i64).unwrap_or_default();
    if from == 2 {
        let key = look.get("coverFromAssetKeyID").and_then(serde_json::Value::as_str).unwrap_or_default();
        let assets = item.cell(key).map(|cell| cell.m_asset.as_slice()).unwrap_or_default();
        let image = assets.iter().find(|asset| asset.kind == "image");
        return Ok((image.map(|asset| asset.content.clone()).unwrap_or_default(), String::new()));
    }
    let bound = row.filter(|row| !row.is_detached).and_then(|row| row.block.as_ref());
    let Some(block) = bound.filter(|_| matches!(from, 1 | 3)) else { return Ok(Default::default()) };
    let Some(node) = source.node(&block.id)? else { return Ok(Default::default()) };
    if from == 1 {
        let title = node.attrs.text("title-img");
        let picture = if title.is_empty() { picture(&node) } else { title.to_owned() };
        if !picture.is_empty() {
            return Ok((picture, String::new()));
        }
    }
    Ok((String::new(), beginning(&node)))
}

fn picture(node: &Node) -> String {
    let mut found = String::new();
    node.walk(&mut |n| {
        let image = n.texts().into_iter().flatten().find(|span| span.is("img"));
        if let Some(image) = image.filter(|_| found.is_empty()) {
            image.attrs.text("data-src").clone_into(&mut found);
        }
    });
    found
}

fn beginning(node: &Node) -> String {
    let blocks =
        if node.kind == Kind::Document { node.children.as_slice() } else { std::slice::from_ref(node) };
    let mut out = String::new();
    for block in blocks {
        if out.len() > ENOUGH {
            break;
        }
        let mut copy = block.clone();
        copy.walk_mut(&mut |n| n.id = crate::id::new_id());
        out += &dom::block(&copy, Some(1));
    }
    out
}
