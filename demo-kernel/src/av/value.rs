//! The value of one cell, in the form in which the kernel sends and stores it.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;

use super::format::{clock_text, moment_text, number_text};
use crate::answer::Refusal;

/// The type of a column and of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ValueKind {
    Block,
    Text,
    Number,
    Date,
    Select,
    MSelect,
    Url,
    Email,
    Phone,
    MAsset,
    Template,
    Created,
    Updated,
    Checkbox,
    Relation,
    Rollup,
    LineNumber,
}

impl ValueKind {
    /// The type of that name.
    pub(crate) fn named(name: &str) -> Option<ValueKind> {
        serde_json::from_value(Json::from(name)).ok()
    }

    pub(crate) fn is_choice(self) -> bool {
        matches!(self, ValueKind::Select | ValueKind::MSelect)
    }
}

/// A cell. Which of the parts is meant says `kind`; the others may be left from another type.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Value {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) id: String,
    #[serde(rename = "keyID", skip_serializing_if = "String::is_empty")]
    pub(crate) key: String,
    /// The row. The kernel calls it `blockID`, though it is no block.
    #[serde(rename = "blockID", skip_serializing_if = "String::is_empty")]
    pub(crate) item: String,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none", deserialize_with = "known_kind")]
    pub(crate) kind: Option<ValueKind>,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) is_detached: bool,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) created_at: i64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) updated_at: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) block: Option<BlockCell>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) number: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) date: Option<Date>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) m_select: Vec<Choice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) email: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) phone: Option<Text>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) m_asset: Vec<Asset>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) template: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) created: Option<TimeCell>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) updated: Option<TimeCell>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) checkbox: Option<Checkbox>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) relation: Option<Relation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rollup: Option<Rollup>,
}

