//! Errors of a call: a type a program can match, a sentence that says what to do next (B-080).

mod hints;
mod words;

use serde_json::{Map, Value};

use crate::grants::Closed;
use crate::kernel::page::PageError;
use crate::kernel::{KernelError, Nature};
use crate::spec::Tool;
use hints::Hints;

pub(crate) use words::refusal;

/// The kind of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorType {
    /// The call itself is wrong.
    Validation,
    /// Nothing is there that the caller may know of.
    NotFound,
    /// The notebook is readable, but not at this level.
    PermissionDenied,
    /// Switched off, paused, or not offered with the current grants.
    Disabled,
    /// A person has paused all agents.
    Paused,
    /// A person must approve first.
    ConfirmationRequired,
    /// A person was asked and said no.
    Denied,
    /// A person was asked and did not answer in time.
    Expired,
    /// The content is not as the caller thought.
    Conflict,
    /// The kernel refused.
    Api,
    /// The kernel does not answer.
    KernelUnreachable,
    /// The kernel refused the token.
    KernelAuth,
    /// No SiYuan page is open.
    NoFrontend,
    /// A bug in this product.
    Internal,
}

impl ErrorType {
    /// The word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            ErrorType::Validation => "validation_error",
            ErrorType::NotFound => "not_found",
            ErrorType::PermissionDenied => "permission_denied",
            ErrorType::Disabled => "disabled_error",
            ErrorType::Paused => "paused",
            ErrorType::ConfirmationRequired => "confirmation_required",
            ErrorType::Denied => "denied",
            ErrorType::Expired => "expired",
            ErrorType::Conflict => "conflict",
            ErrorType::Api => "api_error",
            ErrorType::KernelUnreachable => "kernel_unreachable",
            ErrorType::KernelAuth => "kernel_auth",
            ErrorType::NoFrontend => "no_frontend",
            ErrorType::Internal => "internal_error",
        }
    }
}

/// A call that helps with the error, worded for a model or for a terminal (B-086).
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// The tool.
    pub tool: Tool,
    /// The action.
    pub action: &'static str,
    /// Its arguments.
    pub arguments: Map<String, Value>,
}

/// The problem with one argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Its name, with the place inside lists and objects: `edits[0].old`.
    pub field: String,
    /// The value that was expected.
    pub expected: String,
}

/// A failed call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolError {
    /// Its kind.
    pub kind: ErrorType,
    /// The kernel's code, if it returned one.
    pub code: Option<i64>,
    /// The problem, and the next step.
    pub message: String,
    /// Every bad argument.
    pub fields: Vec<Problem>,
    /// A call to try instead.
    pub example: Option<Example>,
    /// Further facts: candidates, ids, current hash, plan.
    pub details: Map<String, Value>,
    /// Messages to the pipeline.
    pub(crate) hints: Hints,
}

impl Problem {
    /// Several of them as one sentence.
    pub(crate) fn sentence(all: &[Problem]) -> String {
        let each: Vec<String> =
            all.iter().map(|it| format!("`{}` must be {}", it.field, it.expected)).collect();
        let text = each.join("; ");
        // A question has its mark.
        if text.ends_with('?') { text } else { text + "." }
    }
}

impl ToolError {
    /// An error of this kind.
    pub fn new(kind: ErrorType, message: impl Into<String>) -> ToolError {
        ToolError {
            kind,
            code: None,
            message: message.into(),
            fields: Vec::new(),
            example: None,
            details: Map::new(),
            hints: Hints::default(),
        }
    }

    /// An argument that is wrong in a way that only the action knows.
    pub fn field(name: &str, expected: impl Into<String>) -> ToolError {
        ToolError::fields(vec![Problem { field: name.to_owned(), expected: expected.into() }])
    }

    /// The error for several bad arguments.
    pub fn fields(fields: Vec<Problem>) -> ToolError {
        let message = Problem::sentence(&fields);
        ToolError { fields, ..ToolError::new(ErrorType::Validation, message) }
    }

