//! Plain Rust without a page: what the puppy shows, when to ask again, and what a draft would write.

pub mod act;
pub mod bubble;
pub mod errand;
pub mod gaze;
pub mod idle;
pub mod levels;
pub mod message;
mod news;
pub mod past;
pub mod place;
pub mod polling;
pub mod puppy;
mod scene;
pub mod settings;
pub mod stage;
pub mod switches;
pub mod today;
pub mod trouble;
