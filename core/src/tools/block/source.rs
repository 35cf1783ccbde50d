//! Several blocks with their documents and their kramdown, in the number of requests that is fastest for the kernel.

use std::collections::BTreeMap;

use futures_util::future::{join, join_all};

use crate::content::kramdown;
use crate::kernel::Route;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The routes that `kramdowns` calls.
pub(in crate::tools) const CALLS: &[Route] = &[block::GET_BLOCK_KRAMDOWN, block::GET_BLOCK_KRAMDOWNS];

/// The number of blocks in one document from which its whole kramdown is read once, because the kernel loads the
/// document again for each block.
const WHOLE: usize = 3;

/// The maximum number of characters of a block's text in a preview or a list.
const SHOWN: usize = 120;

/// A block with its document, where that is known.
pub(in crate::tools) type BlockInDoc = (BlockId, Option<DocId>);

/// Blocks with their documents. Documents are refused, with the action that is for them.
pub(super) async fn located(
    param: &str,
    ids: &[BlockId],
    instead: &str,
    cx: &Cx<'_>,
) -> Result<Vec<BlockInDoc>, ToolError> {
    let mut blocks = Vec::with_capacity(ids.len());
    for id in ids {
        let doc = cx.found(id).await?.doc.clone();
        if doc.as_ref().is_some_and(|it| it.block() == *id) {
            let expected = format!("blocks; {id} is a document: use {instead}");
            return Err(ToolError::field(param, expected));
        }
        blocks.push((id.clone(), doc));
    }
    Ok(blocks)
}

/// Kramdown by id; a block that does not exist has no entry.
pub(in crate::tools) async fn kramdowns(
    blocks: &[BlockInDoc],
    cx: &Cx<'_>,
) -> Result<BTreeMap<String, String>, ToolError> {
    cx.declares(CALLS)?;
    let mut by_doc: BTreeMap<Option<&DocId>, Vec<&BlockId>> = BTreeMap::new();
    for (id, doc) in blocks {
        by_doc.entry(doc.as_ref()).or_default().push(id);
    }
    let (mut whole, mut single) = (Vec::new(), Vec::new());
    for (doc, ids) in by_doc {
        match doc {
            Some(doc) if ids.len() > WHOLE => whole.push((doc, ids)),
            _ => single.extend(ids.into_iter().cloned()),
        }
    }
    let documents = join_all(whole.iter().map(|(doc, _)| cx.ask(block::get_block_kramdown(*doc))));
    let (documents, found) = join(documents, each(&single, cx)).await;
    let mut found = found?;
    let mut nested = Vec::new();
    for ((doc, ids), document) in whole.iter().zip(documents) {
        let document = document?.kramdown;
        let cut: BTreeMap<String, String> = kramdown::blocks(&document)
            .into_iter()
            .filter_map(|it| Some((it.attributes.id()?.to_owned(), it.kramdown)))
            .into_map();
        for id in ids {
            let text = if id.as_str() == doc.as_str() { Some(&document) } else { cut.get(id.as_str()) };
            match text {
                Some(text) => found.extend([(id.to_string(), text.clone())]),
                None => nested.push((*id).clone()),
            }
        }
    }
    found.extend(each(&nested, cx).await?);
    found.retain(|_, kramdown| !kramdown.is_empty());
    Ok(found)
}

async fn each(ids: &[BlockId], cx: &Cx<'_>) -> Result<BTreeMap<String, String>, ToolError> {
    let Some(ids) = NonEmpty::of(ids) else { return Ok(BTreeMap::new()) };
    cx.ask(block::get_block_kramdowns(ids)).await
}

/// The ids of a block and of the blocks inside it, in its kramdown.
pub(super) fn ids_of(text: &str) -> Vec<String> {
    kramdown::attribute_lists(text).iter().filter_map(|it| it.id().map(str::to_owned)).collect()
}

/// Whether a block is a row of a database, by its kramdown.
pub(super) fn is_row(id: &str, kramdown: &str) -> bool {
    let lists = kramdown::attribute_lists(kramdown);
    lists.iter().any(|it| it.id() == Some(id) && it.get("custom-avs").is_some())
}

/// The beginning of a block's Markdown, as previews and lists show it.
pub(super) fn shown(text: Option<&String>) -> String {
    start(&kramdown::strip(text.map(String::as_str).unwrap_or_default()))
}

/// The beginning of a text.
pub(super) fn start(text: &str) -> String {
    let cut: String = text.chars().take(SHOWN).collect();
    if cut.len() < text.len() { format!("{cut}…") } else { cut }
}

/// The level of a heading, from its kramdown; `None` for another block.
pub(super) fn heading_level(kramdown: &str) -> Option<usize> {
    let text = kramdown.trim_start_matches('#');
    let level = kramdown.len() - text.len();
    let is_heading = (1..=6).contains(&level) && (text.is_empty() || text.starts_with([' ', '\n']));
    is_heading.then_some(level)
}
