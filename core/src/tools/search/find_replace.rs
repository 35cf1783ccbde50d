//! `search.find_replace`: replaces a text in the blocks that hold it.
//!
//! The kernel's own replacement ignores case where a person's settings say so, reaches into nested blocks and can make
//! references that nobody checked. So each block is changed as an edit of its text, and judged like one.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::content::edits::{self, TextEdit};
use crate::content::{incoming, kramdown, overwrite, printed};
use crate::index::{self, Select, Table};
use crate::kernel::api::query::Row;
use crate::permission::Place;
use crate::prelude::*;
use crate::tools::block::replacing::{self, BlockReplacements, BlockText};
use crate::tools::block::source;

/// Types of blocks that hold text of their own.
const LEAVES: [&str; 3] = ["p", "h", "t"];
/// The maximum number of changes that a preview shows.
const SHOWN: usize = 20;

/// Replace an exact text in paragraphs, headings and tables.
#[derive(Debug, Action)]
#[action(
    search.find_replace,
    effect = Destructive,
    danger = "Replaces `{name}` in {n} blocks of {documents} documents. Versions are kept in their history.",
    deed = Replace(DocumentHistory),
    idempotent = false,
    tier = advanced,
    calls = [
        query::FLUSH_TRANSACTION, query::SQL, ..replacing, ..source, ..incoming, ..overwrite, ..printed
    ],
    examples = [
        { "find": "spring", "replace": "autumn", "under": "{doc}" },
        { "find": "spring", "replace": "autumn", "ids": ["{block}", "{other_block}"] },
        { "find": "{new}", "replace": "autumn", "notebook": "{notebook}", "max": 200 },
    ],
)]
pub struct FindReplace {
    /// The text to replace.
    #[read_by(Sql)]
    pub find: Text<1, 500>,
    /// The text to put in its place.
    #[read_by(Markdown, Html, Css, Embed, Script, Drawing)]
    pub replace: Text<0, 2_000>,
    /// In which blocks.
    #[needs(Write)]
    #[one_of]
    pub r#in: ReplaceScope,
    /// Refuse if more blocks match.
    pub max: Int<1, 200, 100>,
}

/// In which blocks.
#[derive(Debug, OneOf)]
pub enum ReplaceScope {
    /// Only these blocks.
    #[target]
    Ids(Ids<BlockId, 200>),
    /// Only in this notebook, by id or exact name.
    #[target]
    Notebook(NotebookRef),
    /// Only this document and the documents below it.
    #[target]
    Under(DocId),
}

/// A block that holds the text, before and after.
struct EditedBlock {
    id: BlockId,
    doc: Option<DocId>,
    old: String,
    new: String,
}

impl Change for FindReplace {
    type Facts = BlockReplacements;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<BlockReplacements>, ToolError> {
        cx.ask(query::flush_transaction()).await?;
        let rows = self.rows(cx).await?;
        cx.require(Level::Write, rows.iter().map(|it| it.text("box")))?;
        let each = self.each(&rows, cx).await?;
        let stripped: Vec<String> = each.iter().map(|it| kramdown::strip(&it.new)).collect();
        let texts: Vec<BlockText<'_>> = each
            .iter()
            .zip(&stripped)
            .map(|(it, text)| BlockText { id: &it.id, markdown: text, expect: None, part: None })
            .collect();
        let docs = each.iter().map(|it| it.doc.clone()).collect();
        let facts = BlockReplacements::plan(&texts, docs, true, cx).await?.keeping_types();
        let changes: Vec<Value> = each.iter().take(SHOWN).map(EditedBlock::to_json).collect();
        let documents: BTreeSet<DocId> = facts.documents();
        let n = facts.ids().len();
        Ok(Plan::new("replace", facts)
            .about_one(ThingKind::Text, self.find.as_str())
            .and(Thing::titled(self.replace.as_str()))
            .across(n, &documents)
            .also(Consequence::Changes(Texts { n: each.len() as u64, ..Texts::of_changes(&changes) }))
            .show("changes", changes)
            .changing(documents)
            .touching(n, self.find.as_str()))
    }

    async fn run(self, plan: Plan<BlockReplacements>, cx: &Cx<'_>) -> Reply {
        let documents = plan.facts.documents();
        for doc in &documents {
            cx.ask(history::create_doc_history(doc)).await?;
        }
        let blocks: Vec<String> = plan.facts.ids().into_iter().map(str::to_owned).collect();
        let (_, failed) = plan.facts.write(cx).await?;
        Ok(Output::new()
            .with("changed", blocks.len())
            .with("documents", documents.len())
            .list("blocks", blocks)
            .failed(failed))
    }
}

impl FindReplace {
    /// The blocks whose text holds it. Too many are an error with the limit.
    async fn rows(&self, cx: &Cx<'_>) -> Result<Vec<Row>, ToolError> {
        let place: Option<&Place> = match &self.r#in {
            ReplaceScope::Ids(_) => None,
            ReplaceScope::Notebook(notebook) => Some(cx.found(notebook).await?),
            ReplaceScope::Under(doc) => Some(cx.found(doc).await?),
        };
        let select = Select::blocks()
            .filter(index::in_list("b.type", LEAVES))
            .filter(index::contains("b.markdown", &edits::visible(self.find.as_str())));
        let select = match (&self.r#in, place) {
            (ReplaceScope::Ids(ids), _) => {
                select.filter(index::in_list("b.id", ids.as_slice().iter().map(BlockId::as_str)))
            }
            (ReplaceScope::Under(_), Some(place)) => select.filter(index::within(Table::Blocks, [place])),
            (_, Some(place)) => select.filter(index::eq("b.box", place.notebook.as_str())),
            (_, None) => select.filter(index::any([])),
        };
        let found = cx.select(select.per(["b.id", "b.box"]).limit(self.max.get()).counted()).await?;
        if found.more {
            let n = found.total.unwrap_or_default();
            let expected =
                format!("at least {n}, the number of blocks that match, or the call must be narrowed");
            return Err(ToolError::field("max", expected).with("blocks", n));
        }
        Ok(found.rows)
    }

    /// The blocks that change, as they are now.
    async fn each(&self, rows: &[Row], cx: &Cx<'_>) -> Result<Vec<EditedBlock>, ToolError> {
        let known: Vec<(BlockId, Option<DocId>)> = rows
            .iter()
            .filter_map(|row| Some((BlockId::parse(row.text("id"))?, DocId::parse(row.text("root_id")))))
            .collect();
        let mut texts = source::kramdowns(&known, cx).await?;
        let edit = TextEdit { old: self.find.as_str(), new: self.replace.as_str(), all: true };
        let mut each = Vec::new();
        for (id, doc) in known {
            let Some(old) = texts.remove(id.as_str()) else { continue };
            let Some(new) = edits::in_kramdown(&old, edit).filter(|new| *new != old) else { continue };
            // Nothing is looked up for a block: a reference that it did not hold is refused.
            incoming::recheck(&new, &old, &old).map_err(|_| {
                let expected =
                    "text that creates no new reference, id, embed or script; use block.update for those";
                ToolError::field("replace", expected).with("id", id.as_str())
            })?;
            each.push(EditedBlock { id, doc, old, new });
        }
        Ok(each)
    }
}

impl EditedBlock {
    fn to_json(&self) -> Value {
        let (before, after) = edits::changed_lines(&kramdown::strip(&self.old), &kramdown::strip(&self.new));
        json!({ "id": self.id.as_str(), "before": before, "after": after })
    }
}

#[cfg(test)]
#[path = "find_replace_tests.rs"]
mod tests;
