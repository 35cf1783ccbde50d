//! A call of a template's function: its arguments, and the reasons why it has no result.

use super::value::Any;
use crate::answer::Refusal;

/// The reason why a call has no result.
#[derive(Debug)]
pub(super) enum Failure {
    /// A wrong number of arguments; holds the number required.
    Count(usize),
    Message(String),
    /// The function exists in the real kernel only.
    NotHere,
    Refused(Refusal),
}

pub(super) type CallResult = Result<Any, Failure>;

/// An argument; nil if it is missing.
pub(super) fn at(args: &[Any], place: usize) -> Any {
    args.get(place).cloned().unwrap_or(Any::Nil)
}

pub(super) fn string(args: &[Any], place: usize) -> String {
    match at(args, place) {
        Any::Nil | Any::Missing => String::new(),
        value => value.plain(),
    }
}
