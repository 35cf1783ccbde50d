//! Notes as files: documents by workspace path, read and written as Markdown.

pub mod cursor;
pub mod edit;
mod edited_blocks;
mod free_path;
pub mod grep;
pub mod info;
mod lines;
pub mod list;
pub mod r#move;
mod place;
pub mod read;
pub mod remove;
pub mod tree;
pub mod write;

actions! {
    list::List,
    tree::Tree,
    read::Read,
    write::Write,
    edit::Edit,
    grep::Grep,
    info::Info,
    r#move::Move,
    remove::Remove,
}
