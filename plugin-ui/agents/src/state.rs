//! Plain Rust without a page: agents and their ceilings, runs, their differences, the way back, and who wrote a block.

pub mod answer;
pub mod back;
pub mod ceilings;
pub mod charts;
pub mod difference;
pub mod list;
pub mod writer;
