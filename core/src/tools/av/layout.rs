//! The layout of a view: a table, cards or a board.

use crate::prelude::*;

/// The layout of the rows of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Choice)]
pub enum LayoutName {
    /// Rows and columns.
    #[default]
    Table,
    /// Cards.
    Gallery,
    /// A board with a column of cards for each group.
    Kanban,
}

impl LayoutName {
    /// The kernel's name.
    pub fn name(self) -> &'static str {
        match self {
            LayoutName::Table => "table",
            LayoutName::Gallery => "gallery",
            LayoutName::Kanban => "kanban",
        }
    }
}
