//! The signed channel between every page of SiYuan and every sidecar, over one broadcast channel of the kernel.
//!
//! It carries what a file cannot: questions to the person and their answers, requests to the page, and the news that
//! settings changed. Sidecar and page compile this code; it knows neither sockets nor clocks.
//!
//! Reading order: [`Message`] lists the messages, [`SignedMessage`] signs and numbers them, `connection` decides which
//! count, `peers` who is there; [`SidecarEnd`] and [`PageEnd`] are what each end keeps, with [`Questions`] and the
//! requests to a page in files of their own.
//!
//! Everybody with the kernel's rights hears the channel, so a message counts only if it is signed with the key in the
//! plugin's storage, numbered higher than all before it, and addressed to this end by an id that is new with each
//! connection. An introduction and the news of a change are open to everybody: they only make an end greet or read
//! again. So a page counts as open, and a sidecar as running, only after it has answered this end's own introduction:
//! recorded introductions of an earlier connection prove nothing.

mod backoff;
mod call;
mod calls;
mod connection;
mod key;
mod message;
mod page;
mod peers;
mod questions;
mod sidecar;
mod signed;
#[cfg(test)]
mod tests;

pub use backoff::Backoff;
pub use key::{KEY_FILE, Key};
pub use message::{
    Approvals, Choice, Errand, Hello, HttpAnnouncement, Message, OfferedErrand, OpenQuestion, PageAnswer,
    PageCall, Role, Ruling, TokenNotice, TouchedPlace, UsedOf,
};
pub use page::{FromSidecar, News, PageEnd};
pub use questions::{Decision, MOST_OPEN, NewQuestion, NotAsked, QuestionState, Questions};
pub use sidecar::{Duty, SidecarEnd};
pub use signed::{PeerId, SignedMessage};

/// The channel of the kernel. Channels stay listed once they were used, so there is one.
pub const CHANNEL: &str = "siyuan-mcp-puppy";

/// The text that a page sends as it opens, before it has loaded the code that understands messages: sidecars introduce
/// themselves, instead of being found with their next greeting to everybody. `index.js` sends it.
pub const HELLO_REQUEST: &str = "?";

/// The ability of a page to show questions about dangerous actions.
pub const APPROVE: &str = "approve";
