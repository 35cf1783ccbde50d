//! One record whose fields are arguments of their own, or a list of several such records.

use super::{Arg, Args, Decode, Many, OneOf};
use crate::permission::{Level, Need, Targets};
use crate::spec::{Needs, Param, Presence};

/// A record that an action takes alone or in a list. Its targets need the level of the action's field.
pub trait ListRecord: Arg + Decode + Targets {
    /// The name of the list on the wire.
    const LIST: &'static str;
    /// The sentence about the list.
    const LIST_DOC: &'static str;
}

/// The fields of one record, or a list of up to `MAX` of them under [`ListRecord::LIST`].
#[derive(Debug)]
pub enum OneOrMany<T, const MAX: usize> {
    /// One record, whose fields were sent as arguments.
    One(T),
    /// The list, even if it has one item.
    List(Many<T, 1, MAX>),
}

impl<T, const MAX: usize> OneOrMany<T, MAX> {
    /// The records in the order of the call.
    pub fn as_slice(&self) -> &[T] {
        match self {
            OneOrMany::One(one) => std::slice::from_ref(one),
            OneOrMany::List(all) => all.as_slice(),
        }
    }

    /// Whether one record was sent without a list; its answer is no list either.
    pub fn is_one(&self) -> bool {
        matches!(self, OneOrMany::One(_))
    }
}

impl<T: ListRecord, const MAX: usize> OneOrMany<T, MAX> {
    /// The argument of the record at an index, such as `updates[1]`; none if it was sent without a list.
    pub fn place(&self, at: usize) -> Option<String> {
        (!self.is_one()).then(|| format!("{}[{at}]", T::LIST))
    }
}

#[diagnostic::do_not_recommend]
impl<T: ListRecord, const MAX: usize> Targets for OneOrMany<T, MAX> {
    fn add_needs(&self, _param: &str, level: Level, out: &mut Vec<Need>) {
        match self {
            OneOrMany::One(one) => one.add_needs("", level, out),
            OneOrMany::List(all) => all.add_needs(T::LIST, level, out),
        }
    }
}

impl<T: ListRecord, const MAX: usize> OneOf for OneOrMany<T, MAX> {
    const GROUPS: &'static [&'static [Param]] = &[
        T::PARAMS,
        &[Param {
            name: T::LIST,
            doc: T::LIST_DOC,
            kind: Many::<T, 1, MAX>::KIND,
            presence: Presence::Required,
            needs: Needs::OfTheChoice,
            read_by: Many::<T, 1, MAX>::READ_BY.of_field(None),
            aliases: &[],
        }],
    ];

    fn decode(args: &mut Args) -> Option<Self> {
        match args.only_group(Self::GROUPS)? {
            0 => T::decode(args).map(OneOrMany::One),
            1 => args.take(T::LIST).map(OneOrMany::List),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use puppy_core_derive::Record;
    use serde_json::{Value, json};

    use super::*;
    use crate::args::Problem;
    use crate::id::BlockId;

    const A: &str = "20250101000000-aaaaaaa";
    const B: &str = "20250101000000-bbbbbbb";

    /// A record with a target.
    #[derive(Debug, Record)]
    struct Row {
        /// The block.
        #[target]
        id: BlockId,
    }

    impl ListRecord for Row {
        const LIST: &'static str = "rows";
        const LIST_DOC: &'static str = "Several rows.";
    }

    type Rows = OneOrMany<Row, 2>;

    fn decoded(given: &Value) -> Result<Rows, Vec<Problem>> {
        let given = given.as_object().cloned().unwrap_or_default();
        let mut args = Args::over(&Rows::GROUPS.concat(), given, String::new());
        let rows = Rows::decode(&mut args);
        args.finish(rows)
    }

    /// The ids, the place of the last record, and the arguments that name targets.
    fn read(given: &Value) -> (Vec<String>, Option<String>, Vec<String>) {
        let rows = decoded(given).unwrap();
        let mut needs = Vec::new();
        rows.add_needs("ignored", Level::Read, &mut needs);
        let ids: Vec<String> = rows.as_slice().iter().map(|it| it.id.to_string()).collect();
        let place = rows.place(ids.len() - 1);
        (ids, place, needs.into_iter().map(|it| it.param).collect())
    }

    #[test]
    fn one_record_is_sent_with_or_without_a_list() {
        let own = |it: &str| vec![it.to_owned()];
        assert_eq!(read(&json!({ "id": A })), (own(A), None, own("id")));
        let listed = (own(A), Some("rows[0]".to_owned()), own("rows[0].id"));
        assert_eq!(read(&json!({ "rows": [{ "id": A }] })), listed);
        let (ids, place, _) = read(&json!({ "rows": [{ "id": A }, { "id": B }] }));
        assert_eq!((ids, place.as_deref()), (vec![A.to_owned(), B.to_owned()], Some("rows[1]")));
    }

    #[test]
    fn problems_name_the_argument_as_it_was_sent() {
        let fields = |given: &Value| -> Vec<String> {
            decoded(given).unwrap_err().into_iter().map(|it| it.field).collect()
        };
        assert_eq!(fields(&json!({ "id": "x" })), ["id"]);
        assert_eq!(fields(&json!({ "rows": [{ "id": A }, { "id": "x" }] })), ["rows[1].id"]);
        assert_eq!(fields(&json!({ "rows": [] })), ["rows"]);
        assert_eq!(fields(&json!({ "rows": [{ "id": A }, { "id": B }, { "id": A }] })), ["rows"]);
        assert_eq!(fields(&json!({})), ["id|rows"]);
        assert_eq!(fields(&json!({ "id": A, "rows": [{ "id": B }] })), ["id|rows"]);
    }
}
