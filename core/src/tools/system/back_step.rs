//! One step on the way back of a run, and its making: each looks again at what it would replace.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::calls;
use crate::content::restoring;
use crate::content::version::Version;
use crate::kernel::Route;
use crate::permission::{Place, StoragePath};
use crate::prelude::*;
use crate::runs::merge::without;
use crate::runs::put_back::BackDeed;
use crate::runs::{hash_of_database, hash_of_file};
use crate::sorted::IntoSorted as _;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = calls![
    &[
        file::GET_FILE,
        filetree::GET_PATH_BY_ID,
        filetree::LIST_DOCS_BY_PATH,
        filetree::MOVE_DOCS_BY_ID,
        filetree::REMOVE_DOC_BY_ID,
    ],
    restoring::CALLS,
];

/// The change that leads back. The order is that in which they are made: what was removed is there before others move
/// below it, and ids are free before a version takes them again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum BackKind {
    Restore,
    Move,
    Remove,
    Rewrite,
    /// Restores a document whose id is that of a block now.
    Release,
}

/// A document that goes back.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct BackStep {
    pub(super) id: DocId,
    pub(super) title: String,
    /// The notebook in which it is afterwards.
    pub(super) notebook: NotebookId,
    pub(super) kind: BackKind,
    /// Its storage path afterwards; that of a document that goes, now.
    pub(super) path: StoragePath,
    /// Its place now; `None` for a document that is nowhere.
    pub(super) from: Option<(NotebookId, StoragePath)>,
    pub(super) version: Option<Version>,
    /// The file that it gets, if that is not the version's.
    pub(super) text: Option<Vec<u8>>,
    /// The hash that it has now, and the one that it gets.
    pub(super) hashes: (String, String),
    /// The ids of blocks that come, and of those that go.
    pub(super) gains: BTreeSet<String>,
    pub(super) loses: BTreeSet<String>,
    /// The databases that go back with it.
    pub(super) databases: Vec<BackDatabase>,
    /// Whether another step of the same document follows, so that answers and questions name it once.
    pub(super) is_interim: bool,
    /// Whether nobody knows what of it the run changed, so that all of it goes back.
    pub(super) is_unsure: bool,
}

/// A database that goes back with a document that shows it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct BackDatabase {
    pub(super) id: AvId,
    /// The path of its file from before.
    pub(super) version: String,
    /// The hash that it has now, and the one that it gets.
    pub(super) hashes: (String, String),
}

/// The ids of the documents directly below a place, also of those that a person hides in the tree.
pub(super) async fn below(
    notebook: &NotebookId,
    path: &StoragePath,
    cx: &Cx<'_>,
) -> Result<Vec<String>, ToolError> {
    cx.declares(CALLS)?;
    let list = cx.ask(filetree::list_all_docs(notebook, path.as_str())).await?;
    Ok(cx.visible(list).files.into_iter().map(|it| it.id).collect())
}

/// The error for a document that is not as the plan found it.
fn changed() -> ToolError {
    ToolError::conflict(
        "Somebody changed or moved it, or a document beside it, meanwhile. It stays as it is.",
    )
}

impl BackStep {
    pub(super) fn to_json(&self) -> Value {
        let does = match self.kind {
            BackKind::Restore | BackKind::Release => BackDeed::Restored,
            BackKind::Move => BackDeed::MovedBack,
            BackKind::Remove => BackDeed::Removed,
            BackKind::Rewrite if self.hashes.0 == self.hashes.1 => BackDeed::DatabaseRestored,
            BackKind::Rewrite => BackDeed::Rewritten,
        };
        // Also what somebody changed since.
        let overwrites = (self.is_unsure && self.kind == BackKind::Rewrite).then_some(true);
        Value::Object(object([
            ("id", json!(self.id.as_str())),
            ("title", json!(self.title)),
            ("does", json!(does.sentence())),
            ("overwrites", json!(overwrites)),
        ]))
    }

    /// The document in a question. One that is gone has no place to look up; the index may know it for some seconds.
    pub(super) fn to_thing(&self) -> Thing {
        match self.kind {
            BackKind::Restore | BackKind::Release => Thing::titled(&self.title),
            _ => Thing::titled(&self.title).with_id(self.id.as_str()),
        }
    }

    /// The step before it that leaves out these blocks, which other documents still have; `None` if it gets none of them.
    pub(super) fn without_blocks(&self, held: &BTreeSet<String>) -> Option<BackStep> {
        let held: BTreeSet<String> = self.gains.intersection(held).cloned().into_set();
        let text = without(self.text.as_ref().filter(|_| !held.is_empty())?, &held)?;
        let hashes = (self.hashes.0.clone(), hash_of_file(&text));
        let gains = self.gains.difference(&held).cloned().into_set();
        Some(BackStep {
            text: Some(text),
            hashes,
            gains,
            databases: Vec::new(),
            is_interim: true,
            ..self.clone()
        })
    }

    /// Whether it puts the document into a place.
    pub(super) fn places(&self) -> bool {
        matches!(self.kind, BackKind::Restore | BackKind::Move | BackKind::Release)
    }

