//! What runs inside SiYuan's page: the puppy in the corner and the settings panel.
//!
//! [`state`] is plain Rust: what the puppy does next, what a draft would write, when to ask the kernel
//! again. It is tested natively, with the clock handed in. `host` is the only door to the page and
//! `kernel` speaks to SiYuan through it. Both programs of this crate stand on these.
//!
//! The page loads two modules: `src/puppy` at its start, `src/panel` when the panel is first opened.
//! They are programs, not modules of this library, because what a library brings along ends up in
//! every module that uses it: the puppy must not carry the panel's lists and forms, nor Leptos.
//! The puppy draws with the DOM directly: it is one element with a dozen attributes, on every page from
//! the first moment. With gzip that is 58 KB of wasm and glue, against 78 KB with the smallest view of it
//! in Leptos, of 100 KB that may be loaded at the start. The panel, all lists and forms, is Leptos.

pub mod state;
pub mod words;

#[cfg(target_arch = "wasm32")]
pub mod host;
#[cfg(target_arch = "wasm32")]
pub mod kernel;
