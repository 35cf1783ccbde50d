//! SiYuan's index as a caller may see it: one view of each table, and the statements of ours that stand on them.
//!
//! The kernel answers SQL over every notebook, and its index keeps what blocks *show* beside what they are, from any
//! notebook. So no statement names a table of the kernel: it names a [`Table`], which is printed as a view narrowed
//! to what the caller may read (`Table::view`). Statements of ours are built ([`Select`]), a caller's own are to be
//! printed anew over the same views; there is no second definition that one of them could miss.
//!
//! Rows of a view arrive as `Unfiltered` all the same: a view that lets something through meets a second lock.

mod filter;
mod row;
mod select;
mod view;

pub use filter::{
    Filter, any, contains, eq, in_any_case, in_list, is_not, not, not_in, same, starts_with, within,
};
pub use row::{block, hpath};
pub use select::{Key, Order, Rows, Select};
pub use view::{Table, Visibility};

/// The storage path of the document above, of a document's row: its own without the last segment, `/<id>.sy`.
pub const PARENT: &str = "substr(path, 1, length(path) - 26)";

#[cfg(test)]
mod tests;
