//! The text and the databases of one document on their way back: what nobody changed since, block by block.

use std::collections::BTreeSet;

use super::back_step::BackDatabase;
use crate::content::restoring;
use crate::content::runs;
use crate::content::stored::StoredDocument;
use crate::content::version::Version;
use crate::error::ErrorType;
use crate::prelude::*;
use crate::runs::merge::{exchange, merge};
use crate::runs::put_back::StayReason;
use crate::runs::record::{ChangeKind, ChangedThing, RunChange, RunDocument, RunRecord};
use crate::runs::trail::trails;
use crate::runs::{hash_of_database, hash_of_file};
use crate::sorted::IntoSorted as _;

/// The part of a run that is to go back.
#[derive(Debug)]
pub(super) struct BackScope<'r> {
    pub(super) run: &'r RunRecord,
    /// Only this call.
    pub(super) call: Option<usize>,
    /// Whether documents go back that the server's end left unfinished.
    pub(super) unfinished: bool,
    /// The blocks that cannot come back, because they are in documents that stay.
    pub(super) taken: BTreeSet<String>,
}

/// The text that a document gets.
#[derive(Debug, Default)]
pub(super) struct BackText {
    pub(super) version: Option<Version>,
    /// The file; `None` if the present one stays.
    pub(super) file: Option<Vec<u8>>,
    pub(super) gains: BTreeSet<String>,
    pub(super) loses: BTreeSet<String>,
    /// The blocks that stay although the run changed them.
    pub(super) left: BTreeSet<String>,
    pub(super) databases: Vec<BackDatabase>,
    /// The reason for which something stays.
    pub(super) why: Option<StayReason>,
}

impl BackScope<'_> {
    /// A document as the part of the run left it; `None` if that part did not change it.
    pub(super) fn part_of(&self, document: &RunDocument) -> Option<RunDocument> {
        let Some(call) = self.call else { return Some(document.clone()) };
        let is_of_it = |it: &&RunChange| {
            it.call == call
                && (it.id == document.id || it.r#in == document.id)
                && it.what != ChangedThing::Row
        };
        let own: Vec<&RunChange> = self.run.changes.iter().filter(is_of_it).collect();
        let whole = |kind| own.iter().find(|it| it.what == ChangedThing::Document && it.kind == kind);
        let moves = self.run.changes.iter().filter(|it| it.id == document.id && it.kind == ChangeKind::Moved);
        let is_moved = whole(ChangeKind::Moved).is_some();
        let mut part = document.clone();
        part.created = whole(ChangeKind::Created).is_some();
        part.removed = whole(ChangeKind::Removed).is_some();
        if !is_moved {
            // The move of another call stays.
            if let Some((notebook, path)) = part.moved_to.find('/').map(|at| part.moved_to.split_at(at)) {
                (part.notebook, part.path) = (notebook.to_owned(), path.to_owned());
            }
            part.moved_to.clear();
        } else if moves.filter(|it| it.what == ChangedThing::Document).count() > 1 {
            // The place before this move is not recorded.
            part.path.clear();
        }
        if let Some(it) = whole(ChangeKind::Created) {
            part.after.clone_from(&it.after);
        }
        if let Some(it) = whole(ChangeKind::Removed) {
            part.before.clone_from(&it.before);
        }
        part.databases.retain(|database| {
            let mut calls = self.run.changes.iter().filter(|it| it.id == database.id);
            calls.all(|it| it.call == call)
        });
        (!own.is_empty() || !part.databases.is_empty()).then_some(part)
    }

    /// The text that a document gets whose present file this is.
    pub(super) async fn text(
        &self,
        id: &DocId,
        document: &RunDocument,
        now: &[u8],
        cx: &Cx<'_>,
    ) -> Result<BackText, ToolError> {
        let mut back = BackText::default();
        let hash = hash_of_file(now);
        let is_whole = self.call.is_none() && document.others.is_empty() && hash == document.after;
        let has_text = if is_whole { document.before != hash } else { self.has_blocks(id) };
        if has_text {
            self.find_text(id, document, (now, is_whole), &mut back, cx).await?;
        }
        self.find_databases(id, document, &mut back, cx).await?;
        Ok(back)
    }

    /// Whether the part of the run changed blocks of a document, as far as they are recorded.
    fn has_blocks(&self, id: &DocId) -> bool {
        trails(self.run, id.as_str(), self.call).is_none_or(|it| !it.is_empty())
    }

    async fn find_text(
        &self,
        id: &DocId,
        document: &RunDocument,
        (now, is_whole): (&[u8], bool),
        back: &mut BackText,
        cx: &Cx<'_>,
    ) -> Result<(), ToolError> {
        let Some((version, before)) = version_of(id, document, cx).await? else {
            back.why = Some(StayReason::NoVersion);
            return Ok(());
        };
        let [gains, loses] = exchange(now, &before);
        let file = if is_whole && gains.is_disjoint(&self.taken) {
            (back.gains, back.loses) = (gains, loses);
            before
        } else if document.is_unfinished() {
            // Nothing tells which blocks the run changed.
            back.why = Some(StayReason::Elsewhere);
            return Ok(());
        } else {
            let known = trails(self.run, id.as_str(), self.call);
            let merged = known.and_then(|known| merge(&before, now, &known, &self.taken));
            let Some(merged) = merged else {
                back.why = Some(StayReason::Changed);
                return Ok(());
            };
            back.left = merged.left;
            back.why = (!back.left.is_empty()).then_some(StayReason::BlocksChanged);
            (back.gains, back.loses) = (merged.gains, merged.loses);
            let Some(file) = merged.file else { return Ok(()) };
            file
        };
        if !may_come(id, &file, Some(now), cx).await? {
            *back = BackText { why: Some(StayReason::NotForAgents), ..BackText::default() };
            return Ok(());
        }
        (back.version, back.file) = (Some(version), Some(file));
        Ok(())
    }

    /// Adds the databases that the run changed and nobody else since.
    async fn find_databases(
        &self,
        id: &DocId,
        document: &RunDocument,
        back: &mut BackText,
        cx: &Cx<'_>,
    ) -> Result<(), ToolError> {
        for it in document.databases.iter().filter(|it| !it.before.is_empty() && it.before != it.after) {
            let Some(av) = AvId::parse(&it.id) else { continue };
            let Some(version) = Version::at(&document.version).filter(|it| it.doc() == id) else { continue };
            let path = version.database(&av).unwrap_or_default();
            let hashes = (it.after.clone(), it.before.clone());
            let database = BackDatabase { id: av, version: path, hashes };
            let now = database.hash_now(cx).await?;
            if now == it.before {
                continue;
            }
            let kept = cx.read_file(&database.version).await?.unwrap_or_default();
            let is_known = hash_of_database(&kept) == it.before;
            let may = runs::sees_all(cx)
                || cx.databases(Level::Write, &[&database.id]).await?.iter().all(Option::is_some);
            if it.is_mixed || now != it.after {
                back.why = back.why.or(Some(StayReason::DatabaseChanged));
            } else if !is_known {
                back.why = back.why.or(Some(StayReason::NoVersion));
            } else if !may {
                back.why = back.why.or(Some(StayReason::NotForAgents));
            } else {
                back.databases.push(database);
            }
        }
        Ok(())
    }
}