    /// The error as one about a part of the call: `markdown` of the third insert becomes `inserts[2].markdown`. An error
    /// that names no argument stays as it is.
    #[must_use]
    pub fn inside(self, part: &str) -> ToolError {
        if self.fields.is_empty() {
            return self;
        }
        let inside = |it: &Problem| Problem { field: format!("{part}.{}", it.field), ..it.clone() };
        let ToolError { message, fields, .. } = ToolError::fields(self.fields.iter().map(inside).collect());
        ToolError { message, fields, ..self }
    }

    /// The error for missing and for hidden things, with the same words (B-055).
    pub fn not_found() -> ToolError {
        ToolError::new(
            ErrorType::NotFound,
            "Nothing that you may see matches. Check the id or path; it may be hidden from agents, or its notebook closed in SiYuan.",
        )
    }

    /// Names the argument whose target was not found.
    #[must_use]
    pub(crate) fn lacking(mut self, param: &str) -> ToolError {
        self.hints.missing = (self.kind == ErrorType::NotFound).then(|| param.into());
        self
    }

    /// Marks a block that can hold no others: the same call can add to its document.
    #[must_use]
    pub(crate) fn leaf(mut self) -> ToolError {
        self.hints.is_leaf = true;
        self
    }

    /// Proposes the caller's own call with another value of one argument: `id`, `ids[0]`.
    #[must_use]
    pub(crate) fn instead(mut self, field: impl Into<String>, value: impl Into<Value>) -> ToolError {
        self.hints.instead = Some(Box::new((field.into(), value.into())));
        self
    }

    /// The error for content that is not as the caller thought.
    pub fn conflict(message: impl Into<String>) -> ToolError {
        ToolError::new(ErrorType::Conflict, message)
    }

    /// The error for an action that only an open window of SiYuan can carry out.
    pub fn no_frontend() -> ToolError {
        ToolError::new(
            ErrorType::NoFrontend,
            "No window of SiYuan is open. Open SiYuan in a window, then try again.",
        )
    }

