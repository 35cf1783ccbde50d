//! A view as the kernel renders it: the rows that it shows, in their order, with computed cells.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Reply of `renderAttributeView`.
#[derive(Debug, Default, Deserialize)]
pub struct Rendering {
    /// The view that was rendered; the kernel renders another one for an id that it does not know.
    #[serde(rename = "viewID", default)]
    pub view_id: String,
    /// The view with its rows; absent in an answer that renders nothing.
    #[serde(default)]
    pub view: Option<Rendered>,
}

/// A rendered view, or one group of it.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rendered {
    /// Its name; of a group, the text above it.
    #[serde(default)]
    pub name: String,
    /// The rows of a table.
    #[serde(default, deserialize_with = "known")]
    pub rows: Option<Vec<Item>>,
    /// The rows of a board or gallery.
    #[serde(default, deserialize_with = "known")]
    pub cards: Option<Vec<Item>>,
    /// The groups, which hold the rows of a grouped view.
    #[serde(default, deserialize_with = "known")]
    pub groups: Option<Vec<Rendered>>,
    /// 0 for a group that is shown.
    #[serde(default)]
    pub group_hidden: u64,
}

impl Rendered {
    /// The rows, of whatever layout; `None` for a layout that shows them in another way.
    pub fn items(&self) -> Option<&[Item]> {
        self.rows.as_deref().or(self.cards.as_deref())
    }
}

/// A row.
#[derive(Debug, Default, Deserialize)]
pub struct Item {
    #[serde(default)]
    pub id: String,
    /// The cells of a row.
    #[serde(default)]
    pub cells: Option<Vec<Cell>>,
    /// The cells of a card.
    #[serde(default)]
    pub values: Option<Vec<Cell>>,
}

impl Item {
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().chain(&self.values).flatten()
    }
}

#[derive(Debug, Default, Deserialize)]
pub struct Cell {
    /// Its value under the kernel's names.
    #[serde(default)]
    pub value: Option<Map<String, Value>>,
}

impl Cell {
    /// The value, if it is one of this column.
    pub fn of(&self, column: &str) -> Option<&Map<String, Value>> {
        self.value.as_ref().filter(|it| it.get("keyID").and_then(Value::as_str) == Some(column))
    }
}

/// The entries of a list whose shape is known; a later layout may show others.
fn known<'de, D: Deserializer<'de>, T: DeserializeOwned>(list: D) -> Result<Option<Vec<T>>, D::Error> {
    let list = Option::<Vec<Value>>::deserialize(list)?;
    Ok(list.map(|all| all.into_iter().filter_map(|it| serde_json::from_value(it).ok()).collect()))
}
