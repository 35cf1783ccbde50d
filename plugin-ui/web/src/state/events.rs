//! The puppy's events as the browser reads them from JSON: a reader of our own would be a fifth of the module that loads
//! with SiYuan.

use puppy_core::activity::events::{CallStatus, Event, EventFile};
use puppy_core::agents::{AgentColor, AgentMark};

/// An object of JSON.
pub trait Fields: Sized {
    /// A field that is text.
    fn text(&self, key: &str) -> Option<String>;
    /// A field that is a count.
    fn number(&self, key: &str) -> Option<u64>;
    /// A field that is a list.
    fn list(&self, key: &str) -> Option<Vec<Self>>;
    /// A field that is an object.
    fn object(&self, key: &str) -> Option<Self>;
    /// Whether a field is true.
    fn is(&self, key: &str) -> bool;
}

/// The file of events; `None` for another file.
pub fn event_file(file: &impl Fields) -> Option<EventFile> {
    Some(EventFile {
        events: file.list("events")?.iter().map(event).collect::<Option<_>>()?,
        balance: file.number("balance").unwrap_or_default(),
        total_calls: file.number("total_calls").unwrap_or_default(),
    })
}

fn event(it: &impl Fields) -> Option<Event> {
    Some(Event {
        seq: it.number("seq")?,
        instance: it.text("instance")?,
        tool: it.text("tool")?,
        action: it.text("action")?,
        status: CallStatus::named(&it.text("status")?)?,
        ts: it.number("ts")?,
        duration_ms: it.number("duration_ms"),
        notebook: it.text("notebook"),
        doc: it.text("doc"),
        item: it.text("item"),
        title: it.text("title"),
        client: it.text("client"),
        agent: it.object("agent").as_ref().and_then(agent),
        waited_ms: it.number("waited_ms"),
        error_type: it.text("error_type"),
    })
}

fn agent(it: &impl Fields) -> Option<AgentMark> {
    let color = AgentColor::named(&it.text("color")?).unwrap_or_default();
    Some(AgentMark { name: it.text("name")?, color, is_proved: it.is("is_proved") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    impl Fields for Value {
        fn text(&self, key: &str) -> Option<String> {
            self.get(key)?.as_str().map(str::to_owned)
        }

        fn number(&self, key: &str) -> Option<u64> {
            self.get(key)?.as_u64()
        }

        fn list(&self, key: &str) -> Option<Vec<Value>> {
            self.get(key)?.as_array().cloned()
        }

        fn object(&self, key: &str) -> Option<Value> {
            self.get(key).filter(|it| it.is_object()).cloned()
        }

        fn is(&self, key: &str) -> bool {
            self.get(key) == Some(&json!(true))
        }
    }

    fn whole(status: CallStatus) -> Event {
        let some = |text: &str| Some(text.to_owned());
        Event {
            seq: 1,
            instance: "a".to_owned(),
            tool: "fs".to_owned(),
            action: "write".to_owned(),
            status,
            ts: 2,
            duration_ms: Some(3),
            notebook: some("b"),
            doc: some("c"),
            item: some("d"),
            title: some("e"),
            client: some("f"),
            agent: Some(AgentMark { name: "h".to_owned(), color: AgentColor::Red, is_proved: true }),
            waited_ms: Some(4),
            error_type: some("g"),
        }
    }

    /// The names of the fields are those that core writes.
    #[test]
    fn every_field_that_servers_write_is_read() {
        let states = [CallStatus::Running, CallStatus::Success, CallStatus::Error, CallStatus::Dangerous];
        let file = EventFile { events: states.map(whole).into(), balance: 5, total_calls: 6 };
        assert_eq!(event_file(&serde_json::to_value(&file).unwrap()), Some(file));
    }

    #[test]
    fn another_file_has_no_events() {
        let least =
            json!({ "seq": 1, "instance": "a", "tool": "b", "action": "c", "status": "error", "ts": 2 });
        assert!(event_file(&json!({ "events": [least] })).is_some());
        for missing in ["seq", "instance", "tool", "action", "status", "ts"] {
            let mut event = least.clone();
            event.as_object_mut().unwrap().remove(missing);
            assert_eq!(event_file(&json!({ "events": [event] })), None, "{missing}");
        }
        for other in [json!([]), json!({}), json!({ "events": "none" }), json!({ "events": [1] })] {
            assert_eq!(event_file(&other), None, "{other}");
        }
    }
}
