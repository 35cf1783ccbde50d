//! `flashcard.create_deck`: creates a deck.

use super::deck::{self, DEFAULT};
use crate::args::Checked;
use crate::content::incoming::is_plain;
use crate::prelude::*;
use crate::spec::Interpreter;
use crate::visible::is_seen;

/// Create a deck.
#[derive(Debug, Action)]
#[action(
    flashcard.create_deck,
    some = Write,
    danger = None,
    tier = advanced,
    idempotent = false,
    calls = [riff::CREATE_RIFF_DECK, ..deck],
    examples = [{ "name": "{new}" }],
)]
pub struct CreateDeck {
    /// Name of the deck.
    pub name: NewName,
}

/// A name that nobody mistakes for another deck, nor for an id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NewName(String);

impl Checked for NewName {
    const MOST: usize = 64;
    const READ_BY: &'static [Interpreter] = &[Interpreter::Html];
    const EXPECTED: &'static str = "one line of 1 to 64 visible characters, without markup, not an id";

    fn parse(text: &str) -> Result<NewName, &'static str> {
        let plain = text.trim() == text && text.chars().any(is_seen) && !text.contains(char::is_control);
        let fits = text.chars().count() <= Self::MOST && !crate::id::resembles_id(text);
        if plain && fits && is_plain(text) { Ok(NewName(text.to_owned())) } else { Err(Self::EXPECTED) }
    }
}

/// The maximum number of decks. Each is a request whenever decks are listed.
const MOST_DECKS: usize = 256;

impl Change for CreateDeck {
    type Facts = NewName;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<NewName>, ToolError> {
        let name = &self.name.0;
        let decks = cx.ask(riff::get_riff_decks()).await?;
        if name == DEFAULT || decks.iter().any(|it| it.name == *name) {
            return Err(ToolError::conflict("A deck with that name exists. Use it, or choose another name."));
        }
        if decks.len() >= MOST_DECKS {
            return Err(ToolError::conflict(format!(
                "There are {MOST_DECKS} decks already. Use one of them."
            )));
        }
        Ok(Plan::new("create", self.name.clone()).show("name", name.as_str()).touching(1, name))
    }

    async fn run(self, plan: Plan<NewName>, cx: &Cx<'_>) -> Reply {
        let made = cx.ask(riff::create_riff_deck(&plan.facts.0)).await?;
        Ok(Output::new().with("id", made.id).with("name", made.name))
    }
}

#[cfg(test)]
#[path = "create_deck_tests.rs"]
mod tests;
