//! Flashcards: decks, cards, reviews.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::endpoints;
use crate::grants::{Filter, Grants, InNotebook, Unfiltered};
use crate::id::{BlockId, DeckId, DocId, NotebookId};
use crate::kernel::NonEmpty;

/// The maximum number of cards of a list. SQLite, which the kernel asks for their blocks, takes few more values.
const MOST: usize = 30_000;

endpoints! { "/api/riff/";
    /// The decks without the built-in one, the last changed first.
    read GET_RIFF_DECKS get_riff_decks() -> Vec<Deck> = "getRiffDecks" {};
    /// Creates a deck; the kernel takes an empty name, and a name twice.
    write CREATE_RIFF_DECK create_riff_deck(name: &str) -> Deck = "createRiffDeck" { "name": name };
    /// The cards of a deck with their blocks. One request reads all of them, because the number of pages would tell
    /// how many cards lie in closed notebooks.
    read GET_RIFF_CARDS get_riff_cards(deck: &DeckId) -> Unfiltered<Cards> = "getRiffCards" {
        "id": deck, "page": 1, "pageSize": MOST,
    };
    /// Like `GET_RIFF_CARDS`, for the built-in deck's cards in a notebook.
    read GET_NOTEBOOK_RIFF_CARDS get_notebook_riff_cards(id: &NotebookId) -> Unfiltered<Cards>
        = "getNotebookRiffCards" { "id": id, "page": 1, "pageSize": MOST };
    /// Like `GET_RIFF_CARDS`, for the built-in deck's cards in a document and below.
    read GET_TREE_RIFF_CARDS get_tree_riff_cards(id: &DocId) -> Unfiltered<Cards>
        = "getTreeRiffCards" { "id": id, "page": 1, "pageSize": MOST };
    /// The built-in deck's cards of these blocks; a block without one comes without its schedule.
    read GET_RIFF_CARDS_BY_BLOCK_IDS get_riff_cards_by_block_ids(blocks: NonEmpty<'_, BlockId>) -> Unfiltered<Cards>
        = "getRiffCardsByBlockIDs" { "blockIDs": blocks };
    /// The cards of a deck that the kernel hands out now. Without the cards reviewed so far it begins a new round.
    read GET_RIFF_DUE_CARDS get_riff_due_cards(deck: &DeckId) -> DueCards = "getRiffDueCards" { "deckID": deck };
    /// Like `GET_RIFF_DUE_CARDS`, for the built-in deck's cards in a notebook.
    read GET_NOTEBOOK_RIFF_DUE_CARDS get_notebook_riff_due_cards(id: &NotebookId) -> DueCards
        = "getNotebookRiffDueCards" { "notebook": id };
    /// Like `GET_RIFF_DUE_CARDS`, for the built-in deck's cards in a document and below.
    read GET_TREE_RIFF_DUE_CARDS get_tree_riff_due_cards(id: &DocId) -> DueCards
        = "getTreeRiffDueCards" { "rootID": id };
    /// Makes cards of blocks. A missing deck marks the blocks and makes no card; a missing block makes a card of
    /// nothing.
    write ADD_RIFF_CARDS add_riff_cards(deck: &DeckId, blocks: NonEmpty<'_, BlockId>) -> Deck
        = "addRiffCards" { "deckID": deck, "blockIDs": blocks };
    /// Removes cards from a deck; the empty id would mean every deck.
    write REMOVE_RIFF_CARDS remove_riff_cards(deck: &DeckId, blocks: NonEmpty<'_, BlockId>) -> Deck
        = "removeRiffCards" { "deckID": deck, "blockIDs": blocks };
    /// Rates a card, 1 to 4; an unknown card or rating is code 0 without effect.
    silent REVIEW_RIFF_CARD review_riff_card(deck: &DeckId, card: &str, rating: u8) -> ()
        = "reviewRiffCard" { "deckID": deck, "cardID": card, "rating": rating };
    /// Leaves a card out for the rest of the round.
    silent SKIP_REVIEW_RIFF_CARD skip_review_riff_card(deck: &DeckId, card: &str) -> ()
        = "skipReviewRiffCard" { "deckID": deck, "cardID": card };
    /// Sets when cards of the built-in deck are due; those of other decks are passed over.
    silent BATCH_SET_RIFF_CARDS_DUE_TIME batch_set_riff_cards_due_time(cards: NonEmpty<'_, NewDue<'_>>) -> ()
        = "batchSetRiffCardsDueTime" { "cardDues": cards };
    /// Removes cards and makes them anew; an empty list would mean the whole deck.
    silent RESET_RIFF_CARDS reset_riff_cards(deck: &DeckId, blocks: NonEmpty<'_, BlockId>) -> ()
        = "resetRiffCards" { "type": "deck", "id": deck, "deckID": deck, "blockIDs": blocks };
}

/// A deck. Its `size` counts cards of all notebooks, and of blocks that are gone, so it stays unread.
#[derive(Debug, Clone, Deserialize)]
pub struct Deck {
    pub id: String,
    #[serde(default)]
    pub name: String,
}

/// Cards with their blocks. The kernel's own totals count every notebook, so they stay unread.
#[derive(Debug, Deserialize)]
pub struct Cards {
    /// The cards; one whose block is gone has no notebook.
    #[serde(default, deserialize_with = "super::list")]
    pub blocks: Vec<CardBlock>,
}

impl Filter for Cards {
    fn filter(mut self, grants: &Grants) -> Self {
        self.blocks = self.blocks.filter(grants);
        self
    }
}

/// A block with its card.
#[derive(Debug, Clone, Deserialize)]
pub struct CardBlock {
    /// The block.
    pub id: String,
    #[serde(rename = "box", default)]
    pub notebook: String,
    /// The id of the card.
    #[serde(rename = "riffCardID", default)]
    pub card: String,
    /// Its schedule; `None` for a block without a card.
    #[serde(rename = "riffCard", default)]
    pub schedule: Option<Schedule>,
}

impl InNotebook for CardBlock {
    fn notebook(&self) -> &str {
        &self.notebook
    }
}

/// When a card comes next.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Schedule {
    /// The moment, RFC 3339; the present one for a card that was never reviewed.
    pub due: String,
    /// The number of reviews.
    #[serde(default)]
    pub reps: u64,
    /// The number of times that it was forgotten.
    #[serde(default)]
    pub lapses: u64,
    /// 0 new, 1 learning, 2 review, 3 relearning.
    #[serde(default)]
    pub state: u8,
    /// The last review, RFC 3339.
    #[serde(default)]
    pub last_review: String,
}

/// Reply of the lists of due cards; their counts ignore levels and stay unread.
#[derive(Debug, Deserialize)]
pub struct DueCards {
    /// The cards, without their notebooks.
    #[serde(default, deserialize_with = "super::list")]
    pub cards: Vec<DueCard>,
}

/// A card that is due.
#[derive(Debug, Clone, Deserialize)]
pub struct DueCard {
    #[serde(rename = "cardID")]
    pub card: String,
    #[serde(rename = "blockID")]
    pub block: String,
    /// The number of reviews.
    #[serde(default)]
    pub reps: u64,
    /// The number of times that it was forgotten.
    #[serde(default)]
    pub lapses: u64,
    /// 0 new, 1 learning, 2 review, 3 relearning.
    #[serde(default)]
    pub state: u8,
    /// The time until the card comes again, in words, by rating 1 to 4.
    #[serde(rename = "nextDues", default)]
    pub next: Option<BTreeMap<String, String>>,
}

/// A card with the time at which it shall be due.
#[derive(Debug, Clone, Serialize)]
pub struct NewDue<'a> {
    id: &'a str,
    due: &'a str,
}

impl<'a> NewDue<'a> {
    /// This card, due at these digits `YYYYMMDDHHmmss` of the kernel's local time.
    pub fn of(card: &'a str, digits: &'a str) -> Self {
        NewDue { id: card, due: digits }
    }
}
