//! Blocks that are to be deleted: what goes with them, and what would break elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::source::{self, heading_level, ids_of, kramdowns, shown};
use super::{front, shape};
use crate::content::overwrite;
use crate::content::referring::{self, ReferringBlocks};
use crate::content::way_back::{self, ForWayBack};
use crate::kernel::Route;
use crate::kernel::api::transactions::BlockPlace;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = crate::calls![&[block::GET_CHILD_BLOCKS, query::SQL], front::CALLS];

/// Blocks that are to be deleted, none inside another.
#[derive(Debug, Hash)]
pub struct BlockRemoval {
    /// The blocks.
    pub(super) ids: Vec<BlockId>,
    /// The whole kramdown of each, attributes in a fixed order.
    texts: Vec<String>,
    /// Their documents.
    pub(super) documents: BTreeSet<DocId>,
    /// The facts with which they can come back, if they can.
    pub(super) restorable: ForWayBack<Option<RestorableBlocks>>,
    /// The number of blocks, those inside of others included.
    count: usize,
    /// The references, embeds and rows elsewhere that break.
    pub(super) referring: ReferringBlocks,
}

/// Blocks that can come back after they are deleted.
#[derive(Debug)]
pub(super) struct RestorableBlocks {
    /// Each block that is deleted, with its place.
    pub(super) blocks: Vec<(BlockId, BlockPlace)>,
    /// The ids of all blocks that disappear.
    pub(super) all: BTreeSet<String>,
}

impl BlockRemoval {
    /// Reads what would be deleted, references according to the index (`SQL`), which the caller has flushed. Headings
    /// take the blocks below them along with `section`.
    pub(super) async fn read(
        mut blocks: Vec<source::BlockInDoc>,
        section: bool,
        cx: &Cx<'_>,
    ) -> Result<BlockRemoval, ToolError> {
        cx.declares(CALLS)?;
        let mut all = kramdowns(&blocks, cx).await?;
        if section {
            add_sections(&mut blocks, &mut all, cx).await?;
        }
        let mut texts = Vec::new();
        for (id, _) in &blocks {
            let gone = || ToolError::not_found().with("missing", json!([id.as_str()]));
            texts.push(overwrite::canonical(all.get(id.as_str()).ok_or_else(gone)?));
        }
        let (mut going, mut inside) = (BTreeSet::new(), BTreeSet::new());
        for ((id, _), text) in blocks.iter().zip(&texts) {
            inside.extend(ids_of(text).into_iter().filter(|it| it != id.as_str()));
            going.insert(id.to_string());
        }
        going.extend(inside.iter().cloned());
        let top = blocks.into_iter().zip(texts).filter(|((id, _), _)| !inside.contains(id.as_str()));
        let (blocks, texts): (Vec<source::BlockInDoc>, Vec<String>) = top.unzip();
        let documents = blocks.iter().filter_map(|(_, doc)| doc.clone()).collect();
        let ids: Vec<BlockId> = blocks.into_iter().map(|(id, _)| id).collect();
        let infos = shape::infos(&ids, cx).await?;
        front::check_left("ids", &ids, &infos, texts.iter().map(String::as_str), cx).await?;
        let referring = referring::to_blocks(&going, cx).await?;
        let count = going.len();
        let places = way_back::places(&ids, None, &infos).filter(|_| count <= way_back::MOST_BLOCKS);
        let restorable = places
            .map(|places| RestorableBlocks { blocks: ids.iter().cloned().zip(places).collect(), all: going });
        Ok(BlockRemoval { texts, documents, ids, restorable: ForWayBack(restorable), count, referring })
    }

    /// The plan as a person approves it.
    pub(super) fn planned(self) -> Plan<BlockRemoval> {
        let entry = |(id, text): (&BlockId, &String)| json!({ "id": id.as_str(), "text": shown(Some(text)) });
        let lost: Vec<Value> = self.ids.iter().zip(&self.texts).map(entry).collect();
        let (n, changes, referring) = (self.count, self.documents.clone(), self.referring.clone());
        let named = self.ids.iter().zip(&self.texts);
        let things = named.map(|(id, text)| Thing::titled(&shown(Some(text))).with_id(id.as_str()));
        let things = Things { n: n as u64, ..Things::of(things) };
        let plan = Plan::new("delete", self).show("lost", lost).show("blocks", n);
        let plan = plan.about(ThingKind::Block, things);
        referring.show(plan).changing(changes).touching(n, "")
    }
}

/// Adds the blocks below the headings among the blocks.
async fn add_sections(
    blocks: &mut Vec<source::BlockInDoc>,
    texts: &mut BTreeMap<String, String>,
    cx: &Cx<'_>,
) -> Result<(), ToolError> {
    let is_heading = |id: &BlockId| texts.get(id.as_str()).is_some_and(|it| heading_level(it).is_some());
    let headings: Vec<source::BlockInDoc> = blocks.iter().filter(|(id, _)| is_heading(id)).cloned().collect();
    let sections = join_all(headings.iter().map(|(id, _)| cx.ask(block::get_child_blocks(id)))).await;
    let mut added = Vec::new();
    let mut known: BTreeSet<BlockId> = blocks.iter().map(|(id, _)| id.clone()).into_set();
    for ((_, doc), section) in headings.iter().zip(sections) {
        for below in section? {
            let id = BlockId::parse(&below.id).ok_or_else(ToolError::not_found)?;
            if known.insert(id.clone()) {
                added.push((id, doc.clone()));
            }
        }
    }
    texts.extend(kramdowns(&added, cx).await?);
    blocks.extend(added);
    Ok(())
}
