//! Texts that are taken in one form only: the one in which the kernel keeps them.

use serde_json::Value;

use super::{Arg, Plain, Spot};
use crate::spec::Kind;

/// An argument that is a text by a rule of its own. What does not keep the rule cannot be made.
pub trait Checked: Sized {
    /// Most characters of it.
    const MOST: usize;
    /// What is expected where there is no text at all.
    const EXPECTED: &'static str;

    /// Reads one; the error says what was expected.
    fn parse(text: &str) -> Result<Self, &'static str>;
}

#[diagnostic::do_not_recommend]
impl<T: Checked> Plain for T {}

#[diagnostic::do_not_recommend]
impl<T: Checked> Arg for T {
    const KIND: Kind = Kind::Text { min: 1, max: T::MOST };

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        match value.as_ref().and_then(Value::as_str).map(T::parse) {
            Some(Ok(text)) => Some(text),
            Some(Err(expected)) => spot.expected(expected),
            None => spot.expected(T::EXPECTED),
        }
    }
}
