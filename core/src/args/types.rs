//! The types that an argument can have; each knows its shape and decodes itself.

use serde_json::{Map, Value};

use super::{Arg, Plain, Spot};
use crate::id::{AssetPath, AvId, BlockId, Child, DocId, NotebookRef, RowId};
use crate::path::WorkspacePath;
use crate::permission::{Level, Need, Targets};
use crate::spec::{Interpreter, Kind, Presence, ReadBy};

/// Text of `MIN` to `MAX` characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<const MIN: usize, const MAX: usize>(String);

impl<const MIN: usize, const MAX: usize> Text<MIN, MAX> {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[diagnostic::do_not_recommend]
impl<const MIN: usize, const MAX: usize> Plain for Text<MIN, MAX> {}

impl<const MIN: usize, const MAX: usize> Arg for Text<MIN, MAX> {
    const KIND: Kind = Kind::Text { min: MIN, max: MAX };
    const READ_BY: ReadBy = ReadBy::PerField;

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        match value {
            Some(Value::String(text)) if (MIN..=MAX).contains(&text.chars().count()) => Some(Text(text)),
            _ => spot.expected(match (MIN, MAX) {
                (0, _) => format!("text of at most {MAX} characters"),
                _ => format!("text of {MIN} to {MAX} characters"),
            }),
        }
    }
}

/// Markdown as SiYuan writes it, at most a million characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markdown(Text<0, 1_000_000>);

impl Markdown {
    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

#[diagnostic::do_not_recommend]
impl Plain for Markdown {}

impl Arg for Markdown {
    const KIND: Kind = <Text<0, 1_000_000> as Arg>::KIND;
    const READ_BY: ReadBy = ReadBy::These(&[
        Interpreter::Markdown,
        Interpreter::Html,
        Interpreter::Css,
        Interpreter::Embed,
        Interpreter::Script,
        Interpreter::Drawing,
    ]);

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        Text::take(value, spot).map(Markdown)
    }
}

/// A whole number from `LOW` to `HIGH`; `DEFAULT` if absent, required without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Int<const LOW: i64, const HIGH: i64, const DEFAULT: i64 = { i64::MIN }>(i64);

impl<const LOW: i64, const HIGH: i64, const DEFAULT: i64> Int<LOW, HIGH, DEFAULT> {
    /// The number. Types with bounds below zero are not used for counts.
    pub fn get(self) -> usize {
        usize::try_from(self.0).unwrap_or_default()
    }
}

#[diagnostic::do_not_recommend]
impl<const LOW: i64, const HIGH: i64, const DEFAULT: i64> Plain for Int<LOW, HIGH, DEFAULT> {}

impl<const LOW: i64, const HIGH: i64, const DEFAULT: i64> Arg for Int<LOW, HIGH, DEFAULT> {
    const KIND: Kind = Kind::Int { low: LOW, high: HIGH };
    const READ_BY: ReadBy = ReadBy::NOTHING;
    const PRESENCE: Presence =
        if DEFAULT == i64::MIN { Presence::Required } else { Presence::DefaultInt(DEFAULT) };

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        let number = match value {
            None if DEFAULT != i64::MIN => Some(DEFAULT),
            None => None,
            Some(value) => value.as_i64().filter(|number| (LOW..=HIGH).contains(number)),
        };
        match number {
            Some(number) => Some(Int(number)),
            None => spot.expected(format!("a whole number from {LOW} to {HIGH}")),
        }
    }
}

/// True or false; `DEFAULT` if absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag<const DEFAULT: bool>(bool);

impl<const DEFAULT: bool> Flag<DEFAULT> {
    /// Whether it is set.
    pub fn is_set(self) -> bool {
        self.0
    }
}

#[diagnostic::do_not_recommend]
impl<const DEFAULT: bool> Plain for Flag<DEFAULT> {}

impl<const DEFAULT: bool> Arg for Flag<DEFAULT> {
    const KIND: Kind = Kind::Bool;
    const READ_BY: ReadBy = ReadBy::NOTHING;
    const PRESENCE: Presence = Presence::DefaultBool(DEFAULT);

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        match value {
            None => Some(Flag(DEFAULT)),
            Some(Value::Bool(set)) => Some(Flag(set)),
            Some(_) => spot.expected("true or false"),
        }
    }
}

/// The word true: an argument that stands for itself, beside others of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Yes;

#[diagnostic::do_not_recommend]
impl Plain for Yes {}

impl Arg for Yes {
    const KIND: Kind = Kind::Bool;
    const READ_BY: ReadBy = ReadBy::NOTHING;

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        if value == Some(Value::Bool(true)) { Some(Yes) } else { spot.expected("true, or left out") }
    }
}

/// A list of `MIN` to `MAX` items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Many<T, const MIN: usize, const MAX: usize>(Vec<T>);

impl<T, const MIN: usize, const MAX: usize> Many<T, MIN, MAX> {
    /// The items.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }
}

