//! Decoding: from JSON to an action's fields, naming every bad field at once (B-081).
//!
//! It has one small function per *type*, not per action. It avoids serde's derive, whose messages do not say which
//! argument was wrong and which costs twice the bytes in wasm.

mod checked;
mod cursor;
mod date;
mod ids;
mod names;
mod one_or_many;
mod or_clear;
mod shared;
mod types;

use serde_json::Map;
pub use serde_json::Value;

pub use checked::Checked;
pub use cursor::{After, Next};
pub use date::Date;
pub use ids::Ids;
pub use one_or_many::{ListRecord, OneOrMany};
pub use or_clear::OrClear;
pub use shared::{Paging, Replacement, Within};
pub use types::{Attrs, Flag, Int, Many, Markdown, Object, Text, Yes};

pub use crate::error::Problem;
use crate::spec::{ActionSpec, Kind, Param, Presence, ReadBy};

/// The maximum number of unknown arguments of one object that an error names and mends.
pub(crate) const MOST_UNKNOWN: usize = 16;

/// The arguments of one call, consumed field by field.
#[derive(Debug)]
pub struct Args {
    given: Map<String, Value>,
    problems: Vec<Problem>,
    prefix: String,
}

impl Args {
    /// Takes the arguments of a call and settles their spellings; `null` counts as absent.
    pub fn new(spec: &ActionSpec, given: Map<String, Value>) -> Args {
        Args::of_settled(spec, Args::settled(spec, given))
    }

    /// Takes arguments under their declared names.
    pub(crate) fn of_settled(spec: &ActionSpec, settled: Map<String, Value>) -> Args {
        let params: Vec<Param> = spec.params().collect();
        Args::over(&params, settled, String::new())
    }

    /// The arguments under their declared names, without the keys that hosts add and without `null`.
    pub(crate) fn settled(spec: &ActionSpec, given: Map<String, Value>) -> Map<String, Value> {
        let params: Vec<Param> = spec.params().collect();
        let mut settled = names::settle(spec.tool.name(), &params, given);
        settled.retain(|_, value| !value.is_null());
        settled
    }

    /// Takes arguments under their declared names; `prefix` is the place of the object that they are fields of.
    pub(crate) fn over(params: &[Param], mut given: Map<String, Value>, prefix: String) -> Args {
        // For a cell, null is the value that clears it; everywhere else it counts as absent.
        let is_cell = |name: &str| params.iter().any(|it| it.name == name && it.kind == Kind::Cell);
        given.retain(|name, value| !value.is_null() || is_cell(name));
        let problems = given
            .keys()
            .filter(|name| !params.iter().any(|param| param.name == name.as_str()))
            .take(MOST_UNKNOWN)
            .map(|name| Problem {
                field: format!("{prefix}{}", names::shown_name(name)),
                expected: names::unknown(name, params),
            })
            .collect();
        given.retain(|name, _| params.iter().any(|param| param.name == name));
        Args { given, problems, prefix }
    }

    /// Decodes one field; a bad or missing one is noted as a problem and returns `None`.
    pub fn take<T: Arg>(&mut self, name: &'static str) -> Option<T> {
        let (value, mut spot) = self.field(name);
        T::take(value, &mut spot)
    }

    /// The value of one field, and its place. It is not generic, so that it is compiled once, not for each type.
    fn field(&mut self, name: &str) -> (Option<Value>, Spot<'_>) {
        let spot = Spot { path: format!("{}{name}", self.prefix), problems: &mut self.problems };
        (self.given.remove(name), spot)
    }

    /// The index of the group that was sent; if none or several were, this notes the problem and drops them all.
    pub fn only_group(&mut self, groups: &[&[Param]]) -> Option<usize> {
        let sent = |group: &&[Param]| group.iter().any(|param| self.given.contains_key(param.name));
        let mut found = groups.iter().enumerate().filter(|(_, group)| sent(group)).map(|(at, _)| at);
        if let (Some(only), None) = (found.next(), found.next()) {
            return Some(only);
        }
        let wording: Vec<String> = groups
            .iter()
            .map(|group| {
                group.iter().map(|param| format!("`{}`", param.name)).collect::<Vec<_>>().join(" with ")
            })
            .collect();
        let field: Vec<&str> =
            groups.iter().filter_map(|group| group.first()).map(|param| param.name).collect();
        self.problems.push(Problem {
            field: field.join("|"),
            expected: format!("exactly one of {}", wording.join(" and ")),
        });
        for param in groups.iter().copied().flatten() {
            self.given.remove(param.name);
        }
        None
    }

