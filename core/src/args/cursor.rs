//! Cursors: the position at which an earlier answer ended, decoded before any request is made.

use std::fmt;
use std::str::FromStr;

use super::{Arg, Plain, Spot, Value};
use crate::spec::{Kind, ReadBy};

/// The `next` of an earlier answer, of at most `LONGEST` characters. It parses whatever `C` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Next<C, const LONGEST: usize = 100>(C);

impl<C, const LONGEST: usize> Next<C, LONGEST> {
    /// The position to continue from.
    pub fn get(&self) -> &C {
        &self.0
    }
}

#[diagnostic::do_not_recommend]
impl<C, const LONGEST: usize> Plain for Next<C, LONGEST> {}

impl<C: FromStr, const LONGEST: usize> Arg for Next<C, LONGEST> {
    const KIND: Kind = Kind::Text { min: 1, max: LONGEST };
    const READ_BY: ReadBy = ReadBy::NOTHING;

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        let text = value.as_ref().and_then(Value::as_str).filter(|text| text.chars().count() <= LONGEST);
        match text.and_then(|text| text.parse().ok()) {
            Some(cursor) => Some(Next(cursor)),
            None => spot.expected("the `next` of an earlier answer"),
        }
    }
}

/// The row that a page begins after: a number of the row (a count or a time), and its name or id. `<number>.<key>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct After(pub u64, pub String);

impl FromStr for After {
    type Err = ();

    fn from_str(cursor: &str) -> Result<After, ()> {
        let (number, key) = cursor.split_once('.').ok_or(())?;
        Ok(After(number.parse().map_err(|_| ())?, key.to_owned()))
    }
}

impl fmt::Display for After {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// B-029.
    #[test]
    fn unknown_cursor_is_refused_by_name() {
        let taken = |value: Value| {
            let mut problems = Vec::new();
            let mut spot = Spot { path: "cursor".to_owned(), problems: &mut problems };
            let taken = Next::<u8, 3>::take(Some(value), &mut spot);
            (taken.map(|it| *it.get()), problems.pop().map(|it| (it.field, it.expected)))
        };
        assert_eq!(taken(json!("17")), (Some(17), None));
        let refused = Some(("cursor".to_owned(), "the `next` of an earlier answer".to_owned()));
        for wrong in [json!("x"), json!(""), json!("0017"), json!(17)] {
            assert_eq!(taken(wrong.clone()), (None, refused.clone()), "{wrong}");
        }
    }
}
