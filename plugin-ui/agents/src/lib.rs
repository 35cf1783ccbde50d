//! Agents: what each may do, on a page of its own, and what each did, in Activity: its runs, word by word, and the way back.
//!
//! [`state`] is plain Rust with native tests. The other modules are Leptos views made of the components of
//! `puppy_ui_parts`. Calls are made by the module of the actions, with a person's rights.

#![cfg_attr(
    target_arch = "wasm32",
    expect(unreachable_pub, reason = "Leptos makes the function in each component public")
)]

pub mod state;

#[cfg(target_arch = "wasm32")]
pub mod activity;
#[cfg(target_arch = "wasm32")]
mod agent;
#[cfg(target_arch = "wasm32")]
pub mod agents;
#[cfg(target_arch = "wasm32")]
mod agents_room;
#[cfg(target_arch = "wasm32")]
mod back;
#[cfg(target_arch = "wasm32")]
mod calls;
#[cfg(target_arch = "wasm32")]
mod document;
#[cfg(target_arch = "wasm32")]
mod issued_token;
#[cfg(target_arch = "wasm32")]
mod room;
#[cfg(target_arch = "wasm32")]
mod run;
#[cfg(target_arch = "wasm32")]
mod view;
#[cfg(target_arch = "wasm32")]
pub mod writer;
