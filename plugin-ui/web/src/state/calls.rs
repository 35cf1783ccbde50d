//! The calls that the servers recorded: lines of analytics and the newest events, read, joined and cleared.

mod sums;
#[cfg(test)]
mod tests;
mod view;

use std::cmp::Reverse;

use puppy_core::activity::analytics::approx_tokens;
use puppy_core::activity::events::{CallStatus, Event, EventFile};
use puppy_core::activity::{CANCELLED, Transport};
use puppy_core::agents::AgentMark;
use puppy_core::dispatch::CONFIRM_MS;
use puppy_core::error::ErrorType;
use serde_json::Value;

use crate::state::day::Clock;

use super::bubble;

pub use sums::{DayCount, Sums};
pub use view::{Filter, Only, PERIODS};

/// The longest name that is taken for one of an action or an error.
const LONGEST: usize = 60;

/// The greatest length of a client's name or a title, in characters.
const CLIENT: usize = 40;

/// The end of a call, or its absence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// It runs, or its process ended before it.
    Runs,
    /// Done.
    Done,
    /// Cancelled by its caller.
    Cancelled,
    /// It waits for a person.
    Waits,
    /// It came back for a confirmation, which another call may have brought.
    Asked,
    /// As [`End::Asked`], and the time for the confirmation is over.
    Lapsed,
    /// The person said no.
    Refused,
    /// The person did not answer in time.
    Expired,
    /// The person had paused all agents.
    Paused,
    /// The levels or switches did not allow it.
    Denied,
    /// It failed with an error of this type.
    Failed(String),
}

impl End {
    fn of(error_type: Option<&str>, is_error: bool) -> Option<End> {
        Some(match error_type {
            Some(CANCELLED) => End::Cancelled,
            Some(it) if it == ErrorType::ConfirmationRequired.word() => End::Asked,
            Some(it) if it == ErrorType::Denied.word() => End::Refused,
            Some(it) if it == ErrorType::Expired.word() => End::Expired,
            Some(it) if it == ErrorType::Paused.word() => End::Paused,
            Some(it)
                if [ErrorType::PermissionDenied, ErrorType::Disabled].iter().any(|own| own.word() == it) =>
            {
                End::Denied
            }
            Some(it) => End::Failed(plain(it)?.to_owned()),
            None if is_error => End::Failed(String::new()),
            None => End::Done,
        })
    }

    /// The end as an event has it; none if it is of another version.
    pub fn of_event(event: &Event) -> Option<End> {
        Some(match event.status {
            CallStatus::Running => End::Runs,
            CallStatus::Dangerous => End::Waits,
            CallStatus::Success | CallStatus::Error => {
                End::of(event.error_type.as_deref(), event.status == CallStatus::Error)?
            }
        })
    }

    /// Whether the call was refused or failed.
    pub fn is_bad(&self) -> bool {
        matches!(self, End::Denied | End::Refused | End::Expired | End::Paused | End::Failed(_))
    }
}

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Its beginning, in milliseconds since 1970.
    pub at: u64,
    /// Tool and action, as `block.get`.
    pub action: String,
    /// The word of its transport; empty where only an event tells of it.
    pub transport: &'static str,
    /// Its duration in milliseconds, without the time that it waited for a person.
    pub took_ms: u64,
    /// The time that it waited for a person, in milliseconds.
    pub waited_ms: u64,
    /// The name that the client gave itself; empty where there is none.
    pub client: String,
    /// The agent as which the caller is known.
    pub agent: Option<AgentMark>,
    /// The title of its document, if that was deleted by it or later, as long as an event tells of it.
    pub title: String,
    /// Its end.
    pub end: End,
    /// Approximate tokens of question and answer.
    pub tokens: u64,
    /// Ids of the notebook and the document that it concerned.
    pub place: Option<(String, Option<String>)>,
}

impl Call {
    /// The call of a line; none unless it has the expected fields, with names of letters only.
    fn parse(line: &str) -> Option<Call> {
        let value: Value = serde_json::from_str(line).ok()?;
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let number = |key: &str| value.get(key).and_then(Value::as_u64);
        let tokens = |key| number(key).unwrap_or_default().min(approx_tokens(usize::MAX) as u64);
        let transport = text("transport")?;
        Some(Call {
            at: number("timestamp")?,
            action: action(text("category")?, text("action")?)?,
            transport: Transport::ALL.map(Transport::word).into_iter().find(|it| *it == transport)?,
            took_ms: number("duration_ms")?.saturating_sub(number("waited_ms").unwrap_or_default()),
            waited_ms: number("waited_ms").unwrap_or_default(),
            client: bubble::line(text("client").unwrap_or_default(), CLIENT),
            agent: value.get("agent").and_then(|it| serde_json::from_value(it.clone()).ok()).map(on_one_line),
            title: String::new(),
            end: End::of(text("error_type"), text("status")? != "success")?,
            tokens: tokens("request_approx_tokens").saturating_add(tokens("response_approx_tokens")),
            place: None,
        })
    }

    fn of_event(event: &Event) -> Option<Call> {
        let took_ms = event.duration_ms.unwrap_or_default();
        let waited_ms = event.waited_ms.unwrap_or_default();
        let end = End::of_event(event)?;
        Some(Call {
            at: event.ts.saturating_sub(took_ms),
            action: action(&event.tool, &event.action)?,
            transport: "",
            took_ms: took_ms.saturating_sub(waited_ms),
            waited_ms,
            client: bubble::line(event.client.as_deref().unwrap_or_default(), CLIENT),
            agent: event.agent.clone().map(on_one_line),
            title: bubble::line(event.title.as_deref().unwrap_or_default(), CLIENT),
            end,
            tokens: 0,
            place: event.notebook.clone().map(|it| (it, event.doc.clone())),
        })
    }

