//! Snapshots of the workspace.

use serde::Deserialize;
use serde_json::Value;

use super::endpoints;

/// The number of snapshots on a page.
pub const PAGE: usize = 32;

endpoints! { "/api/repo/";
    /// Creates a snapshot; code 0 also when nothing has changed since the last one. The reply of 3.7 is empty.
    silent CREATE_SNAPSHOT create_snapshot(memo: &str) -> Value = "createSnapshot" { "memo": memo };
    /// A page of the snapshots, from 1, the newest first.
    read GET_REPO_SNAPSHOTS get_repo_snapshots(page: usize) -> Snapshots = "getRepoSnapshots" { "page": page };
    /// The snapshots with a tag.
    read GET_REPO_TAG_SNAPSHOTS get_repo_tag_snapshots() -> Snapshots = "getRepoTagSnapshots" {};
    /// Tags a snapshot; a tag that another one has moves.
    silent TAG_SNAPSHOT tag_snapshot(id: &str, name: &str) -> () = "tagSnapshot" { "id": id, "name": name };
}

/// A page of snapshots.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshots {
    #[serde(default, deserialize_with = "super::list")]
    pub snapshots: Vec<Snapshot>,
    /// The number of all snapshots.
    #[serde(default)]
    pub total_count: usize,
}

/// A snapshot. Its counts, sizes and devices cover hidden notebooks, so they stay unread.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Snapshot {
    pub id: String,
    /// Its purpose.
    #[serde(default)]
    pub memo: String,
    /// Milliseconds since 1970.
    #[serde(default)]
    pub created: u64,
    /// Its tag, in the list of tagged ones.
    #[serde(default)]
    pub tag: String,
}
