//! Flashcards: decks of cards, and when a card comes next.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, TimeDelta, Timelike, Utc};
use rs_fsrs::{Card, FSRS, Parameters, Rating, RecordLog, State};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::answer::Refusal;
use crate::moment::now_chrono;
use crate::store::Db;

/// The deck that is always there for callers, though no list names it.
pub(crate) const BUILT_IN: &str = "20230218211946-2kw8jgx";
/// The limit of new cards per day.
const NEW_LIMIT: usize = 20;
/// The limit of reviewed cards per day.
const REVIEW_LIMIT: usize = 200;
/// SiYuan's weights; the crate's own are older.
const WEIGHTS: [f64; 19] = [
    0.40255, 1.18385, 3.173, 15.69105, 7.1949, 0.5345, 1.4604, 0.0046, 1.54575, 0.1192, 1.01925, 1.9395,
    0.11, 0.29605, 2.2698, 0.2315, 2.9898, 0.51655, 0.6621,
];
/// The first moment of year 1, in milliseconds: what a card without a review names as its last one.
const NEVER: i64 = -62_135_596_800_000;

/// A deck as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Deck {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    /// By card id: the block and its schedule.
    pub(crate) cards: BTreeMap<String, Flashcard>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Flashcard {
    pub(crate) block: String,
    pub(crate) schedule: Card,
}

/// The cards reviewed and skipped in this round.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Round {
    /// Cards as they were before their first review of the round.
    reviewed: BTreeMap<String, Flashcard>,
    skipped: BTreeSet<String>,
}

/// The due cards, and how many of them are new.
#[derive(Debug, Default)]
pub(crate) struct Due {
    pub(crate) cards: Vec<Value>,
    pub(crate) unreviewed: usize,
    unreviewed_new: usize,
    unreviewed_old: usize,
}

fn never() -> DateTime<Utc> {
    DateTime::from_timestamp_millis(NEVER).unwrap_or_default()
}

impl Flashcard {
    fn new(block: &str) -> Flashcard {
        let schedule = Card { due: now_chrono(), last_review: never(), ..Card::default() };
        Flashcard { block: block.to_owned(), schedule }
    }

    fn is_due(&self, now: DateTime<Utc>) -> bool {
        self.schedule.due <= now
    }

    /// The schedule after each rating.
    fn next(&self, now: DateTime<Utc>) -> RecordLog {
        let parameters = Parameters { w: WEIGHTS, enable_fuzz: false, ..Parameters::default() };
        FSRS::new(parameters).repeat(self.schedule.clone(), now)
    }

    /// A rating that does not exist leaves a card as if it were new, due since ever: the kernel reads an empty schedule.
    fn review(&mut self, rating: i64, now: DateTime<Utc>) {
        let next = self.next(now);
        let chosen =
            Rating::iter().find(|known| **known as i64 == rating).and_then(|rating| next.get(rating));
        let empty = || Card { due: never(), last_review: never(), ..Card::default() };
        self.schedule = chosen.map_or_else(empty, |info| info.card.clone());
    }

    /// The card as lists of blocks show it.
    pub(crate) fn show(&self) -> Value {
        let card = &self.schedule;
        let due = if card.due == never() { now_chrono() } else { card.due };
        let time = |time: DateTime<Utc>| time.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true);
        json!({
            "due": time(due), "reps": card.reps, "lapses": card.lapses, "state": card.state as i64,
            "lastReview": time(card.last_review),
        })
    }

    fn show_due(&self, deck: &str, id: &str, now: DateTime<Utc>) -> Value {
        let next = self.next(now);
        let dues = Rating::iter().filter_map(|rating| {
            let due = next.get(rating)?.card.due;
            Some(((*rating as i64).to_string(), json!(distance(now, due))))
        });
        json!({
            "deckID": deck, "cardID": id, "blockID": self.block, "lapses": self.schedule.lapses,
            "reps": self.schedule.reps, "state": self.schedule.state as i64,
            "lastReview": self.schedule.last_review.timestamp_millis(),
            "nextDues": Value::Object(dues.collect()),
        })
    }
}

