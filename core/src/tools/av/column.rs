//! The settings of a column that only one type of column has: what a caller says, the checks, and the operations.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::calc::operator;
use super::cells::{not_stored, option_color, read};
use super::database_blocks::{fresh_id, require_rows};
use crate::content::cell::plain_text;
use crate::content::database::Visible;
use crate::content::incoming::would_run_in_value;
use crate::content::template_column;
use crate::kernel::api::av::{ColumnKey, Leads, Operation};
use crate::prelude::*;

/// The formats of numbers.
const FORMATS: [&str; 23] = [
    "", "commas", "percent", "USD", "CNY", "EUR", "GBP", "JPY", "RUB", "INR", "KRW", "TRY", "CAD", "CHF",
    "THB", "AUD", "HKD", "TWD", "MOP", "SGD", "NZD", "ILS", "SKK",
];

/// Types of columns that a caller can add.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ColumnType(&'static str);

/// The names of these types.
const TYPES: &[&str] = &[
    "text",
    "number",
    "date",
    "select",
    "mSelect",
    "url",
    "email",
    "phone",
    "mAsset",
    "template",
    "created",
    "updated",
    "checkbox",
    "relation",
    "rollup",
    "lineNumber",
];

impl ColumnType {
    /// Its name.
    pub fn name(self) -> &'static str {
        self.0
    }
}

#[diagnostic::do_not_recommend]
impl crate::args::Plain for ColumnType {}

impl crate::args::Arg for ColumnType {
    // Three signatures would repeat a list of the types.
    const KIND: crate::spec::Kind = crate::spec::Kind::Text { min: 3, max: 10 };
    const READ_BY: crate::spec::ReadBy = crate::spec::ReadBy::NOTHING;

    fn take(value: Option<Value>, spot: &mut crate::args::Spot<'_>) -> Option<Self> {
        let name = value.as_ref().and_then(Value::as_str);
        match TYPES.iter().find(|it| Some(**it) == name) {
            Some(name) => Some(ColumnType(name)),
            None => spot.expected(format!("one of {}", TYPES.join(", "))),
        }
    }
}

/// The settings that only some types have.
#[derive(Debug, Default, Record)]
pub struct ColumnSettings {
    /// All options of a select column.
    pub options: Option<Many<OptionToSet, 1, 200>>,
    /// Number format: commas, percent, USD, EUR, ...
    #[read_by()]
    pub format: Option<Text<0, 32>>,
    /// Template of a computed column: text and actions, whose values show as words.
    #[read_by(Template, Html)]
    pub template: Option<Text<0, 4096>>,
    /// The database that cells link to.
    pub relation: Option<RelationTo>,
    /// The column of related rows to list or calculate.
    pub rollup: Option<RollupOf>,
}

/// An option of a select.
#[derive(Debug, Record)]
pub struct OptionToSet {
    /// The name.
    #[read_by(Html)]
    pub name: Text<1, 256>,
    /// A colour from 1 to 14.
    pub color: Option<Int<1, 14>>,
    /// A sentence about it.
    #[read_by(Html)]
    pub description: Option<Text<0, 1024>>,
}

/// The target of a relation.
#[derive(Debug, Record)]
pub struct RelationTo {
    /// The other database.
    pub id: Child<AvId>,
    /// Whether a column there leads back.
    pub two_way: Flag<false>,
    /// The name of that column.
    #[read_by(Html)]
    pub back_name: Option<Text<1, 512>>,
}

/// The definition of a rollup.
#[derive(Debug, Record)]
pub struct RollupOf {
    /// The relation, a column of this database.
    #[read_by()]
    pub relation: Text<1, 512>,
    /// A column of the other database.
    #[read_by()]
    pub column: Text<1, 512>,
    /// Such as sum, count_all or max; without it the values are listed.
    #[read_by()]
    pub calc: Option<Text<1, 64>>,
}

/// A column that is set.
#[derive(Debug, Clone, Copy)]
pub(super) struct ColumnChange<'c> {
    pub(super) database: &'c AvId,
    pub(super) key: &'c str,
    pub(super) name: &'c str,
    pub(super) kind: &'c str,
    /// The options that it has.
    pub(super) before: Option<&'c ColumnKey>,
}

/// Operations, and the values that are stored after them.
#[derive(Debug, Default, Hash)]
pub(super) struct ColumnWrites {
    pub(super) operations: Vec<Operation>,
    /// Names of arguments with the values that `stored` must find.
    pub(super) wanted: Vec<(&'static str, Value)>,
}

impl ColumnWrites {
    pub(super) fn add(&mut self, field: &'static str, wanted: Value, operation: Operation) {
        self.operations.push(operation);
        self.wanted.push((field, wanted));
    }

    /// Names of the arguments whose values a column does not have.
    pub(super) fn differing(&self, key: &ColumnKey) -> impl Iterator<Item = &'static str> {
        self.wanted.iter().filter(|(field, wanted)| stored(key, field) != *wanted).map(|(field, _)| *field)
    }

    /// The failures for the values that a column does not have after the operations.
    pub(super) fn lost(&self, after: &ColumnKey) -> Vec<Failed> {
        self.differing(after).map(|field| Failed::new(not_stored("this setting")).what(field)).collect()
    }
}

/// The value of a column's definition that an argument sets.
fn stored(key: &ColumnKey, field: &str) -> Value {
    match field {
        "name" => json!(key.name),
        "type" => json!(key.kind),
        "icon" => json!(key.icon),
        "description" => json!(key.desc),
        "format" => json!(key.number_format),
        "template" => json!(key.template),
        "options" => {
            let options =
                key.options.iter().map(|it| json!({ "name": it.name, "color": it.color, "desc": it.desc }));
            options.collect()
        }
        "relation" => key.relation.as_ref().map(|it| json!([it.database, it.two_way])).unwrap_or_default(),
        "rollup" => key.rollup.as_ref().map(|it| json!([it.relation, it.column])).unwrap_or_default(),
        _ => Value::Null,
    }
}

