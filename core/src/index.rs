//! SiYuan's index as a caller may see it: one view per table, and the plugin's own statements over these views.
//!
//! The kernel answers SQL over every notebook, and its index also stores what blocks *show*, from any notebook. So no
//! statement names a table of the kernel: it names a [`Table`], which is printed as a view narrowed to the notebooks
//! that the caller may read (`Table::view`). The plugin's own statements are built ([`Select`]); a caller's
//! statements are printed over the same views ([`Statement`]). There is no second definition that a statement could miss.
//! The few statements that must see more are made in one file ([`Raw`]).
//!
//! Rows of a view still arrive as `Unfiltered`: whatever a view lets through by mistake meets a second lock.

mod filter;
mod raw;
mod row;
mod select;
mod statement;
mod titled;
mod view;

pub use filter::{
    RowCondition, all_in_any_case, any, asset_ends_in, at_least, contains, eq, in_any_case, in_list,
    is_moment, is_not, is_row_of, is_tag, links_to, matches, not, not_in, same, starts_with, within,
};
pub use raw::Raw;
pub use row::{block, hpath};
pub use select::{Order, RowPage, Select, StartKey};
pub use statement::{Embed, Statement, StatementRows};
pub(crate) use titled::{beginning, end, titled};
pub use view::{Table, Visibility};

/// The storage path of a document's parent, from the document's row: its own without the last segment, `/<id>.sy`.
pub const PARENT: &str = "substr(path, 1, length(path) - 26)";
/// The id of a document's parent, from the document's row.
pub const PARENT_ID: &str = "substr(path, length(path) - 47, 22)";

/// The path of an asset, from the row of a use: a link may name a page after it, `plan.pdf?p=3`.
pub const ASSET: &str =
    "CASE WHEN instr(f.path, '?') > 0 THEN substr(f.path, 1, instr(f.path, '?') - 1) ELSE f.path END";

#[cfg(test)]
mod tests;
