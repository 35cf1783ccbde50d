//! Tags and bookmarks across the workspace.

mod changes;
pub mod list;
mod places;
pub mod remove;
pub mod rename;
#[cfg(test)]
mod testing;

actions! {
    list::List,
    rename::Rename,
    remove::Remove,
}
