//! Tags and bookmarks across the workspace.

mod changes;
pub mod list;
mod places;
pub mod remove;
pub mod rename;

actions! {
    list::List,
    rename::Rename,
    remove::Remove,
}
