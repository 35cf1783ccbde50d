//! `flashcard.list_cards`: the cards of a deck, notebook or document, due or not.

use std::collections::BTreeMap;

use serde_json::Value;

use super::card::{self, CardState};
use super::deck::{self, DeckName};
use super::sides;
use crate::content::paging::{PageStart, page};
use crate::content::window::CHARS_PER_TOKEN;
use crate::cx::WorkspacePart;
use crate::kernel::api::query::Row;
use crate::kernel::api::riff::{CardBlock, Schedule};
use crate::output::json_chars;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// List cards, due or not, of a deck, notebook or document.
///
/// Notebooks and documents are looked up in the built-in deck.
#[derive(Debug, Action)]
#[action(
    flashcard.list_cards,
    workspace = Read,
    danger = None,
    idempotent = true,
    calls = [
        riff::GET_RIFF_CARDS, riff::GET_NOTEBOOK_RIFF_CARDS, riff::GET_TREE_RIFF_CARDS, ..deck, ..sides,
    ],
    examples = [
        { "deck": "{deck}" },
        { "notebook": "{notebook}", "state": "due", "limit": 10, "budget": 500 },
        { "under": "{doc}" },
    ],
)]
pub struct ListCards {
    /// Id or exact name of a deck.
    #[read_by()]
    pub deck: Option<DeckName>,
    /// In which part of the workspace.
    #[args]
    #[needs(Read, else = workspace)]
    pub within: Within,
    /// Only cards in this state.
    pub state: CardState,
    /// A page of the cards.
    #[args]
    pub page: Paging<PageStart, 20, 100>,
    /// Approximate maximum length of the text, in tokens.
    pub budget: Int<100, 32_000, 2_000>,
}

impl Run for ListCards {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        one_scope(self.deck.as_ref(), &self.within)?;
        let now = card::now(cx);
        let found = match cx.within(&self.within).await? {
            WorkspacePart::All => {
                let deck = deck::named(self.deck.as_ref(), cx).await?;
                Some(cx.ask(riff::get_riff_cards(&deck)).await?)
            }
            WorkspacePart::Notebook(place) => {
                Some(cx.ask(riff::get_notebook_riff_cards(&place.notebook)).await?)
            }
            WorkspacePart::Under(place) => match &place.doc {
                Some(doc) => Some(cx.ask(riff::get_tree_riff_cards(doc)).await?),
                None => None,
            },
            WorkspacePart::Nothing => None,
        };
        let found = found.map(|it| cx.visible(it).blocks).unwrap_or_default();
        let mut cards: Vec<(CardBlock, Schedule)> =
            found.into_iter().filter_map(|it| it.schedule.clone().map(|schedule| (it, schedule))).collect();
        cards.retain(|(_, schedule)| self.state.has(schedule, now));
        cards.sort_by_cached_key(|(it, schedule)| (card::due_at(schedule, now), it.id.clone()));
        let (after, limit) = (self.page.after(), self.page.limit.get());
        let shown = page(&cards, after, limit, |(it, _)| &it.id).items;
        let items = items(shown, cx).await?;
        let n = fitting(&items, self.budget.get());
        let next = page(&cards, after, n.max(1), |(it, _)| &it.id).next;
        let items: Vec<Value> = items.into_iter().take(n).collect();
        Ok(Output::new().with("items", items).with("total", cards.len()).with("next", next))
    }
}

/// Refuses a deck together with a part of the workspace.
pub(super) fn one_scope(deck: Option<&DeckName>, within: &Within) -> Result<(), ToolError> {
    let named = [deck.is_some(), within.notebook.is_some(), within.under.is_some()];
    if named.into_iter().filter(|it| *it).count() > 1 {
        return Err(ToolError::field("deck|notebook|under", "at most one of them"));
    }
    Ok(())
}

async fn items(shown: &[(CardBlock, Schedule)], cx: &Cx<'_>) -> Result<Vec<Value>, ToolError> {
    let rows = sides::rows(shown.iter().map(|(it, _)| it.id.as_str()), cx).await?;
    let rows: BTreeMap<&str, &Row> = rows.iter().map(|row| (row.text("id"), row)).into_map();
    let known: Vec<(&Row, &(CardBlock, Schedule))> =
        shown.iter().filter_map(|it| Some((*rows.get(it.0.id.as_str())?, it))).collect();
    let sides = sides::of(&known.iter().map(|(row, _)| *row).collect::<Vec<_>>(), cx).await?;
    let items = known.iter().zip(sides).map(|((row, (it, schedule)), sides)| {
        card::to_json(row, &it.card, card::schedule(schedule, cx), &sides)
    });
    Ok(items.collect())
}

/// The number of items that fit into a budget, at least one.
fn fitting(items: &[Value], budget: usize) -> usize {
    let mut room = budget * CHARS_PER_TOKEN;
    let fits = |item: &&Value| {
        let size = json_chars(item);
        let fits = size <= room;
        room = room.saturating_sub(size);
        fits
    };
    items.iter().take_while(fits).count().max(1)
}

#[cfg(test)]
#[path = "list_cards_tests.rs"]
mod tests;
