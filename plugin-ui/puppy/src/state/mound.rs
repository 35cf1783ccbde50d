//! The mound of earth beside the puppy: an agent has changed notes, and the person has not looked yet.

use puppy_core::activity::events::{CallStatus, Event};
use puppy_core::spec::Tool;
use puppy_ui_web::state::act::{Act, act};

/// The mound.
#[derive(Debug, Default)]
pub(super) struct Mound {
    is_there: bool,
}

impl Mound {
    /// Digs it when one of these calls changed notes.
    pub(super) fn hear(&mut self, fresh: &[&Event]) {
        self.is_there |= fresh.iter().any(|it| changes_notes(it));
    }

    /// Whether it is there.
    pub(super) fn is_there(&self) -> bool {
        self.is_there
    }

    /// Takes it away: the person looks at the run.
    pub(super) fn level(&mut self) {
        self.is_there = false;
    }
}

/// The puppy's own meals and what the page shows are no changes of notes.
fn changes_notes(event: &Event) -> bool {
    event.status == CallStatus::Success
        && event.error_type.is_none()
        && event.tool != Tool::Mascot.name()
        && event.notebook.is_some()
        && act(&event.tool, &event.action) != Act::Reading
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn digs(more: &Value) -> bool {
        let mut event = json!({ "seq": 1, "instance": "a", "tool": "block", "action": "update", "status": "success", "ts": 1, "notebook": "n" });
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let event: Event = serde_json::from_value(event).unwrap();
        let mut mound = Mound::default();
        mound.hear(&[&event]);
        mound.is_there()
    }

    #[test]
    fn a_call_that_changed_notes_leaves_a_mound() {
        assert!(digs(&json!({})) && digs(&json!({ "tool": "document", "action": "remove" })));
        for none in [
            json!({ "action": "get_attrs" }),
            json!({ "status": "running" }),
            json!({ "status": "error" }),
            json!({ "error_type": "cancelled" }),
            json!({ "notebook": null }),
            json!({ "tool": "mascot", "action": "buy" }),
        ] {
            assert!(!digs(&none), "{none}");
        }
    }

    #[test]
    fn a_look_at_the_run_levels_it() {
        let mut mound = Mound { is_there: true };
        mound.hear(&[]);
        assert!(mound.is_there());
        mound.level();
        assert!(!mound.is_there());
    }
}
