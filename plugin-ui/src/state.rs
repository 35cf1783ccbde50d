//! Plain Rust without a page: the puppy's scenes, the time of the next poll, and the drafts of the panel.

pub mod access;
pub mod act;
pub mod bubble;
pub mod calls;
pub mod charts;
pub mod day;
pub mod diff;
pub mod effective;
pub mod errand;
pub mod find;
pub mod gaze;
pub mod idle;
pub mod levels;
pub mod matrix;
pub mod message;
mod news;
pub mod older;
pub mod past;
pub mod place;
pub mod polling;
pub mod preset;
pub mod puppy;
pub mod questions;
pub mod report;
mod scene;
pub mod screen;
pub mod server;
pub mod settings;
pub mod stage;
pub mod steps;
pub mod switches;
pub mod today;
pub mod toolbox;
pub mod trouble;

pub use puppy_core::clients;