    /// The name of its caller; empty if neither agent nor client is known.
    pub fn caller(&self) -> &str {
        AgentMark::caller(self.agent.as_ref(), &self.client)
    }

    /// The id of the document that it concerned.
    pub fn document(&self) -> Option<&str> {
        self.place.as_ref()?.1.as_deref()
    }

    /// Whether two records tell of one call.
    fn is_same(&self, other: &Call) -> bool {
        self.at == other.at && self.action == other.action
    }
}

/// A name in a table for other programs: quoted, and none that such a program takes for a formula.
fn in_table(name: &str) -> String {
    let name = name.replace('"', "'");
    format!("\"{}\"", name.trim_start_matches(['=', '+', '-', '@']))
}

/// A mark whose name is one line.
fn on_one_line(AgentMark { name, color, is_proved }: AgentMark) -> AgentMark {
    AgentMark { name: bubble::line(&name, CLIENT), color, is_proved }
}

fn action(tool: &str, name: &str) -> Option<String> {
    Some(format!("{}.{}", plain(tool)?, plain(name)?))
}

/// A name that is one: other versions may know more actions, but none with other letters.
fn plain(text: &str) -> Option<&str> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    (!text.is_empty() && text.len() <= LONGEST && text.chars().all(is_plain)).then_some(text)
}

/// The calls of one file of analytics, and the number of lines that could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Calls {
    /// The calls, in no order.
    pub calls: Vec<Call>,
    /// The number of lines that could not be read.
    pub unread: usize,
}

impl Calls {
    /// Reads a file.
    pub fn parse(bytes: &[u8]) -> Calls {
        let mut read = Calls::default();
        for line in String::from_utf8_lossy(bytes).lines() {
            match Call::parse(line) {
                Some(call) => read.calls.push(call),
                None => read.unread += 1,
            }
        }
        read
    }

    /// Adds those of another file.
    pub fn add(&mut self, other: &Calls) {
        self.calls.extend_from_slice(&other.calls);
        self.unread += other.unread;
    }

    /// Adds what the newest events tell: places, and calls without a line yet.
    pub fn join(&mut self, file: &EventFile) {
        let mut newest: Vec<Call> = Vec::new();
        // Oldest first, so the end of a call replaces its beginning.
        for call in file.events.iter().filter_map(Call::of_event) {
            match newest.iter_mut().find(|it| it.is_same(&call)) {
                Some(own) => *own = call,
                None => newest.push(call),
            }
        }
        let deleted: Vec<Call> = newest.iter().filter(|it| !it.title.is_empty()).cloned().collect();
        for call in newest {
            match self.calls.iter_mut().find(|it| it.is_same(&call)) {
                Some(own) => (own.place, own.title) = (call.place, call.title),
                None => self.calls.push(call),
            }
        }
        // Nobody can look up the title of what is gone: the call that deleted a document names it for the earlier ones.
        for call in &mut self.calls {
            let is_later =
                |it: &&Call| it.at >= call.at && it.document().is_some() && it.document() == call.document();
            if call.title.is_empty()
                && let Some(deleted) = deleted.iter().find(is_later)
            {
                call.title.clone_from(&deleted.title);
            }
        }
    }

    /// Marks the calls whose time for a confirmation is over.
    pub fn lapse(&mut self, now_ms: u64) {
        for call in self.calls.iter_mut().filter(|it| it.end == End::Asked) {
            let until = call.at.saturating_add(call.took_ms).saturating_add(call.waited_ms);
            if until.saturating_add(CONFIRM_MS) <= now_ms {
                call.end = End::Lapsed;
            }
        }
    }

    /// Drops the calls that began up to the moment that the record was cleared.
    pub fn forget(&mut self, cleared: u64) {
        self.calls.retain(|it| it.at > cleared);
    }

    /// The newest ones that pass a filter, newest first; those of one moment in their order.
    pub fn newest(&self, filter: &Filter, clock: Clock, most: usize) -> Vec<&Call> {
        let mut newest: Vec<&Call> = self.calls.iter().filter(|it| filter.passes(it, clock)).collect();
        newest.sort_by_key(|it| Reverse(it.at));
        newest.truncate(most);
        newest
    }

    /// The calls that pass a filter, as a table for other programs; only the names of clients need quotes.
    pub fn to_csv(&self, filter: &Filter, clock: Clock) -> String {
        let mut text =
            "timestamp,transport,action,duration_ms,waited_ms,result,approx_tokens,client,agent\n".to_owned();
        for call in self.newest(filter, clock, usize::MAX) {
            let end = match &call.end {
                End::Runs => "running",
                End::Done => "success",
                End::Cancelled => CANCELLED,
                End::Waits => "waiting",
                End::Asked | End::Lapsed => "confirmation_required",
                End::Refused => "denied",
                End::Expired => "expired",
                End::Paused => "paused",
                End::Denied => "not_allowed",
                End::Failed(why) if why.is_empty() => "error",
                End::Failed(why) => why,
            };
            let Call { at, transport, action, took_ms, waited_ms, tokens, client, agent, .. } = call;
            let client = in_table(client);
            let agent = in_table(agent.as_ref().map_or("", |it| &it.name));
            text.push_str(&format!(
                "{at},{transport},{action},{took_ms},{waited_ms},{end},{tokens},{client},{agent}\n"
            ));
        }
        text
    }
}
