//! Note text on its way in and out: hashes, windows near a budget, attribute lists, incoming Markdown.

pub mod blocks;
mod fence;
pub mod edits;
pub mod hash;
pub mod kramdown;
pub mod paging;
pub mod pattern;
pub mod reading;
pub mod stamp;
pub mod title;
pub mod window;
pub mod written;
