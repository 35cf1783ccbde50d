//! Blocks by id: read, added to, replaced, deleted.

pub mod append;
pub mod delete;
pub mod get;
mod replacing;
mod source;
pub mod update;
