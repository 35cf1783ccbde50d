//! `system.list_snapshots`: the snapshots of the workspace, without what they tell of closed notebooks.

use serde_json::Value;

use super::snapshot;
use crate::kernel::api::repo::{PAGE, Snapshot};
use crate::prelude::*;

/// List the snapshots of the workspace.
///
/// While a notebook is hidden from you, snapshots that SiYuan created for sync are left out.
#[derive(Debug, Action)]
#[action(
    system.list_snapshots,
    workspace = Read,
    danger = None,
    tier = advanced,
    idempotent = true,
    calls = [repo::GET_REPO_SNAPSHOTS, repo::GET_REPO_TAG_SNAPSHOTS, ..snapshot],
    examples = [{ "limit": 5 }, { "tagged": true }],
)]
pub struct ListSnapshots {
    /// Only those with a tag.
    pub tagged: Flag<false>,
    /// A page of the list.
    #[args]
    pub page: Paging<usize, 20, 100>,
}

/// The number of snapshots after which none are listed.
const MOST: usize = 1_000_000;
/// The maximum number of SiYuan's pages that are looked through for snapshots that somebody wanted.
const MOST_PAGES: usize = 64;
/// The beginning of the memos of those that SiYuan makes to synchronize.
const OF_SYNC: &str = "[Sync]";

impl Run for ListSnapshots {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        snapshot::needs_key(cx).await?;
        let (from, limit) = (self.page.after().copied().unwrap_or_default().min(MOST), self.page.limit.get());
        let SnapshotPage { found, is_more, total } = match self.tagged.is_set() {
            true => SnapshotPage::of(cx.ask(repo::get_repo_tag_snapshots()).await?.snapshots, from, limit),
            false if cx.grants().any_hidden() => of_people(from, limit, cx).await?,
            false => all(from, limit, cx).await?,
        };
        let next = (is_more && !found.is_empty()).then(|| (from + found.len()).to_string());
        let items: Vec<Value> = found.iter().map(|it| snapshot::to_json(it, cx)).collect();
        Ok(Output::new().with("items", items).with("total", total).with("next", next))
    }
}

/// A part of the snapshots.
struct SnapshotPage {
    found: Vec<Snapshot>,
    /// Whether others follow.
    is_more: bool,
    /// The number of all, where it tells nothing.
    total: Option<usize>,
}

impl SnapshotPage {
    /// The part of a whole list.
    fn of(all: Vec<Snapshot>, from: usize, limit: usize) -> SnapshotPage {
        let total = all.len();
        let found = all.into_iter().skip(from).take(limit).collect();
        SnapshotPage { found, is_more: total > from.saturating_add(limit), total: Some(total) }
    }
}

/// The snapshots from this number on, from as many of SiYuan's pages as they lie on.
async fn all(from: usize, limit: usize, cx: &Cx<'_>) -> Result<SnapshotPage, ToolError> {
    let (first, end) = (from / PAGE, from + limit);
    let (mut all, mut total) = (Vec::new(), 0);
    for page in first.. {
        let found = cx.ask(repo::get_repo_snapshots(page + 1)).await?;
        all.extend(found.snapshots);
        total = found.total_count;
        if (page + 1) * PAGE >= end.min(total) {
            break;
        }
    }
    let found = all.into_iter().skip(from - first * PAGE).take(limit).collect();
    Ok(SnapshotPage { found, is_more: total > end, total: Some(total) })
}

/// The snapshots from this number on that somebody wanted.
///
/// SiYuan makes one before it synchronizes, but only where something has changed. One at a time at which no readable
/// note changed would tell that a closed one did, and so would a count or a cursor that includes it.
async fn of_people(from: usize, limit: usize, cx: &Cx<'_>) -> Result<SnapshotPage, ToolError> {
    let mut wanted: Vec<Snapshot> = Vec::new();
    for page in 1..=MOST_PAGES {
        let read = cx.ask(repo::get_repo_snapshots(page)).await?;
        wanted.extend(
            read.snapshots.into_iter().filter(|it| !it.memo.starts_with(OF_SYNC) || !it.tag.is_empty()),
        );
        if wanted.len() > from + limit || page * PAGE >= read.total_count {
            break;
        }
    }
    Ok(SnapshotPage { total: None, ..SnapshotPage::of(wanted, from, limit) })
}

#[cfg(test)]
#[path = "list_snapshots_tests.rs"]
mod tests;
