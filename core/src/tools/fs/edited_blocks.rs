//! Writes the edited blocks of a document.

use std::collections::BTreeSet;

use crate::content::{way_back, written};
use crate::kernel::Route;
use crate::kernel::api::block::NewText;
use crate::prelude::*;
use crate::tools::block::reversible_texts::{self, TextOfBlock};

/// The routes that `write` calls.
pub(super) const CALLS: &[Route] =
    crate::calls![&[block::BATCH_UPDATE_BLOCK], reversible_texts::CALLS, written::CALLS];

/// Gives blocks their new kramdown, with one transaction where that is possible; the ids of the blocks that these texts
/// had besides.
pub(super) async fn write(
    doc: &DocId,
    updates: &[(BlockId, String)],
    cx: &Cx<'_>,
) -> Result<(Vec<String>, Vec<Failed>), ToolError> {
    cx.declares(CALLS)?;
    let texts: Vec<TextOfBlock<'_>> =
        updates.iter().map(|(id, text)| TextOfBlock::of(id, doc, text)).collect();
    if let Some((change, changed)) = reversible_texts::plan(&texts, false, cx).await? {
        let ids: Vec<BlockId> = updates.iter().map(|(id, _)| id.clone()).collect();
        way_back::make(&change, &ids, &BTreeSet::from([doc.clone()]), cx).await?;
        return Ok((changed.into_values().flat_map(|it| it.added).collect(), Vec::new()));
    }
    let texts: Vec<NewText<'_>> = updates.iter().map(|(id, text)| NewText::of(id, text)).collect();
    let Some(texts) = NonEmpty::of(&texts) else { return Ok((Vec::new(), Vec::new())) };
    let done = cx.ask(block::batch_update_block(texts)).await?;
    Ok(match written::put_all_behind(cx, &written::elements(&done)?).await {
        Ok(added) => (added.into_values().flatten().collect(), Vec::new()),
        Err(error) => (Vec::new(), vec![Failed::new(error).id(doc.as_str()).what("blocks after the first")]),
    })
}
