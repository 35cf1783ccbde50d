//! The front of lists and quotes that are rows of a database: their first text names the row.

use std::collections::BTreeSet;

use super::shape::{self, DOCUMENT};
use super::source::{self, BlockInDoc, kramdowns};
use crate::content::incoming::more_may_run_in_group;
use crate::content::kramdown;
use crate::kernel::Route;
use crate::kernel::api::block::TreeInfos;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The routes of `check_left`.
pub(in crate::tools) const CALLS: &[Route] = crate::calls![shape::CALLS, source::CALLS];

/// The maximum number of blocks around a block that are looked at.
const DEEPEST: usize = 64;

/// Refuses an argument if blocks leave the front of a block that is a row, and the text that then comes first may act as
/// its name. Blocks that are not in front cost no request. The texts are those of the blocks that leave.
pub(in crate::tools) async fn check_left<'t>(
    argument: &str,
    leaving: &[BlockId],
    infos: &TreeInfos,
    texts: impl IntoIterator<Item = &'t str>,
    cx: &Cx<'_>,
) -> Result<(), ToolError> {
    cx.declares(CALLS)?;
    let mut around = in_front(leaving, leaving, infos);
    let mut from = 0;
    while from < around.len() && around.len() < DEEPEST {
        let next: Vec<BlockId> = around.iter().skip(from).cloned().collect();
        from = around.len();
        let infos = shape::infos(&next, cx).await?;
        let new = in_front(&next, leaving, &infos);
        around.extend(new.into_iter().filter(|it| !next.contains(it)));
    }
    let around: Vec<BlockInDoc> = around.into_iter().map(|id| (id, None)).collect();
    let gone: Vec<String> = texts.into_iter().map(kramdown::strip).collect();
    let gone = gone.join("\n\n");
    let is_row = |(id, text): &(&String, &String)| source::is_row(id, text);
    let stored = kramdowns(&around, cx).await?;
    let acts =
        stored.iter().filter(is_row).find(|(_, text)| more_may_run_in_group(&kramdown::strip(text), &gone));
    match acts {
        None => Ok(()),
        Some((id, _)) => Err(ToolError::field(
            argument,
            "other blocks: the text after it would name a database row, and it contains active HTML or references that follow their targets",
        )
        .with("row", id.as_str())),
    }
}

/// The lists and quotes in which some of these blocks come first once others have left.
fn in_front(blocks: &[BlockId], leaving: &[BlockId], infos: &TreeInfos) -> Vec<BlockId> {
    let leaves = |id: &str| id.is_empty() || leaving.iter().any(|it| it.as_str() == id);
    let infos = blocks.iter().filter_map(|id| infos.get(id.as_str()));
    let parents = infos.filter(|it| leaves(&it.previous) && it.parent_kind != DOCUMENT);
    let parents: BTreeSet<BlockId> = parents.filter_map(|it| BlockId::parse(&it.parent)).into_set();
    parents.into_iter().filter(|it| !leaving.contains(it)).collect()
}
