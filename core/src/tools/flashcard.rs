//! Spaced repetition: blocks that are flashcards, their decks and reviews.
//!
//! The kernel's lists know no notebooks, so every count is made of what is left of them.

pub mod add_cards;
mod block_cards;
mod card;
pub mod create_deck;
mod deck;
mod due_cards;
mod due_time;
pub mod list_cards;
pub mod list_decks;
pub mod list_due;
pub mod remove_cards;
pub mod reschedule_cards;
pub mod review_card;
mod sides;
#[cfg(test)]
mod testing;

actions! {
    list_decks::ListDecks,
    list_cards::ListCards,
    list_due::ListDue,
    add_cards::AddCards,
    remove_cards::RemoveCards,
    review_card::ReviewCard,
    reschedule_cards::RescheduleCards,
    create_deck::CreateDeck,
}
