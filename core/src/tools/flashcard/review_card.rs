//! `flashcard.review_card`: rates cards, or skips them for today.

use serde_json::{Value, json};

use super::deck::{self, DeckName};
use super::held::{self, BlockCard};
use super::{card, held::no_card};
use crate::id::DeckId;
use crate::kernel::api::riff::Schedule;
use crate::output::object;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// Rate a card, or skip it for today.
#[derive(Debug, Action)]
#[action(
    flashcard.review_card,
    danger = None,
    idempotent = false,
    calls = [riff::REVIEW_RIFF_CARD, riff::SKIP_REVIEW_RIFF_CARD, ..deck, ..held],
    examples = [
        { "id": "{card}", "rating": "good" },
        { "reviews": [{ "id": "{card}", "rating": "skip" }], "deck": "default" },
    ],
)]
pub struct ReviewCard {
    /// One card, or several.
    #[needs(Write)]
    #[one_of]
    pub reviews: OneOrMany<Review, 50>,
    /// Id or exact name of a deck.
    #[read_by()]
    pub deck: Option<DeckName>,
}

/// The rating of a card.
#[derive(Debug, Record)]
pub struct Review {
    /// The card's block.
    #[target]
    pub id: BlockId,
    /// The ease of the recall.
    pub rating: Rating,
}

impl ListRecord for Review {
    const LIST: &'static str = "reviews";
    const LIST_DOC: &'static str = "Several cards, each with its rating.";
}

/// The ease with which a card was recalled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Choice)]
pub enum Rating {
    /// Not at all.
    Again,
    /// With an effort.
    Hard,
    /// Well.
    Good,
    /// At once.
    Easy,
    /// Not asked today.
    Skip,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    deck: DeckId,
    /// Blocks with their cards, as they are before.
    cards: Vec<(BlockId, BlockCard, Rating)>,
}

impl Change for ReviewCard {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let reviews = self.reviews.as_slice();
        let ids: Vec<BlockId> = reviews.iter().map(|it| it.id.clone()).collect();
        if ids.iter().into_set().len() < ids.len() {
            return Err(ToolError::field("reviews", "each card once"));
        }
        let deck = deck::named(self.deck.as_ref(), cx).await?;
        let held = held::cards(&deck, &ids, cx).await?;
        let missing: Vec<&BlockId> = ids.iter().filter(|id| !held.contains_key(id)).collect();
        if !missing.is_empty() {
            return Err(no_card(missing));
        }
        let card = |it: &Review| Some((it.id.clone(), held.get(&it.id)?.clone(), it.rating));
        let told: Vec<Value> =
            reviews.iter().map(|it| json!({ "id": it.id, "rating": it.rating.word() })).collect();
        Ok(Plan::new("review", Facts { deck, cards: reviews.iter().filter_map(card).collect() })
            .show("reviews", told)
            .touching(ids.len(), ""))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { deck, cards } = plan.facts;
        let ids: Vec<BlockId> = cards.iter().map(|(id, ..)| id.clone()).collect();
        let mut results = Vec::new();
        for (_, BlockCard { card, .. }, rating) in &cards {
            results.push(match rating.digit() {
                Some(digit) => cx.ask(riff::review_riff_card(&deck, card, digit)).await,
                None => {
                    cx.skip_card(card);
                    cx.ask(riff::skip_review_riff_card(&deck, card)).await
                }
            });
        }
        let after = held::cards(&deck, &ids, cx).await?;
        let mut done = Done::new();
        for ((id, before, rating), result) in cards.iter().zip(results) {
            let same = after.get(id).is_some_and(|it| same(&it.schedule, &before.schedule));
            let result = result.and_then(|()| match after.get(id) {
                // SiYuan reports success whatever it did.
                Some(_) if same && *rating != Rating::Skip => {
                    Err(ToolError::conflict("SiYuan did not take the rating: the card is as before."))
                }
                Some(held) => Ok(held),
                None => Err(no_card([id])),
            });
            done.each(id.as_str(), result, |held| reviewed(id, *rating, held, cx));
        }
        let output = done.reply("items")?;
        match output.data.get("items").and_then(|it| it.get(0)) {
            Some(Value::Object(only)) if self.reviews.is_one() => Ok(Output::from(only.clone())),
            _ => Ok(output),
        }
    }
}

impl Rating {
    /// The kernel's number; `None` for a card that is skipped.
    const fn digit(self) -> Option<u8> {
        match self {
            Rating::Again => Some(1),
            Rating::Hard => Some(2),
            Rating::Good => Some(3),
            Rating::Easy => Some(4),
            Rating::Skip => None,
        }
    }
}

/// Whether a card is as before. The time at which a new card is due is that of the read.
fn same(one: &Schedule, other: &Schedule) -> bool {
    let told = |it: &Schedule| (it.reps, it.lapses, it.state, it.last_review.clone());
    told(one) == told(other)
}

fn reviewed(id: &BlockId, rating: Rating, held: &BlockCard, cx: &Cx<'_>) -> Value {
    let mut told = object([("id", json!(id))]);
    told.extend(card::schedule(&held.schedule, cx));
    if rating == Rating::Skip {
        told.insert("skipped".to_owned(), json!(true));
    }
    Value::Object(told)
}

#[cfg(test)]
#[path = "review_card_tests.rs"]
mod tests;
