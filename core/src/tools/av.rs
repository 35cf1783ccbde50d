//! Databases: their columns, views, rows and cells.

mod cells;
pub mod get;
pub mod set_cells;
mod view;

actions! {
    get::Get,
    set_cells::SetCells,
}
