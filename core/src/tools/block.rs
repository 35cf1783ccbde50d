//! Blocks by id: reading, adding, replacing, moving, deleting.

pub mod add_to_daily_note;
mod adding;
pub mod append;
pub mod delete;
pub mod edit;
pub mod fold;
pub(super) mod front;
pub mod get;
pub mod get_attrs;
pub mod info;
pub mod insert;
mod items;
pub mod list;
pub mod r#move;
pub mod move_section;
mod moving;
mod position;
pub mod prepend;
pub mod recent;
mod removing;
pub(super) mod replacing;
pub mod set_attrs;
pub mod set_heading_level;
pub mod set_task;
mod shape;
mod siblings;
pub(super) mod source;
mod spot;
pub mod swap_ref;
pub mod transfer_refs;
pub mod update;
pub mod word_count;
mod writer;

actions! {
    get::Get,
    info::Info,
    list::List,
    recent::Recent,
    insert::Insert,
    append::Append,
    prepend::Prepend,
    update::Update,
    edit::Edit,
    delete::Delete,
    r#move::Move,
    move_section::MoveSection,
    set_heading_level::SetHeadingLevel,
    set_task::SetTask,
    fold::Fold,
    get_attrs::GetAttrs,
    set_attrs::SetAttrs,
    word_count::WordCount,
    transfer_refs::TransferRefs,
    swap_ref::SwapRef,
    add_to_daily_note::AddToDailyNote,
}
