//! The code inside SiYuan's page: the puppy in the corner and the settings panel.
//!
//! [`state`] is plain Rust: the puppy's next move, the content of drafts, the time of the next poll. It is
//! tested natively and receives the clock as an argument. `host` is the only door to the page, and
//! `kernel` talks to SiYuan through it. Both programs of this crate are built on these.
//!
//! The page loads four modules: `src/puppy` at its start, `src/panel` when the panel is first opened, `src/pages`
//! when a page is that a person opens seldom, `src/actions` when an action is first tried. They are programs, not modules
//! of this library, because everything in a library ends up in every program that uses it: the puppy must not carry
//! the panel's lists and forms, nor its signals, and who only looks at connections must not load the code of all
//! actions.
//! Both draw with the DOM directly. The puppy is one element with a dozen attributes; the panel's elements
//! (`host::el`) follow the signals of `reactive_graph`, Leptos' own. Leptos' views have a type for each shape of a
//! view: with them four pages of the panel were 333 KB of wasm and glue after gzip, and five are 267 KB without.

pub mod state;
pub mod words;

#[cfg(target_arch = "wasm32")]
pub mod host;
#[cfg(target_arch = "wasm32")]
pub mod kernel;
#[cfg(target_arch = "wasm32")]
pub mod parts;
