//! `system.list_snapshots`: the snapshots of the workspace, without what they tell of closed notebooks.

use serde_json::Value;

use super::snapshot;
use crate::kernel::api::repo::{PAGE, Snapshot};
use crate::prelude::*;

/// List the snapshots of the workspace.
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

impl Run for ListSnapshots {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        snapshot::needs_key(cx).await?;
        let (from, limit) = (self.page.after().copied().unwrap_or_default().min(MOST), self.page.limit.get());
        let (found, total) = if self.tagged.is_set() {
            let all = cx.ask(repo::get_repo_tag_snapshots()).await?.snapshots;
            let total = all.len();
            (all.into_iter().skip(from).take(limit).collect(), total)
        } else {
            listed(from, limit, cx).await?
        };
        let next =
            (from + found.len() < total && !found.is_empty()).then(|| (from + found.len()).to_string());
        let items: Vec<Value> = found.iter().map(|it| snapshot::told(it, cx)).collect();
        Ok(Output::new().with("items", items).with("total", total).with("next", next))
    }
}

/// The snapshots from this number on, from as many of SiYuan's pages as they lie on.
async fn listed(from: usize, limit: usize, cx: &Cx<'_>) -> Result<(Vec<Snapshot>, usize), ToolError> {
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
    Ok((all.into_iter().skip(from - first * PAGE).take(limit).collect(), total))
}