impl<T: PartialEq, const MIN: usize, const MAX: usize> Many<T, MIN, MAX> {
    /// Removes duplicates and keeps the first of each.
    pub(super) fn unique(self) -> Self {
        let mut kept = Vec::with_capacity(self.0.len());
        for item in self.0 {
            if !kept.contains(&item) {
                kept.push(item);
            }
        }
        Many(kept)
    }
}

impl<T: Plain, const MIN: usize, const MAX: usize> Plain for Many<T, MIN, MAX> {}

impl<T: Arg, const MIN: usize, const MAX: usize> Arg for Many<T, MIN, MAX> {
    const KIND: Kind = Kind::List { item: &T::KIND, min: MIN, max: MAX };
    const READ_BY: ReadBy = T::READ_BY;

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        let items = match value {
            Some(Value::Array(items)) if (MIN..=MAX).contains(&items.len()) => items,
            _ => return spot.expected(format!("a list of {MIN} to {MAX} items")),
        };
        // Every item is decoded before giving up, so that every bad one is named.
        let read: Vec<Option<T>> = items
            .into_iter()
            .enumerate()
            .map(|(at, item)| spot.inside(&format!("[{at}]"), |spot| T::take(Some(item), spot)))
            .collect();
        read.into_iter().collect::<Option<Vec<T>>>().map(Many)
    }
}

impl<T: Targets, const MIN: usize, const MAX: usize> Targets for Many<T, MIN, MAX> {
    fn add_needs(&self, param: &str, level: Level, out: &mut Vec<Need>) {
        let from = out.len();
        for (at, it) in self.as_slice().iter().enumerate() {
            it.add_needs(&format!("{param}[{at}]"), level, out);
        }
        for need in out.iter_mut().skip(from) {
            need.listed = true;
        }
    }
}

/// Attribute names with their values; `null` removes an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attrs(pub Vec<(String, Option<String>)>);

#[diagnostic::do_not_recommend]
impl Plain for Attrs {}

impl Arg for Attrs {
    const KIND: Kind = Kind::Attrs;
    const READ_BY: ReadBy = ReadBy::These(&[Interpreter::Html, Interpreter::Css]);

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        const EXPECTED: &str = "an object of 1 to 32 attribute names to text, or null to remove";
        let map: Map<String, Value> = match value {
            Some(Value::Object(map)) if (1..=32).contains(&map.len()) => map,
            _ => return spot.expected(EXPECTED),
        };
        let mut out = Vec::with_capacity(map.len());
        for (name, value) in map {
            match value {
                Value::String(text) => out.push((name, Some(text))),
                Value::Null => out.push((name, None)),
                _ => {
                    return spot.inside(&format!(".{name}"), |spot| spot.expected("text, or null to remove"));
                }
            }
        }
        Some(Attrs(out))
    }
}

/// An object whose fields depend on what it is about, such as cells by the names of their columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Object(pub Map<String, Value>);

#[diagnostic::do_not_recommend]
impl Plain for Object {}

impl Arg for Object {
    const KIND: Kind = Kind::Object;
    const READ_BY: ReadBy = ReadBy::PerField;

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        match value {
            Some(Value::Object(map)) => Some(Object(map)),
            _ => spot.expected("an object"),
        }
    }
}

macro_rules! id_args {
    ($($id:ident),*) => {$(
        impl Arg for $id {
            const KIND: Kind = Kind::Id;
            const READ_BY: ReadBy = ReadBy::NOTHING;

            fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
                match value.as_ref().and_then(Value::as_str).and_then($id::parse) {
                    Some(id) => Some(id),
                    None => spot.expected("an id such as 20210808180117-czj9bvb"),
                }
            }
        }
    )*};
}
id_args!(DocId, BlockId, AvId, RowId);

#[diagnostic::do_not_recommend]
impl<T> Plain for Child<T> {}

impl<T: Arg> Arg for Child<T> {
    const KIND: Kind = T::KIND;
    const READ_BY: ReadBy = T::READ_BY;

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        T::take(value, spot).map(Child)
    }
}

impl Arg for AssetPath {
    const KIND: Kind = Kind::Asset;
    const READ_BY: ReadBy = ReadBy::NOTHING;

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        let path = value.as_ref().and_then(Value::as_str).and_then(AssetPath::parse);
        path.or_else(|| spot.expected(AssetPath::EXPECTED))
    }
}

impl Arg for NotebookRef {
    const KIND: Kind = Kind::NotebookRef;
    const READ_BY: ReadBy = ReadBy::NOTHING;

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        match value {
            Some(Value::String(text)) if !text.trim().is_empty() => Some(NotebookRef(text)),
            _ => spot.expected("a notebook's id or exact name"),
        }
    }
}

impl Arg for WorkspacePath {
    const KIND: Kind = Kind::Path;
    const READ_BY: ReadBy = ReadBy::NOTHING;

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        match value.as_ref().and_then(Value::as_str).map(WorkspacePath::parse) {
            Some(Ok(path)) => Some(path),
            Some(Err(expected)) => spot.expected(expected),
            None => spot.expected("a workspace path such as /Garden/Plants"),
        }
    }
}
