//! Calls of SiYuan's own agent, in plain Rust: its sessions, the calls that were answered before they ended, the answers
//! of a person, and SiYuan's own tools beside ours.

use puppy_core::runs::REST_MS;
use serde_json::Value;

/// The text for a call that waits for a person.
pub const WAITS: &str = "The question stays open in SiYuan after this answer. Tell the person, then send the same call again with the same arguments, to get the result or to keep waiting.";
/// The text for a call that takes long.
pub const RUNS: &str = "It takes long and is still running. Send the same call again with the same arguments to get its result. Do not send it in another form: it would run twice.";

/// The answer of a person to a question, as a word between two modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PersonAnswer {
    /// Yes, once.
    Once,
    /// No.
    Denied,
    /// None in time.
    Expired,
    /// Too many questions wait.
    Full,
    /// The question could not be shown.
    Unseen,
}

impl PersonAnswer {
    /// The word.
    pub const fn word(self) -> &'static str {
        match self {
            PersonAnswer::Once => "once",
            PersonAnswer::Denied => "denied",
            PersonAnswer::Expired => "expired",
            PersonAnswer::Full => "full",
            PersonAnswer::Unseen => "",
        }
    }

    /// The answer with this word; anything else was not seen, and is no yes.
    pub fn named(word: &str) -> PersonAnswer {
        let all = [PersonAnswer::Once, PersonAnswer::Denied, PersonAnswer::Expired, PersonAnswer::Full];
        all.into_iter().find(|it| it.word() == word).unwrap_or(PersonAnswer::Unseen)
    }
}

/// The sessions of the agent. SiYuan does not say which chat calls, so a session ends after ten minutes without a call.
#[derive(Debug, Default)]
pub struct OwnSessions {
    last: Option<u64>,
    id: u64,
}

impl OwnSessions {
    /// The session of a call at a moment; `random` makes the id of a new one.
    pub fn at(&mut self, now_ms: u64, random: u64) -> String {
        if self.is_over(now_ms) {
            self.id = random;
        }
        self.last = Some(now_ms);
        format!("own-{:016x}", self.id)
    }

    /// Whether the last session is over.
    pub fn is_over(&self, now_ms: u64) -> bool {
        self.last.is_none_or(|last| now_ms.checked_sub(last).is_none_or(|rest| rest >= REST_MS))
    }
}

/// The calls that were answered before they ended; each is found again by what was called.
#[derive(Debug)]
pub struct LeftCalls<T>(Vec<(String, T, u64)>);

impl<T> Default for LeftCalls<T> {
    fn default() -> Self {
        LeftCalls(Vec::new())
    }
}

impl<T> LeftCalls<T> {
    /// Leaves a call. Those whose end nobody asked for within ten minutes are forgotten.
    pub fn leave(&mut self, called: String, call: T, now_ms: u64, is_over: impl Fn(&T) -> bool) {
        self.0.retain(|(_, it, left_at)| !is_over(it) || now_ms.saturating_sub(*left_at) < REST_MS);
        self.0.push((called, call, now_ms));
    }

    /// Takes the call that was left under this name.
    pub fn take(&mut self, called: &str) -> Option<T> {
        let at = self.0.iter().position(|(it, ..)| it == called)?;
        Some(self.0.remove(at).1)
    }
}

/// One of SiYuan's own tools that reaches notes whatever their level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeTool {
    /// Its id, such as `native/backend/block`.
    pub id: String,
    /// Its name for people.
    pub title: String,
}

/// The state of SiYuan's own agent, as the page reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnAgentState {
    /// Whether this SiYuan takes tools of plugins for its own agent.
    pub is_supported: bool,
    /// Whether the list of SiYuan's own tools could be read.
    pub is_known: bool,
    /// SiYuan's own tools that its agent may use and that reach notes whatever their level.
    pub bypassing: Vec<NativeTool>,
    /// The number of those that SiYuan's own MCP server offers.
    pub exposed: usize,
}

