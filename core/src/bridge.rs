//! The bridge between every page of SiYuan and every sidecar, over one channel of the kernel.
//!
//! It carries what a file cannot: questions to the person and their answers, requests to the page, and the news that
//! settings changed. Sidecar and page compile this code; it knows neither sockets nor clocks.
//!
//! Reading order: [`Message`] is everything that is said, [`Letter`] how it is signed and numbered, `seat` which letters
//! count, `peers` who is there; [`SidecarEnd`] and [`PageEnd`] are what each end keeps, with [`Questions`] and the
//! requests to a page in files of their own.
//!
//! Everybody with the kernel's rights hears the channel, so a letter counts only if it is signed with the key in the
//! plugin's storage, numbered higher than all before it, and addressed to this end by an id that is new with each
//! connection. An introduction and the news of a change are open to everybody: they only make an end greet or read
//! again. So a page counts as open, and a sidecar as running, only after it has answered this end's own introduction:
//! recorded introductions of an earlier connection prove nothing.

mod backoff;
mod call;
mod calls;
mod key;
mod letter;
mod message;
mod page;
mod peers;
mod questions;
mod seat;
mod sidecar;
#[cfg(test)]
mod tests;

pub use backoff::Backoff;
pub use key::{KEY_FILE, Key};
pub use letter::{Letter, PeerId};
pub use message::{
    Asked, Choice, Consent, Hello, Message, PageAnswer, PageCall, Role, Ruling, Touched, Waiting,
};
pub use page::{News, PageEnd, Seen};
pub use questions::{NewQuestion, NotAsked, Questions, State, Taken};
pub use sidecar::{Duty, SidecarEnd};

/// The channel of the kernel. Channels stay listed once they were used, so there is one.
pub const CHANNEL: &str = "siyuan-mcp-puppy";

/// The text that a page sends as it opens, before it has loaded the code that understands letters: sidecars introduce
/// themselves, instead of being found with their next greeting to everybody. `index.js` sends it.
pub const KNOCK: &str = "?";

/// The ability of a page to show questions about dangerous actions.
pub const APPROVE: &str = "approve";
