//! Replaces the texts of blocks: checks them together, writes them at once, reads them again.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use serde_json::{Map, Value, json};

use super::reversible_texts::{self, ChangedBlock, TextOfBlock};
use super::source::{ids_of, kramdowns};
use crate::content::incoming::{self, Incoming, ReplacedContent};
use crate::content::replacement::{BlockData, check_kind, replacement};
use crate::content::{hash, kinds, kramdown, overwrite, printed, way_back, written};
use crate::kernel::Route;
use crate::kernel::api::block::NewText;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The routes that `BlockReplacements::write` calls.
pub(in crate::tools) const CALLS: &[Route] = crate::calls![
    &[
        history::CREATE_DOC_HISTORY,
        block::UPDATE_BLOCK,
        block::BATCH_UPDATE_BLOCK,
        block::GET_BLOCK_KRAMDOWN,
        block::GET_BLOCK_KRAMDOWNS
    ],
    reversible_texts::CALLS,
    written::CALLS,
];

/// The new text of a block.
pub(in crate::tools) struct BlockText<'a> {
    pub(in crate::tools) id: &'a BlockId,
    pub(in crate::tools) markdown: &'a str,
    pub(in crate::tools) expect: Option<&'a str>,
    /// The argument that holds it, if it is one of several: `updates[1]`.
    pub(in crate::tools) part: Option<String>,
}

impl BlockText<'_> {
    /// An error about this text, with its arguments as the caller names them.
    fn named(&self, error: ToolError) -> ToolError {
        match &self.part {
            Some(part) => error.inside(part),
            None => error,
        }
    }
}

/// Blocks with the data to send for them, in the order of the request.
#[derive(Debug, Hash)]
pub struct BlockReplacements {
    blocks: Vec<PlannedText>,
    /// Whether each block keeps its type, which the kernel then holds to.
    keeps_types: bool,
    /// Ids in the texts that were dropped.
    pub(in crate::tools) ids_dropped: Vec<String>,
}

#[derive(Debug)]
struct PlannedText {
    id: BlockId,
    doc: Option<DocId>,
    old: String,
    new: BlockData,
}

impl PlannedText {
    fn text_of_block(&self) -> TextOfBlock<'_> {
        let BlockData { data, is_item, .. } = &self.new;
        TextOfBlock { id: &self.id, doc: self.doc.as_ref(), kramdown: data, is_item: *is_item }
    }
}

impl Hash for PlannedText {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.id, overwrite::canonical(&self.old), overwrite::canonical(&self.new.data)).hash(state);
    }
}

