//! Markdown that goes to the start or the end of a document or container.

use super::new_blocks::{self, NewText, Side};
use super::shape::{self, DOCUMENT, ITEM, LIST};
use crate::content::incoming::{self, Incoming, ReplacedContent};
use crate::content::written::{self, Element};
use crate::kernel::Route;
use crate::kernel::api::block::{Anchor, NewBlock, Transaction};
use crate::prelude::*;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = crate::calls![
    &[block::APPEND_BLOCK, block::PREPEND_BLOCK, block::INSERT_BLOCK],
    incoming::CALLS,
    new_blocks::CALLS,
    shape::CALLS,
];

/// The end of a container to which text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ContainerEnd {
    /// Before everything in it.
    Start,
    /// Behind everything in it.
    End,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct AddFacts {
    incoming: Incoming,
    doc: String,
    into_list: bool,
    /// The block before which the text goes: in a task list, the kernel puts what it prepends before the box.
    before: Option<BlockId>,
}

/// Refuses text without a letter: the kernel would add an empty paragraph.
pub(super) fn check_text(param: &str, markdown: &Markdown) -> Result<(), ToolError> {
    let is_empty = markdown.as_str().trim().is_empty();
    if is_empty { Err(ToolError::field(param, "text to add")) } else { Ok(()) }
}

/// The ids of new blocks: those of the items where a list handed its items over to another.
pub(super) fn new_ids(elements: Vec<Vec<Element>>, into_list: bool) -> Vec<String> {
    let mut ids = Vec::new();
    for element in elements.into_iter().flatten() {
        match into_list && element.kind == LIST {
            true => ids.extend(written::items(&element)),
            false => ids.push(element.id),
        }
    }
    ids
}

/// Plans text for one end of a container.
pub(super) async fn plan(
    id: &BlockId,
    markdown: &Markdown,
    end: ContainerEnd,
    cx: &Cx<'_>,
) -> Result<Plan<AddFacts>, ToolError> {
    cx.declares(CALLS)?;
    check_text("markdown", markdown)?;
    let doc = cx.found(id).await?.doc.as_ref().map(ToString::to_string).unwrap_or_default();
    let kind = match doc == id.as_str() {
        true => DOCUMENT.to_owned(),
        false => {
            let mut infos = shape::infos(std::slice::from_ref(id), cx).await?;
            infos.remove(id.as_str()).ok_or_else(ToolError::not_found)?.kind
        }
    };
    shape::check_container("id", id, &kind, cx).await?;
    shape::check_takes_markdown("id", &kind)?;
    let before = match (end, kind.as_str()) {
        (ContainerEnd::Start, ITEM) => shape::first_child(id, cx).await?,
        _ => None,
    };
    let kept = match kind == DOCUMENT {
        true => ReplacedContent::nothing().at_top_of(DocId::parse(&doc)),
        false => ReplacedContent::nothing().within(DocId::parse(&doc)),
    };
    let incoming = incoming::check(cx, markdown.as_str(), &kept).await?;
    let characters = incoming.markdown.chars().count();
    let (doc_id, changes) = (doc.clone(), DocId::parse(&doc));
    let would = if end == ContainerEnd::Start { "prepend" } else { "append" };
    Ok(Plan::new(would, AddFacts { incoming, doc, into_list: kind == LIST, before })
        .show("doc", doc_id)
        .show("characters", characters)
        .changing(changes))
}

/// Adds the text.
pub(super) async fn run(id: &BlockId, end: ContainerEnd, facts: AddFacts, cx: &Cx<'_>) -> Reply {
    let AddFacts { incoming, doc, into_list, before } = facts;
    let text = incoming.markdown.as_str();
    let (side, seen_from) = match (end, &before) {
        (ContainerEnd::End, _) => (Side::End, id),
        (ContainerEnd::Start, Some(next)) => (Side::Before, next),
        (ContainerEnd::Start, None) => (Side::Start, id),
    };
    let document = DocId::parse(&doc);
    let new = NewText { markdown: text, side, id: seen_from, doc: document.as_ref(), in_list: into_list };
    let ids = match new_blocks::add(&[new], cx).await? {
        Some(ids) => ids.concat(),
        None => {
            new_ids(written::elements(&add_markdown(id, end, before.as_ref(), text, cx).await?)?, into_list)
        }
    };
    Ok(Output::new().with("ids", ids).with("doc", doc).list("ids_dropped", incoming.ids_dropped))
}

/// Adds a text as Markdown, which nothing takes back.
async fn add_markdown(
    id: &BlockId,
    end: ContainerEnd,
    before: Option<&BlockId>,
    text: &str,
    cx: &Cx<'_>,
) -> Result<Vec<Transaction>, ToolError> {
    match (end, before) {
        (ContainerEnd::End, _) => cx.ask(block::append_block(id, text)).await,
        (ContainerEnd::Start, Some(next)) => {
            cx.ask(block::insert_block(&NewBlock::at(Anchor::Before(next), text))).await
        }
        (ContainerEnd::Start, None) => cx.ask(block::prepend_block(id, text)).await,
    }
}