    /// Whether the document leaves its present place.
    pub(super) fn leaves(&self) -> bool {
        matches!(self.kind, BackKind::Move | BackKind::Remove)
    }

    /// Makes the step, unless something that it relies on has changed since the plan.
    pub(super) async fn make(&self, cx: &Cx<'_>) -> Result<(), ToolError> {
        cx.declares(CALLS)?;
        let now = cx.located(&self.id).await?;
        if self.places() && !restoring::is_place_there(&self.notebook, &self.path, cx).await? {
            return Err(changed());
        }
        match self.kind {
            BackKind::Restore | BackKind::Release if now.is_some() => Err(changed()),
            BackKind::Restore | BackKind::Release => self.write(&self.path, cx).await,
            BackKind::Rewrite => {
                let (place, storage) = self.unchanged(now.as_ref(), cx).await?;
                if place.notebook != self.notebook {
                    return Err(changed());
                }
                self.write(storage, cx).await
            }
            BackKind::Move => {
                self.unmoved(self.unchanged(now.as_ref(), cx).await?)?;
                let above = restoring::above(&self.notebook, &self.path).and_then(|it| it.doc());
                let to = above.unwrap_or_else(|| self.notebook.own_document());
                cx.ask(filetree::move_docs_by_id(NonEmpty::one(&self.id), &to)).await
            }
            BackKind::Remove => {
                let (place, storage) = self.unchanged(now.as_ref(), cx).await?;
                self.unmoved((place, storage))?;
                // Those that the run created went before; SiYuan would remove all others with it.
                let is_alone = below(&place.notebook, storage, cx).await?.is_empty();
                if place.level < Level::Delete || !is_alone {
                    return Err(changed());
                }
                cx.ask(filetree::remove_doc_by_id(&self.id)).await
            }
        }
    }

    /// The present place of the document, if it still has the text that the plan found.
    async fn unchanged<'p>(
        &self,
        now: Option<&'p Place>,
        cx: &Cx<'_>,
    ) -> Result<(&'p Place, &'p StoragePath), ToolError> {
        let place = now.filter(|it| it.doc.as_ref() == Some(&self.id) && it.level >= Level::Write);
        let (place, storage) = place.and_then(|it| Some((it, it.storage.as_ref()?))).ok_or_else(changed)?;
        let file = cx.read_file(&format!("/data/{}{}", place.notebook, storage.as_str())).await?;
        let hash = hash_of_file(&file.unwrap_or_default());
        if hash.is_empty() || hash != self.hashes.0 {
            return Err(changed());
        }
        Ok((place, storage))
    }

    /// Refuses another place than that of the plan: another parent, since those above may have moved back before.
    fn unmoved(&self, (place, storage): (&Place, &StoragePath)) -> Result<(), ToolError> {
        let is_same = |(notebook, from): &(NotebookId, StoragePath)| {
            *notebook == place.notebook && from.parents().last() == storage.parents().last()
        };
        if self.from.as_ref().is_some_and(is_same) { Ok(()) } else { Err(changed()) }
    }

    /// Writes the text to this place, and reads whether it is there.
    async fn write(&self, path: &StoragePath, cx: &Cx<'_>) -> Result<(), ToolError> {
        let missing = || ToolError::conflict("The version from before the run is gone; nothing was changed.");
        let bytes = match (&self.text, &self.version) {
            (Some(text), _) => text.clone(),
            (None, Some(version)) => cx.read_file(&version.path()).await?.ok_or_else(missing)?,
            (None, None) => return Err(missing()),
        };
        // A later version of the same second may have taken its place.
        if hash_of_file(&bytes) != self.hashes.1 {
            return Err(missing());
        }
        let mut databases = Vec::new();
        for it in &self.databases {
            match it.hash_now(cx).await? {
                now if now == it.hashes.1 => {}
                now if now == it.hashes.0 => {
                    let file = cx.read_file(&it.version).await?.ok_or_else(missing)?;
                    databases.push((it.id.clone(), file));
                }
                _ => return Err(changed()),
            }
        }
        restoring::restore(&bytes, &databases, &self.notebook, path, cx).await?;
        let place = cx.located(&self.id).await?;
        let here = |it: &&Place| it.notebook == self.notebook && it.doc.as_ref() == Some(&self.id);
        let read = match place.as_ref().filter(here).and_then(|it| it.storage.as_ref()) {
            Some(path) => cx.read_file(&format!("/data/{}{}", self.notebook, path.as_str())).await?,
            None => None,
        };
        let mut is_back = hash_of_file(&read.unwrap_or_default()) == self.hashes.1;
        for it in &self.databases {
            is_back &= it.hash_now(cx).await? == it.hashes.1;
        }
        if !is_back {
            return Err(ToolError::conflict(
                "SiYuan restored another text than that of before the run. Read the document before you go on.",
            ));
        }
        Ok(())
    }
}

impl BackDatabase {
    /// The hash of its file now.
    pub(super) async fn hash_now(&self, cx: &Cx<'_>) -> Result<String, ToolError> {
        let file = cx.read_file(&format!("/data/{}", history::database(&self.id))).await?;
        Ok(hash_of_database(&file.unwrap_or_default()))
    }
}
