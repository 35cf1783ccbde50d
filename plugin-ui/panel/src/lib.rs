//! The settings panel. Its module loads when the panel is first opened, or for the first request of the puppy.
//!
//! [`state`] is plain Rust with native tests. The other modules are Leptos views made of the components of
//! `puppy_ui_parts`.

#![cfg_attr(
    target_arch = "wasm32",
    expect(unreachable_pub, reason = "Leptos makes the function in each component public")
)]

pub mod state;

#[cfg(target_arch = "wasm32")]
mod advanced;
#[cfg(target_arch = "wasm32")]
mod bar;
#[cfg(target_arch = "wasm32")]
mod changes;
#[cfg(target_arch = "wasm32")]
pub mod channel;
#[cfg(target_arch = "wasm32")]
mod errand;
#[cfg(target_arch = "wasm32")]
mod frame;
#[cfg(target_arch = "wasm32")]
mod home;
#[cfg(target_arch = "wasm32")]
mod late;
#[cfg(target_arch = "wasm32")]
mod own_questions;
#[cfg(target_arch = "wasm32")]
mod pages;
#[cfg(target_arch = "wasm32")]
mod permissions;
#[cfg(target_arch = "wasm32")]
mod picked;
#[cfg(target_arch = "wasm32")]
mod presets;
#[cfg(target_arch = "wasm32")]
pub mod questions;
#[cfg(target_arch = "wasm32")]
pub mod requests;
#[cfg(target_arch = "wasm32")]
mod search;
#[cfg(target_arch = "wasm32")]
mod setting_files;
#[cfg(target_arch = "wasm32")]
mod store;
#[cfg(target_arch = "wasm32")]
mod tools;
#[cfg(target_arch = "wasm32")]
pub mod view;

#[cfg(target_arch = "wasm32")]
use puppy_ui_parts as parts;
