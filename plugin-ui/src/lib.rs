//! The code inside SiYuan's page: the puppy in the corner and the settings panel.
//!
//! [`state`] is plain Rust: the puppy's next move, the content of drafts, the time of the next poll. It is
//! tested natively and receives the clock as an argument. `host` is the only door to the page, and
//! `kernel` talks to SiYuan through it. Both programs of this crate are built on these.
//!
//! The page loads two modules: `src/puppy` at its start, `src/panel` when the panel is first opened.
//! They are programs, not modules of this library, because everything in a library ends up in every
//! program that uses it: the puppy must not carry the panel's lists and forms, nor Leptos.
//! The puppy draws with the DOM directly: it is one element with a dozen attributes, on every page from
//! the first moment. With gzip that is 58 KB of wasm and glue, against 78 KB with the smallest view of it
//! in Leptos, of 100 KB that may be loaded at the start. The panel, all lists and forms, is Leptos.

pub mod state;
pub mod words;

#[cfg(target_arch = "wasm32")]
pub mod host;
#[cfg(target_arch = "wasm32")]
pub mod kernel;
