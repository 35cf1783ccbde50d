//! Text, links, SQL: finding blocks across notebooks.

mod asked;
mod excerpt;
mod fts;
mod page;
mod row;
pub mod text;
mod types;

actions! {
    text::FindText,
}
