//! The messages of the channel. Times are spans, because the clocks of two machines differ.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::agents::AgentMark;
use crate::agents::token::is_token_hash;
use crate::ask::{Ask, ThingKind};
use crate::errands::{ErrandPlace, StandingErrand};
use crate::permission::Level;
use crate::spec::Verb;

/// A message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// I am here: to nobody as an introduction, to the ends it greets otherwise.
    Hello(Hello),
    /// I am going.
    Bye,
    /// These files of settings changed; read them again. To everybody.
    Changed {
        /// Names of files below the plugin's storage.
        files: Vec<String>,
        /// The number under which sidecars say that they hold the change; none where nobody waits for it.
        ticket: Option<u64>,
    },
    /// A sidecar's answer: its next call obeys the change.
    Held {
        /// The number of the change.
        ticket: u64,
    },
    /// A page issued a token for an agent, or ended it. Sidecars that serve MCP over HTTP keep the hash, and answer `Held`.
    Token(TokenNotice),
    /// A sidecar wrote new events for the puppy.
    Stirred,
    /// A call of an agent touched this.
    Touched(TouchedPlace),
    /// Every question that a sidecar is waiting on, and every active errand. The page discards its previous list.
    // Pages never send it, and their module is smaller without its serializer.
    #[cfg_attr(target_arch = "wasm32", serde(skip_serializing))]
    Waiting(Approvals),
    /// A page's answer to a question.
    Answer {
        /// The id of the question.
        question: String,
        /// The person's choice.
        choice: Choice,
    },
    /// A sidecar reports the outcome to the page that answered.
    Ruled {
        /// The id of the question.
        question: String,
        /// The outcome.
        ruling: Ruling,
    },
    /// A page ends an errand.
    Revoke {
        /// The id of the errand.
        errand: String,
    },
    /// A sidecar asks one page to do something.
    Call(PageCall),
    /// The caller no longer wants the answer.
    Cancel {
        /// The id of the call.
        call_id: String,
    },
    /// The page's one answer.
    Answered {
        /// The id of the call.
        call_id: String,
        /// The answer.
        answer: PageAnswer,
    },
}

/// The hash of a token that a page issued; the token itself is in no message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenNotice {
    /// The id of the agent.
    pub agent: String,
    /// The hash, as 64 hexadecimal digits; empty to end the agent's token.
    pub hash: String,
    /// The number under which sidecars say that they keep it.
    pub ticket: u64,
}

impl TokenNotice {
    /// Whether the hash is one, or empty.
    pub fn is_sound(&self) -> bool {
        !self.agent.is_empty() && (self.hash.is_empty() || is_token_hash(&self.hash))
    }
}

/// The place that a call touched, in a notebook that agents may read: ids, never text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TouchedPlace {
    /// The document; none for a notebook.
    pub doc: Option<String>,
    /// The block, if the call named one.
    pub block: Option<String>,
    /// The level that agents have there.
    pub level: Level,
}

/// The side of an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A page of SiYuan.
    Page,
    /// A server for agents.
    Sidecar,
}

/// An end that introduces itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// Its side.
    pub role: Role,
    /// The version of the plugin.
    pub version: String,
    /// The abilities of a page: names of `system` actions, and [`APPROVE`](super::APPROVE). Others are ignored.
    pub abilities: Vec<String>,
    /// Whether the person looks at this page.
    pub focus: bool,
    /// The addresses of a sidecar that serves MCP over HTTP; none for pages, and for sidecars on stdio or of an earlier
    /// version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpAnnouncement>,
}

/// The addresses at which a sidecar serves MCP over HTTP. It never contains a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpAnnouncement {
    /// The addresses of the endpoint, those on the sidecar's own machine first.
    pub urls: Vec<String>,
    /// Whether SiYuan started it, and stops it.
    pub is_kept: bool,
    /// The time since it was started.
    pub age_ms: u64,
}

/// The state of a sidecar's questions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approvals {
    /// The open questions, oldest first.
    pub questions: Vec<OpenQuestion>,
    /// The active errands, oldest first.
    pub errands: Vec<Errand>,
}

/// A question as a person sees it. Its texts come from agents and notes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenQuestion {
    /// Its id.
    pub id: String,
    /// The content of the question, as keys and values that the page words.
    pub ask: Ask,
    /// The name that the client gave itself.
    pub client: String,
    /// The agent as which the caller is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentMark>,
    /// Whether the caller is none of the agents that a person has named.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_stranger: bool,
    /// The time since it was asked.
    pub waited_ms: u64,
    /// The time until it is withdrawn; none if it waits for ever.
    pub left_ms: Option<u64>,
    /// Whether it may also be allowed as an errand.
    pub may_stand: bool,
    /// The bounds of that errand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered: Option<OfferedErrand>,
}

/// The bounds of the errand that a question offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedErrand {
    /// The most such deeds.
    pub n: u64,
    /// Its time, in minutes.
    pub minutes: u64,
}

/// An active errand: a permission for several changes. Its texts come from agents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Errand {
    /// Its id.
    pub id: String,
    /// The name that the client gave itself.
    pub client: String,
    /// The agent as which the caller is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentMark>,
    /// The agent's own sentence; empty where a question offered the errand.
    pub purpose: String,
    /// The only deed that it covers, where a question offered it.
    pub deed: Option<(Verb, ThingKind)>,
    /// Ids of the notebooks that it covers.
    pub notebooks: Vec<String>,
    /// Ids of the documents that it covers, with everything below them.
    pub documents: Vec<String>,
    /// Its changes.
    pub changes: UsedOf,
    /// Its deletions of documents.
    pub deletes: UsedOf,
    /// The time until it ends.
    pub left_ms: u64,
}

/// A part that is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsedOf {
    /// The part that is used.
    pub used: u64,
    /// The most that may be used.
    pub most: u64,
}

impl Errand {
    /// An errand as pages show it.
    pub(super) fn of(standing: StandingErrand) -> Errand {
        let StandingErrand { id, new, used, left_ms } = standing;
        let (notebooks, documents) = match new.place {
            ErrandPlace::Notebooks(ids) => (ids, BTreeSet::new()),
            ErrandPlace::Documents(ids) => (BTreeSet::new(), ids),
        };
        let most = new.bounds.most;
        Errand {
            id,
            client: new.client,
            agent: new.agent,
            purpose: new.purpose,
            deed: new.deed,
            notebooks: Vec::from_iter(notebooks),
            documents: Vec::from_iter(documents),
            changes: UsedOf { used: used.changes, most: most.changes },
            deletes: UsedOf { used: used.deletes, most: most.deletes },
            left_ms,
        }
    }
}

/// A person's answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// Not at all.
    Deny,
    /// This plan, once.
    Once,
    /// This plan, and more of the same in the same notebooks as an errand.
    Errand,
}

/// The outcome of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// Approved and carried out.
    Done,
    /// Approved, but the notes have changed since: nothing was done.
    Stale,
    /// Approved, but it failed.
    Failed,
    /// Denied.
    Denied,
    /// Nobody answered in time.
    Expired,
    /// There is no such question any more.
    Gone,
}

/// A request to one page, with the names and arguments that the caller used (B-182).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageCall {
    /// The id under which the page answers once.
    pub call_id: String,
    /// The action of the tool `system`.
    pub action: String,
    /// Its arguments.
    pub args: Map<String, Value>,
    /// The time that the page has.
    pub deadline_ms: u64,
}

/// A page's answer to a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageAnswer {
    /// Done, with this result.
    Done(Value),
    /// Another question waits for the person.
    Busy,
    /// Not understood, or it failed.
    Failed,
}
