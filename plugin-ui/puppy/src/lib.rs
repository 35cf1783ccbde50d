//! The puppy, which the page loads at its start: [`state`] has its next move, `look` chooses the puppy's pose, `paint` draws it, `life` moves it.
//!
//! The features (menu, card, bubble, touch, notice) know nothing of each other or of the life: they return or send a
//! `wish::Wish`, and the life grants it. Natively there is its contact sheet.
#![cfg_attr(
    not(target_arch = "wasm32"),
    allow(dead_code, reason = "natively there is only what is tested without a page")
)]

pub mod state;

#[cfg(test)]
mod geometry_tests;
mod look;
mod menu;
#[cfg(not(target_arch = "wasm32"))]
mod motion;
mod paint;
mod pose;
#[cfg(not(target_arch = "wasm32"))]
pub mod sheet;

#[cfg(target_arch = "wasm32")]
mod bubble;
#[cfg(target_arch = "wasm32")]
mod card;
#[cfg(target_arch = "wasm32")]
pub mod life;
#[cfg(target_arch = "wasm32")]
mod notice;
#[cfg(target_arch = "wasm32")]
mod position;
#[cfg(target_arch = "wasm32")]
pub mod stage;
#[cfg(target_arch = "wasm32")]
mod touch;
#[cfg(target_arch = "wasm32")]
mod view;
mod wish;
