//! `flashcard.list_due`: the cards to review now.
//!
//! SiYuan hands out so many cards a day, of all notebooks together. Cards of closed notebooks would take the places
//! of others and so tell of themselves. While a notebook is closed, the built-in deck is therefore asked for notebook
//! by notebook, and of another deck, for which SiYuan cannot do that, the due times alone decide.

use std::collections::BTreeMap;

use futures_util::future::try_join_all;
use serde_json::Value;

use super::card::{self, CardState, NEW};
use super::deck::{self, DeckName};
use super::handed::{CardScope, HandedCard, limited, visible};
use super::list_cards::one_scope;
use super::sides;
use crate::cx::WorkspacePart;
use crate::id::{DeckId, NotebookId};
use crate::kernel::api::query::Row;
use crate::kernel::api::riff::DueCard;
use crate::prelude::*;
use crate::sorted::{IntoSorted as _, SharedSort as _};

/// List the cards to review now, with the next interval of each rating.
///
/// Notebooks and documents are looked up in the built-in deck. The limits of the day are those of SiYuan.
#[derive(Debug, Action)]
#[action(
    flashcard.list_due,
    workspace = Read,
    danger = None,
    idempotent = true,
    calls = [
        riff::GET_RIFF_CARDS, riff::GET_RIFF_DUE_CARDS, riff::GET_NOTEBOOK_RIFF_DUE_CARDS,
        riff::GET_TREE_RIFF_DUE_CARDS, system::GET_CONF, ..deck, ..sides,
    ],
    examples = [
        { "answers": false },
        { "deck": "{deck}", "only": "new", "limit": 5 },
        { "notebook": "{notebook}" },
        { "under": "{doc}" },
    ],
)]
pub struct ListDue {
    /// Id or exact name of a deck.
    #[read_by()]
    pub deck: Option<DeckName>,
    /// In which part of the workspace.
    #[args]
    #[needs(Read, else = workspace)]
    pub within: Within,
    /// Only new cards, or old ones.
    pub only: DueFilter,
    /// Whether the backs are shown.
    pub answers: Flag<true>,
    /// Maximum number of results.
    pub limit: Int<1, 50, 10>,
}

/// Which of the due cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum DueFilter {
    /// All of them.
    #[default]
    All,
    /// Those never reviewed.
    New,
    /// Those reviewed before.
    Old,
}

impl Run for ListDue {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        one_scope(self.deck.as_ref(), &self.within)?;
        let mut due = self.due(cx).await?;
        let new = due.iter().filter(|it| it.state == NEW).count();
        let output = Output::new().with("due", due.len()).with("new", new).with("old", due.len() - new);
        due.retain(|it| match self.only {
            DueFilter::All => true,
            DueFilter::New => it.state == NEW,
            DueFilter::Old => it.state != NEW,
        });
        due.truncate(self.limit.get());
        Ok(output.with("items", self.items(&due, cx).await?))
    }
}

impl ListDue {
    async fn due(&self, cx: &Cx<'_>) -> Result<Vec<DueCard>, ToolError> {
        let is_limited_here = cx.grants().any_hidden();
        match cx.within(&self.within).await? {
            WorkspacePart::Nothing => Ok(Vec::new()),
            WorkspacePart::Notebook(place) => visible(of_notebook(&place.notebook, cx).await?, cx).await,
            WorkspacePart::Under(place) => match &place.doc {
                Some(doc) => {
                    let found = cx.ask(riff::get_tree_riff_due_cards(doc)).await?.cards;
                    visible(HandedCard::all(found, CardScope::Under(place)), cx).await
                }
                None => Ok(Vec::new()),
            },
            WorkspacePart::All => {
                let deck = deck::named(self.deck.as_ref(), cx).await?;
                let boxes: Vec<NotebookId> =
                    cx.readable_boxes().into_iter().filter_map(NotebookId::parse).collect();
                let found = match is_limited_here {
                    true if deck == DeckId::built_in() => by_notebook(&boxes, cx).await?,
                    true => HandedCard::all(by_time(&deck, cx).await?, CardScope::Everywhere),
                    false => HandedCard::all(
                        cx.ask(riff::get_riff_due_cards(&deck)).await?.cards,
                        CardScope::Everywhere,
                    ),
                };
                let found = visible(found, cx).await?;
                if is_limited_here { limited(found, cx).await } else { Ok(found) }
            }
        }
    }

    async fn items(&self, due: &[DueCard], cx: &Cx<'_>) -> Result<Vec<Value>, ToolError> {
        let rows = sides::rows(due.iter().map(|it| it.block.as_str()), cx).await?;
        let rows: BTreeMap<&str, &Row> = rows.iter().map(|row| (row.text("id"), row)).into_map();
        let known: Vec<(&Row, &DueCard)> =
            due.iter().filter_map(|it| Some((*rows.get(it.block.as_str())?, it))).collect();
        let sides = sides::of(&known.iter().map(|(row, _)| *row).collect::<Vec<_>>(), cx).await?;
        let told = known.iter().zip(sides).map(|((row, it), sides)| {
            let sides = if self.answers.is_set() { sides } else { sides.asking() };
            card::to_json(row, &it.card, card::due(it), &sides)
        });
        Ok(told.collect())
    }
}

/// The due cards of the built-in deck, as SiYuan hands them out for each notebook that the caller may read.
async fn by_notebook<'a>(boxes: &'a [NotebookId], cx: &Cx<'_>) -> Result<Vec<HandedCard<'a>>, ToolError> {
    Ok(try_join_all(boxes.iter().map(|id| of_notebook(id, cx))).await?.into_iter().flatten().collect())
}

async fn of_notebook<'a>(id: &'a NotebookId, cx: &Cx<'_>) -> Result<Vec<HandedCard<'a>>, ToolError> {
    let found = cx.ask(riff::get_notebook_riff_due_cards(id)).await?;
    Ok(HandedCard::all(found.cards, CardScope::Notebook(id)))
}

/// The cards of a deck whose time has come; without the next intervals, which SiYuan tells of handed out cards only.
async fn by_time(deck: &DeckId, cx: &Cx<'_>) -> Result<Vec<DueCard>, ToolError> {
    let now = card::now(cx);
    let mut cards = cx.visible(cx.ask(riff::get_riff_cards(deck)).await?).blocks;
    cards.sort_shared_by(|one, other| one.id.cmp(&other.id));
    let due = cards.into_iter().filter_map(|it| {
        let schedule = it.schedule.filter(|it| CardState::Due.has(it, now))?;
        let (reps, lapses, state) = (schedule.reps, schedule.lapses, schedule.state);
        Some(DueCard { card: it.card, block: it.id, reps, lapses, state, next: None })
    });
    Ok(due.collect())
}

#[cfg(test)]
#[path = "list_due_tests.rs"]
mod tests;
