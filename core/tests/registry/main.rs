//! The rules for every declaration, and the texts made from them for models and people.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "clippy's freedoms of tests do not reach the functions beside them"
)]

mod capability;
mod grammar;
mod ladder;
mod levels;
mod listing;
mod pages;
mod ranking;
mod shape;
mod spellings;
mod switches;
mod table;
