//! A list of unique ids or names.

use super::{Arg, Many, Plain, Spot, Value};
use crate::permission::{Level, Need, Targets};
use crate::spec::{Kind, ReadBy};

/// One to `MAX` ids or names; duplicates count once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ids<T, const MAX: usize>(Many<T, 1, MAX>);

impl<T, const MAX: usize> Ids<T, MAX> {
    /// The items, in the order in which the caller named them.
    pub fn as_slice(&self) -> &[T] {
        self.0.as_slice()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Plain, const MAX: usize> Plain for Ids<T, MAX> {}

#[diagnostic::do_not_recommend]
impl<T: Targets, const MAX: usize> Targets for Ids<T, MAX> {
    fn add_needs(&self, param: &str, level: Level, out: &mut Vec<Need>) {
        self.0.add_needs(param, level, out);
    }
}

impl<T: Arg + PartialEq, const MAX: usize> Arg for Ids<T, MAX> {
    const KIND: Kind = Many::<T, 1, MAX>::KIND;
    const READ_BY: ReadBy = T::READ_BY;

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        Many::take(value, spot).map(|all: Many<T, 1, MAX>| Ids(all.unique()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Problem;
    use super::*;
    use crate::id::DocId;

    const A: &str = "20250101000000-aaaaaaa";
    const B: &str = "20250101000000-bbbbbbb";

    fn taken(value: Value) -> Result<Vec<String>, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut spot = Spot { path: "ids".to_owned(), problems: &mut problems };
        let taken = Ids::<DocId, 2>::take(Some(value), &mut spot);
        taken.map(|it| it.as_slice().iter().map(ToString::to_string).collect()).ok_or(problems)
    }

    #[test]
    fn duplicate_ids_count_once() {
        assert_eq!(taken(json!([B, A])).unwrap(), [B, A]);
        assert_eq!(taken(json!([A, A])).unwrap(), [A]);
        let fields =
            |value: Value| taken(value).unwrap_err().into_iter().map(|it| it.field).collect::<Vec<_>>();
        // The bound applies to the list as sent, so that a schema can express it.
        assert_eq!(fields(json!([A, A, A])), ["ids"]);
        assert_eq!(fields(json!([])), ["ids"]);
        assert_eq!(fields(json!([A, "x"])), ["ids[1]"]);
    }
}
