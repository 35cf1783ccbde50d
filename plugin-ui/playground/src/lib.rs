//! The playground of the panel: tools, prompts and resources of servers, tried as an agent uses them.
//!
//! [`state`] is plain Rust with native tests. The other modules are Leptos views made of the components of
//! `puppy_ui_parts`.

#![cfg_attr(
    target_arch = "wasm32",
    expect(unreachable_pub, reason = "Leptos makes the function in each component public")
)]

pub mod state;

#[cfg(target_arch = "wasm32")]
mod answer;
#[cfg(target_arch = "wasm32")]
mod attempt;
#[cfg(target_arch = "wasm32")]
mod calls;
#[cfg(target_arch = "wasm32")]
mod connections;
#[cfg(target_arch = "wasm32")]
mod edit_queue;
#[cfg(target_arch = "wasm32")]
mod fields;
#[cfg(target_arch = "wasm32")]
mod place;
#[cfg(target_arch = "wasm32")]
mod prompts;
#[cfg(target_arch = "wasm32")]
mod resources;
#[cfg(target_arch = "wasm32")]
mod room;
#[cfg(target_arch = "wasm32")]
mod run;
#[cfg(target_arch = "wasm32")]
mod servers;
#[cfg(target_arch = "wasm32")]
mod through;
#[cfg(target_arch = "wasm32")]
pub mod view;
