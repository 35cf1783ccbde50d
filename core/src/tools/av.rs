//! Databases: their columns, views, rows and cells.

pub mod add_column;
pub mod add_rows;
pub mod add_view;
mod calc;
mod cells;
pub mod column;
mod column_effects;
pub mod create;
mod database_blocks;
pub mod duplicate;
mod filters;
pub mod find_rows;
pub mod get;
mod grouping;
mod layout;
pub mod list_rows;
mod new_columns;
mod new_rows;
mod related;
pub mod remove_column;
pub mod remove_rows;
pub mod remove_view;
pub mod rename;
pub mod search;
pub mod set_cells;
mod table;
#[cfg(test)]
mod testing;
pub mod update_column;
pub mod update_view;
mod view;
mod view_setting;
pub mod view_settings;

actions! {
    search::Search,
    get::Get,
    list_rows::ListRows,
    find_rows::FindRows,
    create::Create,
    rename::Rename,
    add_rows::AddRows,
    set_cells::SetCells,
    remove_rows::RemoveRows,
    add_column::AddColumn,
    update_column::UpdateColumn,
    remove_column::RemoveColumn,
    add_view::AddView,
    update_view::UpdateView,
    remove_view::RemoveView,
    duplicate::Duplicate,
}
