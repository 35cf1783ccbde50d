//! The door to SiYuan's page, for the programs that run in it: the puppy, the panel, the playground and the actions.
//!
//! `host` is the only door to JavaScript, and `kernel` talks to SiYuan through it. [`state`] is plain Rust that more than
//! one program needs: settings, messages, requests. [`words`] has every text in both languages.
//!
//! Each program is a package of its own, because everything that a package depends on may end up in its module: the
//! puppy loads with SiYuan and must carry neither the panel's lists and forms nor its signals, and a person who only
//! looks at connections must not load the code of all actions.

pub mod state;
pub mod words;

#[cfg(target_arch = "wasm32")]
pub mod host;
#[cfg(target_arch = "wasm32")]
pub mod kernel;
#[cfg(target_arch = "wasm32")]
pub mod readable;
#[cfg(target_arch = "wasm32")]
pub mod record;
