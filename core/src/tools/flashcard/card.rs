//! A card as answers tell it, and when it is due.

use serde_json::{Map, Value, json};

use super::sides::Sides;
use crate::content::stamp;
use crate::index;
use crate::kernel::api::query::Row;
use crate::kernel::api::riff::{DueCard, Schedule};
use crate::output::object;
use crate::prelude::*;

/// The kernel's number for cards that were never reviewed.
pub(super) const NEW: u8 = 0;
/// The kernel's number for cards that are learnt.
const REVIEW: u8 = 2;

/// Which cards of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum CardState {
    /// All of them.
    #[default]
    All,
    /// Those never reviewed.
    New,
    /// Those that come now, new ones included.
    Due,
    /// Those that are learnt.
    Learned,
}

/// The word for a state.
pub(super) const fn word(state: u8) -> &'static str {
    match state {
        NEW => "new",
        1 => "learning",
        REVIEW => "review",
        3 => "relearning",
        _ => "unknown",
    }
}

/// The moment at which a card is due, in seconds since 1970; 0 for a card that waits for its first review.
pub(super) fn due_at(schedule: &Schedule, now: i64) -> i64 {
    let due = stamp::seconds_of_rfc3339(&schedule.due).unwrap_or_default();
    // The kernel dates such a card with the present, which would order cards anew on each call.
    if schedule.state == NEW && due <= now { 0 } else { due }
}

/// Seconds since 1970.
pub(super) fn now(cx: &Cx<'_>) -> i64 {
    i64::try_from(cx.ambient().now_ms() / 1_000).unwrap_or_default()
}

impl CardState {
    /// Whether a card is one of these.
    pub(super) fn has(self, schedule: &Schedule, now: i64) -> bool {
        match self {
            CardState::All => true,
            CardState::New => schedule.state == NEW,
            CardState::Due => due_at(schedule, now) <= now,
            CardState::Learned => schedule.state == REVIEW,
        }
    }
}

/// The schedule of a card: {state, due, reps, lapses}.
pub(super) fn schedule(schedule: &Schedule, cx: &Cx<'_>) -> Map<String, Value> {
    let due = due_at(schedule, now(cx));
    let due = u64::try_from(due).ok().filter(|it| *it > 0).map(|due| {
        let at_ms = i64::try_from(due).unwrap_or_default().saturating_mul(1_000);
        stamp::with_offset(due, cx.ambient().local_offset(at_ms))
    });
    object([
        ("state", json!(word(schedule.state))),
        ("due", json!(due)),
        ("reps", json!(schedule.reps)),
        ("lapses", json!(schedule.lapses)),
    ])
}

/// The schedule of a card that is due: {state, reps, lapses, next}, with the time after each rating.
pub(super) fn due(card: &DueCard) -> Map<String, Value> {
    const RATINGS: [(&str, &str); 4] = [("1", "again"), ("2", "hard"), ("3", "good"), ("4", "easy")];
    let next = card.next.as_ref().map(|next| {
        let each =
            RATINGS.iter().filter_map(|(digit, word)| Some(((*word).to_owned(), json!(next.get(*digit)?))));
        Value::Object(each.collect())
    });
    object([
        ("state", json!(word(card.state))),
        ("reps", json!(card.reps)),
        ("lapses", json!(card.lapses)),
        ("next", next.unwrap_or_default()),
    ])
}

/// A card: its block and place, then the rest.
pub(super) fn to_json(row: &Row, card: &str, rest: Map<String, Value>, sides: &Sides) -> Value {
    let mut item = object([
        ("id", json!(row.text("id"))),
        ("card", json!(card)),
        ("doc", json!(row.text("root_id"))),
        ("hpath", json!(index::hpath(row))),
    ]);
    item.extend(rest);
    item.extend(sides.to_map());
    Value::Object(item)
}
