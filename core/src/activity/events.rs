//! `puppyEvents.json`: the newest events, oldest first: the newest 32, and the newest 50 that end a call (B-290).

use serde::{Deserialize, Serialize};

use super::{CallEnd, Outcome, Record};
use crate::agents::AgentMark;

/// Name of the file, below the plugin's temp folder.
pub const EVENTS_FILE: &str = "puppyEvents.json";
/// The number of events kept, of whatever kind.
pub const KEPT: usize = 32;
/// The number of ends of calls kept: Activity lists as many calls, and the place of each is here alone. A call that asks
/// has three events, so fewer calls would be left of the newest ones. An event has some 250 bytes, so the file has at
/// most about 20 kB.
pub const ENDS: usize = 50;

/// The status of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallStatus {
    /// It runs.
    Running,
    /// It is done.
    Success,
    /// It failed.
    Error,
    /// It waits for a person.
    Dangerous,
}

impl CallStatus {
    /// The status that the file has under this word.
    pub fn named(word: &str) -> Option<CallStatus> {
        Some(match word {
            "running" => CallStatus::Running,
            "success" => CallStatus::Success,
            "error" => CallStatus::Error,
            "dangerous" => CallStatus::Dangerous,
            _ => return None,
        })
    }
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// A number that rises within an instance.
    pub seq: u64,
    /// The process that wrote it.
    pub instance: String,
    /// The tool.
    pub tool: String,
    /// The action.
    pub action: String,
    /// The status.
    pub status: CallStatus,
    /// The time, in milliseconds since 1970.
    pub ts: u64,
    /// The duration of the call in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// The notebook concerned; an id, never a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notebook: Option<String>,
    /// The document concerned; an id, never a title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// The item bought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// The title of the document that was deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The name that the client gave itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The agent as which the caller is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentMark>,
    /// The part of the duration that the call waited for a person, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_ms: Option<u64>,
    /// The type of the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_type: Option<String>,
}

impl Event {
    /// The name of the caller, if it has one; see [`AgentMark::caller`].
    pub fn caller(&self) -> Option<&str> {
        let name = AgentMark::caller(self.agent.as_ref(), self.client.as_deref().unwrap_or_default());
        Some(name).filter(|it| !it.is_empty())
    }

    /// The event of a call that began.
    pub fn started(seq: u64, instance: &str, record: &Record) -> Event {
        Event {
            seq,
            instance: instance.to_owned(),
            tool: record.spec.tool.name().to_owned(),
            action: record.spec.name.to_owned(),
            status: CallStatus::Running,
            ts: record.started_ms,
            duration_ms: None,
            notebook: None,
            doc: None,
            item: None,
            title: None,
            client: Some(record.client.to_string()).filter(|it| !it.is_empty()),
            agent: record.agent.as_deref().cloned(),
            waited_ms: None,
            error_type: None,
        }
    }

    /// The event of a call that ended.
    pub fn ended(seq: u64, instance: &str, record: &Record, ended: &CallEnd) -> Event {
        let (status, error_type) = match ended.outcome {
            Outcome::Success => (CallStatus::Success, None),
            Outcome::Cancelled => (CallStatus::Success, Some(super::CANCELLED.to_owned())),
            Outcome::Dangerous => (CallStatus::Dangerous, None),
            Outcome::Error(kind, _) => (CallStatus::Error, Some(kind.word().to_owned())),
        };
        Event {
            status,
            ts: record.started_ms + ended.duration_ms,
            duration_ms: Some(ended.duration_ms),
            notebook: ended.notebook.clone(),
            doc: ended.doc.clone(),
            item: ended.item.clone(),
            // Whatever was not deleted may be hidden later.
            title: ended.title.clone().filter(|_| ended.outcome == Outcome::Success),
            waited_ms: Some(ended.waited_ms).filter(|it| *it > 0),
            error_type,
            ..Event::started(seq, instance, record)
        }
    }
}

/// The file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EventFile {
    /// The events, oldest first.
    pub events: Vec<Event>,
    /// Coins.
    pub balance: u64,
    /// The total number of calls.
    pub total_calls: u64,
}

impl EventFile {
    /// Reads the file; a torn or foreign file counts as empty.
    pub fn parse(bytes: &[u8]) -> Option<EventFile> {
        serde_json::from_slice(bytes).ok()
    }

    /// Adds events and drops the oldest beyond the limits.
    pub fn add(&mut self, new: impl IntoIterator<Item = Event>) {
        self.events.extend(new);
        keep(&mut self.events);
    }
}

