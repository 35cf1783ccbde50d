//! `file.list_assets`: the assets of a document, or those that are unused or missing.
//!
//! The kernel's lists cover every notebook. Of the missing ones those are shown that a readable block refers to; of
//! the unused ones none while a notebook is hidden, because a file that nothing else uses may be its own.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::try_join;
use serde_json::{Value, json};

use super::unused;
use crate::content::paging::{PageStart, page};
use crate::index::{Select, Table};
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The maximum number of uses that are read to find the blocks that refer to missing assets.
const USES: usize = 20_000;
/// The maximum number of blocks that are named for each.
const BLOCKS: usize = 20;

/// List assets of a document, or unused or missing ones.
#[derive(Debug, Action)]
#[action(
    file.list_assets,
    workspace = Read,
    danger = None,
    idempotent = true,
    calls = [
        asset::GET_DOC_ASSETS, asset::GET_DOC_IMAGE_ASSETS, asset::GET_MISSING_ASSETS, query::FLUSH_TRANSACTION,
        query::SQL, ..unused
    ],
    examples = [{ "id": "{doc}", "kind": "image" }, { "scope": "missing", "limit": 20 }],
)]
pub struct ListAssets {
    /// Which assets.
    pub scope: AssetScope,
    /// The document or block.
    #[needs(Read, else = workspace)]
    pub id: Option<BlockId>,
    /// All, or images only.
    pub kind: AssetKind,
    /// A page of the list.
    #[args]
    pub page: Paging<PageStart, 50, 200, 600>,
}

/// Which assets are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum AssetScope {
    /// Those that a document shows.
    #[default]
    Document,
    /// Those that nothing uses.
    Unused,
    /// Those that blocks name and that are not there.
    Missing,
}

/// The kinds of assets to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum AssetKind {
    /// All.
    #[default]
    All,
    /// Images.
    Image,
}

/// An asset with the blocks that refer to it.
struct AssetEntry {
    path: String,
    blocks: Vec<String>,
}

impl Run for ListAssets {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        if self.scope != AssetScope::Document && self.id.is_some() {
            return Err(ToolError::field("id", "left out: only the scope document is about one"));
        }
        let (all, truncated) = match self.scope {
            AssetScope::Document => (self.of_document(cx).await?, false),
            AssetScope::Unused => (plain(unused::find(cx).await?.files.iter().map(AssetPath::as_str)), false),
            AssetScope::Missing => missing(cx).await?,
        };
        let of_kind = |it: &AssetEntry| {
            self.kind == AssetKind::All || self.scope == AssetScope::Document || is_image(&it.path)
        };
        let all: Vec<AssetEntry> = all.into_iter().filter(of_kind).collect();
        let shown = page(&all, self.page.after(), self.page.limit.get(), |it| &it.path);
        let item = |it: &AssetEntry| {
            let name = it.path.rsplit('/').next().unwrap_or_default();
            let blocks = (!it.blocks.is_empty()).then(|| json!(it.blocks));
            Value::Object(object([
                ("path", json!(it.path)),
                ("name", json!(name)),
                ("blocks", json!(blocks)),
            ]))
        };
        Ok(Output::new()
            .with("items", shown.items.iter().map(item).collect::<Vec<_>>())
            .with("total", all.len())
            .flag("truncated", truncated)
            .with("next", shown.next))
    }
}

impl ListAssets {
    async fn of_document(&self, cx: &Cx<'_>) -> Result<Vec<AssetEntry>, ToolError> {
        let id = self.id.as_ref().ok_or_else(|| ToolError::field("id", "the id of a document"))?;
        let doc = cx.found(id).await?.doc.as_ref().ok_or_else(ToolError::not_found)?;
        let paths = match self.kind {
            AssetKind::All => cx.ask(asset::get_doc_assets(doc)).await?,
            AssetKind::Image => cx.ask(asset::get_doc_image_assets(doc)).await?,
        };
        let paths = paths.unwrap_or_default();
        let mut seen = BTreeSet::new();
        let once = paths.iter().filter_map(|it| AssetPath::parse(it)).filter(|it| seen.insert(it.clone()));
        let once: Vec<AssetPath> = once.collect();
        Ok(plain(once.iter().map(AssetPath::as_str)))
    }
}

fn plain<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<AssetEntry> {
    paths.map(|path| AssetEntry { path: path.to_owned(), blocks: Vec::new() }).collect()
}

/// The missing assets that blocks refer to which the caller may read, and whether there may be more. The statement is
/// the same whatever is missing elsewhere.
async fn missing(cx: &Cx<'_>) -> Result<(Vec<AssetEntry>, bool), ToolError> {
    cx.ask(query::flush_transaction()).await?;
    let uses = Select::from(Table::Assets)
        .columns(["f.path", "f.block_id"])
        .per(["f.path", "f.box", "f.block_id"])
        .order([crate::index::Order::Up("f.path"), crate::index::Order::Up("f.block_id")])
        .limit(USES);
    let (listed, uses) = try_join(cx.ask(asset::get_missing_assets()), cx.select(uses)).await?;
    let path = |text: &str| AssetPath::parse(text).map(|it| it.as_str().to_owned());
    let listed: BTreeSet<String> =
        listed.into_iter().flatten().flatten().filter_map(|it| path(&it.item)).into_set();
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in &uses.rows {
        let Some(path) = path(row.text("path")).filter(|it| listed.contains(it)) else { continue };
        let blocks = found.entry(path).or_default();
        if blocks.len() < BLOCKS {
            blocks.push(row.text("block_id").to_owned());
        }
    }
    Ok((found.into_iter().map(|(path, blocks)| AssetEntry { path, blocks }).collect(), uses.more))
}

fn is_image(path: &str) -> bool {
    const ENDS: [&str; 11] =
        ["png", "jpg", "jpeg", "gif", "webp", "svg", "bmp", "ico", "avif", "tiff", "heic"];
    path.rsplit_once('.').is_some_and(|(_, end)| ENDS.contains(&end.to_ascii_lowercase().as_str()))
}

#[cfg(test)]
#[path = "list_assets_tests.rs"]
mod tests;
