//! The open questions and active errands of servers, as the page shows them, and when a dialog opens automatically.

use std::cmp::Reverse;

use puppy_core::agents::{AgentColor, AgentMark};
use puppy_core::ask::{Ask, ThingKind};
use puppy_core::channel::{Choice, FromSidecar, OfferedErrand, OpenQuestion, PageEnd, PeerId, UsedOf};
use puppy_core::errands::LONGEST_PURPOSE;
use puppy_core::spec::Verb;
use puppy_ui_web::state::address::HttpServer;

use puppy_ui_web::state::bubble;

/// The greatest length of a client's name, in characters.
const CLIENT: usize = 80;
/// The greatest length of a purpose, in characters: no server keeps a longer one.
const PURPOSE: usize = LONGEST_PURPOSE;
const MINUTE: u64 = 60_000;

/// A question and the server that asks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionId {
    /// The server.
    pub sidecar: PeerId,
    /// The id that the server gave it.
    pub id: String,
}

/// An open question. Its texts come from agents and notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Its id.
    pub id: QuestionId,
    /// The name that the client gave itself, in one line.
    pub client: String,
    /// The colour of the agent as which the caller is known.
    pub collar: Option<AgentColor>,
    /// Whether its name proves nothing: it is known by it alone, or is none of the agents that the person has named.
    pub is_claimed: bool,
    /// The deed that needs approval.
    pub ask: Ask,
    /// When it is withdrawn, in milliseconds since 1970; none if it waits for ever.
    pub until: Option<u64>,
    /// The bounds of the errand as which it may also be allowed.
    pub offered: Option<OfferedErrand>,
}

impl Question {
    /// The answers to it.
    pub fn choices(&self) -> Vec<Choice> {
        let errand = self.offered.map(|_| Choice::Errand);
        [Choice::Deny, Choice::Once].into_iter().chain(errand).collect()
    }
}

/// An active errand. Its texts come from agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingErrand {
    /// The server.
    pub sidecar: PeerId,
    /// The id that the server gave it.
    pub id: String,
    /// The name of the agent or of the client, in one line.
    pub client: String,
    /// The colour of the agent as which the caller is known.
    pub collar: Option<AgentColor>,
    /// The agent's own sentence, in one line; empty where a question offered the errand.
    pub purpose: String,
    /// The only deed that it covers, where a question offered it.
    pub deed: Option<(Verb, ThingKind)>,
    /// Ids of the notebooks that it covers.
    pub notebooks: Vec<String>,
    /// The number of documents that it covers, each with those below it.
    pub documents: usize,
    /// Its changes.
    pub changes: UsedOf,
    /// Its deletions of documents.
    pub deletes: UsedOf,
    /// The minutes until it ends, begun ones included.
    pub minutes: u64,
}

/// The questions and errands of the connected servers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChannelState {
    /// The open questions, longest waiting first.
    pub questions: Vec<Question>,
    /// The active errands.
    pub standing: Vec<StandingErrand>,
    /// The number of servers.
    pub servers: usize,
    /// The HTTP server among them that snippets and the playground use.
    pub http: Option<HttpServer>,
}

impl ChannelState {
    /// The state of an end at a moment of its own clock and of the calendar, for a page of this origin, with the questions
    /// of the page itself. A question that was known `before` keeps its time, so that nothing is redrawn for the
    /// milliseconds of a message.
    pub fn of(
        end: &PageEnd,
        own: Vec<FromSidecar<OpenQuestion>>,
        (now, calendar): (u64, u64),
        origin: &str,
        before: &ChannelState,
    ) -> ChannelState {
        let mut seen = end.questions(now);
        seen.extend(own);
        seen.sort_by_key(|it| Reverse(it.it.waited_ms));
        let questions = seen.into_iter().map(|seen| {
            let id = QuestionId { sidecar: seen.sidecar, id: seen.it.id };
            let known = before.questions.iter().find(|it| it.id == id).map(|it| it.until);
            Question {
                id,
                client: caller(&seen.it.client, seen.it.agent.as_ref()),
                is_claimed: seen.it.agent.as_ref().map_or(seen.it.is_stranger, |it| !it.is_proved),
                collar: seen.it.agent.map(|it| it.color),
                ask: seen.it.ask,
                until: known.unwrap_or_else(|| seen.it.left_ms.map(|left| calendar.saturating_add(left))),
                offered: seen.it.offered.filter(|_| seen.it.may_stand),
            }
        });
        let standing = end.errands(now).into_iter().map(|seen| StandingErrand {
            sidecar: seen.sidecar,
            id: seen.it.id,
            client: caller(&seen.it.client, seen.it.agent.as_ref()),
            collar: seen.it.agent.map(|it| it.color),
            purpose: bubble::line(&seen.it.purpose, PURPOSE),
            deed: seen.it.deed,
            notebooks: seen.it.notebooks,
            documents: seen.it.documents.len(),
            changes: seen.it.changes,
            deletes: seen.it.deletes,
            minutes: seen.it.left_ms.div_ceil(MINUTE),
        });
        ChannelState {
            questions: questions.collect(),
            standing: standing.collect(),
            servers: end.sidecars(now),
            http: HttpServer::chosen(&end.http_servers(now), origin),
        }
    }
}

