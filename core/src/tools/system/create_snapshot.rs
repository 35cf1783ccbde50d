//! `system.create_snapshot`: saves the state of the whole workspace.
//!
//! SiYuan makes no snapshot where nothing has changed since the last one. That would tell whether closed notebooks
//! changed, so a small file of the plugin changes first and there is always a new snapshot.

use serde_json::json;

use super::snapshot;
use crate::args::Checked;
use crate::content::incoming::is_plain;
use crate::kernel::files;
use crate::prelude::*;
use crate::spec::Interpreter;
use crate::visible::is_seen;

/// Save the state of the whole workspace, to restore later.
#[derive(Debug, Action)]
#[action(
    system.create_snapshot,
    some = Write,
    danger = None,
    idempotent = false,
    calls = [
        repo::CREATE_SNAPSHOT, repo::GET_REPO_SNAPSHOTS, repo::GET_REPO_TAG_SNAPSHOTS, repo::TAG_SNAPSHOT,
        file::PUT_FILE, ..snapshot,
    ],
    examples = [{ "memo": "Before tidying up" }, { "memo": "Before tidying up", "tag": "{new}" }],
)]
pub struct CreateSnapshot {
    /// The purpose of the snapshot.
    #[read_by(Html)]
    pub memo: Text<1, 200>,
    /// A tag, so that it is kept.
    pub tag: Option<SnapshotTag>,
}

/// The file that changes before each snapshot.
const MARK: &str = "lastSnapshot";

/// A tag of a snapshot; SiYuan makes it the name of a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SnapshotTag(String);

impl Checked for SnapshotTag {
    const MOST: usize = 60;
    const READ_BY: &'static [Interpreter] = &[Interpreter::Html];
    const EXPECTED: &'static str =
        "1 to 60 visible characters, without markup, \\ / : * ? \" ' < > | and dots at its start";

    fn parse(text: &str) -> Result<SnapshotTag, &'static str> {
        let plain = text.trim() == text && !text.starts_with('.') && text.chars().any(is_seen);
        let named = !text.contains(['\\', '/', ':', '*', '?', '"', '\'', '<', '>', '|'])
            && !text.contains(char::is_control);
        let fits = text.chars().count() <= Self::MOST && text.len() <= 200;
        if plain && named && fits && is_plain(text) {
            Ok(SnapshotTag(text.to_owned()))
        } else {
            Err(Self::EXPECTED)
        }
    }
}

impl Change for CreateSnapshot {
    type Facts = ();

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<()>, ToolError> {
        if !self.memo.as_str().chars().any(is_seen) {
            return Err(ToolError::field("memo", "visible text"));
        }
        if !is_plain(self.memo.as_str()) {
            return Err(ToolError::field("memo", "plain text, without markup, < and >"));
        }
        snapshot::needs_key(cx).await?;
        if let Some(SnapshotTag(tag)) = &self.tag {
            let tagged = cx.ask(repo::get_repo_tag_snapshots()).await?.snapshots;
            if let Some(taken) = tagged.iter().find(|it| it.tag == *tag) {
                let message = "Another snapshot has this tag, and would lose it. Choose another tag.";
                return Err(ToolError::conflict(message).with("id", taken.id.as_str()));
            }
        }
        let tag = self.tag.as_ref().map(|it| it.0.as_str());
        Ok(Plan::new("create", ()).show("memo", self.memo.as_str()).show("tag", tag))
    }

    async fn run(self, _plan: Plan<()>, cx: &Cx<'_>) -> Reply {
        let memo = self.memo.as_str().trim();
        let newest = async || -> Result<_, ToolError> {
            Ok(cx.ask(repo::get_repo_snapshots(1)).await?.snapshots.into_iter().next())
        };
        let before = newest().await?.map(|it| it.id);
        let mark = json!({ "at": cx.ambient().now_ms(), "mark": cx.ambient().random() });
        cx.write_file(&format!("{}{MARK}", files::STORAGE), mark.to_string().into_bytes()).await?;
        cx.ask(repo::create_snapshot(memo)).await?;
        let Some(made) = newest().await?.filter(|it| Some(&it.id) != before.as_ref()) else {
            return Err(ToolError::conflict(
                "SiYuan reported success but made no snapshot. Look into its log.",
            ));
        };
        let mut failed = Vec::new();
        if let Some(SnapshotTag(tag)) = &self.tag {
            let tagged = cx.ask(repo::tag_snapshot(&made.id, tag)).await;
            failed.extend(tagged.err().map(|error| Failed::new(error).what("tag")));
        }
        let tag = self.tag.filter(|_| failed.is_empty()).map(|it| it.0);
        Ok(Output::new().with("id", made.id).with("memo", memo).with("tag", tag).partly("snapshot", failed))
    }
}

#[cfg(test)]
#[path = "create_snapshot_tests.rs"]
mod tests;
