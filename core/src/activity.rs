//! The record of calls: ids at most, never note text, and no title but that of a deleted document. Only `coins` and `journal` ask the kernel; the rest is pure.

pub mod analytics;
pub mod coins;
pub mod counter;
pub mod events;
pub mod journal;
pub mod purse;
pub mod shop;
pub mod stats;

use std::sync::Arc;

use crate::agents::AgentMark;
use crate::error::{ErrorType, ToolError};
use crate::output::{Output, Reply, json_chars};
use crate::permission::{Level, Places, Target};
use crate::spec::ActionSpec;

/// The error type in the record of a cancelled call, which has not failed.
pub const CANCELLED: &str = "cancelled";

/// The transport of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// MCP over stdin and stdout.
    Stdio,
    /// MCP over HTTP.
    Http,
    /// The command line.
    Cli,
    /// The playground in the page.
    Panel,
    /// SiYuan's own agent, in the page.
    Siyuan,
}

impl Transport {
    /// Every transport.
    pub const ALL: [Transport; 5] =
        [Transport::Stdio, Transport::Http, Transport::Cli, Transport::Panel, Transport::Siyuan];

    /// The word in analytics (B-250).
    pub const fn word(self) -> &'static str {
        match self {
            Transport::Stdio => "stdio",
            Transport::Http => "http",
            Transport::Cli => "cli",
            Transport::Panel => "panel",
            Transport::Siyuan => "siyuan",
        }
    }
}

/// A call that began.
#[derive(Debug, Clone)]
pub struct Record {
    /// The action.
    pub spec: &'static ActionSpec,
    /// The transport.
    pub transport: Transport,
    /// The time, in milliseconds since 1970.
    pub started_ms: u64,
    /// The name that the client gave itself, on one line; empty where there is none.
    pub client: Arc<str>,
    /// The agent as which the caller is known.
    pub agent: Option<Arc<AgentMark>>,
}

/// The outcome of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Done.
    Success,
    /// Failed, with the kernel's code if it returned one.
    Error(ErrorType, Option<i64>),
    /// Stopped until a person approves.
    Dangerous,
    /// Cancelled by its caller, which is not a failure (B-030).
    Cancelled,
}

impl Outcome {
    /// The outcome that an answer has.
    pub fn of(reply: &Reply) -> Outcome {
        match reply {
            Ok(_) => Outcome::Success,
            Err(error) => Outcome::Error(error.kind, error.code),
        }
    }
}

/// A call that ended.
#[derive(Debug, Clone)]
pub struct CallEnd {
    /// The outcome.
    pub outcome: Outcome,
    /// The duration in milliseconds, with the time that it waited for a person.
    pub duration_ms: u64,
    /// The part of it that it waited for a person, in milliseconds.
    pub waited_ms: u64,
    /// The notebook concerned; absent for one at `none`.
    pub notebook: Option<String>,
    /// The document concerned; absent in a notebook at `none`.
    pub doc: Option<String>,
    /// The block concerned, if the call named one; absent in a notebook at `none`.
    pub block: Option<String>,
    /// The level of that notebook.
    pub level: Option<Level>,
    /// The title of the document that is deleted, because nobody can look it up afterwards.
    pub title: Option<String>,
    /// The item bought, for `mascot.buy`.
    pub item: Option<String>,
    /// Characters of the arguments.
    pub request_chars: usize,
    /// Characters of the answer.
    pub response_chars: usize,
}

impl CallEnd {
    pub(crate) fn of(
        outcome: Outcome,
        reply: &Result<Output, ToolError>,
        request_chars: usize,
        (started_ms, now_ms): (u64, u64),
        places: Option<&Places>,
    ) -> CallEnd {
        let (target, place) = places.and_then(Places::first).unzip();
        let block = match target {
            Some(Target::Block(id)) => Some(id.to_string()),
            _ => None,
        };
        let response_chars = match reply {
            Ok(output) => {
                let body = output.body.as_deref().map_or(0, |text| text.chars().count());
                json_chars(&output.data) + body
            }
            Err(error) => error.message.chars().count(),
        };
        CallEnd {
            outcome,
            duration_ms: now_ms.saturating_sub(started_ms),
            waited_ms: 0,
            title: None,
            notebook: place.map(|it| it.notebook.to_string()),
            doc: place.and_then(|it| it.doc.as_ref()).map(ToString::to_string),
            block,
            level: place.map(|it| it.level),
            item: None,
            request_chars,
            response_chars,
        }
    }
}

/// The name of a process in the puppy's files.
pub fn instance(now_ms: u64, random: u64) -> String {
    format!("{now_ms:x}-{:08x}", random & 0xffff_ffff)
}

/// An observer of calls. Calls never wait for it and never fail because of it (B-037).
pub trait Observer: Send + Sync {
    /// A call began.
    fn started(&self, record: &Record);
    /// A call waits for a person; its end is reported later.
    fn asked(&self, _record: &Record, _so_far: &CallEnd) {}
    /// A call was answered while its question, of this id, still waits. Its end follows with the person's answer.
    fn left(&self, record: &Record, so_far: &CallEnd, _question: &str) {
        self.ended(record, so_far);
    }
    /// A call ended.
    fn ended(&self, record: &Record, ended: &CallEnd);
}

impl<O: Observer> Observer for std::sync::Arc<O> {
    fn started(&self, record: &Record) {
        (**self).started(record);
    }

    fn asked(&self, record: &Record, so_far: &CallEnd) {
        (**self).asked(record, so_far);
    }

    fn left(&self, record: &Record, so_far: &CallEnd, question: &str) {
        (**self).left(record, so_far, question);
    }

    fn ended(&self, record: &Record, ended: &CallEnd) {
        (**self).ended(record, ended);
    }
}
