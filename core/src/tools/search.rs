//! Text, links, SQL: find blocks across notebooks.

mod excerpt;
mod fts;
mod row;
pub mod text;
mod types;
