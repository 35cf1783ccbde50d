//! Blocks by id: read, added to, replaced, deleted.

pub mod append;
pub mod delete;
pub mod get;
mod source;
pub mod update;