impl ColumnSettings {
    /// Judges the settings for a column of this type and adds their operations.
    pub(super) async fn judge(
        &self,
        column: ColumnChange<'_>,
        of: &Visible,
        cx: &Cx<'_>,
        setting: &mut ColumnWrites,
    ) -> Result<(), ToolError> {
        let ColumnChange { database, key, kind, .. } = column;
        let only = |field: &str, kinds: &[&str]| {
            let fits = kinds.contains(&kind);
            let expected = || format!("left out: it goes with a column of the type {}", kinds.join(" or "));
            if fits { Ok(()) } else { Err(ToolError::field(field, expected())) }
        };
        if let Some(options) = &self.options {
            only("options", &["select", "mSelect"])?;
            let options = named_options(options.as_slice(), column.before)?;
            setting.add("options", options.clone(), Operation::set_options(database, key, &options));
        }
        if let Some(format) = self.format.as_ref().map(Text::as_str) {
            only("format", &["number"])?;
            if !FORMATS.contains(&format) {
                let expected = format!("empty or one of {}", FORMATS[1..].join(", "));
                return Err(ToolError::field("format", expected));
            }
            setting.add("format", json!(format), Operation::set_format(database, key, format));
        }
        if let Some(text) = self.template.as_ref().map(Text::as_str) {
            only("template", &["template"])?;
            let text = template_column::printed(text)?;
            setting.add("template", json!(text), Operation::set_template(database, key, &text));
        }
        if let Some(relation) = &self.relation {
            only("relation", &["relation"])?;
            let leads = relation.leads(column, cx).await?;
            let wanted = json!([leads.to, leads.back.is_some()]);
            setting.add("relation", wanted, Operation::set_relation(database, key, column.name, &leads));
        }
        if let Some(rollup) = &self.rollup {
            only("rollup", &["rollup"])?;
            let (relation, shown, calc) = rollup.found(of, cx).await?;
            let wanted = json!([relation, shown]);
            setting.add("rollup", wanted, Operation::set_rollup(database, key, &relation, &shown, calc));
        }
        Ok(())
    }
}

/// Options as the kernel stores them. One without a colour keeps its own, or takes the next.
fn named_options(given: &[OptionToSet], before: Option<&ColumnKey>) -> Result<Value, ToolError> {
    let mut seen = BTreeSet::new();
    let mut all = Vec::with_capacity(given.len());
    for (at, option) in given.iter().enumerate() {
        let field = format!("options[{at}].name");
        let name = plain_text(&field, option.name.as_str())?;
        if !seen.insert(name.clone()) {
            return Err(ToolError::field(&field, "another name: this one is there twice"));
        }
        let known = before.and_then(|key| key.options.iter().find(|it| it.name == name));
        let next = || known.map_or_else(|| option_color(at), |it| it.color.clone());
        let color = option.color.map_or_else(next, |it| it.get().to_string());
        let desc = option.description.as_ref().map(|it| it.as_str().to_owned());
        let desc = desc.or_else(|| known.map(|it| it.desc.clone())).unwrap_or_default();
        if would_run_in_value(&desc) {
            let field = format!("options[{at}].description");
            return Err(ToolError::field(&field, "a text without active content such as scripts"));
        }
        all.push(json!({ "name": name, "color": color, "desc": desc }));
    }
    Ok(all.into())
}

impl RelationTo {
    /// The other end. A column that leads back is a change of the other database (B-056).
    async fn leads(&self, column: ColumnChange<'_>, cx: &Cx<'_>) -> Result<Leads, ToolError> {
        let missing =
            || ToolError::field("relation.id", "a database where you have the level that this needs");
        let two_way = self.two_way.is_set();
        let id = self.id.among(|id| Some(id.clone())).ok_or_else(missing)?;
        let level = if two_way { Level::Write } else { Level::Read };
        let found = cx.databases(level, &[&id]).await?.pop().flatten().ok_or_else(missing)?;
        if two_way && column.before.is_some() {
            // The cells of the rows there are filled from those here.
            require_rows(&found, cx)?;
        }
        let to = found.av().cloned().unwrap_or(id);
        let back = if two_way {
            let name = self.back_name.as_ref().map(|it| plain_text("relation.back_name", it.as_str()));
            Some((fresh_id(cx)?, name.transpose()?.unwrap_or_default()))
        } else {
            None
        };
        Ok(Leads { to, back })
    }
}

impl RollupOf {
    /// The ids of the relation and of the column that it shows, and the kernel's word for the calculation.
    async fn found(&self, of: &Visible, cx: &Cx<'_>) -> Result<(String, String, &'static str), ToolError> {
        let relation = &of.column("rollup.relation", self.relation.as_str())?.key;
        let missing = || ToolError::field("rollup.relation", "a relation to a database that you may read");
        let other =
            relation.relation.as_ref().and_then(|it| AvId::parse(&it.database)).ok_or_else(missing)?;
        let found = cx.databases(Level::Read, &[&other]).await?.pop().flatten().ok_or_else(missing)?;
        let other = read(&other, &found, cx).await?;
        let shown = &other.column("rollup.column", self.column.as_str())?.key;
        if matches!(shown.kind.as_str(), "rollup" | "lineNumber") {
            return Err(ToolError::field("rollup.column", "a column other than a rollup or line number"));
        }
        let calc = self.calc.as_ref().map(|it| operator("rollup.calc", it.as_str())).transpose()?;
        Ok((relation.id.clone(), shown.id.clone(), calc.unwrap_or_default()))
    }
}
