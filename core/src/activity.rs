//! What is told of a call: never note text, never titles, ids at most. Maths only, but for `coins`, which asks the kernel.

pub mod analytics;
pub mod coins;
pub mod counter;
pub mod events;
pub mod purse;
pub mod shop;
pub mod stats;

use crate::error::{ErrorType, ToolError};
use crate::output::{Output, json_chars};
use crate::permission::{Level, Places};
use crate::spec::ActionSpec;

/// What stands as the type of error of a call that was taken back: it has not failed.
pub const CANCELLED: &str = "cancelled";

/// The way a call came.
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
}

impl Transport {
    /// The word in analytics (B-250).
    pub const fn word(self) -> &'static str {
        match self {
            Transport::Stdio => "stdio",
            Transport::Http => "http",
            Transport::Cli => "cli",
            Transport::Panel => "panel",
        }
    }
}

/// A call that began.
#[derive(Debug, Clone, Copy)]
pub struct Record {
    /// The action.
    pub spec: &'static ActionSpec,
    /// The way it came.
    pub transport: Transport,
    /// When, in milliseconds since 1970.
    pub started_ms: u64,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Done.
    Success,
    /// Failed, with the kernel's code where it gave one.
    Error(ErrorType, Option<i64>),
    /// Stopped until a person approves.
    Dangerous,
    /// Taken back by its caller, which is no failure (B-030).
    Cancelled,
}

/// A call that ended.
#[derive(Debug, Clone)]
pub struct Ended {
    /// How.
    pub outcome: Outcome,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// Notebook it concerned; absent for one at `none`.
    pub notebook: Option<String>,
    /// Document it concerned; absent in a notebook at `none`.
    pub doc: Option<String>,
    /// What was bought, for `mascot.buy`.
    pub item: Option<String>,
    /// Characters of the arguments.
    pub request_chars: usize,
    /// Characters of the answer.
    pub response_chars: usize,
}

impl Ended {
    pub(crate) fn of(
        outcome: Outcome,
        reply: &Result<Output, ToolError>,
        request_chars: usize,
        (started_ms, now_ms): (u64, u64),
        places: Option<&Places>,
    ) -> Ended {
        let place = places.and_then(|it| it.iter().find(|place| place.level > Level::None));
        let response_chars = match reply {
            Ok(output) => {
                let body = output.body.as_deref().map_or(0, |text| text.chars().count());
                json_chars(&output.data) + body
            }
            Err(error) => error.message.chars().count(),
        };
        Ended {
            outcome,
            duration_ms: now_ms.saturating_sub(started_ms),
            notebook: place.map(|it| it.notebook.to_string()),
            doc: place.and_then(|it| it.doc.as_ref()).map(ToString::to_string),
            item: reply.as_ref().ok().and_then(|it| it.gift).map(|it| it.word().to_owned()),
            request_chars,
            response_chars,
        }
    }
}

/// The name of a process in the puppy's files.
pub fn instance(now_ms: u64, random: u64) -> String {
    format!("{now_ms:x}-{:08x}", random & 0xffff_ffff)
}

/// Somebody who is told of calls. Never waited for and never in the way (B-037).
pub trait Observer: Send + Sync {
    /// A call began.
    fn started(&self, record: &Record);
    /// A call waits for a person; its end is told later.
    fn asked(&self, _record: &Record, _so_far: &Ended) {}
    /// A call ended.
    fn ended(&self, record: &Record, ended: &Ended);
}

impl<O: Observer> Observer for std::sync::Arc<O> {
    fn started(&self, record: &Record) {
        (**self).started(record);
    }

    fn asked(&self, record: &Record, so_far: &Ended) {
        (**self).asked(record, so_far);
    }

    fn ended(&self, record: &Record, ended: &Ended) {
        (**self).ended(record, ended);
    }
}
