//! Documents by id: finding, creating, reading, ordering, converting, dating and restoring them.

pub mod create;
pub mod daily_note;
mod destination;
mod difference;
pub mod duplicate;
pub mod ensure;
mod entry;
pub mod from_block;
pub mod history;
pub mod info;
pub mod list;
pub mod r#move;
pub mod outline;
pub mod read;
pub mod remove;
pub mod rename;
pub mod reorder;
pub mod restore;
pub mod search;
pub mod search_order;
pub mod set_properties;
pub mod since;
pub mod to_heading;
mod versions;

actions! {
    create::Create,
    ensure::Ensure,
    info::Info,
    read::Read,
    outline::Outline,
    list::List,
    search::Search,
    rename::Rename,
    r#move::Move,
    reorder::Reorder,
    duplicate::Duplicate,
    remove::Remove,
    set_properties::SetProperties,
    daily_note::DailyNote,
    from_block::FromBlock,
    to_heading::ToHeading,
    history::History,
    restore::Restore,
}
