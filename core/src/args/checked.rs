//! Texts that are accepted only in the one form in which the kernel stores them.

use serde_json::Value;

use super::{Arg, Plain, Spot};
use crate::spec::{Interpreter, Kind, ReadBy};

/// An argument that is a text with a rule of its own. A text that breaks the rule cannot be constructed.
pub trait Checked: Sized {
    /// The maximum length in characters.
    const MOST: usize;
    /// Its shape.
    const KIND: Kind = Kind::Text { min: 1, max: Self::MOST };
    /// The interpreters of SiYuan that read it.
    const READ_BY: &'static [Interpreter];
    /// The expectation that an error names when the value is not a text.
    const EXPECTED: &'static str;

    /// Parses a text; the error names the expectation.
    fn parse(text: &str) -> Result<Self, &'static str>;
}

#[diagnostic::do_not_recommend]
impl<T: Checked> Plain for T {}

#[diagnostic::do_not_recommend]
impl<T: Checked> Arg for T {
    const KIND: Kind = <T as Checked>::KIND;
    const READ_BY: ReadBy = ReadBy::These(<T as Checked>::READ_BY);

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        match value.as_ref().and_then(Value::as_str).map(T::parse) {
            Some(Ok(text)) => Some(text),
            Some(Err(expected)) => spot.expected(expected),
            None => spot.expected(T::EXPECTED),
        }
    }
}
