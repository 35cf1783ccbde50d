//! The form of a call: its fields, made from a declaration or a schema, and the arguments that its entries mean.

mod declared;
mod schema;

use std::collections::BTreeMap;

use puppy_core::permission::Level;
use serde_json::{Map, Value};

/// The most characters of a text that has one line in the form.
const LINE: usize = 200;

/// The way in which a value is entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// One line of text.
    Line,
    /// Text of many lines.
    Text,
    /// A number.
    Number,
    /// Yes, no, or neither.
    Switch,
    /// One of these words.
    Choice(Vec<String>),
    /// Texts or numbers, one a line.
    List(Item),
    /// Anything else, written in JSON.
    Json,
}

/// The items of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// Texts.
    Text,
    /// A number.
    Number,
}

/// One field of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name of the argument.
    pub name: String,
    /// Its description.
    pub doc: String,
    /// Its limits, in words.
    pub limits: String,
    /// An example of its value, as it is entered.
    pub example: String,
    /// The way in which it is entered.
    pub input: Input,
    /// Whether it must be sent.
    pub is_required: bool,
    /// The level that its target must grant.
    pub level: Option<Level>,
    /// The choice between groups of fields that it belongs to, and its group there.
    pub group: Option<(usize, usize)>,
}

/// A form.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Form {
    /// The fields, in the order of the declaration.
    pub fields: Vec<Field>,
}

/// The entries of a person.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entries {
    texts: BTreeMap<String, String>,
    chosen: BTreeMap<usize, usize>,
}

impl Entries {
    /// The entry of a field; empty where there is none.
    pub fn text(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", String::as_str)
    }

    /// Enters something.
    pub fn enter(&mut self, name: &str, text: String) {
        self.texts.insert(name.to_owned(), text);
    }

    /// The group that is chosen.
    pub fn chosen(&self, choice: usize) -> usize {
        self.chosen.get(&choice).copied().unwrap_or_default()
    }

    /// Chooses a group.
    pub fn choose(&mut self, choice: usize, group: usize) {
        self.chosen.insert(choice, group);
    }
}

impl Form {
    /// The groups of a choice, each with the names of its fields.
    pub fn groups(&self, choice: usize) -> Vec<Vec<&str>> {
        let mut groups: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for field in &self.fields {
            if let Some((of, group)) = field.group
                && of == choice
            {
                groups.entry(group).or_default().push(&field.name);
            }
        }
        groups.into_values().collect()
    }

    /// Whether a field belongs to no group, or to one that is chosen.
    pub fn is_shown(field: &Field, entries: &Entries) -> bool {
        field.group.is_none_or(|(choice, group)| entries.chosen(choice) == group)
    }

    /// The entries of the example.
    pub fn example(&self) -> Entries {
        let mut entries = Entries::default();
        for field in self.fields.iter().filter(|it| !it.example.is_empty()) {
            entries.enter(&field.name, field.example.clone());
            if let Some((choice, group)) = field.group {
                entries.choose(choice, group);
            }
        }
        entries
    }

    /// The arguments that the entries mean. An entry that is no number or no JSON is sent as the text that it is:
    /// whoever takes the call says what was expected.
    pub fn arguments(&self, entries: &Entries) -> Map<String, Value> {
        let shown = self.fields.iter().filter(|it| Form::is_shown(it, entries));
        let meant = shown.filter_map(|it| Some((it.name.clone(), it.input.meant(entries.text(&it.name))?)));
        meant.collect()
    }
}

impl Input {
    /// The value that an entry means; `None` for one that is empty.
    fn meant(&self, entry: &str) -> Option<Value> {
        let is_text = matches!(self, Input::Line | Input::Text);
        if entry.is_empty() || (!is_text && entry.trim().is_empty()) {
            return None;
        }
        let parsed = || serde_json::from_str(entry.trim()).unwrap_or_else(|_| entry.into());
        Some(match self {
            Input::Line | Input::Text | Input::Choice(_) => entry.into(),
            Input::Number | Input::Switch | Input::Json => parsed(),
            Input::List(item) => {
                let lines = entry.lines().map(str::trim).filter(|line| !line.is_empty());
                lines.map(|line| item.meant(line)).collect()
            }
        })
    }

    /// The entry that means a value.
    fn entry(&self, value: &Value) -> String {
        let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match (self, value) {
            (Input::Json, value) => serde_json::to_string_pretty(value).unwrap_or_default(),
            (Input::List(_), Value::Array(items)) => items.iter().map(plain).collect::<Vec<_>>().join("\n"),
            (_, value) => plain(value),
        }
    }
}

impl Item {
    fn meant(self, line: &str) -> Value {
        match self {
            Item::Text => line.into(),
            Item::Number => serde_json::from_str(line).unwrap_or_else(|_| line.into()),
        }
    }
}

#[cfg(test)]
mod tests;
