//! `flashcard.reschedule_cards`: sets when cards are due, or starts them anew.

use serde_json::{Value, json};

use super::block_cards::{self, no_card};
use super::card::{self, NEW};
use super::deck::{self, DeckName};
use super::due_time::DueTime;
use crate::args::Yes;
use crate::content::stamp;
use crate::id::DeckId;
use crate::kernel::api::riff::NewDue;
use crate::output::object;
use crate::prelude::*;

/// Set when cards are due, or reset them.
#[derive(Debug, Action)]
#[action(
    flashcard.reschedule_cards,
    effect = When(Self::resets, Destructive),
    danger = When(Self::resets, "Deletes the learning history of {n} flashcards."),
    deed = Reset(Never),
    tier = advanced,
    idempotent = true,
    calls = [riff::BATCH_SET_RIFF_CARDS_DUE_TIME, riff::RESET_RIFF_CARDS, ..deck, ..block_cards],
    examples = [
        { "ids": ["{card}"], "due": "2030-04-06" },
        { "ids": ["{card}"], "reset": true, "deck": "default" },
    ],
)]
pub struct RescheduleCards {
    /// Ids of the cards' blocks.
    #[needs(Write)]
    pub ids: Ids<BlockId, 64>,
    /// Id or exact name of a deck.
    #[read_by()]
    pub deck: Option<DeckName>,
    /// A time, or a new start.
    #[one_of]
    pub to: DueChange,
}

/// A time, or a new start.
#[derive(Debug, OneOf)]
pub enum DueChange {
    /// Date or time at which they are due.
    Due(DueTime),
    /// Whether to delete the learning history.
    Reset(Yes),
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    deck: DeckId,
    /// The blocks with their cards.
    cards: Vec<(BlockId, String)>,
}

impl Change for RescheduleCards {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let ids = self.ids.as_slice();
        let deck = deck::named(self.deck.as_ref(), cx).await?;
        if matches!(self.to, DueChange::Due(_)) && deck != DeckId::built_in() {
            let expected = "the built-in deck: SiYuan sets due times in no other; reset works in all";
            return Err(ToolError::field("deck", expected));
        }
        let held = block_cards::cards(&deck, ids, cx).await?;
        let missing: Vec<&BlockId> = ids.iter().filter(|id| !held.contains_key(id)).collect();
        if !missing.is_empty() {
            return Err(no_card(missing));
        }
        let entry = |id: &BlockId| {
            let reps = held.get(id).map_or(0, |it| it.schedule.reps);
            let due = if let DueChange::Due(due) = &self.to {
                json!(stamp::of_digits(due.digits()))
            } else {
                Value::Null
            };
            Value::Object(object([("id", json!(id)), ("reps", json!(reps)), ("due", due)]))
        };
        let changed: Vec<Value> = ids.iter().map(entry).collect();
        let cards = ids.iter().filter_map(|id| Some((id.clone(), held.get(id)?.card.clone()))).collect();
        Ok(Plan::new(
            if matches!(self.to, DueChange::Reset(_)) { "reset" } else { "reschedule" },
            Facts { deck, cards },
        )
        .show("changed", changed)
        .about(ThingKind::Card, Things::of(ids.iter().map(|id| Thing::of(id.as_str()))))
        .also(matches!(self.to, DueChange::Reset(_)).then_some(Consequence::Learning))
        .touching(ids.len(), ""))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { deck, cards } = plan.facts;
        let ids: Vec<BlockId> = cards.iter().map(|(id, _)| id.clone()).collect();
        match &self.to {
            DueChange::Due(due) => {
                let dues: Vec<NewDue<'_>> =
                    cards.iter().map(|(_, card)| NewDue::of(card, due.digits())).collect();
                if let Some(dues) = NonEmpty::of(&dues) {
                    cx.ask(riff::batch_set_riff_cards_due_time(dues)).await?;
                }
            }
            DueChange::Reset(_) => {
                if let Some(blocks) = NonEmpty::of(&ids) {
                    cx.ask(riff::reset_riff_cards(&deck, blocks)).await?;
                }
            }
        }
        let after = block_cards::cards(&deck, &ids, cx).await?;
        let mut done = Done::new();
        for id in &ids {
            let result = match (after.get(id), &self.to) {
                (None, _) => Err(no_card([id])),
                (Some(held), DueChange::Reset(_)) if held.schedule.state != NEW || held.schedule.reps > 0 => {
                    Err(ToolError::conflict("SiYuan kept the learning history of this card."))
                }
                (Some(held), _) => Ok(held),
            };
            done.each(id.as_str(), result, |held| {
                let mut item = object([("id", json!(id))]);
                item.extend(card::schedule(&held.schedule, cx));
                Value::Object(item)
            });
        }
        done.reply("changed")
    }
}

impl RescheduleCards {
    fn resets(&self, _plan: &Plan<Facts>) -> bool {
        matches!(self.to, DueChange::Reset(_))
    }
}

#[cfg(test)]
#[path = "reschedule_cards_tests.rs"]
mod tests;
