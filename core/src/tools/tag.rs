//! Tags and bookmarks across the workspace.

pub mod list;
