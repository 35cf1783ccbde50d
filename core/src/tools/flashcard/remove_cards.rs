//! `flashcard.remove_cards`: removes cards with their learning history; the blocks stay.

use serde_json::{Value, json};

use super::block_cards;
use super::deck::{self, DeckName};
use crate::id::DeckId;
use crate::prelude::*;

/// Remove cards with their learning history; the blocks stay.
#[derive(Debug, Action)]
#[action(
    flashcard.remove_cards,
    effect = Destructive,
    danger = When(Self::removes_some, "Removes {n} flashcards with their learning history."),
    deed = Delete(Never),
    idempotent = true,
    calls = [riff::REMOVE_RIFF_CARDS, ..deck, ..block_cards],
    examples = [{ "ids": ["{card}"] }, { "ids": ["{card}", "{block}"], "deck": "{deck}" }],
)]
pub struct RemoveCards {
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
    removed: Vec<BlockId>,
    unchanged: Vec<BlockId>,
}

impl RemoveCards {
    fn removes_some(&self, plan: &Plan<Facts>) -> bool {
        !plan.facts.removed.is_empty()
    }
}

impl Change for RemoveCards {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let deck = deck::named(self.deck.as_ref(), cx).await?;
        let held = block_cards::cards(&deck, self.ids.as_slice(), cx).await?;
        let (removed, unchanged): (Vec<BlockId>, Vec<BlockId>) =
            self.ids.as_slice().iter().cloned().partition(|id| held.contains_key(id));
        let mut documents = Vec::new();
        for id in &removed {
            documents.extend(cx.found(id).await?.doc.clone());
        }
        let reps = |id: &BlockId| held.get(id).map_or(0, |it| it.schedule.reps);
        let entries: Vec<Value> = removed.iter().map(|id| json!({ "id": id, "reps": reps(id) })).collect();
        let n = removed.len();
        let things = Things::of(removed.iter().map(|id| Thing::of(id.as_str())));
        Ok(Plan::new("remove", Facts { deck, removed, unchanged })
            .show("removed", entries)
            .about(ThingKind::Card, things)
            .also(Consequence::Learning)
            .changing(documents)
            .touching(n, ""))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { deck, removed, unchanged } = plan.facts;
        let mut done = Done::new();
        if let Some(blocks) = NonEmpty::of(&removed) {
            cx.ask(riff::remove_riff_cards(&deck, blocks)).await?;
            let left = block_cards::cards(&deck, &removed, cx).await?;
            for id in &removed {
                let gone = match left.get(id) {
                    None => Ok(()),
                    Some(_) => Err(ToolError::conflict("SiYuan kept the card of this block.")),
                };
                done.each(id.as_str(), gone, |()| json!(id));
            }
        }
        unchanged.iter().for_each(|id| done.unchanged(id.as_str()));
        done.reply("removed")
    }
}

#[cfg(test)]
#[path = "remove_cards_tests.rs"]
mod tests;
