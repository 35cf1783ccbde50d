//! What runs inside SiYuan's page: the puppy in the corner and the settings panel.
//!
//! [`state`] is plain Rust: what the puppy does next, what a draft would write, when to ask the kernel
//! again. It is tested natively, with the clock handed in. [`host`] is the only door to the page,
//! [`kernel`] speaks to SiYuan through it, and [`puppy`] and [`panel`] draw.
//!
//! The page loads two modules of this crate, `src/bin/puppy.rs` at its start and `src/bin/panel.rs` when
//! the panel is first opened. The puppy draws with the DOM directly, without Leptos: it has one element
//! and a dozen attributes to set, and is on every page from the first moment. Measured with gzip, it
//! is less than half of what it was as a Leptos view; the panel, all lists and forms, is Leptos.

pub mod puppy;
pub mod state;
pub mod words;

#[cfg(target_arch = "wasm32")]
pub mod host;
#[cfg(target_arch = "wasm32")]
pub mod kernel;
#[cfg(target_arch = "wasm32")]
pub mod panel;
