//! Note text on its way in and out: hashes, windows near a budget, attribute lists, incoming Markdown.

pub mod asset_name;
pub mod attrs;
pub mod blocks;
pub mod cell;
pub mod database;
pub mod document;
pub mod edits;
mod fence;
pub mod going;
pub mod hash;
pub mod icon;
pub mod incoming;
pub mod kramdown;
pub mod label;
pub mod new_document;
pub mod notebook_name;
pub mod overwrite;
pub mod paging;
pub mod pattern;
pub mod reading;
pub mod replacement;
pub mod stamp;
pub mod tag;
pub mod title;
pub mod window;
pub mod written;
