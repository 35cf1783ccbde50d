//! The text of stored blocks that becomes the name of a row or of a document, which SiYuan may show as HTML.

use super::incoming::{have_rows, may_run_in_group, would_run_in_group, would_run_in_value};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::{BlockId, DocId};
use crate::index::{self, Select, Table};
use crate::kernel::Route;
use crate::kernel::api::query::{self, Row};

/// The routes of `check`.
pub const CALLS: &[Route] = &[query::FLUSH_TRANSACTION, query::SQL];

/// Refuses an argument if the text of a named block would act as such a name, or may once the target of one of its
/// references changes.
pub async fn check(argument: &str, blocks: &[&BlockId], cx: &Cx<'_>) -> Result<(), ToolError> {
    cx.declares(CALLS)?;
    if blocks.is_empty() {
        return Ok(());
    }
    // The index may lag behind the call that wrote the text.
    cx.ask(query::flush_transaction()).await?;
    let select = Select::from(Table::Blocks)
        .columns(["b.id", "b.content", "b.markdown"])
        .filter(index::in_list("b.id", blocks.iter().map(|it| it.as_str())));
    let rows = cx.select(select).await?.rows;
    let acts = |row: &&Row| {
        let name = row.text("content");
        would_run_in_group(name) || would_run_in_value(name) || may_run_in_group(row.text("markdown"))
    };
    match rows.iter().find(acts) {
        None => Ok(()),
        Some(row) => Err(ToolError::field(
            argument,
            "only blocks whose text contains no active HTML, and only references with fixed anchors in double quotes",
        )
        .with("block", row.text("id"))),
    }
}

/// The text of a block, as a reference to it shows it, according to the index (`SQL`).
pub async fn of(block: &BlockId, cx: &Cx<'_>) -> Result<Vec<String>, ToolError> {
    cx.declares(CALLS)?;
    let select = Select::from(Table::Blocks)
        .columns(["b.id", "b.content", "b.markdown"])
        .filter(index::eq("b.id", block.as_str()));
    let rows = cx.select(select).await?.rows;
    Ok(rows.iter().flat_map(|row| [row.text("content"), row.text("markdown")].map(str::to_owned)).collect())
}

/// Refuses an argument if stored texts that may act as such a name would arrive in one of these documents, and blocks of
/// it are rows. Texts that cannot act cost no request.
pub async fn check_arrival<'t>(
    argument: &str,
    texts: impl IntoIterator<Item = &'t str>,
    docs: &[&DocId],
    cx: &Cx<'_>,
) -> Result<(), ToolError> {
    cx.declares(CALLS)?;
    if !texts.into_iter().any(may_run_in_group) || !have_rows(docs, cx).await? {
        return Ok(());
    }
    Err(ToolError::field(
        argument,
        "text without active HTML, not even in code, and only with references that have fixed anchors in double quotes, because blocks of the target document are rows of a database",
    ))
}
