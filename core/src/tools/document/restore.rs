//! `document.restore`: puts a saved version in the place of a document, or brings a deleted one back.

use std::collections::BTreeSet;

use super::{difference, versions};
use crate::content::impact;
use crate::content::incoming::{self, ReplacedContent};
use crate::content::shown_text;
use crate::content::stored::{StoredBlock, StoredDocument};
use crate::content::tag;
use crate::content::version::Version;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// Restore a saved version.
///
/// A deleted document can be restored too.
///
/// The title is restored with the text; an existing document keeps its place.
#[derive(Debug, Action)]
#[action(
    document.restore,
    workspace = Write,
    effect = Destructive,
    danger = "Replaces the document's current text with the saved version. The current text is saved as a version first.",
    deed = Restore(DocumentHistory),
    idempotent = true,
    tier = advanced,
    calls = [
        history::CREATE_DOC_HISTORY, history::ROLLBACK_DOC_HISTORY, filetree::GET_HPATH_BY_ID,
        ..versions, ..incoming, ..shown_text, ..impact,
    ],
    examples = [{ "id": "{doc}", "version": "{version}" }],
)]
pub struct Restore {
    /// The document.
    pub id: Child<DocId>,
    /// A version, as history lists it.
    pub version: Version,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    version: Version,
    /// The title of the document that is there now.
    previous: Option<String>,
    /// The texts that go and come, so that an approval covers them.
    texts: (Vec<String>, Vec<String>),
}

impl Change for Restore {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let (Child(id), version) = (&self.id, &self.version);
        if version.doc() != id {
            return Err(ToolError::field("version", "a version of this document, as history lists it"));
        }
        let notebook = version.notebook().as_str();
        // SiYuan would make a notebook for a version whose own is not open.
        if !cx.readable_boxes().contains(&notebook) {
            return Err(ToolError::not_found());
        }
        let now = cx.located(id).await?;
        let stored = versions::read(version, now.as_ref(), cx).await?;
        cx.require(Level::Write, [notebook].into_iter().chain(now.as_ref().map(|it| it.notebook.as_str())))?;
        let present = match &now {
            Some(place) if place.doc.as_ref() != Some(id) || *id == place.notebook.own_document() => {
                return Err(ToolError::field("id", "a document, not a block or a notebook's own document"));
            }
            Some(place) if place.notebook != *version.notebook() => {
                return Err(ToolError::conflict(
                    "The document is in another notebook now. Move it back before you restore this version.",
                ));
            }
            Some(place) => Some(versions::present(place, cx).await?.ok_or_else(ToolError::not_found)?),
            None => None,
        };
        check(&stored, present.as_ref(), cx).await?;
        if let Some(present) = &present {
            let is_new = |it: &&StoredBlock| !present.blocks.iter().any(|now| now.markdown == it.markdown);
            let come = stored.blocks.iter().filter(is_new).map(|it| it.markdown.as_str());
            shown_text::check_arrival("version", come, &[id], cx).await?;
        }
        let old = present.as_ref().map(|it| it.blocks.as_slice()).unwrap_or_default();
        let gone: BTreeSet<String> =
            present.iter().flat_map(|it| it.ids.difference(&stored.ids)).cloned().into_set();
        let (references, breaks) = impact::broken_by_blocks(&gone, cx).await?;
        let lists = difference::between(old, &stored.blocks);
        let [gone, new, other] = lists.each_ref().map(difference::BlockSample::texts);
        let [goes, comes, changes] = lists.map(|it| it.first);
        let texts = |blocks: &[StoredBlock]| blocks.iter().map(|it| it.markdown.clone()).collect::<Vec<_>>();
        let facts = Facts {
            version: version.clone(),
            previous: present.as_ref().map(|it| it.title.clone()),
            texts: (texts(old), texts(&stored.blocks)),
        };
        let plan = Plan::new("restore", facts)
            .show("title", stored.title.as_str())
            .show("saved", version.saved())
            .show("goes", goes)
            .show("comes", comes)
            .show("changes", changes);
        let plan = if references.is_empty() { plan } else { plan.show("references", references) };
        let plan = versions::named(plan, id, &stored.title, version).also(breaks);
        let plan = plan
            .also(Consequence::Goes(gone))
            .also(Consequence::Changes(other))
            .also(Consequence::Comes(new));
        Ok(plan.changing([id.clone()]).touching(1, stored.title.as_str()))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { version, previous, .. } = plan.facts;
        let Child(id) = &self.id;
        if previous.is_some() {
            cx.ask(history::create_doc_history(id)).await?;
        }
        cx.ask(history::rollback_doc_history(&version.path())).await?;
        let output = Output::new().with("id", id.as_str()).with("notebook", version.notebook().as_str());
        let output = output.with("previous_title", previous);
        Ok(match cx.ask(filetree::get_hpath_by_id(id)).await {
            Ok(hpath) => output
                .with("title", hpath.rsplit('/').next().unwrap_or_default())
                .with("hpath", hpath.as_str()),
            Err(error) => output.partly("document", vec![Failed::new(error).what("the path")]),
        })
    }
}

/// Refuses a version that would bring back what the caller could not write: the tag of prompts, query embeds, references
/// that follow blocks of closed notebooks, and databases that other notebooks show.
async fn check(
    stored: &StoredDocument,
    present: Option<&StoredDocument>,
    cx: &Cx<'_>,
) -> Result<(), ToolError> {
    let mut here: Vec<&String> = present.iter().flat_map(|it| &it.embeds).collect();
    let come = stored.embeds.iter().filter(|embed| match here.iter().position(|it| it == embed) {
        Some(at) => {
            here.swap_remove(at);
            false
        }
        None => true,
    });
    incoming::refuse_stored_embeds("version", "a version", come.map(String::as_str))?;
    if present.is_none_or(|it| it.tags != stored.tags) {
        tag::refuse_stored("version", &stored.tags, cx)?;
    }
    if !cx.grants().any_hidden() {
        return Ok(());
    }
    let known = present.map(|it| it.follows.clone()).unwrap_or_default();
    let new: Vec<String> = stored.follows.difference(&known).map(|id| format!("(({id} 'x'))")).collect();
    incoming::check(cx, &new.join("\n\n"), &ReplacedContent::nothing()).await?;
    let databases: Vec<AvId> = stored.databases.iter().filter_map(|id| AvId::parse(id)).collect();
    let found = cx.databases(Level::Write, &databases.iter().collect::<Vec<_>>()).await?;
    if found.iter().any(Option::is_none) {
        return Err(ToolError::disabled(
            "This version restores an older state of a database that no document in your notebooks shows now, but that a notebook hidden from agents may show. A person can restore it in SiYuan.",
        ));
    }
    Ok(())
}

#[cfg(test)]
#[path = "restore_tests.rs"]
mod tests;
