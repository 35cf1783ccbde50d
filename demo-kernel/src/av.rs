//! Databases ("attribute views"): rows that stand for blocks or for themselves, columns, views.
//!
//! A database is one JSON document in the store, in the kernel's own form. `render` makes a view
//! of it, with the values that `fill` computes; `filter`, `sort`, `calc` and `group` shape it; `show` answers it.
//! `rows`, `cells`, `columns`, `relation` and `views` change it, each reading it before and writing it after.
//! `bind` knows the blocks: those that show a database and those that are rows of it.

pub(crate) mod bind;
mod calc;
pub(crate) mod cells;
pub(crate) mod columns;
pub(crate) mod database;
mod dates;
mod defaults;
mod filter;
mod filter_times;
mod format;
mod group;
mod key;
pub(crate) mod operations;
mod relation;
pub(crate) mod render;
mod rollup;
pub(crate) mod rows;
pub(crate) mod show;
mod sort;
pub(crate) mod value;
mod view;
pub(crate) mod views;

pub(crate) use bind::{NAMES, rows_of};
