//! Changes of blocks with their way back: the texts that it needs, and the proof that the change was made.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use futures_util::future::join_all;
use serde_json::Value;

use crate::content::block_dom;
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::{BlockId, DocId, fresh_doc_id};
use crate::kernel::api::block::TreeInfos;
use crate::kernel::api::transactions::{BlockPlace, Reversible};
use crate::kernel::api::{block, transactions};
use crate::kernel::{NonEmpty, Route};
use crate::sorted::IntoSorted as _;

/// The routes that these helpers call.
pub const CALLS: &[Route] = &[transactions::TRANSACTIONS, block::GET_BLOCK_DOMS, block::CHECK_BLOCKS_EXIST];

/// The number of blocks of one document from which its whole editor DOM is read once, because the kernel loads the
/// document again for each block.
const WHOLE: usize = 4;

/// Facts that a plan read for the way back only: an approval does not cover them.
#[derive(Debug, Clone, Default)]
pub struct ForWayBack<T>(pub T);

impl<T> Hash for ForWayBack<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// The editor DOM of blocks, each with its document where that is known (`GET_BLOCK_DOMS`). Errors when one is missing.
pub async fn doms(
    blocks: &[(BlockId, Option<DocId>)],
    cx: &Cx<'_>,
) -> Result<BTreeMap<BlockId, String>, ToolError> {
    cx.declares(CALLS)?;
    let mut by_doc: BTreeMap<Option<&DocId>, Vec<&BlockId>> = BTreeMap::new();
    for (id, doc) in blocks {
        by_doc.entry(doc.as_ref()).or_default().push(id);
    }
    let mut asked: Vec<&str> = Vec::new();
    for (doc, ids) in &by_doc {
        match doc {
            Some(doc) if ids.len() >= WHOLE => asked.push(doc.as_str()),
            _ => asked.extend(ids.iter().map(|id| id.as_str())),
        }
    }
    let found =
        if asked.is_empty() { BTreeMap::new() } else { cx.ask(block::get_block_doms(&asked)).await? };
    let mut doms = BTreeMap::new();
    for (doc, ids) in by_doc {
        let whole = doc.filter(|_| ids.len() >= WHOLE).and_then(|doc| found.get(doc.as_str()));
        let parts: BTreeMap<&str, &str> = whole.map(|dom| parts(dom)).unwrap_or_default();
        for id in ids {
            let dom = parts.get(id.as_str()).copied().or_else(|| found.get(id.as_str()).map(String::as_str));
            doms.insert(id.clone(), dom.map(str::to_owned));
        }
    }
    let missing: Vec<&BlockId> = doms.iter().filter(|(_, dom)| dom.is_none()).map(|(id, _)| id).collect();
    let single = join_all(missing.iter().map(|id| cx.ask(block::get_block_doms(&[id.as_str()])))).await;
    let mut single: BTreeMap<String, String> =
        single.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().into_map();
    let each = doms.into_iter().map(|(id, dom)| {
        let dom = dom.or_else(|| single.remove(id.as_str())).ok_or_else(ToolError::not_found)?;
        Ok((id, dom))
    });
    each.collect()
}

fn parts(dom: &str) -> BTreeMap<&str, &str> {
    let cut = block_dom::blocks(dom).into_iter().filter_map(|it| Some((it.id, dom.get(it.whole)?)));
    cut.into_map()
}

/// The place of a block, where it is known.
pub fn place(id: &BlockId, infos: &TreeInfos) -> Option<BlockPlace> {
    let info = infos.get(id.as_str())?;
    Some(BlockPlace { parent: BlockId::parse(&info.parent)?, previous: BlockId::parse(&info.previous) })
}

/// A new id for a block.
pub fn fresh_id(cx: &Cx<'_>) -> Result<BlockId, ToolError> {
    let id = fresh_doc_id(&cx.ambient().local_digits(), cx.ambient().random());
    Ok(id.ok_or_else(|| ToolError::internal("the clock shows no time"))?.block())
}

/// Makes a change of blocks in these documents (`TRANSACTIONS`). All of it is made, or nothing: the kernel reports
/// success in both cases, but the blocks that the change keeps then do not all exist. An action that looks at them
/// itself keeps none.
pub async fn make(
    change: &Reversible,
    kept: &[BlockId],
    documents: &BTreeSet<DocId>,
    cx: &Cx<'_>,
) -> Result<(), ToolError> {
    cx.declares(CALLS)?;
    if change.is_empty() {
        return Ok(());
    }
    cx.ask(transactions::change_blocks(change, documents.len())).await?;
    let Some(kept) = NonEmpty::of(kept) else { return Ok(()) };
    // If nobody can look, the kernel's word counts.
    let Ok(exist) = cx.ask(block::check_blocks_exist(kept)).await else { return Ok(()) };
    let gone = |id: &&BlockId| exist.get(id.as_str()).and_then(Value::as_bool) == Some(false);
    match kept.iter().find(gone) {
        None => Ok(()),
        Some(id) => Err(not_made(documents, cx).await.with("missing", id.as_str())),
    }
}

/// The error for a change of which the kernel made nothing. Its table of blocks, which may already have followed the
/// change, is written again.
pub async fn not_made(documents: &BTreeSet<DocId>, cx: &Cx<'_>) -> ToolError {
    // This repairs something that the person does not see; without it SiYuan does so when it starts again.
    let _ = cx.ask(transactions::refresh(documents)).await;
    cx.taken_back();
    ToolError::conflict(
        "SiYuan changed nothing, because a block of this call does not exist any more. Read the blocks again, then retry.",
    )
}
