//! The panel in plain Rust, without a page: drafts, and the content of its pages. The clock is an argument.

pub mod access;
pub mod diff;
pub mod effective;
pub mod emoji;
pub mod find;
pub mod first_way;
pub mod levels;
pub mod matrix;
pub mod own_presets;
pub mod page;
pub mod preset;
pub mod questions;
pub mod report;
pub mod steps;
pub mod switches;
pub mod toolbox;
pub mod tree;
pub mod ways;
