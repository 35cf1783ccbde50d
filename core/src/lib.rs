//! The core of siyuan-mcp-puppy: what agents may do in a person's notes, and how each call runs.
//!
//! It compiles natively for the sidecar and to wasm for the page. It knows no MCP, HTTP, clock or files: those come
//! in through [`kernel::Kernel`] and [`activity::Observer`].
//!
//! Reading order: [`spec`] is the vocabulary of declarations and [`registry`] the list of them; [`grants`] is the
//! person's table of levels; [`args`], [`id`] and [`path`] decode the arguments of a caller; [`dispatch`] is the
//! pipeline of a call, in which [`permission`] decides and [`plan`] describes the change; an action in [`tools`] holds a
//! [`cx::Cx`] and asks [`kernel`]; [`render`] words the outcome; [`config`] holds the person's settings, [`activity`] the
//! record of calls, [`runs`] the record of what they changed, [`errands`] the permissions for several of them, [`clients`] what each known client needs to reach the server, and [`channel`] the messages
//! between pages and servers.
//!
//! An action is declared once, in the file that runs it. See `tools/notebook/list.rs` for the
//! smallest one.

// The derives name this crate by its path, also from inside the crate.
extern crate self as puppy_core;

pub mod activity;
pub mod agents;
pub mod args;
pub mod ask;
pub mod brake;
pub mod channel;
pub mod clients;
pub mod config;
pub mod content;
pub mod cx;
pub mod dispatch;
pub mod done;
pub mod errands;
pub mod error;
pub mod find;
mod fingerprint;
pub mod grants;
pub mod id;
pub mod index;
pub mod kernel;
mod kernel_error;
pub mod output;
pub mod part;
pub mod path;
pub mod permission;
pub mod plan;
pub mod prelude;
mod process;
pub mod prompts;
pub mod registry;
pub mod render;
pub mod resources;
pub mod runs;
pub mod siyuan;
pub mod skills;
mod sorted;
pub mod spec;
mod strict;
#[cfg(test)]
pub(crate) mod testing;
mod text_lock;
#[allow(rustdoc::invalid_html_tags, reason = "agents read the descriptions of arguments as plain text")]
pub mod tools;
mod undo_share;
pub mod visible;
