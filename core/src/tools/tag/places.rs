//! The blocks that carry a label, among those that the caller may read.

use serde_json::Value;

use super::list::LabelKind;
use crate::index::{self, Order, Raw, RowPage, Select};
use crate::kernel::api::query::Row;
use crate::prelude::*;

/// The maximum number of blocks that one call changes.
const MOST: usize = 2_000;

/// The maximum number of subtags that an answer names.
const MOST_BELOW: usize = 100;

/// A block with a label.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct LabelBlock {
    pub(super) id: BlockId,
    pub(super) doc: DocId,
    pub(super) notebook: String,
    /// Its own tag or bookmark, as opposed to a tag in its text.
    pub(super) own: bool,
    /// A tag in its text.
    pub(super) inside: bool,
}

/// The scope in which labels of one kind are looked up.
pub(super) struct Labels<'a> {
    pub(super) kind: LabelKind,
    /// The only notebook, if one is named.
    pub(super) notebook: Option<&'a str>,
}

impl Labels<'_> {
    /// Every block that carries the label. Too many are an error with their number.
    pub(super) async fn carriers(&self, label: &str, cx: &Cx<'_>) -> Result<Vec<LabelBlock>, ToolError> {
        let (table, [_, block, doc], has_label) = self.kind.place_of(label);
        let is_own = match self.kind {
            LabelKind::Tag => index::eq("s.type", "tag"),
            LabelKind::Bookmark => index::eq("a.name", "bookmark"),
        };
        let select = Select::from(table)
            .column(block, "id")
            .column(doc, "root_id")
            .for_any(&is_own, "n_own")
            .for_all(&is_own, "n_only")
            // A block that stands in two notebooks needs the level in both.
            .per([block, doc, "box"])
            .filter(has_label)
            .order([Order::Up(doc), Order::Up(block)])
            .limit(MOST);
        let RowPage { rows, more, .. } = cx.select(self.narrowed(select)).await?;
        if more {
            let n = self.count(label, cx).await?;
            let expected = format!("a label of at most {MOST} blocks; this one has {n}, so name a notebook");
            return Err(ToolError::field("label", expected).with("blocks", n));
        }
        Ok(rows.iter().filter_map(carrier).collect())
    }

    /// The number of blocks that carry the label.
    pub(super) async fn count(&self, label: &str, cx: &Cx<'_>) -> Result<u64, ToolError> {
        let (table, [_, block, _], has_label) = self.kind.place_of(label);
        let select = Select::from(table).per([block]).filter(has_label).limit(1).counted();
        Ok(cx.select(self.narrowed(select)).await?.total.unwrap_or_default())
    }

    /// The tags below a tag, some of them at least.
    pub(super) async fn below(&self, label: &str, cx: &Cx<'_>) -> Result<Vec<String>, ToolError> {
        let select = Select::from(index::Table::Spans)
            .column("s.content", "label")
            .per(["s.content"])
            .filter(index::is_tag().and(index::starts_with("s.content", &format!("{label}/"))))
            .order([Order::Up("s.content")])
            .limit(MOST_BELOW);
        let rows = cx.select(self.narrowed(select)).await?.rows;
        Ok(rows.iter().map(|row| row.text("label").to_owned()).collect())
    }

    fn narrowed(&self, select: Select) -> Select {
        self.notebook.iter().fold(select, |select, it| select.filter(index::eq("box", it)))
    }
}

/// The attribute lists of documents.
pub(super) async fn attribute_lists(
    ids: &[&BlockId],
    cx: &Cx<'_>,
) -> Result<Vec<(BlockId, String)>, ToolError> {
    let rows = cx.select_raw(&Raw::attribute_lists(ids.iter().map(|it| it.as_str()))).await?;
    let each =
        rows.iter().filter_map(|row| Some((BlockId::parse(row.text("id"))?, row.text("ial").to_owned())));
    Ok(each.collect())
}

fn carrier(row: &Row) -> Option<LabelBlock> {
    let is_set =
        |column: &str| matches!(row.0.get(column), Some(Value::Number(it)) if it.as_u64() == Some(1));
    Some(LabelBlock {
        id: BlockId::parse(row.text("id"))?,
        doc: DocId::parse(row.text("root_id"))?,
        notebook: row.text("box").to_owned(),
        own: is_set("n_own"),
        inside: !is_set("n_only"),
    })
}
