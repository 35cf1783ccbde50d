//! Note text on its way in and out: hashes, windows near a budget, attribute lists, incoming Markdown.

pub mod hash;
pub mod paging;
pub mod reading;
pub mod stamp;
pub mod window;
