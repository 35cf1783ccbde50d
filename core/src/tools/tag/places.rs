//! The blocks that carry a label, among those that the caller may read.

use serde_json::Value;

use super::list::LabelKind;
use crate::kernel::api::query::Row;
use crate::prelude::*;

/// The maximum number of blocks that one call changes.
const MOST: usize = 2_000;

/// A block with a label.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Carrier {
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
    /// Ids of the notebooks that the caller may read.
    pub(super) boxes: Vec<&'a str>,
}

impl Labels<'_> {
    /// The index's table, and the condition for rows with the label or a label below it.
    fn places(&self, label: &str) -> (&'static str, String) {
        let (boxes, exact) = (sql::list(self.boxes.iter().copied()), sql::text(label));
        match self.kind {
            LabelKind::Tag => {
                let below = sql::text(&format!("{label}/"));
                let places = format!(
                    "(s.type = 'tag' OR s.type LIKE '% tag%') AND (s.content = {exact} OR instr(s.content, {below}) = 1) \
                     AND s.box IN ({boxes})"
                );
                ("spans", places)
            }
            LabelKind::Bookmark => {
                ("attributes", format!("s.name = 'bookmark' AND s.value = {exact} AND s.box IN ({boxes})"))
            }
        }
    }

    /// Every block that carries the label, and the number of blocks that carry another one. Too many of the former
    /// are an error with their number.
    pub(super) async fn carriers(
        &self,
        label: &str,
        (other, labels): (&str, &Labels<'_>),
        cx: &Cx<'_>,
    ) -> Result<(Vec<Carrier>, u64), ToolError> {
        let ((table, places), (_, others)) = (self.places(label), labels.places(other));
        let own = match self.kind {
            LabelKind::Tag => "s.type = 'tag'",
            LabelKind::Bookmark => "1",
        };
        let stmt = format!(
            "SELECT s.block_id AS id, s.root_id AS root_id, s.box AS box, MAX({own}) AS n_own, MIN({own}) AS n_only, \
             (SELECT COUNT(DISTINCT s.block_id) FROM {table} AS s WHERE {places}) AS n_all, \
             (SELECT COUNT(DISTINCT s.block_id) FROM {table} AS s WHERE {others}) AS n_others \
             FROM {table} AS s WHERE {places} GROUP BY s.block_id, s.root_id, s.box ORDER BY s.root_id, s.block_id LIMIT {}",
            MOST + 1
        );
        let rows = cx.visible(cx.ask(query::sql(&stmt)).await?);
        if rows.len() > MOST {
            let n = rows.first().map_or(MOST, |row| usize::try_from(row.number("n_all")).unwrap_or(MOST));
            let expected = format!("a label of at most {MOST} blocks; this one has {n}, so name a notebook");
            return Err(ToolError::field("label", expected).with("blocks", n));
        }
        let others = rows.first().map_or(0, |row| row.number("n_others"));
        Ok((rows.iter().filter_map(carrier).collect(), others))
    }

    /// The attribute lists of documents.
    pub(super) async fn attributes(
        &self,
        ids: &[&BlockId],
        cx: &Cx<'_>,
    ) -> Result<Vec<(BlockId, String)>, ToolError> {
        let list = sql::list(ids.iter().map(|it| it.as_str()));
        let stmt = format!(
            "SELECT id, box, ial FROM blocks WHERE type = 'd' AND id IN ({list}) GROUP BY id, box LIMIT {}",
            ids.len() * 2
        );
        let rows = cx.visible(cx.ask(query::sql(&stmt)).await?);
        let each =
            rows.iter().filter_map(|row| Some((BlockId::parse(row.text("id"))?, row.text("ial").to_owned())));
        Ok(each.collect())
    }
}

fn carrier(row: &Row) -> Option<Carrier> {
    let is_set =
        |column: &str| matches!(row.0.get(column), Some(Value::Number(it)) if it.as_u64() == Some(1));
    Some(Carrier {
        id: BlockId::parse(row.text("id"))?,
        doc: DocId::parse(row.text("root_id"))?,
        notebook: row.text("box").to_owned(),
        own: is_set("n_own"),
        inside: !is_set("n_only"),
    })
}
