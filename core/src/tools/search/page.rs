//! A page of hits: its position, and as many of its rows as a budget holds.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use super::looking::HitPage;
use super::row::{RowForm, row};
use crate::output::json_chars;
use crate::prelude::*;

/// The position of a page: the kernel counts pages, so their size must stay the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PagePosition {
    pub(super) number: usize,
    pub(super) size: usize,
    skip: usize,
}

impl PagePosition {
    /// The first page of this size.
    pub(super) fn first(size: usize) -> PagePosition {
        PagePosition { number: 1, size, skip: 0 }
    }

    /// The rows up to the end of the page or of the room.
    pub(super) fn to_output(self, looked: &HitPage, mut room: usize, telling: RowForm) -> Output {
        let found = &looked.page;
        let (mut items, mut seen, mut cut) = (Vec::new(), BTreeSet::new(), None);
        for (at, hit) in found.blocks.iter().enumerate().skip(self.skip) {
            // The index may contain a block twice.
            if !seen.insert(hit.id.as_str()) {
                continue;
            }
            let row = row(hit, telling);
            let size = json_chars(&row);
            if size > room && !items.is_empty() {
                cut = Some(PagePosition { skip: at, ..self });
                break;
            }
            room = room.saturating_sub(size);
            items.push(Value::Object(row));
        }
        let next = cut.or(looked.next.map(|number| PagePosition { number, size: self.size, skip: 0 }));
        Output::new()
            .with("items", items)
            .with("total", found.matched_block_count)
            .with("documents", found.matched_root_count)
            .flag("truncated", cut.is_some() || looked.truncated)
            .with("next", next.map(|it| it.to_string()))
    }
}

impl FromStr for PagePosition {
    type Err = ();

    fn from_str(cursor: &str) -> Result<PagePosition, ()> {
        let numbers: Result<Vec<usize>, _> = cursor.split('.').map(str::parse).collect();
        match numbers.map_err(|_| ())?.as_slice() {
            [number @ 1..=1_000_000, size @ 1..=100, skip @ 0..=100] => {
                Ok(PagePosition { number: *number, size: *size, skip: *skip })
            }
            _ => Err(()),
        }
    }
}

impl fmt::Display for PagePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.number, self.size, self.skip)
    }
}
