//! Arguments that several actions share.
//!
//! Each group has one sentence and one type; `#[args]` places it among an action's own arguments.

use std::str::FromStr;

use puppy_core_derive::Record;

use super::{Flag, Int, Markdown, Next, Text};
use crate::id::{DocId, NotebookRef};

/// A page of a list: `DEFAULT` items where nothing is said, at most `MOST`.
#[derive(Debug, Clone, Record)]
pub struct Paging<C: FromStr, const DEFAULT: i64, const MOST: i64, const LONGEST: usize = 100> {
    /// Maximum number of results.
    pub limit: Int<1, MOST, DEFAULT>,
    /// The `next` of an earlier answer, to continue there.
    pub cursor: Option<Next<C, LONGEST>>,
}

impl<C: FromStr, const DEFAULT: i64, const MOST: i64, const LONGEST: usize>
    Paging<C, DEFAULT, MOST, LONGEST>
{
    /// The position at which the earlier answer ended.
    pub fn after(&self) -> Option<&C> {
        self.cursor.as_ref().map(Next::get)
    }
}

/// A part of the workspace, found by `Cx::within`; without both all of it.
#[derive(Debug, Clone, Record)]
pub struct Within {
    /// Only in this notebook, by id or exact name.
    #[target]
    pub notebook: Option<NotebookRef>,
    /// Only this document and the documents below it.
    #[target]
    pub under: Option<DocId>,
}

/// The replacement of an exact string.
#[derive(Debug, Clone, Record)]
pub struct Replacement {
    /// Text as read shows it, letter for letter.
    #[read_by()]
    pub old: Text<1, 100_000>,
    /// The Markdown that replaces it.
    pub new: Markdown,
    /// Every place instead of the only one.
    pub all: Flag<false>,
}
