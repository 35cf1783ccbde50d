//! Decks: the one that a call names, by id or exact name.

use crate::id::DeckId;
use crate::kernel::Route;
use crate::prelude::*;

/// The name that stands for the built-in deck, which SiYuan's own list leaves out.
pub(super) const DEFAULT: &str = "default";

/// Decks, or blocks of cards, that are read at the same time.
pub(super) const AT_ONCE: usize = 16;

/// The routes that `named` calls.
pub(super) const CALLS: &[Route] = &[riff::GET_RIFF_DECKS];

/// Id or exact name of a deck.
pub(super) type DeckName = Text<1, 64>;

/// The deck of that id or name; the built-in one if none is named.
pub(super) async fn named(name: Option<&DeckName>, cx: &Cx<'_>) -> Result<DeckId, ToolError> {
    cx.declares(CALLS)?;
    let built_in = DeckId::built_in();
    let Some(name) = name.map(Text::as_str).filter(|it| *it != DEFAULT && *it != built_in.as_str()) else {
        return Ok(built_in);
    };
    let decks = cx.ask(riff::get_riff_decks()).await?;
    let known = |same: fn(&riff::Deck) -> &str| -> Vec<DeckId> {
        decks.iter().filter(|it| same(it) == name).filter_map(|it| DeckId::parse(&it.id)).collect()
    };
    let mut found = known(|it| &it.id);
    if found.is_empty() {
        found = known(|it| &it.name);
    }
    match &found[..] {
        [one] => Ok(one.clone()),
        [] => Err(ToolError::not_found()),
        several => {
            let ids: Vec<&str> = several.iter().map(DeckId::as_str).collect();
            Err(ToolError::field("deck", format!("an id: several decks have this name, {}", ids.join(", "))))
        }
    }
}
