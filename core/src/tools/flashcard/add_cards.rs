//! `flashcard.add_cards`: turns blocks into flashcards.

use serde_json::json;

use super::block_cards;
use super::deck::{self, DeckName};
use crate::id::DeckId;
use crate::prelude::*;

/// Turn blocks into flashcards.
#[derive(Debug, Action)]
#[action(
    flashcard.add_cards,
    danger = None,
    idempotent = true,
    calls = [riff::ADD_RIFF_CARDS, ..deck, ..block_cards],
    examples = [{ "ids": ["{block}"] }, { "ids": ["{block}", "{heading}"], "deck": "{deck}" }],
)]
pub struct AddCards {
    /// Ids of the cards' blocks.
    #[needs(Write)]
    pub ids: Ids<BlockId, 64>,
    /// Id or exact name of a deck.
    #[read_by()]
    pub deck: Option<DeckName>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    deck: DeckId,
    added: Vec<BlockId>,
    unchanged: Vec<BlockId>,
}

impl Change for AddCards {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let mut documents = Vec::new();
        for id in self.ids.as_slice() {
            documents.extend(cx.found(id).await?.doc.clone());
        }
        let deck = deck::named(self.deck.as_ref(), cx).await?;
        let held = block_cards::cards(&deck, self.ids.as_slice(), cx).await?;
        let (unchanged, added): (Vec<BlockId>, Vec<BlockId>) =
            self.ids.as_slice().iter().cloned().partition(|id| held.contains_key(id));
        let n = added.len();
        Ok(Plan::new("add", Facts { deck, added: added.clone(), unchanged })
            .show("added", json!(added))
            .changing(documents)
            .touching(n, ""))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { deck, added, unchanged } = plan.facts;
        let mut done = Done::new();
        if let Some(blocks) = NonEmpty::of(&added) {
            cx.ask(riff::add_riff_cards(&deck, blocks)).await?;
            // SiYuan reports success whatever it did.
            let held = block_cards::cards(&deck, &added, cx).await?;
            for id in &added {
                let made = held.get(id).ok_or_else(|| {
                    ToolError::conflict(
                        "SiYuan created no card for this block; encrypted notebooks have no cards.",
                    )
                });
                done.each(id.as_str(), made, |it| json!({ "id": id, "card": it.card }));
            }
        }
        unchanged.iter().for_each(|id| done.unchanged(id.as_str()));
        done.reply("added")
    }
}

#[cfg(test)]
#[path = "add_cards_tests.rs"]
mod tests;
