//! `block.update`: replaces the text of blocks and keeps ids, attributes and references.

use std::collections::BTreeSet;

use serde_json::json;

use super::replacing::{self, BlockReplacements, BlockText};
use super::source;
use crate::content::incoming;
use crate::content::overwrite::{self, Overwrite};
use crate::content::printed;
use crate::content::referring;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// Replace the content of blocks with Markdown; ids, attributes and references stay.
#[derive(Debug, Action)]
#[action(
    block.update,
    effect = When(Self::destroys, Destructive),
    danger = When(Self::replaces_much, "Replaces more than 50 blocks, including nested blocks. A version is kept in the document's history."),
    deed = Overwrite(DocumentHistory),
    idempotent = false,
    calls = [..replacing, ..referring, ..source, ..incoming, ..overwrite, ..printed],
    examples = [
        { "id": "{block}", "markdown": "Mint grows anywhere." },
        { "updates": [{ "id": "{block}", "markdown": "Mint grows.\n\nSage too." }], "keep_attrs": false },
    ],
)]
pub struct Update {
    /// One block, or several at once.
    #[needs(Write)]
    #[one_of]
    pub updates: OneOrMany<BlockUpdate, 32>,
    /// Whether to keep attributes that the text does not set.
    pub keep_attrs: Flag<true>,
}

/// The new text of a block.
#[derive(Debug, Record)]
pub struct BlockUpdate {
    /// The block.
    #[target]
    pub id: BlockId,
    /// The text, as Markdown.
    pub markdown: Markdown,
    /// The `hash` of an earlier read; if the text has changed since, nothing is written.
    #[read_by()]
    pub expect: Option<Text<1, 64>>,
}

impl ListRecord for BlockUpdate {
    const LIST: &'static str = "updates";
    const LIST_DOC: &'static str = "Several blocks, each with its text.";
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub enum Facts {
    /// The id is that of a document.
    Document(DocId, Box<Overwrite>, Vec<String>),
    /// Blocks.
    Blocks(BlockReplacements),
}

impl Update {
    fn destroys(&self, plan: &Plan<Facts>) -> bool {
        matches!(plan.facts, Facts::Document(..)) || self.replaces_much(plan)
    }

    fn replaces_much(&self, plan: &Plan<Facts>) -> bool {
        match &plan.facts {
            Facts::Document(_, what, _) => what.replaces_much(),
            Facts::Blocks(all) => all.replaced() > overwrite::MUCH,
        }
    }

    fn texts(&self) -> Vec<BlockText<'_>> {
        let each = self.updates.as_slice().iter().enumerate();
        each.map(|(at, it)| BlockText {
            id: &it.id,
            markdown: it.markdown.as_str(),
            expect: it.expect.as_ref().map(Text::as_str),
            part: self.updates.place(at),
        })
        .collect()
    }
}

impl Change for Update {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let texts = self.texts();
        let mut docs = Vec::new();
        for it in &texts {
            match cx.found(it.id).await?.doc.clone() {
                Some(doc) if doc.block() == *it.id && self.updates.is_one() => {
                    let (incoming, what) = overwrite::plan(cx, &doc, it.markdown, it.expect).await?;
                    let facts = |what| Facts::Document(doc.clone(), what, incoming.ids_dropped);
                    return Ok(what.planned(&doc, facts));
                }
                Some(doc) if doc.block() == *it.id => {
                    let expected = format!("blocks; {} is a document: update it separately, by `id`", it.id);
                    return Err(ToolError::field("updates", expected));
                }
                doc => docs.push(doc),
            }
        }
        let ids: BTreeSet<&str> = texts.iter().map(|it| it.id.as_str()).into_set();
        if ids.len() < texts.len() {
            return Err(ToolError::field("updates", "each block once"));
        }
        let all = BlockReplacements::plan(&texts, docs, self.keep_attrs.is_set(), cx).await?;
        let (ids, replaced, documents) = (json!(all.ids()), all.replaced(), all.documents());
        let changed = !all.ids().is_empty();
        let things = Things::of(all.ids().into_iter().map(Thing::of));
        let blocks = Consequence::Blocks(replaced as u64);
        let blocks = (replaced as u64 > things.n).then_some(blocks);
        let referring = referring::to_blocks(&all.lost(), cx).await?;
        let plan = Plan::new("update", Facts::Blocks(all)).show("ids", ids);
        let plan = plan.show("changed", changed).show("replaced", replaced).changing(documents);
        let plan = plan.about(ThingKind::Block, things).also(blocks);
        Ok(referring.show(plan))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let (output, dropped) = match plan.facts {
            Facts::Document(doc, what, dropped) => {
                let done = overwrite::write(cx, &doc, *what).await?;
                let output = Output::new().with("id", doc.as_str()).with("type", "d").list("added", done.ids);
                (output.with("kept", done.kept).with("changed", done.changed), dropped)
            }
            Facts::Blocks(all) => {
                let (items, failed) = all.write(cx).await?;
                (Output::of_items(items, self.updates.is_one()).failed(failed), all.ids_dropped)
            }
        };
        Ok(output.list("ids_dropped", dropped))
    }
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
