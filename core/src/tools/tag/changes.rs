//! Changes labels block by block, in batches.

use std::collections::{BTreeMap, BTreeSet};

use super::list::LabelKind;
use crate::content::{incoming, written};
use crate::kernel::api::attr::NewAttrs;
use crate::kernel::api::block::{Kramdowns, NewText};
use crate::prelude::*;

/// Blocks changed at the same time.
const BATCH: usize = 64;

/// The changed blocks so far, and the failed ones.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) changed: BTreeSet<String>,
    failed: Vec<Failed>,
    first: Option<ToolError>,
}

impl Changes {
    /// Replaces the texts of blocks.
    pub(super) async fn replaced(&mut self, new: &BTreeMap<BlockId, String>, cx: &Cx<'_>) {
        let all: Vec<(&BlockId, &String)> = new.iter().collect();
        for some in all.chunks(BATCH) {
            let texts: Vec<NewText<'_>> =
                some.iter().map(|(id, text)| NewText::of(id, text).keeping_type()).collect();
            let Some(texts) = NonEmpty::of(&texts) else { continue };
            match cx.ask(block::batch_update_block(texts)).await.and_then(|it| written::ids(&it)) {
                Ok(changed) => self.changed.extend(changed),
                Err(error) => self.fail(some.iter().map(|(id, _)| id.as_str()), &error),
            }
        }
    }

    /// Sets an attribute of blocks.
    pub(super) async fn attributes(&mut self, name: &str, values: &BTreeMap<BlockId, String>, cx: &Cx<'_>) {
        let all: Vec<(&BlockId, &String)> = values.iter().collect();
        for some in all.chunks(BATCH) {
            let new: Vec<NewAttrs<'_>> =
                some.iter().map(|(id, value)| NewAttrs::of(id, name, value)).collect();
            let Some(new) = NonEmpty::of(&new) else { continue };
            match cx.ask(attr::batch_set_block_attrs(new)).await {
                Ok(()) => self.changed.extend(some.iter().map(|(id, _)| id.to_string())),
                Err(error) => self.fail(some.iter().map(|(id, _)| id.as_str()), &error),
            }
        }
    }

    fn fail<'i>(&mut self, ids: impl Iterator<Item = &'i str>, error: &ToolError) {
        self.failed.extend(ids.map(|id| Failed::new(error.clone()).id(id)));
        self.first.get_or_insert_with(|| error.clone());
    }

    /// Adds the failures to an answer; if nothing was changed, they are the answer.
    pub(super) fn add_failures(self, reply: Output) -> Reply {
        match self.first {
            Some(error) if self.changed.is_empty() => Err(error),
            _ => Ok(reply.with("changed", !self.changed.is_empty()).failed(self.failed)),
        }
    }
}

/// The plan with the documents that carry a label.
pub(super) fn carried<F>(
    plan: Plan<F>,
    (kind, label): (LabelKind, &str),
    blocks: usize,
    documents: BTreeSet<DocId>,
) -> Plan<F> {
    let n = documents.len();
    plan.across(blocks, &documents).about_one(kind.asked(), label).changing(documents).touching(n, label)
}

/// The new texts of blocks, each as kramdown whose marks are elements; those that become `None` are left out.
pub(super) async fn new_texts(
    ids: &[BlockId],
    change: impl Fn(&str) -> Option<String>,
    cx: &Cx<'_>,
) -> Result<BTreeMap<BlockId, String>, ToolError> {
    cx.keeps_rows().await;
    let mut all = BTreeMap::new();
    for some in ids.chunks(BATCH) {
        let Some(asked) = NonEmpty::of(some) else { continue };
        let texts = cx.ask(block::get_block_elements(asked)).await?;
        for id in some {
            if let Some(new) = new_text(id, &texts, &change)? {
                all.insert(id.clone(), new);
            }
        }
    }
    Ok(all)
}

/// The new text of a block. What stands around a tag may be a reference or a script without it, so the whole text is
/// checked again.
fn new_text(
    id: &BlockId,
    texts: &Kramdowns,
    change: impl Fn(&str) -> Option<String>,
) -> Result<Option<String>, ToolError> {
    let Some(old) = texts.get(id.as_str()) else { return Ok(None) };
    let Some(new) = change(old) else { return Ok(None) };
    incoming::recheck(&new, old, old).map_err(|_| {
        let message = "The text around this label would become a reference, an id, an embed or a script. Change this block by block.update first.";
        ToolError::conflict(message).with("id", id.as_str())
    })?;
    Ok(Some(new))
}
