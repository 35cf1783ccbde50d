//! New texts of blocks as one change with its way back.

use std::collections::BTreeMap;

use futures_util::future::join_all;

use super::source::BlockInDoc;
use crate::content::spun::{self, SpunBlock};
use crate::content::{block_dom, incoming, way_back};
use crate::kernel::Route;
use crate::kernel::api::transactions::{BlockPlace, RemovedBlock, Reversible};
use crate::prelude::*;

/// The routes that `plan` calls, and that make its change.
pub(in crate::tools) const CALLS: &[Route] =
    crate::calls![&[block::GET_BLOCK_TREE_INFOS], spun::CALLS, way_back::CALLS];

/// The checked text of a block, with the attributes that it keeps.
pub(in crate::tools) struct TextOfBlock<'t> {
    pub(in crate::tools) id: &'t BlockId,
    pub(in crate::tools) doc: Option<&'t DocId>,
    pub(in crate::tools) kramdown: &'t str,
    /// Whether the block is a list item, and stays one.
    pub(in crate::tools) is_item: bool,
}

impl<'t> TextOfBlock<'t> {
    /// The text of a block in a document that is no list item.
    pub(in crate::tools) fn of(id: &'t BlockId, doc: &'t DocId, kramdown: &'t str) -> TextOfBlock<'t> {
        TextOfBlock { id, doc: Some(doc), kramdown, is_item: false }
    }
}

/// What became of a block.
#[derive(Debug, Default)]
pub(in crate::tools) struct ChangedBlock {
    /// Its node type, where that is known.
    pub(in crate::tools) kind: Option<String>,
    /// The ids of the blocks behind it that its text had besides.
    pub(in crate::tools) added: Vec<String>,
}

/// The change of all these blocks, and what becomes of each. `None` if one of the texts must go as Markdown: then they
/// all do.
pub(in crate::tools) async fn plan<'t>(
    texts: &[TextOfBlock<'t>],
    keeps_types: bool,
    cx: &Cx<'_>,
) -> Result<Option<(Reversible, BTreeMap<&'t str, ChangedBlock>)>, ToolError> {
    cx.declares(CALLS)?;
    if texts.iter().any(|it| incoming::for_editor(it.kramdown).is_none()) {
        return Ok(None);
    }
    let blocks: Vec<BlockInDoc> = texts.iter().map(|it| (it.id.clone(), it.doc.cloned())).collect();
    // Without the text before there is no way back.
    let Ok(mut before) = way_back::doms(&blocks, cx).await else { return Ok(None) };
    let all = texts.iter().map(|it| {
        let before = before.get(it.id).map(String::as_str).unwrap_or_default();
        new_blocks(it, before, keeps_types, cx)
    });
    let all: Result<Vec<_>, ToolError> = join_all(all).await.into_iter().collect();
    let Some(all) = all?.into_iter().collect::<Option<Vec<Vec<SpunBlock>>>>() else { return Ok(None) };
    let split: Vec<BlockId> =
        texts.iter().zip(&all).filter(|(_, it)| it.len() > 1).map(|(text, _)| text.id.clone()).collect();
    let infos = match NonEmpty::of(&split) {
        Some(split) => cx.ask(block::get_block_tree_infos(split)).await?,
        None => BTreeMap::new(),
    };
    let (mut change, mut changed) = (Reversible::new(), BTreeMap::new());
    for (text, blocks) in texts.iter().zip(all) {
        let mut blocks = blocks.into_iter();
        let (Some(first), Some(before)) = (blocks.next(), before.remove(text.id)) else { return Ok(None) };
        change.update(text.id, before, first.dom);
        let (mut previous, mut added) = (text.id.clone(), Vec::new());
        for SpunBlock { id, dom, .. } in blocks {
            let Some(BlockPlace { parent, .. }) = way_back::place(text.id, &infos) else { return Ok(None) };
            let place = BlockPlace { parent, previous: Some(previous) };
            change.insert_last(RemovedBlock { id: id.clone(), dom, place });
            added.push(id.to_string());
            previous = id;
        }
        changed.insert(text.id.as_str(), ChangedBlock { kind: Some(first.kind), added });
    }
    Ok(Some((change, changed)))
}

/// The blocks of a text, the first of which replaces the block; `None` if that would be another block.
async fn new_blocks(
    text: &TextOfBlock<'_>,
    before: &str,
    keeps_types: bool,
    cx: &Cx<'_>,
) -> Result<Option<Vec<SpunBlock>>, ToolError> {
    let Some(mut blocks) = spun::spin(text.kramdown, before, cx).await? else { return Ok(None) };
    if text.is_item {
        // Its text is a list of its own.
        let item = match blocks.as_slice() {
            [list] => spun::only_item(list, text.id),
            _ => None,
        };
        return Ok(item.map(|it| vec![it]));
    }
    let Some(first) = blocks.first_mut().filter(|it| it.id == *text.id) else { return Ok(None) };
    let old = block_dom::attribute(block_dom::first_tag(before), "data-type");
    // The kernel says what is wrong with another type.
    let fits = !keeps_types || old == Some(first.kind.as_str());
    Ok(fits.then_some(blocks))
}
