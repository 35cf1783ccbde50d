//! Documents by id: made, looked up, moved, removed.

pub mod create;
mod destination;
pub mod info;
pub mod r#move;
pub mod remove;
