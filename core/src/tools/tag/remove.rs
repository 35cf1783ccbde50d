//! `tag.remove`: removes a tag or a bookmark, wherever the caller can see it.
//!
//! The kernel's own removal changes every notebook and deletes the tagged words, so the change is made block by block.
//! The plan holds every new text: a preview tells exactly what the run does.

use std::collections::{BTreeMap, BTreeSet};

use super::changes::{Changes, carried, new_texts};
use super::list::LabelKind;
use super::places::{LabelBlock, Labels, attribute_lists};
use crate::content::kramdown::AttributeList;
use crate::content::label::LabelRemoval;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// Remove a tag or a bookmark wherever you can see it; the words of a tag stay as plain text.
///
/// Dropping the words needs level rwd.
#[derive(Debug, Action)]
#[action(
    tag.remove,
    workspace = Write,
    effect = Destructive,
    danger = "Removes the label from every document that carries it. Only the document history brings it back.",
    deed = Delete(DocumentHistory),
    tier = advanced,
    idempotent = false,
    calls = [
        query::FLUSH_TRANSACTION, query::SQL, history::CREATE_DOC_HISTORY, block::GET_BLOCK_KRAMDOWNS,
        block::BATCH_UPDATE_BLOCK, attr::BATCH_SET_BLOCK_ATTRS,
    ],
    examples = [
        { "label": "{tag}" },
        { "kind": "tag", "label": "{tag}", "notebook": "{notebook}", "subtags": true, "words": "drop" },
    ],
)]
pub struct Remove {
    /// Tags stand in text and on documents, bookmarks on blocks.
    pub kind: LabelKind,
    /// Exactly this label, a tag with its subtags; list gives its blocks then.
    #[read_by(Sql)]
    pub label: Text<1, 128>,
    /// Only in this notebook, by id or exact name.
    #[needs(Write, else = workspace)]
    pub notebook: Option<NotebookRef>,
    /// Whether subtags go too.
    pub subtags: Flag<false>,
    /// Whether the words of a tag stay as plain text.
    pub words: TaggedWords,
}

/// The treatment of the tagged words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum TaggedWords {
    /// They stay as plain text.
    #[default]
    Keep,
    /// They are deleted.
    Drop,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    /// New texts by block.
    texts: BTreeMap<BlockId, String>,
    /// New values of the attribute that holds a block's own labels.
    attributes: BTreeMap<BlockId, String>,
    /// The document of each block.
    documents: BTreeMap<BlockId, DocId>,
    left: Vec<String>,
}

impl Change for Remove {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        cx.ask(query::flush_transaction()).await?;
        let notebook = match &self.notebook {
            Some(notebook) => Some(cx.found(notebook).await?.notebook.as_str()),
            None => None,
        };
        let labels = Labels { kind: self.kind, notebook };
        let carriers = labels.carriers(self.label.as_str(), cx).await?;
        let left =
            if self.leaves_subtags() { labels.below(self.label.as_str(), cx).await? } else { Vec::new() };
        let inside: Vec<BlockId> = carriers.iter().filter(|it| it.inside).map(|it| it.id.clone()).collect();
        let texts = new_texts(&inside, |text| self.removing().in_text(text), cx).await?;
        let attributes = self.attributes(&carriers, cx).await?;
        // A block that carries subtags only stays as it is.
        let is_changed = |it: &&LabelBlock| texts.contains_key(&it.id) || attributes.contains_key(&it.id);
        let changed: Vec<&LabelBlock> = carriers.iter().filter(is_changed).collect();
        if changed.is_empty() {
            let error = ToolError::not_found();
            return Err(if left.is_empty() { error } else { error.with("left", left) });
        }
        let level = if self.words == TaggedWords::Drop { Level::Delete } else { Level::Write };
        cx.require(level, changed.iter().map(|it| it.notebook.as_str()))?;
        let documents: BTreeMap<BlockId, DocId> =
            changed.iter().map(|it| (it.id.clone(), it.doc.clone())).into_map();
        let each: BTreeSet<DocId> = documents.values().cloned().into_set();
        let blocks = documents.len();
        let plan = Plan::new("remove", Facts { texts, attributes, documents, left: left.clone() })
            .show("kind", self.kind.word())
            .show("label", self.label.as_str());
        let plan = carried(plan, (self.kind, self.label.as_str()), blocks, each);
        Ok(if left.is_empty() { plan } else { plan.show("left", left) })
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { texts, attributes, documents, left } = plan.facts;
        for doc in documents.values().into_set() {
            cx.ask(history::create_doc_history(doc)).await?;
        }
        let mut changes = Changes::default();
        changes.replaced(&texts, cx).await;
        changes.attributes(self.kind.attribute(), &attributes, cx).await;
        let changed = documents.iter().filter(|(id, _)| changes.changed.contains(id.as_str()));
        let in_documents: BTreeSet<&str> = changed.map(|(_, doc)| doc.as_str()).into_set();
        let reply = Output::new()
            .with("kind", self.kind.word())
            .with("label", self.label.as_str())
            .with("blocks", changes.changed.len())
            .with("documents", in_documents.len())
            .list("left", left);
        changes.add_failures(reply)
    }
}

impl Remove {
    fn removing(&self) -> LabelRemoval<'_> {
        LabelRemoval {
            label: self.label.as_str(),
            subtags: self.subtags.is_set(),
            keeps_words: self.words == TaggedWords::Keep,
        }
    }

    fn leaves_subtags(&self) -> bool {
        self.kind == LabelKind::Tag && !self.subtags.is_set()
    }

    /// The new attribute values: the other tags of documents, or no bookmark.
    async fn attributes(
        &self,
        carriers: &[LabelBlock],
        cx: &Cx<'_>,
    ) -> Result<BTreeMap<BlockId, String>, ToolError> {
        let own: Vec<&BlockId> = carriers.iter().filter(|it| it.own).map(|it| &it.id).collect();
        if own.is_empty() || self.kind == LabelKind::Bookmark {
            return Ok(own.into_iter().map(|id| (id.clone(), String::new())).into_map());
        }
        let lists = attribute_lists(&own, cx).await?;
        let kept = lists.into_iter().filter_map(|(id, list)| {
            let (list, _) = AttributeList::parse(&list)?;
            Some((id, self.removing().in_list(list.get("tags")?)?))
        });
        Ok(kept.into_map())
    }
}

#[cfg(test)]
#[path = "remove_tests.rs"]
mod tests;