/// Drops the oldest events beyond the limits.
pub fn keep(events: &mut Vec<Event>) {
    let is_end = |it: &Event| matches!(it.status, CallStatus::Success | CallStatus::Error);
    let mut older = events.len();
    let mut ends = events.iter().filter(|it| is_end(it)).count();
    events.retain(|it| {
        let is_kept = older <= KEPT || (is_end(it) && ends <= ENDS);
        older -= 1;
        ends -= usize::from(is_end(it));
        is_kept
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AgentColor;

    fn record() -> Record {
        Record {
            spec: crate::registry::ACTIONS[0],
            transport: super::super::Transport::Http,
            started_ms: 5,
            client: "".into(),
            agent: None,
        }
    }

    fn event(seq: u64) -> Event {
        Event::started(seq, "i", &record())
    }

    /// A refused deletion leaves a document whose notebook may be hidden later.
    #[test]
    fn title_of_a_document_that_stays_is_not_kept() {
        let title = |outcome| {
            let reply = Ok(crate::output::Output::new());
            let ended =
                CallEnd { title: Some("Basil".to_owned()), ..CallEnd::of(outcome, &reply, 0, (5, 7), None) };
            Event::ended(1, "i", &record(), &ended).title
        };
        assert_eq!(title(Outcome::Success).as_deref(), Some("Basil"));
        for outcome in
            [Outcome::Dangerous, Outcome::Cancelled, Outcome::Error(crate::error::ErrorType::Denied, None)]
        {
            assert_eq!(title(outcome), None, "{outcome:?}");
        }
    }

    /// B-290: the newest 32 events, and the ends of the newest 50 calls, in their order.
    #[test]
    fn event_file_keeps_the_newest_events_and_ends() {
        let mut file = EventFile::default();
        file.add((0..40).map(event));
        let seqs = |file: &EventFile| file.events.iter().map(|it| it.seq).collect::<Vec<_>>();
        assert_eq!(seqs(&file), (8..40).collect::<Vec<_>>());
        let of = |seq: u64, status| Event { status, ..event(seq) };
        for call in 0..60 {
            let seq = 40 + 3 * call;
            file.add([event(seq), of(seq + 1, CallStatus::Dangerous), of(seq + 2, CallStatus::Success)]);
        }
        let ends = |it: &Event| it.status == CallStatus::Success;
        assert_eq!(file.events.iter().filter(|it| ends(it)).count(), ENDS);
        let (older, newest) = file.events.split_at(file.events.len() - KEPT);
        assert!(older.iter().all(ends));
        assert_eq!(newest.iter().map(|it| it.seq).collect::<Vec<_>>(), (188..220).collect::<Vec<_>>());
        assert!(seqs(&file).is_sorted());
        let text = serde_json::to_string(&file).unwrap();
        assert!(text.len() < 20_000, "{}", text.len());
    }

    /// A file of an earlier version lacks the newer fields.
    #[test]
    fn events_of_earlier_versions_are_read() {
        let old = r#"{"events":[{"seq":1,"instance":"i","tool":"fs","action":"read","status":"error","ts":7,"duration_ms":2,"error_type":"not_found"}],"balance":3,"total_calls":4}"#;
        let file = EventFile::parse(old.as_bytes()).unwrap();
        let event = &file.events[0];
        assert_eq!((event.ts, &event.client, &event.title, event.waited_ms), (7, &None, &None, None));
        assert_eq!(event.agent, None);
        let whole = Event {
            title: Some("Basil".to_owned()),
            client: Some("Claude".to_owned()),
            agent: Some(AgentMark { name: "Claude".to_owned(), color: AgentColor::Red, is_proved: true }),
            waited_ms: Some(5),
            ..event.clone()
        };
        let text = serde_json::to_string(&whole).unwrap();
        assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), whole);
    }

    #[test]
    fn an_event_names_the_agent_before_the_client() {
        let mark = AgentMark { name: "Ada".to_owned(), color: AgentColor::Red, is_proved: true };
        let client = Event { client: Some("claude-code".to_owned()), ..event(1) };
        let agent = Event { agent: Some(mark), ..client.clone() };
        assert_eq!([client.caller(), agent.caller()], [Some("claude-code"), Some("Ada")]);
    }

    #[test]
    fn event_omits_empty_fields() {
        let text = serde_json::to_string(&event(1)).unwrap();
        assert!(!text.contains("null") && text.contains(r#""status":"running""#), "{text}");
        assert_eq!(EventFile::parse(b"{torn"), None);
    }
}
