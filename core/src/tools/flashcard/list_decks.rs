//! `flashcard.list_decks`: the decks, with the cards in them that the caller may read.

use futures_util::future::try_join_all;
use serde_json::{Value, json};

use super::deck::{AT_ONCE, DEFAULT};
use crate::id::DeckId;
use crate::prelude::*;

/// List the decks.
#[derive(Debug, Action)]
#[action(
    flashcard.list_decks,
    workspace = Read,
    danger = None,
    idempotent = true,
    calls = [riff::GET_RIFF_DECKS, riff::GET_RIFF_CARDS],
)]
pub struct ListDecks;

impl Run for ListDecks {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let mut decks: Vec<(String, DeckId)> = Vec::new();
        for deck in cx.ask(riff::get_riff_decks()).await? {
            decks.extend(DeckId::parse(&deck.id).map(|id| (deck.name, id)));
        }
        // By name: SiYuan's order tells when cards were last reviewed, those in closed notebooks included.
        decks.sort();
        decks.insert(0, (DEFAULT.to_owned(), DeckId::built_in()));
        let told = async |(name, id): &(String, DeckId)| {
            let cards = cx.visible(cx.ask(riff::get_riff_cards(id)).await?);
            let n = cards.blocks.iter().filter(|it| it.schedule.is_some()).count();
            Ok::<Value, ToolError>(json!({ "id": id, "name": name, "cards": n }))
        };
        let mut items: Vec<Value> = Vec::with_capacity(decks.len());
        for some in decks.chunks(AT_ONCE) {
            items.extend(try_join_all(some.iter().map(told)).await?);
        }
        Ok(Output::new().with("items", items))
    }
}