/// The time between two moments by the calendar, in English, without its seconds.
fn distance(from: DateTime<Utc>, to: DateTime<Utc>) -> String {
    let (a, b) = if from > to { (to, from) } else { (from, to) };
    let mut months = (b.year() - a.year()) * 12 + b.month() as i32 - a.month() as i32;
    let mut days = b.day() as i32 - a.day() as i32;
    let clock = |time: DateTime<Utc>| TimeDelta::seconds(time.num_seconds_from_midnight().into());
    let mut clocks = clock(b) - clock(a);
    if clocks < TimeDelta::zero() {
        clocks += TimeDelta::days(1);
        days -= 1;
    }
    if days < 0 {
        days += days_in_month(a.date_naive());
        months -= 1;
    }
    let minutes = clocks.num_minutes();
    let parts = [
        (i64::from(months / 12), "year"),
        (i64::from(months % 12), "month"),
        (i64::from(days), "day"),
        (minutes / 60, "hour"),
        (minutes % 60, "minute"),
    ];
    let shown = parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, unit)| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{count} {unit}{plural}")
    });
    // The kernel leaves two spaces between the parts.
    shown.collect::<Vec<_>>().join("  ")
}

fn days_in_month(date: NaiveDate) -> i32 {
    let first = date.with_day(1).unwrap_or(date);
    let next = first.checked_add_months(Months::new(1)).and_then(|next| next.checked_sub_days(Days::new(1)));
    next.map_or(30, |last| last.day() as i32)
}

impl Deck {
    pub(crate) fn new(id: &str, name: &str) -> Deck {
        let now = crate::id::now_ms();
        Deck { id: id.to_owned(), name: name.to_owned(), created: now, updated: now, cards: BTreeMap::new() }
    }

    pub(crate) fn show(&self) -> Value {
        json!({
            "id": self.id, "name": self.name, "size": self.cards.len(),
            "created": crate::id::clock(self.created / 1000), "updated": crate::id::clock(self.updated / 1000),
        })
    }

    /// Makes a card of each block that has none here, whether the block exists or not.
    pub(crate) fn add(&mut self, blocks: &[&str]) {
        for block in blocks {
            if !self.cards.values().any(|card| card.block == *block) {
                self.cards.insert(crate::id::new_id(), Flashcard::new(block));
            }
        }
    }

    pub(crate) fn remove(&mut self, blocks: &[&str]) {
        self.cards.retain(|_, card| !blocks.contains(&card.block.as_str()));
    }

    /// The cards that are due, of these blocks or of all.
    fn due(
        &self,
        db: &Db<'_>,
        round: &mut Round,
        reviewed: &[&str],
        only: &BTreeSet<String>,
        limits: (usize, usize),
    ) -> Result<Due, Refusal> {
        if reviewed.is_empty() {
            *round = Round::default();
        }
        let now = now_chrono();
        let is_new = |card: &Flashcard| card.schedule.state == State::New;
        let mut new = round.reviewed.values().filter(|card| is_new(card)).count();
        let mut old = round.reviewed.len() - new;
        let mut due = Due::default();
        for (id, card) in self.cards.iter().filter(|(_, card)| card.is_due(now)) {
            let meant = only.is_empty() || only.contains(&card.block);
            if !meant || round.skipped.contains(id) || db.root_of(&card.block)?.is_none() {
                continue;
            }
            let (count, limit, unreviewed) = if is_new(card) {
                (&mut new, limits.0, &mut due.unreviewed_new)
            } else {
                (&mut old, limits.1, &mut due.unreviewed_old)
            };
            let within = *count < limit;
            if !reviewed.contains(&id.as_str()) {
                due.unreviewed += 1;
                *unreviewed += usize::from(within);
            }
            if within {
                *count += 1;
                due.cards.push(card.show_due(&self.id, id, now));
            }
        }
        Ok(due)
    }
}

impl Due {
    pub(crate) fn show(&self) -> Value {
        self.with(&json!(self.cards))
    }

    /// Without a deck there is no list either.
    pub(crate) fn of_nothing() -> Value {
        Due::default().with(&Value::Null)
    }

    fn with(&self, cards: &Value) -> Value {
        json!({
            "cards": cards, "unreviewedCount": self.unreviewed,
            "unreviewedNewCardCount": self.unreviewed_new, "unreviewedOldCardCount": self.unreviewed_old,
        })
    }
}

const DECK: &str = "deck";
const ROUND: &str = "round";