    /// The decoded value, or all problems.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, Vec<Problem>> {
        let problems = self.all_problems();
        match value {
            Some(value) if problems.is_empty() => Ok(value),
            _ => Err(problems),
        }
    }

    /// All problems, those with the arguments that were not taken last. It is not generic, for the same reason as
    /// `field`.
    fn all_problems(mut self) -> Vec<Problem> {
        for (name, _) in std::mem::take(&mut self.given) {
            self.problems.push(Problem {
                field: format!("{}{name}", self.prefix),
                expected: "left out: it does not go with the other arguments".to_owned(),
            });
        }
        self.problems
    }
}

/// The position of a decoder, for the problems that it notes.
#[derive(Debug)]
pub struct Spot<'a> {
    path: String,
    problems: &'a mut Vec<Problem>,
}

impl Spot<'_> {
    /// Notes a problem here.
    pub fn expected<T>(&mut self, expected: impl Into<String>) -> Option<T> {
        self.problems.push(Problem { field: self.path.clone(), expected: expected.into() });
        None
    }

    /// Decodes a value inside this one, at `[0]` or `.name`.
    pub fn inside<T>(&mut self, step: &str, decode: impl FnOnce(&mut Spot<'_>) -> Option<T>) -> Option<T> {
        let mut spot = Spot { path: format!("{}{step}", self.path), problems: self.problems };
        decode(&mut spot)
    }

    /// Decodes the fields of an object.
    pub fn record<T: Decode>(&mut self, given: Map<String, Value>) -> Option<T> {
        let mut args = self.inner(T::PARAMS, given);
        let value = T::decode(&mut args);
        match args.finish(value) {
            Ok(value) => Some(value),
            Err(problems) => {
                self.problems.extend(problems);
                None
            }
        }
    }

    /// The arguments of an object at this position.
    fn inner(&self, params: &[Param], given: Map<String, Value>) -> Args {
        // No field of an object is called after a tool.
        let given = names::settle("", params, given);
        Args::over(params, given, format!("{}.", self.path))
    }
}

/// A type that an argument can have.
pub trait Arg: Sized {
    /// Its shape.
    const KIND: Kind;
    /// Whether it must be sent.
    const PRESENCE: Presence = Presence::Required;
    /// The interpreters of SiYuan that read its text.
    const READ_BY: ReadBy;
    /// Decodes the value. `None` as input means absent; `None` as output means that a problem was noted.
    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self>;
}

impl<T: Arg> Arg for Option<T> {
    const KIND: Kind = T::KIND;
    const PRESENCE: Presence = Presence::Optional;
    const READ_BY: ReadBy = T::READ_BY;

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        match value {
            None => Some(None),
            Some(value) => T::take(Some(value), spot).map(Some),
        }
    }
}

/// Fields decoded from arguments; implemented by `#[derive(Action)]` and `#[derive(Record)]`.
pub trait Decode: Sized {
    /// The arguments, if the type itself is the shape of one.
    const PARAMS: &'static [Param] = &[];
    /// Decodes every field, so that every bad one is noted.
    fn decode(args: &mut Args) -> Option<Self>;
}

/// A choice between groups of arguments; implemented by `#[derive(OneOf)]`.
pub trait OneOf: Sized {
    /// The groups.
    const GROUPS: &'static [&'static [Param]];
    /// Decodes the one group that was sent.
    fn decode(args: &mut Args) -> Option<Self>;
}

/// The name of a record's field: after the record's own name, or alone if the record has none.
pub fn inside(record: &str, field: &str) -> String {
    if record.is_empty() { field.to_owned() } else { format!("{record}.{field}") }
}

/// Decodes a value as a type, for tests below the pipeline.
#[cfg(test)]
pub(crate) fn taken<T: Arg>(value: Value) -> Option<T> {
    let mut problems = Vec::new();
    T::take(Some(value), &mut Spot { path: String::new(), problems: &mut problems })
}

/// A type that names no target, so a field of it needs no level.
///
/// `do_not_recommend` on each implementation keeps compile errors from listing every such type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` names something a person can grant or refuse",
    label = "say which level its target needs: `#[needs(Read)]`, `#[needs(Write)]` or `#[needs(Delete)]`",
    note = "inside a record or a choice of groups mark the field with `#[target]`"
)]
pub trait Plain {}

impl<T: Plain> Plain for Option<T> {}

pub use names::{nearest, shown_name};

/// Converts `pageSize`, `page-size` and `blockID` to the spelling of declarations: `page_size`, `block_id`.
pub fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    let mut before_lower = false;
    for character in name.chars() {
        if character == '-' {
            out.push('_');
        } else if character.is_ascii_uppercase() {
            if before_lower {
                out.push('_');
            }
            out.push(character.to_ascii_lowercase());
        } else {
            out.push(character);
        }
        before_lower = character.is_ascii_lowercase() || character.is_ascii_digit();
    }
    out
}
