//! The rows of other databases that relations and rollups show, without those that the caller may not read.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use serde_json::{Map, Value, json};

use super::cells::read;
use crate::content::cell;
use crate::content::database::{Cells, Visible};
use crate::kernel::api::av::ColumnKey;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The databases that relations lead to, as far as the caller may read them.
#[derive(Debug, Default)]
pub(super) struct RelatedDatabases(BTreeMap<String, Visible>);

impl RelatedDatabases {
    /// Reads those of these columns.
    pub(super) async fn read<'k>(
        keys: impl Iterator<Item = &'k ColumnKey>,
        cx: &Cx<'_>,
    ) -> Result<RelatedDatabases, ToolError> {
        let ids: BTreeSet<AvId> =
            keys.filter_map(|it| AvId::parse(&it.relation.as_ref()?.database)).into_set();
        if ids.is_empty() {
            return Ok(RelatedDatabases::default());
        }
        let all: Vec<&AvId> = ids.iter().collect();
        let found = cx.databases(Level::Read, &all).await?;
        let known: Vec<_> =
            all.into_iter().zip(&found).filter_map(|(id, it)| Some((id, it.as_ref()?))).collect();
        let read = join_all(known.iter().map(|(id, found)| read(id, found, cx))).await;
        let mut databases = BTreeMap::new();
        for ((id, _), database) in known.iter().zip(read) {
            databases.insert(id.to_string(), database?);
        }
        Ok(RelatedDatabases(databases))
    }

    fn of(&self, key: &ColumnKey) -> Option<&Visible> {
        self.0.get(&key.relation.as_ref()?.database)
    }

    /// The rows that a relation leads to, from its stored value.
    pub(super) fn rows(&self, key: &ColumnKey, stored: &Value) -> Option<Value> {
        let other = self.of(key)?;
        let all = cell::related_rows(stored).filter_map(|id| other.row(id));
        let rows: Vec<Value> = all.map(|it| json!({ "row": it.id, "title": it.title })).collect();
        (!rows.is_empty()).then(|| rows.into())
    }

    /// The column that a rollup over this relation shows.
    pub(super) fn rolled_up(&self, relation: &ColumnKey, column: &str) -> Option<RolledUp<'_>> {
        let other = self.of(relation)?;
        let key = other.keys().find(|it| it.id == column)?;
        let cells = Cells::of(other.database(), &BTreeSet::from([column.to_owned()]));
        Some(RolledUp { other, key, cells })
    }
}

/// A column of another database that a rollup shows, read once for all rows.
#[derive(Debug)]
pub(super) struct RolledUp<'r> {
    other: &'r Visible,
    key: &'r ColumnKey,
    cells: Cells<'r>,
}

impl RolledUp<'_> {
    /// The values that the rollup shows without a calculation, from the stored value of its relation: those of the
    /// related rows that the caller may read. `None` for a column that SiYuan computes there.
    pub(super) fn values(&self, stored: &Value, ambient: &dyn Ambient) -> Option<Value> {
        let value = |id: &str| -> Option<Value> {
            let row = self.other.row(id)?;
            let stored = self.cells.get(&self.key.id, &row.id);
            cell::of_kernel(&self.key.kind, stored.as_object().unwrap_or(&Map::new()), ambient)
        };
        let values: Vec<Value> = cell::related_rows(stored).filter_map(value).collect();
        (!values.is_empty()).then(|| values.into())
    }
}
