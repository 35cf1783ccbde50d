//! The cards that given blocks have in a deck.

use std::collections::BTreeMap;

use crate::id::DeckId;
use crate::kernel::Route;
use crate::kernel::api::riff::Schedule;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The routes that `cards` calls.
pub(super) const CALLS: &[Route] =
    &[query::FLUSH_TRANSACTION, riff::GET_RIFF_CARDS, riff::GET_RIFF_CARDS_BY_BLOCK_IDS];

/// A card of a block.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct BlockCard {
    /// Its id.
    pub(super) card: String,
    pub(super) schedule: Schedule,
}

/// The cards of these blocks in a deck, by block.
pub(super) async fn cards(
    deck: &DeckId,
    blocks: &[BlockId],
    cx: &Cx<'_>,
) -> Result<BTreeMap<BlockId, BlockCard>, ToolError> {
    cx.declares(CALLS)?;
    let Some(wanted) = NonEmpty::of(blocks) else { return Ok(BTreeMap::new()) };
    // SiYuan shows the card of a block that the index lacks as no card.
    cx.ask(query::flush_transaction()).await?;
    // SiYuan finds cards by their blocks in the built-in deck only.
    let found = if *deck == DeckId::built_in() {
        cx.ask(riff::get_riff_cards_by_block_ids(wanted)).await?
    } else {
        cx.ask(riff::get_riff_cards(deck)).await?
    };
    let held = cx.visible(found).blocks.into_iter().filter_map(|it| {
        let id = BlockId::parse(&it.id).filter(|id| blocks.contains(id))?;
        Some((id, BlockCard { card: it.card, schedule: it.schedule? }))
    });
    Ok(held.into_map())
}

/// The error for blocks without a card in the deck.
pub(super) fn no_card<'b>(missing: impl IntoIterator<Item = &'b BlockId>) -> ToolError {
    let missing: Vec<&str> = missing.into_iter().map(BlockId::as_str).collect();
    let message = "These blocks have no card in this deck. flashcard.add_cards creates cards.";
    ToolError::new(crate::error::ErrorType::NotFound, message).with("missing", missing)
}
