//! The things that putting back leaves as they are, and the words for them.

use serde_json::{Value, json};

use crate::prelude::*;
use crate::runs::put_back::{BackDeed, StayReason};
use crate::runs::record::{ChangeKind, ChangedThing, RunChange, RunRecord};

/// The maximum number of calls that an error names.
const MOST_NAMED: usize = 20;

/// A document that stays as it is, or of which some blocks do.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct LeftDocument {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) why: StayReason,
    /// The blocks that stay while the rest goes back; empty if all of it stays.
    pub(super) blocks: Vec<String>,
}

impl LeftDocument {
    /// A document that stays whole.
    pub(super) fn whole(id: String, title: String, why: StayReason) -> LeftDocument {
        LeftDocument { id, title, why, blocks: Vec::new() }
    }

    pub(super) fn to_json(&self) -> Value {
        let blocks = Some(&self.blocks).filter(|it| !it.is_empty());
        Value::Object(object([
            ("id", json!(self.id)),
            ("title", json!(self.title)),
            ("why", json!(self.why.sentence())),
            ("blocks", json!(blocks)),
        ]))
    }

    /// Whether a part of it goes back.
    pub(super) fn is_part(&self) -> bool {
        !self.blocks.is_empty()
    }

    pub(super) fn to_thing(&self) -> Thing {
        Thing::titled(&self.title).with_id(&self.id)
    }
}

/// The number of changes of other things than documents with their blocks and databases, and of what nobody knows. They
/// stay.
pub(super) fn others(run: &RunRecord, call: Option<usize>) -> u64 {
    let comes_back = |database: &str| {
        let all = run.documents.iter().flat_map(|it| &it.databases);
        let is_made = |it: &RunChange| it.id == database && it.kind == ChangeKind::Created;
        all.into_iter().any(|it| it.id == database && !it.before.is_empty())
            || run.changes.iter().any(is_made)
    };
    let is_order =
        |it: &RunChange| run.orders.iter().any(|order| (order.call, &order.notebook) == (it.call, &it.id));
    let is_other = |it: &&RunChange| match it.what {
        ChangedThing::Notebook if is_order(it) => false,
        ChangedThing::Document | ChangedThing::Block => false,
        ChangedThing::Row => !comes_back(&it.r#in),
        ChangedThing::Database => it.kind == ChangeKind::Changed && !comes_back(&it.id),
        _ => true,
    };
    let is_of_it = |it: &&RunChange| call.is_none_or(|call| it.call == call);
    let unfinished = run.calls.iter().filter(|it| !it.finished).count();
    // Nobody knows what a call did that the server's end interrupted, unless a document is named with it.
    let is_unknown = call.is_none() && run.documents.iter().all(|it| !it.is_unfinished());
    let unknown = if is_unknown { unfinished } else { 0 };
    (run.changes.iter().filter(is_other).filter(is_of_it).count() + unknown) as u64
}

/// A document that moves back among those beside it.
pub(super) fn moved_json((id, title): &(String, String)) -> Value {
    json!({ "id": id, "title": title, "does": BackDeed::MovedBack.sentence() })
}

/// The calls of a run as an error names them.
pub(super) fn calls_of(run: &RunRecord) -> String {
    let each = run.calls.iter().enumerate().take(MOST_NAMED);
    let named: Vec<String> = each.map(|(number, it)| format!("{number} ({})", it.action)).collect();
    let more = match run.calls.len() {
        n if n > MOST_NAMED => format!(" … up to {}", n - 1),
        _ => String::new(),
    };
    format!("a call of this run: {}{more}", named.join(", "))
}
