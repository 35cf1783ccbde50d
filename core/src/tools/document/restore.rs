//! `document.restore`: puts a saved version in the place of a document, or brings a deleted one back.

use std::collections::BTreeSet;

use super::{difference, versions};
use crate::content::stored::StoredBlock;
use crate::content::version::Version;
use crate::content::{impact, restoring};
use crate::permission::{Place, StoragePath};
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
        history::CREATE_DOC_HISTORY, filetree::GET_HPATH_BY_ID, ..versions, ..restoring, ..impact,
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
    /// The storage path that it gets.
    path: String,
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
        restoring::check(id, &stored, present.as_ref(), cx).await?;
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
            path: destination(version, now.as_ref(), cx).await?.as_str().to_owned(),
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
        let Facts { version, path, previous, .. } = plan.facts;
        let Child(id) = &self.id;
        if previous.is_some() {
            cx.ask(history::create_doc_history(id)).await?;
        }
        let bytes = cx.read_file(&version.path()).await?.ok_or_else(ToolError::not_found)?;
        // SiYuan follows the parent wherever it goes, so the place is looked up last.
        let now = cx.located(id).await?;
        let is_same = match &now {
            Some(it) => {
                previous.is_some() && it.doc.as_ref() == Some(id) && it.notebook == *version.notebook()
            }
            None => previous.is_none(),
        };
        let to = destination(&version, now.as_ref(), cx).await?;
        if !is_same || to.as_str() != path {
            return Err(ToolError::conflict(
                "Somebody moved the document, or the one above it, meanwhile. Nothing was restored. Call again.",
            ));
        }
        let databases = restoring::databases(&version, &bytes, cx).await?;
        restoring::restore(&bytes, &databases, version.notebook(), &to, cx).await?;
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

/// The storage path at which a version is restored: the present one, or the last one of a deleted document. Without
/// the document above it, that is the top of the notebook, wherever the one above is now.
async fn destination(version: &Version, now: Option<&Place>, cx: &Cx<'_>) -> Result<StoragePath, ToolError> {
    if let Some(storage) = now.and_then(|it| it.storage.clone()) {
        return Ok(storage);
    }
    let (last, notebook) = (version.storage().ok_or_else(ToolError::not_found)?, version.notebook());
    if restoring::is_place_there(notebook, &last, cx).await? {
        return Ok(last);
    }
    StoragePath::parse(&format!("/{}.sy", version.doc())).ok_or_else(ToolError::not_found)
}

#[cfg(test)]
#[path = "restore_tests.rs"]
mod tests;
