//! An MCP client for a page: Streamable HTTP in both eras of the protocol, without a view.
//!
//! [`pool::Pool`] holds the [`connection`]s of a playground; a connection is made, kept, lost and made again by its own
//! `run`, and its calls, prompts and resources are futures beside it. Nothing here sends, waits or draws lots by
//! itself: [`world`] says what is handed in, `fetch` is the page's world, and tests bring a simulated one.
//!
//! In reading order: `http` and [`world`] (the outside), [`revision`], `message` and `events` (the protocol's texts),
//! `wire` (one request and its answer), [`greeting`] (who speaks what), [`connection`], [`pool`].
//!
//! rmcp's client (3.9.0, without `fetch`) adds 339 KB to a page's module after wasm-opt and gzip, reads a clock that
//! panics in a page and spawns on a runtime that a page does not have; this client adds 93 KB, `fetch` included.

pub mod attachments;
mod backoff;
mod cache;
pub mod connection;
pub mod content;
mod events;
pub mod failure;
#[cfg(target_arch = "wasm32")]
pub mod fetch;
#[cfg(any(target_arch = "wasm32", test))]
mod forward;
pub mod greeting;
pub mod http;
pub mod index;
pub mod limits;
mod message;
#[allow(missing_docs, reason = "most items are named like those of the protocol")]
pub mod offer;
pub mod phase;
pub mod pool;
pub mod proxied;
pub mod revision;
pub mod saved;
pub mod template;
pub mod updates;
mod wire;
pub mod world;

pub use message::RpcError;
pub use wire::{Address, OnProgress, Progress};

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