/// The version from before the run with its file, if it holds what the run found.
pub(super) async fn version_of(
    id: &DocId,
    document: &RunDocument,
    cx: &Cx<'_>,
) -> Result<Option<(Version, Vec<u8>)>, ToolError> {
    let is_known = |it: &Version| {
        it.doc() == id && (runs::sees_all(cx) || cx.readable_boxes().contains(&it.notebook().as_str()))
    };
    let Some(version) = Version::at(&document.version).filter(is_known) else { return Ok(None) };
    let Some(bytes) = cx.read_file(&version.path()).await? else { return Ok(None) };
    let is_before = !document.before.is_empty() && hash_of_file(&bytes) == document.before;
    Ok(is_before.then_some((version, bytes)))
}

/// Whether a text may come back: agents bring back nothing that they could not write.
pub(super) async fn may_come(
    id: &DocId,
    file: &[u8],
    now: Option<&[u8]>,
    cx: &Cx<'_>,
) -> Result<bool, ToolError> {
    if runs::sees_all(cx) {
        return Ok(true);
    }
    let Some(stored) = StoredDocument::parse(file) else { return Ok(false) };
    let present = now.and_then(StoredDocument::parse);
    match restoring::check(id, &stored, present.as_ref(), cx).await {
        Ok(()) => Ok(true),
        Err(error) => match error.kind {
            ErrorType::Validation
            | ErrorType::NotFound
            | ErrorType::PermissionDenied
            | ErrorType::Disabled => Ok(false),
            _ => Err(error),
        },
    }
}

/// The blocks that steps bring back although they are in documents that stay.
pub(super) async fn taken<'s>(
    gains: impl Iterator<Item = &'s String>,
    loses: &BTreeSet<&String>,
    cx: &Cx<'_>,
) -> Result<BTreeSet<String>, ToolError> {
    let ids: Vec<BlockId> =
        gains.filter(|it| !loses.contains(it)).filter_map(|it| BlockId::parse(it)).collect();
    let Some(ids) = NonEmpty::of(&ids) else { return Ok(BTreeSet::new()) };
    let exist = cx.ask(block::check_blocks_exist(ids)).await?;
    let there = exist.into_iter().filter(|(_, there)| there.as_bool() == Some(true));
    let there: Vec<BlockId> = there.filter_map(|(id, _)| BlockId::parse(&id)).collect();
    let Some(ids) = NonEmpty::of(&there) else { return Ok(BTreeSet::new()) };
    // SiYuan's list of blocks keeps those that were inside a replaced one; without a type they are in no document.
    let infos = cx.ask(block::get_block_tree_infos(ids)).await?;
    Ok(infos.into_iter().filter(|(_, it)| !it.kind.is_empty()).map(|(id, _)| id).into_set())
}