impl Db<'_> {
    pub(crate) fn deck(&self, id: &str) -> Result<Option<Deck>, Refusal> {
        self.document(DECK, id)
    }

    /// All decks, the last changed first.
    pub(crate) fn decks(&self) -> Result<Vec<Deck>, Refusal> {
        Ok(self.documents(DECK)?.into_iter().map(|(_, deck)| deck).collect())
    }

    pub(crate) fn save_deck(&self, deck: &mut Deck) -> Result<(), Refusal> {
        deck.updated = crate::id::now_ms();
        self.save_document(DECK, &deck.id, deck)
    }

    pub(crate) fn remove_deck(&self, id: &str) -> Result<(), Refusal> {
        self.remove_document(DECK, id)
    }

    /// The due cards of a deck; `limits` are those of a document, where it has its own.
    pub(crate) fn due_cards(
        &self,
        deck: &Deck,
        reviewed: &[&str],
        only: &BTreeSet<String>,
        limits: (Option<usize>, Option<usize>),
    ) -> Result<Due, Refusal> {
        let mut round = self.document(ROUND, "")?.unwrap_or_default();
        let limits = (limits.0.unwrap_or(NEW_LIMIT), limits.1.unwrap_or(REVIEW_LIMIT));
        let due = deck.due(self, &mut round, reviewed, only, limits)?;
        self.save_document(ROUND, "", &round)?;
        Ok(due)
    }

    /// Rates a card; a second rating in one round replaces the first.
    pub(crate) fn review_card(
        &self,
        deck: &mut Deck,
        id: &str,
        rating: i64,
        reviewed: &[&str],
    ) -> Result<(), Refusal> {
        let Some(card) = deck.cards.get_mut(id) else { return Ok(()) };
        let mut round: Round = self.document(ROUND, "")?.unwrap_or_default();
        if let Some(before) = round.reviewed.get(id) {
            card.clone_from(before);
            round.skipped.remove(id);
        } else {
            round.reviewed.insert(id.to_owned(), card.clone());
        }
        card.review(rating, now_chrono());
        self.save_document(ROUND, "", &round)?;
        self.save_deck(deck)?;
        if self.due_cards(deck, reviewed, &BTreeSet::new(), (None, None))?.unreviewed == 0 {
            self.save_document(ROUND, "", &Round::default())?;
        }
        Ok(())
    }

    pub(crate) fn skip_card(&self, id: &str) -> Result<(), Refusal> {
        let mut round: Round = self.document(ROUND, "")?.unwrap_or_default();
        round.skipped.insert(id.to_owned());
        self.save_document(ROUND, "", &round)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(day: u32, hour: u32, minute: u32) -> DateTime<Utc> {
        NaiveDate::from_ymd_opt(2025, 1, day).unwrap().and_hms_opt(hour, minute, 0).unwrap().and_utc()
    }

    #[test]
    fn card_due_distances_use_the_calendar() {
        assert_eq!(distance(at(1, 0, 0), at(17, 0, 0)), "16 days");
        assert_eq!(distance(at(1, 0, 0), at(1, 0, 10)), "10 minutes");
        assert_eq!(distance(at(1, 23, 30), at(3, 0, 31)), "1 day  1 hour  1 minute");
        assert_eq!(distance(at(31, 0, 0), at(31, 0, 0) + TimeDelta::days(28)), "28 days");
        assert_eq!(distance(at(1, 0, 0), at(1, 0, 0) + TimeDelta::days(400)), "1 year  1 month  4 days");
    }

    #[test]
    fn new_card_is_due_as_in_the_kernel() {
        let mut card = Flashcard::new("b");
        let now = at(1, 12, 0);
        let due = |card: &Flashcard| card.show_due("d", "c", now)["nextDues"].clone();
        assert_eq!(due(&card), json!({"1": "1 minute", "2": "5 minutes", "3": "10 minutes", "4": "16 days"}));
        card.review(4, now);
        assert_eq!((card.schedule.reps, card.schedule.state), (1, State::Review));
        assert!(!card.is_due(now));
        card.review(9, now);
        assert_eq!((card.schedule.reps, card.is_due(now)), (0, true));
    }

    #[test]
    fn block_has_one_card_per_deck() {
        let mut deck = Deck::new("d", "D");
        deck.add(&["a", "b", "a"]);
        assert_eq!(deck.cards.len(), 2);
        deck.remove(&["a"]);
        assert_eq!(deck.cards.values().map(|card| card.block.as_str()).collect::<Vec<_>>(), ["b"]);
    }
}