/// The name of a caller, in one line.
fn caller(client: &str, agent: Option<&AgentMark>) -> String {
    bubble::line(AgentMark::caller(agent, client), CLIENT)
}

/// The place in which the page shows questions by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Shows {
    /// Nothing waits.
    #[default]
    Nothing,
    /// The bubble of the puppy, which waits until somebody looks at it.
    Bubble,
    /// The dialog.
    Dialog,
}

impl Shows {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Shows::Nothing => "nothing",
            Shows::Bubble => "bubble",
            Shows::Dialog => "dialog",
        }
    }
}

/// The questions that the person has seen and put off.
#[derive(Debug, Default)]
pub struct Attention {
    put_off: Vec<QuestionId>,
    /// Whether the dialog is open: it stays until it is answered or put off.
    is_open: bool,
}

impl Attention {
    /// The place for the questions. A dialog opens only if the person is there, and not for questions they put off.
    pub fn shows(&mut self, state: &ChannelState, is_there: bool) -> Shows {
        self.put_off.retain(|id| state.questions.iter().any(|it| it.id == *id));
        let is_new = state.questions.iter().any(|it| !self.put_off.contains(&it.id));
        self.is_open = !state.questions.is_empty() && (self.is_open || (is_there && is_new));
        match (state.questions.is_empty(), self.is_open) {
            (true, _) => Shows::Nothing,
            (false, false) => Shows::Bubble,
            (false, true) => Shows::Dialog,
        }
    }

    /// Puts every question off: the bubble, Home and the bark of the puppy remain.
    pub fn put_off(&mut self, state: &ChannelState) {
        self.is_open = false;
        self.put_off = state.questions.iter().map(|it| it.id.clone()).collect();
    }

    /// Opens the dialog again.
    pub fn open(&mut self) {
        self.is_open = true;
    }
}

/// The choice of a button.
pub fn choice(word: &str) -> Option<Choice> {
    [Choice::Deny, Choice::Once, Choice::Errand].into_iter().find(|it| choice_word(*it) == word)
}

/// The word of a choice in the page's attributes.
pub const fn choice_word(choice: Choice) -> &'static str {
    match choice {
        Choice::Deny => "deny",
        Choice::Once => "once",
        Choice::Errand => "errand",
    }
}

#[cfg(test)]
mod tests {
    use puppy_core::ask::About;
    use puppy_core::spec::Back;

    use super::*;

    fn question(id: u64) -> Question {
        Question {
            id: QuestionId { sidecar: PeerId::of(1), id: id.to_string() },
            client: "Agent".to_owned(),
            ask: Ask { verb: Verb::Delete, back: Back::DataHistory, about: About::default() },
            until: Some(0),
            collar: None,
            is_claimed: false,
            offered: Some(OfferedErrand { n: 20, minutes: 10 }),
        }
    }

    fn state(ids: &[u64]) -> ChannelState {
        ChannelState { questions: ids.iter().map(|id| question(*id)).collect(), ..ChannelState::default() }
    }

    /// B-072: who is there sees a dialog; what was asked meanwhile waits in the bubble and opens one on return.
    #[test]
    fn a_dialog_opens_for_somebody_who_is_there() {
        let mut attention = Attention::default();
        assert_eq!(attention.shows(&state(&[]), true), Shows::Nothing);
        assert_eq!(attention.shows(&state(&[1]), false), Shows::Bubble);
        assert_eq!(attention.shows(&state(&[1, 2]), true), Shows::Dialog);
        assert_eq!(
            attention.shows(&state(&[2]), false),
            Shows::Dialog,
            "it does not close behind one's back"
        );
        assert_eq!(attention.shows(&state(&[]), false), Shows::Nothing);
        assert_eq!(attention.shows(&state(&[3]), false), Shows::Bubble);
    }

    #[test]
    fn a_question_that_was_put_off_opens_no_dialog_by_itself() {
        let mut attention = Attention::default();
        attention.shows(&state(&[1]), true);
        attention.put_off(&state(&[1]));
        assert_eq!(attention.shows(&state(&[1]), true), Shows::Bubble);
        attention.open();
        assert_eq!(attention.shows(&state(&[1]), true), Shows::Dialog);
        attention.put_off(&state(&[1]));
        assert_eq!(attention.shows(&state(&[1, 2]), true), Shows::Dialog, "another one is new");
        attention.put_off(&state(&[1, 2]));
        attention.shows(&state(&[]), true);
        assert_eq!(attention.shows(&state(&[1]), true), Shows::Dialog, "it was asked again");
    }

    #[test]
    fn an_errand_is_a_choice_only_where_it_is_offered() {
        let may = question(1);
        assert_eq!(may.choices(), [Choice::Deny, Choice::Once, Choice::Errand]);
        assert_eq!(Question { offered: None, ..may }.choices(), [Choice::Deny, Choice::Once]);
    }

    #[test]
    fn every_choice_has_a_word() {
        for it in [Choice::Deny, Choice::Once, Choice::Errand] {
            assert_eq!(choice(choice_word(it)), Some(it));
        }
        assert_eq!(choice("yes"), None);
    }
}
