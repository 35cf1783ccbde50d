//! Notebooks as a whole: which exist, their settings, the grants.

pub mod create;
pub mod info;
pub mod list;
