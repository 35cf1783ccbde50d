//! A column of a database as it is stored: its definition, and its values.

use serde::{Deserialize, Serialize};

use super::value::{Relation, Value, ValueKind};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Column {
    pub(crate) key: Key,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) values: Vec<Value>,
}

/// The definition of a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Key {
    pub(crate) id: String,
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) kind: ValueKind,
    pub(crate) icon: String,
    pub(crate) desc: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) options: Vec<SelectOption>,
    pub(crate) number_format: String,
    pub(crate) template: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) relation: Option<RelationKey>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rollup: Option<RollupKey>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) date: Option<DateKey>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) created: Option<MomentKey>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) updated: Option<MomentKey>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SelectOption {
    pub(crate) name: String,
    pub(crate) color: String,
    pub(crate) desc: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RelationKey {
    #[serde(rename = "avID")]
    pub(crate) database: String,
    pub(crate) is_two_way: bool,
    #[serde(rename = "backKeyID")]
    pub(crate) back_key: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RollupKey {
    #[serde(rename = "relationKeyID")]
    pub(crate) relation_key: String,
    #[serde(rename = "keyID")]
    pub(crate) key: String,
    pub(crate) calc: Option<RollupCalculation>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RollupCalculation {
    pub(crate) operator: String,
    pub(crate) result: Option<Box<Value>>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct DateKey {
    pub(crate) auto_fill_now: bool,
    pub(crate) fill_specific_time: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct MomentKey {
    pub(crate) include_time: bool,
}

impl Key {
    pub(crate) fn new(id: &str, name: &str, icon: &str, kind: ValueKind) -> Key {
        let rollup = RollupKey { calc: Some(RollupCalculation::default()), ..RollupKey::default() };
        Key {
            id: id.to_owned(),
            name: name.to_owned(),
            kind,
            icon: icon.to_owned(),
            desc: String::new(),
            options: Vec::new(),
            number_format: String::new(),
            template: String::new(),
            relation: None,
            rollup: (kind == ValueKind::Rollup).then_some(rollup),
            date: None,
            created: None,
            updated: None,
        }
    }

    pub(crate) fn option(&self, name: &str) -> Option<&SelectOption> {
        self.options.iter().find(|option| option.name == name)
    }

    /// The place of an option among the others; unknown ones count as the first.
    pub(crate) fn rank(&self, option: &str) -> usize {
        self.options.iter().position(|o| o.name == option).unwrap_or(0)
    }

    /// Whether dates of this column have a time by default.
    pub(crate) fn with_time(&self) -> bool {
        self.date.is_some_and(|date| date.fill_specific_time)
    }
}

impl Column {
    pub(crate) fn value(&self, item: &str) -> Option<&Value> {
        self.values.iter().find(|value| value.item == item)
    }

    pub(crate) fn value_mut(&mut self, item: &str) -> Option<&mut Value> {
        self.values.iter_mut().find(|value| value.item == item)
    }

    /// Lets a row of this relation lead to a row of the other side, once.
    pub(crate) fn relate(&mut self, item: &str, to: &str, now: i64) {
        if self.value(item).is_none() {
            self.values.push(Value {
                id: crate::id::new_id(),
                key: self.key.id.clone(),
                item: item.to_owned(),
                kind: Some(ValueKind::Relation),
                created_at: now,
                updated_at: now + 1000,
                relation: Some(Relation::default()),
                ..Value::default()
            });
        }
        if let Some(value) = self.value_mut(item) {
            let items = value.relation.get_or_insert_default().items.get_or_insert_default();
            if !items.iter().any(|it| it == to) {
                items.push(to.to_owned());
            }
        }
    }
}
