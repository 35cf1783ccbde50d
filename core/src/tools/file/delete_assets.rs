//! `file.delete_assets`: removes assets that nothing uses; the history keeps them.

use futures_util::future::try_join_all;
use serde_json::{Value, json};

use super::{everywhere, unused};
use crate::index::{self, Select, Table};
use crate::prelude::*;

/// Files that are looked at at the same time.
const AT_ONCE: usize = 16;

/// Delete unused assets.
#[derive(Debug, Action)]
#[action(
    file.delete_assets,
    workspace = Delete,
    danger = "Deletes {n} unused files ({bytes} bytes).",
    deed = Delete(DataHistory),
    idempotent = false,
    default = off,
    tier = advanced,
    calls = [asset::STAT_ASSET, asset::REMOVE_UNUSED_ASSET, query::SQL, ..unused],
    examples = [{ "paths": ["{unused}"] }, { "all_unused": true }],
)]
pub struct DeleteAssets {
    /// Which assets.
    #[needs(Delete)]
    #[one_of]
    pub which: AssetSelection,
}

/// Which assets.
#[derive(Debug, OneOf)]
pub enum AssetSelection {
    /// Unused assets.
    #[target]
    Paths(Ids<AssetPath, 200>),
    /// Whether to delete all unused assets.
    AllUnused(Yes),
}

/// The files, each with its size.
type Facts = Vec<(AssetPath, u64)>;

impl Change for DeleteAssets {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        everywhere::require(cx, Level::Delete, "Unused assets")?;
        // The index does not have the notebooks that are not open.
        let closed: Vec<&str> =
            cx.scope().visible_notebooks().filter(|it| it.closed).map(|it| it.name.as_str()).collect();
        if !closed.is_empty() {
            let message = "Some notebooks are closed in SiYuan, so the assets that they use are unknown. A person can open them.";
            return Err(ToolError::conflict(message).with("notebooks", closed));
        }
        let unused = unused::find(cx).await?;
        let paths = match &self.which {
            AssetSelection::AllUnused(_) if unused.unloaded > 0 => {
                let message = "SiYuan could not load some documents, so the assets that they used are unknown. Name the assets in `paths`, or let a person restore the documents first.";
                return Err(ToolError::conflict(message).with("documents", unused.unloaded));
            }
            AssetSelection::AllUnused(_) => unused.files,
            AssetSelection::Paths(paths) => {
                let used: Vec<&AssetPath> =
                    paths.as_slice().iter().filter(|it| !unused.files.contains(it)).collect();
                if !used.is_empty() {
                    return Err(in_use(&used, cx).await?);
                }
                paths.as_slice().to_vec()
            }
        };
        let mut files: Facts = Vec::with_capacity(paths.len());
        for some in paths.chunks(AT_ONCE) {
            let stats = try_join_all(some.iter().map(|path| cx.ask(asset::stat_asset(path)))).await?;
            files.extend(some.iter().cloned().zip(stats.iter().map(|it| it.size)));
        }
        let entries: Vec<Value> =
            files.iter().map(|(path, size)| json!({ "path": path.as_str(), "size": size })).collect();
        let (n, bytes) = (files.len(), files.iter().map(|(_, size)| size).sum::<u64>());
        let things = Things::of(files.iter().map(|(path, _)| Thing::file(path.as_str())));
        let name = files.first().map(|(path, _)| path.as_str().to_owned()).unwrap_or_default();
        Ok(Plan::new("delete", files)
            .show("files", entries)
            .show("bytes", bytes)
            .about(ThingKind::File, things)
            .also(Consequence::Size(bytes))
            .touching(n, name))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let (mut done, mut bytes) = (Done::new(), 0);
        for (path, size) in &plan.facts {
            let removed = cx.ask(asset::remove_unused_asset(path)).await;
            bytes += if removed.is_ok() { *size } else { 0 };
            done.each(path.as_str(), removed, |_| json!(path.as_str()));
        }
        Ok(done.reply("done")?.with("bytes", bytes))
    }
}

/// The error for assets that are in use or missing.
async fn in_use(paths: &[&AssetPath], cx: &Cx<'_>) -> Result<ToolError, ToolError> {
    let uses = Select::from(Table::Assets)
        .columns(["f.path"])
        .count("f.block_id", "n_refs")
        .per(["f.path"])
        .filter(index::in_list("f.path", paths.iter().map(|it| it.as_str())))
        .limit(paths.len());
    let uses = cx.select(uses).await?.rows;
    let entries = paths.iter().map(|path| {
        let refs = uses.iter().find(|row| row.text("path") == path.as_str()).map(|row| row.number("n_refs"));
        json!({ "path": path.as_str(), "refs": refs.unwrap_or_default() })
    });
    let entries: Vec<Value> = entries.collect();
    Ok(ToolError::conflict(
        "Some of these are in use, mentioned in a note, or not files. Nothing was deleted.",
    )
    .with("in_use", entries))
}

#[cfg(test)]
#[path = "delete_assets_tests.rs"]
mod tests;