/// The primary cell: a block, or a title of its own when there is no id.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct BlockCell {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) id: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) icon: String,
    pub(crate) content: String,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) created: i64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) updated: i64,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Text {
    pub(crate) content: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Number {
    #[serde(serialize_with = "short_number")]
    pub(crate) content: f64,
    pub(crate) is_not_empty: bool,
    pub(crate) format: String,
    pub(crate) formatted_content: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Date {
    pub(crate) content: i64,
    pub(crate) is_not_empty: bool,
    pub(crate) has_end_date: bool,
    pub(crate) is_not_time: bool,
    pub(crate) content2: i64,
    pub(crate) is_not_empty2: bool,
    pub(crate) formatted_content: String,
}

impl Date {
    /// The date as a cell shows it, with its end when it has one.
    pub(super) fn text(&self) -> String {
        if self.content == 0 {
            return String::new();
        }
        let start = clock_text(self.content, !self.is_not_time);
        if self.has_end_date {
            format!("{start} → {}", clock_text(self.content2, !self.is_not_time))
        } else {
            start
        }
    }
}

/// When a row was made or changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TimeCell {
    pub(crate) content: i64,
    pub(crate) is_not_empty: bool,
    pub(crate) content2: i64,
    pub(crate) is_not_empty2: bool,
    pub(crate) formatted_content: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Choice {
    pub(crate) content: String,
    pub(crate) color: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Asset {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) content: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Checkbox {
    pub(crate) checked: bool,
}

/// Rows of another database; `None` is sent as null.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Relation {
    #[serde(rename = "blockIDs")]
    pub(crate) items: Option<Vec<String>>,
    pub(crate) contents: Option<Vec<Value>>,
}

impl Relation {
    pub(crate) fn ids(&self) -> &[String] {
        self.items.as_deref().unwrap_or_default()
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Rollup {
    pub(crate) contents: Option<Vec<Value>>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(number: &i64) -> bool {
    *number == 0
}

/// 3 instead of 3.0.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
pub(super) fn short_number<S: Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        to.serialize_i64(*number as i64)
    } else {
        to.serialize_f64(*number)
    }
}

fn known_kind<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ValueKind>, D::Error> {
    Ok(ValueKind::named(&String::deserialize(from)?))
}

/// Reads what a caller sent. A null counts as left out, as in the kernel.
pub(crate) fn read<T: DeserializeOwned>(given: &Json) -> Result<T, Refusal> {
    fn without_nulls(value: &Json) -> Json {
        match value {
            Json::Object(map) => {
                let filled = map.iter().filter(|(_, value)| !value.is_null());
                filled.map(|(name, value)| (name.clone(), without_nulls(value))).collect()
            }
            Json::Array(list) => list.iter().map(without_nulls).collect(),
            other => other.clone(),
        }
    }
    serde_json::from_value(without_nulls(given)).map_err(|e| Refusal::new(format!("json: {e}")))
}

impl Value {
    /// The cell of a row before anything is written to it.
    pub(crate) fn default_for(id: &str, key: &str, item: &str, kind: ValueKind, with_time: bool) -> Value {
        let stamp = id.get(..14).map_or(0, crate::id::seconds_of) * 1000;
        let at = if stamp == 0 { crate::id::now_ms() } else { stamp };
        let mut value = Value {
            id: id.to_owned(),
            key: key.to_owned(),
            item: item.to_owned(),
            created_at: at,
            updated_at: at,
            ..Value::default()
        };
        value.complete(kind);
        if let (ValueKind::Date, Some(date)) = (kind, &mut value.date) {
            date.is_not_time = !with_time;
        }
        if let Some(block) = value.block.as_mut().filter(|_| kind == ValueKind::Block) {
            (block.created, block.updated) = (at, at);
        }
        value
    }

    /// Makes it a value of that type: the part that is meant is there, empty if need be.
    pub(crate) fn complete(&mut self, kind: ValueKind) {
        self.kind = Some(kind);
        match kind {
            ValueKind::Block => _ = self.block.get_or_insert_default(),
            ValueKind::Text => _ = self.text.get_or_insert_default(),
            ValueKind::Number => _ = self.number.get_or_insert_default(),
            ValueKind::Date => _ = self.date.get_or_insert_default(),
            ValueKind::Url => _ = self.url.get_or_insert_default(),
            ValueKind::Email => _ = self.email.get_or_insert_default(),
            ValueKind::Phone => _ = self.phone.get_or_insert_default(),
            ValueKind::Template => _ = self.template.get_or_insert_default(),
            ValueKind::Created => _ = self.created.get_or_insert_default(),
            ValueKind::Updated => _ = self.updated.get_or_insert_default(),
            ValueKind::Checkbox => _ = self.checkbox.get_or_insert_default(),
            ValueKind::Relation => _ = self.relation.get_or_insert_default(),
            ValueKind::Rollup => _ = self.rollup.get_or_insert_default(),
            ValueKind::Select | ValueKind::MSelect | ValueKind::MAsset | ValueKind::LineNumber => {}
        }
    }

    /// A value without a place, as calculations answer it.
    pub(crate) fn of_number(content: f64, format: &str) -> Value {
        let formatted_content = super::format::rounded_text(content, format);
        let format = format.to_owned();
        let number = Number { content, is_not_empty: true, format, formatted_content };
        Value { number: Some(number), ..Value::default() }
    }

    /// The plain text of the types that have one.
    pub(crate) fn plain(&self) -> Option<&str> {
        let text = match self.kind? {
            ValueKind::Block => return self.block.as_ref().map(|block| block.content.as_str()),
            ValueKind::Text => &self.text,
            ValueKind::Url => &self.url,
            ValueKind::Email => &self.email,
            ValueKind::Phone => &self.phone,
            ValueKind::Template => &self.template,
            _ => return None,
        };
        text.as_ref().map(|text| text.content.as_str())
    }

    /// The text that the cell shows; `formatted` applies the number format.
    pub(crate) fn shown(&self, formatted: bool) -> String {
        let list = |values: &Option<Vec<Value>>| {
            let shown: Vec<_> = values.iter().flatten().map(|value| value.shown(formatted)).collect();
            shown.join(", ").trim().to_owned()
        };
        match self.kind {
            Some(ValueKind::Number) => self.number.as_ref().map_or_else(String::new, |number| {
                if formatted { number.formatted_content.clone() } else { format!("{:.6}", number.content) }
            }),
            Some(ValueKind::Date) => self.date.as_ref().map(Date::text).unwrap_or_default(),
            Some(ValueKind::Select) => self.m_select.first().map(|c| c.content.clone()).unwrap_or_default(),
            Some(ValueKind::MSelect) => {
                let names: Vec<_> = self.m_select.iter().map(|c| c.content.as_str()).collect();
                names.join(" ")
            }
            Some(ValueKind::MAsset) => {
                let names: Vec<_> =
                    self.m_asset.iter().map(|a| format!("{} {}", a.name, a.content)).collect();
                names.join(" ")
            }
            Some(ValueKind::Created) => self.created.clone().unwrap_or_default().formatted_content,
            Some(ValueKind::Updated) => self.updated.clone().unwrap_or_default().formatted_content,
            Some(ValueKind::Checkbox) => if self.is_checked() { "√" } else { "" }.to_owned(),
            Some(ValueKind::Relation) => {
                self.relation.as_ref().map(|r| list(&r.contents)).unwrap_or_default()
            }
            Some(ValueKind::Rollup) => self.rollup.as_ref().map(|r| list(&r.contents)).unwrap_or_default(),
            _ => self.plain().unwrap_or_default().trim().to_owned(),
        }
    }

    pub(crate) fn is_checked(&self) -> bool {
        self.checkbox.is_some_and(|checkbox| checkbox.checked)
    }

    /// Whether the cell shows nothing; a checkbox always shows something.
    pub(crate) fn is_empty(&self) -> bool {
        match self.kind {
            Some(ValueKind::Number) => self.number.as_ref().is_none_or(|n| !n.is_not_empty),
            Some(ValueKind::Date) => self.date.as_ref().is_none_or(|d| !d.is_not_empty),
            Some(ValueKind::Select) => self.m_select.first().is_none_or(|c| c.content.is_empty()),
            Some(ValueKind::MSelect) => self.m_select.is_empty(),
            Some(ValueKind::MAsset) => self.m_asset.is_empty(),
            Some(ValueKind::Created) => self.created.as_ref().is_none_or(|m| !m.is_not_empty),
            Some(ValueKind::Updated) => self.updated.as_ref().is_none_or(|m| !m.is_not_empty),
            Some(ValueKind::Checkbox) => self.checkbox.is_none(),
            Some(ValueKind::Relation) => self.contents().is_empty(),
            Some(ValueKind::Rollup) => self.contents().is_empty(),
            Some(ValueKind::Template) => self.plain().is_none_or(|text| text.trim().is_empty()),
            Some(ValueKind::LineNumber) | None => false,
            _ => self.plain().is_none_or(str::is_empty),
        }
    }

    /// As above, with spaces counted as empty.
    pub(crate) fn is_blank(&self) -> bool {
        match self.plain() {
            Some(text) => text.trim().is_empty(),
            None if self.kind == Some(ValueKind::Select) => {
                self.m_select.first().is_none_or(|c| c.content.trim().is_empty())
            }
            None => self.is_empty(),
        }
    }

    /// The values behind a relation or rollup.
    pub(crate) fn contents(&self) -> &[Value] {
        let contents = match self.kind {
            Some(ValueKind::Relation) => self.relation.as_ref().and_then(|r| r.contents.as_deref()),
            _ => self.rollup.as_ref().and_then(|r| r.contents.as_deref()),
        };
        contents.unwrap_or_default()
    }

    /// Notes a change; the kernel never lets it fall on the moment of creation.
    pub(crate) fn touch(&mut self, now: i64) {
        self.updated_at = if self.created_at == now { now + 1000 } else { now };
    }

    /// Lets a number be written in the format of its column.
    pub(crate) fn format_number(&mut self, format: Option<&str>) {
        if let Some(number) = &mut self.number {
            if let Some(format) = format {
                format.clone_into(&mut number.format);
            }
            number.formatted_content =
                if number.is_not_empty { number_text(number.content, &number.format) } else { String::new() };
        }
    }
}

impl TimeCell {
    pub(crate) fn at(content: i64, content2: i64, with_time: bool) -> TimeCell {
        let formatted_content = moment_text(content, content2, with_time);
        TimeCell { content, content2, formatted_content, is_not_empty: true, is_not_empty2: false }
    }
}

#[cfg(test)]
impl Value {
    /// A cell with these choices, for tests.
    pub(crate) fn choices(names: &[&str]) -> Value {
        let choice = |name: &&str| Choice { content: (*name).into(), color: String::new() };
        Value {
            kind: Some(ValueKind::MSelect),
            m_select: names.iter().map(choice).collect(),
            ..Value::default()
        }
    }
}
