//! Notes as files: documents by workspace path, read and written as Markdown.

pub mod edit;
mod free_path;
pub mod list;
pub mod read;
pub mod tree;
pub mod write;

actions! {
    list::List,
    tree::Tree,
    read::Read,
    write::Write,
    edit::Edit,
}