impl OwnAgentState {
    /// Reads the state from the answer of the page; anything else is one of which nothing is known.
    pub fn parse(json: &str) -> OwnAgentState {
        let said: Value = serde_json::from_slice(json.as_bytes()).unwrap_or_default();
        let is = |key: &str| said.get(key) == Some(&Value::Bool(true));
        let tool = |it: &Value| {
            let text = |key: &str| it.get(key).and_then(Value::as_str).map(str::to_owned);
            let id = text("id")?;
            let title = text("title").filter(|it| !it.is_empty()).unwrap_or_else(|| last_part(&id));
            Some(NativeTool { id, title })
        };
        let list = said.get("agent").and_then(Value::as_array);
        OwnAgentState {
            is_supported: is("supported"),
            is_known: list.is_some(),
            bypassing: list.into_iter().flatten().filter_map(tool).collect(),
            exposed: said.get("mcp").and_then(Value::as_array).map_or(0, Vec::len),
        }
    }

    /// The names of the tools, in one line.
    pub fn names(&self) -> String {
        self.bypassing.iter().map(|it| it.title.as_str()).collect::<Vec<_>>().join(" · ")
    }
}

fn last_part(id: &str) -> String {
    id.rsplit('/').next().unwrap_or(id).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A session without a call for ten minutes is over, also after a clock was set back.
    #[test]
    fn a_session_ends_after_ten_idle_minutes() {
        let mut sessions = OwnSessions::default();
        assert!(sessions.is_over(0));
        let first = sessions.at(1_000, 1);
        assert_eq!(sessions.at(1_000 + REST_MS - 1, 2), first);
        assert!(!sessions.is_over(1_000 + REST_MS));
        let second = sessions.at(1_000 + 2 * REST_MS, 3);
        assert_ne!(second, first);
        assert_ne!(sessions.at(5, 4), second);
    }

    #[test]
    fn a_left_call_is_found_again_once() {
        let mut left = LeftCalls::default();
        left.leave("a".to_owned(), 1, 0, |_| false);
        left.leave("b".to_owned(), 2, 0, |_| false);
        assert_eq!((left.take("c"), left.take("a"), left.take("a")), (None, Some(1), None));
        // One that is over is forgotten later; one that still runs is not.
        left.leave("c".to_owned(), 3, REST_MS, |it| *it == 2);
        assert_eq!((left.take("b"), left.take("c")), (None, Some(3)));
        left.leave("d".to_owned(), 4, 0, |_| false);
        left.leave("e".to_owned(), 5, 9 * REST_MS, |_| false);
        assert_eq!(left.take("d"), Some(4));
    }

    #[test]
    fn only_a_plain_yes_is_one() {
        use PersonAnswer::{Denied, Expired, Full, Once, Unseen};
        for answer in [Once, Denied, Expired, Full, Unseen] {
            assert_eq!(PersonAnswer::named(answer.word()), answer);
        }
        for word in ["yes", "Once", "errand", "once "] {
            assert_eq!(PersonAnswer::named(word), PersonAnswer::Unseen, "{word}");
        }
    }

    #[test]
    fn state_of_the_page_is_read() {
        let said = r#"{"supported":true,"agent":[{"id":"native/backend/block","title":"Block"},{"id":"native/backend/new"},{}],"mcp":[{"id":"native/backend/block"}]}"#;
        let state = OwnAgentState::parse(said);
        assert!(state.is_supported && state.is_known);
        assert_eq!((state.names().as_str(), state.bypassing.len(), state.exposed), ("Block · new", 2, 1));
        assert!(OwnAgentState::parse(r#"{"supported":true,"agent":[]}"#).is_known);
        for unknown in ["", "[]", r#"{"supported":"yes","agent":null}"#] {
            assert_eq!(OwnAgentState::parse(unknown), OwnAgentState::default(), "{unknown}");
        }
    }
}
