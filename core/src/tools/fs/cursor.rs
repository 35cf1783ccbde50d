//! The cursor of `fs.grep`, which may stand inside a block.

use std::fmt;
use std::str::FromStr;

use crate::id::is_node_id;
use crate::kernel::api::query::Row;

/// The position of a page: behind a block, and behind some lines of the next one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineCursor {
    /// Document and block.
    pub(super) after: Option<(String, String)>,
    pub(super) skip: usize,
}

impl FromStr for LineCursor {
    type Err = ();

    fn from_str(cursor: &str) -> Result<LineCursor, ()> {
        let parts: Vec<&str> = cursor.split('.').collect();
        let (after, skip) = match parts.as_slice() {
            [skip] => (None, skip),
            [doc, block, skip] if is_node_id(doc) && is_node_id(block) => {
                (Some(((*doc).to_owned(), (*block).to_owned())), skip)
            }
            _ => return Err(()),
        };
        Ok(LineCursor { after, skip: skip.parse().map_err(|_| ())? })
    }
}

impl fmt::Display for LineCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.after {
            Some((doc, block)) => write!(f, "{doc}.{block}.{}", self.skip),
            None => write!(f, "{}", self.skip),
        }
    }
}

impl LineCursor {
    /// Behind all lines of a row's block.
    pub(super) fn behind(row: &Row) -> LineCursor {
        LineCursor { after: Some((row.text("root_id").to_owned(), row.text("id").to_owned())), skip: 0 }
    }
}