    /// Removes the sentences that advise a retry, and the example call, so that nothing half done is repeated.
    #[must_use]
    pub(crate) fn without_advice(mut self) -> ToolError {
        let advises = |sentence: &&str| {
            let sentence = sentence.to_lowercase();
            !["again", "retry"].iter().any(|word| sentence.contains(word))
        };
        let kept: Vec<&str> = self.message.split_inclusive(". ").filter(advises).collect();
        self.message = kept.concat().trim_end().to_owned();
        self.example = None;
        self.hints = Hints { kernel_message: self.hints.kernel_message, ..Hints::default() };
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> ToolError {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// Adds a call to try.
    #[must_use]
    pub fn try_call(mut self, tool: Tool, action: &'static str, arguments: Value) -> ToolError {
        let arguments = match arguments {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        self.example = Some(Example { tool, action, arguments });
        self
    }

    /// The error for a switch, a pause or the current grants that rule the call out (B-083).
    pub fn disabled(message: impl Into<String>) -> ToolError {
        ToolError::new(ErrorType::Disabled, message)
    }

    /// The error while a person has paused all agents.
    pub fn paused() -> ToolError {
        ToolError::new(
            ErrorType::Paused,
            "A person has paused all agents, and can resume them in SiYuan or with `siyuan-puppy resume`.",
        )
    }

    pub(crate) fn internal(message: impl Into<String>) -> ToolError {
        ToolError::new(ErrorType::Internal, message)
    }
}

impl From<KernelError> for ToolError {
    fn from(error: KernelError) -> ToolError {
        use ErrorType::{Api, KernelAuth, KernelUnreachable};
        match error {
            KernelError::Refused => ToolError::new(
                KernelUnreachable,
                "SiYuan does not answer: nothing listens at its address. Start SiYuan, or set SIYUAN_API_URL to where it runs, then try again.",
            ),
            KernelError::Untrusted(why) => {
                ToolError::new(KernelUnreachable, format!("Nothing was sent to SiYuan. {why}"))
            }
            KernelError::TimedOut => ToolError::new(
                KernelUnreachable,
                "SiYuan did not answer in time. It may be busy indexing; try again in a moment. After a write, check first whether it was done.",
            ),
            KernelError::Broken(Nature::Read) => ToolError::new(
                KernelUnreachable,
                "The connection to SiYuan broke. Check that SiYuan is running, then try again.",
            ),
            KernelError::Broken(Nature::Write) => ToolError::new(
                KernelUnreachable,
                "The connection to SiYuan broke during a write, so it is unknown whether it was done. Read before you try again.",
            )
            .with("outcome", "unknown"),
            KernelError::Unauthorized => ToolError::new(
                KernelAuth,
                "SiYuan refused the token, or requires one. `siyuan-puppy doctor` shows where it comes from; the right one is in SiYuan: Settings, About.",
            ),
            KernelError::Forbidden => ToolError::new(
                KernelAuth,
                "SiYuan does not allow this with the token in use. Use the token of an administrator, and check that SiYuan is not read-only.",
            ),
            KernelError::TooMany(wait) => {
                let wait = wait.map_or("a moment".to_owned(), |time| format!("{} s", time.as_secs()));
                ToolError { code: Some(429), ..ToolError::new(Api, format!("SiYuan received too many requests. Wait {wait}, then try again.")) }
            }
            KernelError::Status(status) => ToolError {
                code: Some(i64::from(status)),
                ..ToolError::new(Api, format!("SiYuan answered HTTP {status}. See its log if this continues."))
            },
            KernelError::Code(code, message) => ToolError {
                code: Some(code),
                hints: Hints { kernel_message: Some(message.clone()), ..Hints::default() },
                ..ToolError::new(Api, words::refusal(&message, &[]))
            },
            KernelError::Indexing => ToolError::new(Api, "SiYuan is indexing this document. Try again in a second."),
            KernelError::NoData(path) => ToolError::new(
                Api,
                format!("SiYuan reported success for {path} but returned no data; assume nothing was done. Read before you try again."),
            ),
            KernelError::Malformed(path) => ToolError::new(
                Api,
                format!("SiYuan answered {path} in a form that this version does not know. Update SiYuan or the plugin."),
            ),
            KernelError::TooLong(most) => ToolError::new(
                Api,
                format!("SiYuan answered with more than {most} bytes. Narrow the request: fewer rows, or fewer and shorter texts."),
            ),
        }
    }
}

impl From<&Closed> for ToolError {
    fn from(closed: &Closed) -> ToolError {
        match closed {
            Closed::Kernel(error) => error.clone().into(),
            Closed::Malformed(file) => ToolError::new(
                ErrorType::Api,
                format!(
                    "The file {file} could not be read, so nothing is allowed. Open the plugin's settings in SiYuan to repair it."
                ),
            ),
        }
    }
}

impl From<PageError> for ToolError {
    fn from(error: PageError) -> ToolError {
        match error {
            PageError::NoPage => ToolError::no_frontend(),
            PageError::TimedOut => ToolError::new(
                ErrorType::NoFrontend,
                "The window of SiYuan did not answer in time. Bring it to the front, then try again.",
            ),
            PageError::Busy => ToolError::conflict(
                "Another question is waiting for the person. Ask again when it is answered.",
            ),
            PageError::Failed => ToolError::internal(
                "The window of SiYuan could not do this. Reload SiYuan, so that its plugin has the same version as this server",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_with_one_mark() {
        let message = |expected| ToolError::field("mod", expected).message;
        assert_eq!(message("left out; did you mean `mode`?"), "`mod` must be left out; did you mean `mode`?");
        assert_eq!(message("a text"), "`mod` must be a text.");
    }

    /// B-084.
    #[test]
    fn kernel_failures_map_to_error_types() {
        let kind = |error: KernelError| ToolError::from(error).kind;
        assert_eq!(kind(KernelError::Refused), ErrorType::KernelUnreachable);
        assert_eq!(kind(KernelError::TimedOut), ErrorType::KernelUnreachable);
        assert_eq!(kind(KernelError::Unauthorized), ErrorType::KernelAuth);
        assert_eq!(kind(KernelError::Forbidden), ErrorType::KernelAuth);
        assert_eq!(kind(KernelError::NoData("/api/x")), ErrorType::Api);
        assert_eq!(ToolError::from(KernelError::TooMany(None)).code, Some(429));
        assert_eq!(ToolError::from(KernelError::Status(500)).code, Some(500));
    }
}
