//! The SiYuan page: what is on the screen, and who sits before it.
//!
//! Only an open window can answer these requests. Whoever connects one implements [`Frontend`] and returns it from
//! `Kernel::frontend`; actions reach it through `Cx::page` and check what they get back.

use std::time::Duration;

use serde_json::Value;

use super::{Boxed, Shared};

/// A request to the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageRequest {
    /// Asks the person a question; the answer is an `Answered`.
    AskUser {
        /// The question, plain text.
        question: String,
        /// Answers to choose from.
        options: Vec<String>,
        /// Whether the person may write an answer.
        allow_text: bool,
        /// The time for which the question stays.
        time: Duration,
    },
    /// Asks what is open, in front and selected; the answer is an `Open`.
    UiState,
    /// Opens a block in its document; the answer is empty.
    OpenDocument {
        /// The block, or the document itself.
        id: String,
        /// Whether it comes to the front.
        focus: bool,
        /// Whether the block is shown alone.
        zoom: bool,
    },
    /// Scrolls to a block and highlights it; the answer is a `Scrolled`.
    ScrollToBlock {
        /// The block.
        id: String,
        /// Whether its document is opened when it is not.
        open: bool,
    },
}

impl PageRequest {
    /// The action of the tool `system` that it belongs to, which is also the ability that a page needs for it.
    pub const fn action(&self) -> &'static str {
        match self {
            PageRequest::AskUser { .. } => "ask_user",
            PageRequest::UiState => "get_ui_state",
            PageRequest::OpenDocument { .. } => "open_document",
            PageRequest::ScrollToBlock { .. } => "scroll_to_block",
        }
    }

    /// The time within which the page answers.
    pub fn deadline(&self) -> Duration {
        match self {
            PageRequest::AskUser { time, .. } => *time,
            _ => Duration::from_secs(10),
        }
    }
}

/// The reason why a request to the page has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageError {
    /// No page is connected.
    NoPage,
    /// The page did not answer in time.
    TimedOut,
    /// Another question waits for the person.
    Busy,
    /// The page did not understand the request, or failed at it.
    Failed,
}

/// The open pages. Exactly one answers a request: the one in front, else the newest.
pub trait Frontend: Shared {
    /// Hands over a request. The answer is JSON that nobody has checked.
    fn ask(&self, request: PageRequest) -> Boxed<'_, Result<Value, PageError>>;
}
