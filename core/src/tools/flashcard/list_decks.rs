//! `flashcard.list_decks`: the decks, with the cards in them that the caller may read.

use futures_util::future::try_join_all;
use serde_json::{Value, json};

use super::deck::{AT_ONCE, DEFAULT};
use crate::content::paging::{self, PageStart};
use crate::id::DeckId;
use crate::prelude::*;
use crate::sorted::SharedSort as _;

/// List the decks.
#[derive(Debug, Action)]
#[action(
    flashcard.list_decks,
    workspace = Read,
    danger = None,
    idempotent = true,
    calls = [riff::GET_RIFF_DECKS, riff::GET_RIFF_CARDS],
    examples = [{}, { "limit": 5 }],
)]
pub struct ListDecks {
    /// A page of the decks.
    #[args]
    pub page: Paging<PageStart, 20, 100>,
}

impl Run for ListDecks {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let mut decks: Vec<(String, DeckId)> = Vec::new();
        for deck in cx.ask(riff::get_riff_decks()).await? {
            decks.extend(DeckId::parse(&deck.id).map(|id| (deck.name, id)));
        }
        // By name: SiYuan's order tells when cards were last reviewed, those in closed notebooks included.
        decks.sort_shared_by(Ord::cmp);
        decks.insert(0, (DEFAULT.to_owned(), DeckId::built_in()));
        let told = async |(name, id): &(String, DeckId)| {
            let cards = cx.visible(cx.ask(riff::get_riff_cards(id)).await?);
            let n = cards.blocks.iter().filter(|it| it.schedule.is_some()).count();
            Ok::<Value, ToolError>(json!({ "id": id, "name": name, "cards": n }))
        };
        // Cards are read for the decks that are shown: SiYuan reads all cards of a deck for one number.
        let shown = paging::page(&decks, self.page.after(), self.page.limit.get(), |(_, id)| id.as_str());
        let mut items: Vec<Value> = Vec::with_capacity(shown.items.len());
        for some in shown.items.chunks(AT_ONCE) {
            items.extend(try_join_all(some.iter().map(told)).await?);
        }
        Ok(Output::new().with("items", items).with("total", decks.len()).with("next", shown.next))
    }
}

#[cfg(test)]
#[path = "list_decks_tests.rs"]
mod tests;
