//! The puppy in plain Rust, without a page: its next move, its place, the time of the next poll. The clock is an argument.

mod collars;
pub mod gaze;
pub mod idle;
mod mound;
mod news;
pub mod past;
pub mod place;
pub mod polling;
pub mod puppy;
pub mod today;
