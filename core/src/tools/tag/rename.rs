//! `tag.rename`: renames a tag or bookmark, wherever the caller can see it.
//!
//! The kernel's own rename changes every notebook, so the change is made block by block. The plan holds every new
//! text: a preview tells exactly what the run does, also where the index is wrong about a block.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::try_join;

use super::changes::{Changes, carried, new_texts};
use super::list::LabelKind;
use super::places::{LabelBlock, Labels, attribute_lists};
use crate::content::kramdown::AttributeList;
use crate::content::label::{self, LabelRename};
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The number of documents above which a person must approve.
const UNASKED: usize = 20;

/// Rename a tag with its subtags, or a bookmark, wherever you can see it. An existing new name merges the two.
#[derive(Debug, Action)]
#[action(
    tag.rename,
    workspace = Write,
    effect = When(Self::merges, Destructive),
    danger = When(
        Self::asks,
        "Changes {n} documents that carry this label; two merged labels cannot be told apart again."
    ),
    deed = Rename(DocumentHistory),
    idempotent = false,
    calls = [
        query::FLUSH_TRANSACTION, query::SQL, history::CREATE_DOC_HISTORY, block::GET_BLOCK_KRAMDOWNS,
        block::BATCH_UPDATE_BLOCK, attr::BATCH_SET_BLOCK_ATTRS,
    ],
    examples = [
        { "label": "{tag}", "new_label": "{new}" },
        { "kind": "tag", "label": "{tag}", "new_label": "{new}", "notebook": "{notebook}", "merge": true },
    ],
)]
pub struct Rename {
    /// Tags stand in text and on documents, bookmarks on blocks.
    pub kind: LabelKind,
    /// Exactly this label, a tag with its subtags; list gives its blocks then.
    #[read_by(Sql)]
    pub label: Text<1, 128>,
    /// The label as it shall be.
    #[read_by(Markdown, Html)]
    pub new_label: Text<1, 128>,
    /// Only in this notebook, by id or exact name.
    #[needs(Write, else = workspace)]
    pub notebook: Option<NotebookRef>,
    /// Must be true when the new label exists.
    pub merge: Flag<false>,
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
    merges: bool,
}

impl Change for Rename {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let renaming = self.renaming();
        self.check(&[], cx)?;
        cx.ask(query::flush_transaction()).await?;
        let notebook = match &self.notebook {
            Some(notebook) => Some(cx.found(notebook).await?.notebook.as_str()),
            None => None,
        };
        let everywhere = Labels { kind: self.kind, notebook: None };
        let here = Labels { kind: self.kind, notebook };
        let (carriers, merges) =
            try_join(here.carriers(renaming.from, cx), everywhere.count(renaming.to, cx)).await?;
        if carriers.is_empty() {
            return Err(ToolError::not_found());
        }
        cx.require(Level::Write, carriers.iter().map(|it| it.notebook.as_str()))?;
        if merges > 0 && !self.merge.is_set() {
            let expected = format!("true: `{}` exists already, on {merges} blocks", renaming.to);
            return Err(ToolError::field("merge", expected));
        }
        let inside: Vec<BlockId> = carriers.iter().filter(|it| it.inside).map(|it| it.id.clone()).collect();
        let texts = new_texts(&inside, |text| renaming.in_text(text), cx).await?;
        let attributes = self.attributes(&carriers, cx).await?;
        let is_changed = |it: &&LabelBlock| texts.contains_key(&it.id) || attributes.contains_key(&it.id);
        let changed = carriers.iter().filter(is_changed);
        let documents = changed.map(|it| (it.id.clone(), it.doc.clone())).into_map();
        if documents.is_empty() {
            return Err(ToolError::not_found());
        }
        let each: BTreeSet<DocId> = documents.values().cloned().into_set();
        let blocks = documents.len();
        let plan = Plan::new("rename", Facts { texts, attributes, documents, merges: merges > 0 })
            .show("label", renaming.from)
            .show("new_label", renaming.to)
            .also((merges > 0).then_some(Consequence::Merges));
        let plan = carried(plan, (self.kind, renaming.from), blocks, each);
        Ok(plan.show("merges", merges > 0).and(Thing::titled(renaming.to)))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { texts, attributes, documents, .. } = plan.facts;
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
            .with("new_label", self.new_label.as_str())
            .with("blocks", changes.changed.len())
            .with("documents", in_documents.len());
        changes.add_failures(reply)
    }
}

impl Rename {
    fn merges(&self, plan: &Plan<Facts>) -> bool {
        plan.facts.merges
    }

    fn asks(&self, plan: &Plan<Facts>) -> bool {
        plan.facts.merges || plan.facts.documents.values().into_set().len() > UNASKED
    }

    fn renaming(&self) -> LabelRename<'_> {
        LabelRename { from: self.label.as_str(), to: self.new_label.as_str() }
    }

    /// Refuses an invalid new label, also for the labels that would become its subtags.
    fn check(&self, labels: &[&str], cx: &Cx<'_>) -> Result<(), ToolError> {
        let LabelRename { from, to } = self.renaming();
        if from == to {
            return Err(ToolError::field("new_label", "another label than `label`"));
        }
        match self.kind {
            LabelKind::Tag => label::new_tag(from, to, labels.iter().copied(), cx),
            LabelKind::Bookmark => label::new_bookmark(to),
        }
    }

    /// The new attribute values: tags of documents, or bookmarks.
    async fn attributes(
        &self,
        carriers: &[LabelBlock],
        cx: &Cx<'_>,
    ) -> Result<BTreeMap<BlockId, String>, ToolError> {
        let own: Vec<&BlockId> = carriers.iter().filter(|it| it.own).map(|it| &it.id).collect();
        if own.is_empty() || self.kind == LabelKind::Bookmark {
            return Ok(own.into_iter().map(|id| (id.clone(), self.renaming().to.to_owned())).into_map());
        }
        let mut all = BTreeMap::new();
        for (id, list) in attribute_lists(&own, cx).await? {
            let list = AttributeList::parse(&list).map(|(list, _)| list);
            let tags = list.as_ref().and_then(|it| it.get("tags")).unwrap_or_default();
            self.check(&tags.split(',').map(str::trim).collect::<Vec<_>>(), cx)?;
            let new = self.renaming().in_list(tags);
            if new != tags {
                all.insert(id, new);
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
#[path = "rename_tests.rs"]
mod tests;
