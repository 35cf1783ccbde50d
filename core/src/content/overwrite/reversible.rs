//! The replacement of a document's text as one change of its outermost blocks, with its way back.

use std::collections::{BTreeMap, BTreeSet};

use super::Overwrite;
use crate::content::block_dom;
use crate::content::kramdown;
use crate::content::spun::{self, SpunBlock};
use crate::content::way_back;
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::{BlockId, DocId};
use crate::kernel::Route;
use crate::kernel::api::transactions::{BlockPlace, RemovedBlock, Reversible};

/// The routes that `write` calls.
pub(super) const CALLS: &[Route] = crate::calls![spun::CALLS, way_back::CALLS];

/// Replaces the text with one transaction; the ids of the new blocks. `None`, before anything is written, for a text
/// that must go as Markdown.
pub(super) async fn write(
    cx: &Cx<'_>,
    doc: &DocId,
    what: &Overwrite,
) -> Result<Option<Vec<String>>, ToolError> {
    cx.declares(CALLS)?;
    if crate::content::incoming::for_editor(&what.data).is_none() {
        return Ok(None);
    }
    // Without the text before there is no way back.
    let Ok(before) = way_back::doms(&[(doc.block(), None)], cx).await else { return Ok(None) };
    let before = before.get(&doc.block()).map(String::as_str).unwrap_or_default();
    let Some(old) = all_blocks(before, &what.before) else { return Ok(None) };
    let Some(new) = spun::spin(&what.data, before, cx).await?.filter(|it| !it.is_empty()) else {
        return Ok(None);
    };
    let Some((change, added)) = change(&doc.block(), &old, new, what) else { return Ok(None) };
    way_back::make(&change, &added, &BTreeSet::from([doc.clone()]), cx).await?;
    Ok(Some(added.iter().map(ToString::to_string).collect()))
}

/// The outermost blocks of a document. `None` if they are not all there: the editor has no blocks below a folded
/// heading.
fn all_blocks(dom: &str, printed: &str) -> Option<Vec<SpunBlock>> {
    let blocks = spun::outermost(dom)?;
    let shown = blocks.iter().map(|it| Some(it.id.as_str()));
    let printed = kramdown::blocks(printed);
    let is_folded = |it: &SpunBlock| block_dom::attribute(block_dom::first_tag(&it.dom), "fold").is_some();
    let is_whole = shown.eq(printed.iter().map(|it| it.attributes.id())) && !blocks.iter().any(is_folded);
    is_whole.then_some(blocks)
}

/// The change of the old blocks into the new ones, and the ids of those that are added. `None` if blocks that stay
/// change their order.
fn change(
    doc: &BlockId,
    old: &[SpunBlock],
    new: Vec<SpunBlock>,
    what: &Overwrite,
) -> Option<(Reversible, Vec<BlockId>)> {
    let at: BTreeMap<BlockId, usize> = old.iter().enumerate().map(|(at, it)| (it.id.clone(), at)).collect();
    let staying: BTreeSet<BlockId> =
        new.iter().map(|it| it.id.clone()).filter(|it| at.contains_key(it)).collect();
    let order: Vec<usize> = new.iter().filter_map(|it| at.get(&it.id).copied()).collect();
    order.is_sorted().then_some(())?;
    let (mut change, mut added) = (Reversible::new(), Vec::new());
    let mut previous: Option<BlockId> = None;
    for SpunBlock { id, dom, .. } in new {
        match at.get(&id).and_then(|at| old.get(*at)) {
            Some(before) if what.rewritten.contains(id.as_str()) => {
                change.update(&id, before.dom.clone(), dom)
            }
            Some(_) => {}
            None => {
                let place = BlockPlace { parent: doc.clone(), previous };
                change.insert_last(RemovedBlock { id: id.clone(), dom, place });
                added.push(id.clone());
            }
        }
        previous = Some(id);
    }
    // They go last, so that the document never becomes empty.
    let mut previous: Option<BlockId> = None;
    for SpunBlock { id, dom, .. } in old {
        if !staying.contains(id) {
            let place = BlockPlace { parent: doc.clone(), previous };
            change.delete_last(RemovedBlock { id: id.clone(), dom: dom.clone(), place });
        }
        previous = Some(id.clone());
    }
    Some((change, added))
}