impl BlockReplacements {
    /// Reads the blocks, each in a resolved document, and checks their new texts.
    pub(in crate::tools) async fn plan(
        texts: &[BlockText<'_>],
        docs: Vec<Option<DocId>>,
        keep_attrs: bool,
        cx: &Cx<'_>,
    ) -> Result<BlockReplacements, ToolError> {
        cx.keeps_rows().await;
        let mut old = match texts {
            [one] => {
                let text = cx.ask(block::get_block_kramdown(one.id)).await?.kramdown;
                [(one.id.to_string(), text)].into_iter().filter(|(_, text)| !text.is_empty()).into_map()
            }
            _ => {
                let ids = texts.iter().map(|it| it.id.clone());
                kramdowns(&ids.zip(docs.iter().cloned()).collect::<Vec<_>>(), cx).await?
            }
        };
        let stored: Vec<(&BlockId, &str)> =
            texts.iter().filter_map(|it| Some((it.id, old.get(it.id.as_str())?.as_str()))).collect();
        printed::check_blocks(cx, &stored).await?;
        let mut all = BlockReplacements { blocks: Vec::new(), keeps_types: false, ids_dropped: Vec::new() };
        let mut olds = Vec::with_capacity(texts.len());
        for (it, doc) in texts.iter().zip(&docs) {
            let of_it = |error: ToolError| it.named(error).with("id", it.id.as_str());
            let old = old.remove(it.id.as_str()).ok_or_else(ToolError::not_found)?;
            check_kind("id", &old).map_err(of_it)?;
            overwrite::expected(it.expect, &hash_of(&old)).map_err(of_it)?;
            olds.push((ReplacedContent::of(&old).within(doc.clone()), old));
        }
        let new: Vec<(&str, &ReplacedContent)> =
            texts.iter().zip(&olds).map(|(it, (kept, _))| (it.markdown, kept)).collect();
        let named = |at: usize, error: ToolError| match texts.get(at) {
            Some(it) => it.named(error),
            None => error,
        };
        let checked = incoming::check_each(cx, &new, named).await?;
        let planned = texts.iter().zip(docs).zip(olds.into_iter().zip(checked));
        for ((it, doc), ((_, old), incoming)) in planned {
            let named = |error: ToolError| it.named(error);
            let new = replacement(it.id.as_str(), &old, &incoming.markdown, keep_attrs).map_err(named)?;
            incoming::recheck(&new.data, &incoming.markdown, &old).map_err(named)?;
            all.ids_dropped.extend(incoming.ids_dropped);
            all.blocks.push(PlannedText { id: it.id.clone(), doc, old, new });
        }
        Ok(all)
    }

    /// One block with kramdown that was edited and checked as a whole.
    pub(super) fn one(
        id: &BlockId,
        doc: Option<DocId>,
        old: String,
        new: Incoming,
        is_item: bool,
    ) -> BlockReplacements {
        let changed = !overwrite::same(&new.markdown, &old);
        let new_text = BlockData { data: new.markdown, changed, is_item };
        let block = PlannedText { id: id.clone(), doc, old, new: new_text };
        BlockReplacements { blocks: vec![block], keeps_types: false, ids_dropped: new.ids_dropped }
    }

    /// The same, with blocks that keep their types.
    pub(in crate::tools) fn keeping_types(self) -> BlockReplacements {
        BlockReplacements { keeps_types: true, ..self }
    }

    fn changing(&self) -> impl Iterator<Item = &PlannedText> {
        self.blocks.iter().filter(|it| it.new.changed)
    }

    /// Ids of the blocks whose text changes.
    pub(in crate::tools) fn ids(&self) -> Vec<&str> {
        self.changing().map(|it| it.id.as_str()).collect()
    }

    /// The documents that change.
    pub(in crate::tools) fn documents(&self) -> BTreeSet<DocId> {
        self.changing().filter_map(|it| it.doc.clone()).collect()
    }

    /// The amount of old text that is lost, counting nested blocks and rows of tables.
    pub(in crate::tools) fn replaced(&self) -> usize {
        self.changing().map(|it| overwrite::size(&it.old)).sum()
    }

    /// The blocks inside the old texts that the new ones no longer hold: references to them break.
    pub(super) fn lost(&self) -> BTreeSet<String> {
        let lost = self.changing().flat_map(|it| {
            let kept = ids_of(&it.new.data);
            ids_of(&it.old).into_iter().filter(move |id| !kept.contains(id))
        });
        lost.collect()
    }

    fn text<'p>(&self, of: &'p PlannedText) -> NewText<'p> {
        let text = NewText::of(&of.id, &of.new.data);
        if self.keeps_types { text.keeping_type() } else { text }
    }

    /// Changes the texts with one transaction, which a person can take back, then reads the new hashes.
    pub(in crate::tools) async fn write(
        &self,
        cx: &Cx<'_>,
    ) -> Result<(Vec<Map<String, Value>>, Vec<Failed>), ToolError> {
        cx.declares(CALLS)?;
        if self.replaced() > overwrite::MUCH {
            for doc in self.documents() {
                cx.ask(history::create_doc_history(&doc)).await?;
            }
        }
        let changing: Vec<&PlannedText> = self.changing().collect();
        let texts: Vec<TextOfBlock<'_>> = changing.iter().map(|it| it.text_of_block()).collect();
        let reversible = reversible_texts::plan(&texts, self.keeps_types, cx).await?;
        let (mut failed, is_whole) = (Vec::new(), reversible.is_some());
        let changed = match reversible {
            Some((change, changed)) => {
                way_back::make(&change, &[], &self.documents(), cx).await?;
                changed
            }
            None => self.write_markdown(&changing, &mut failed, cx).await?,
        };
        let texts = match read_again(&changing, cx).await {
            Ok(texts) => {
                let is_there = |it: &&PlannedText| texts.get(it.id.as_str()).is_some_and(|it| !it.is_empty());
                if is_whole && !changing.iter().all(is_there) {
                    return Err(way_back::not_made(&self.documents(), cx).await);
                }
                texts
            }
            Err(error) => {
                failed.push(Failed::new(error).what("hash"));
                BTreeMap::new()
            }
        };
        let items = self.blocks.iter().map(|it| {
            let text = if it.new.changed { texts.get(it.id.as_str()) } else { Some(&it.old) };
            let changed = changed.get(it.id.as_str());
            // For an item, the reply shows the list around it.
            let kind = changed.and_then(|it| it.kind.as_deref()).map(kinds::short_type);
            let added = changed.map(|it| &it.added).filter(|it| !it.is_empty());
            object([
                ("id", json!(it.id.as_str())),
                ("hash", json!(text.map(|text| hash_of(text)))),
                ("type", json!(kind.map(|kind| if it.new.is_item { "i" } else { kind }))),
                ("added", json!(added)),
                ("changed", json!(it.new.changed)),
            ])
        });
        Ok((items.collect(), failed))
    }

    /// Sends the changed texts as Markdown in one write and puts further blocks behind theirs. Nothing takes that back.
    async fn write_markdown<'p>(
        &self,
        changing: &[&'p PlannedText],
        failed: &mut Vec<Failed>,
        cx: &Cx<'_>,
    ) -> Result<BTreeMap<&'p str, ChangedBlock>, ToolError> {
        let texts: Vec<NewText<'_>> = changing.iter().map(|it| self.text(it)).collect();
        let replies = match (texts.as_slice(), NonEmpty::of(&texts)) {
            ([one], _) => cx.ask(block::update_one(one)).await?,
            (_, Some(texts)) => cx.ask(block::batch_update_block(texts)).await?,
            (_, None) => return Ok(BTreeMap::new()),
        };
        let all = written::elements(&replies)?;
        let of = |it: &PlannedText| {
            all.iter().find(|all| all.first().is_some_and(|first| first.id == it.id.as_str()))
        };
        // Everything is written before anything is read, so that a failed read loses nothing.
        let mut added = written::put_all_behind(cx, &all).await.unwrap_or_else(|error| {
            let split = changing.iter().filter(|it| of(it).is_some_and(|all| all.len() > 1));
            let failure = |it: &&PlannedText| {
                Failed::new(error.clone()).id(it.id.as_str()).what("blocks after the first")
            };
            failed.extend(split.map(failure));
            BTreeMap::new()
        });
        let changed = changing.iter().map(|it| {
            let kind = of(it).and_then(|all| all.first()).map(|it| it.kind.clone());
            let added = added.remove(&it.id).unwrap_or_default();
            (it.id.as_str(), ChangedBlock { kind, added })
        });
        Ok(changed.collect())
    }
}

fn hash_of(kramdown: &str) -> String {
    hash::of_markdown(&kramdown::strip(kramdown))
}

/// The texts as the kernel stored them: it prints some Markdown in its own way, and the hash is of that.
async fn read_again(changing: &[&PlannedText], cx: &Cx<'_>) -> Result<BTreeMap<String, String>, ToolError> {
    if let [one] = changing {
        let text = cx.ask(block::get_block_kramdown(&one.id)).await?.kramdown;
        return Ok([(one.id.to_string(), text)].into());
    }
    let ids: Vec<BlockId> = changing.iter().map(|it| it.id.clone()).collect();
    let Some(ids) = NonEmpty::of(&ids) else { return Ok(BTreeMap::new()) };
    cx.ask(block::get_block_kramdowns(ids)).await
}
