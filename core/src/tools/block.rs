//! Blocks by id: reading, appending, replacing, deleting.

pub mod append;
pub mod delete;
pub mod get;
pub(super) mod replacing;
pub(super) mod source;
pub mod update;

actions! {
    get::Get,
    append::Append,
    update::Update,
    delete::Delete,
}
