//! Search over the text of all notebooks.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::endpoints;
use crate::grants::{Filter, Grants, InNotebook, Unfiltered};
use crate::id::AssetPath;
use crate::kernel::NonEmpty;

endpoints! { "/api/search/";
    /// The indexed text of an asset: of PDF and Office files, and of texts.
    read GET_ASSET_CONTENT_BY_PATH get_asset_content_by_path(path: &AssetPath) -> AssetContentReply
        = "getAssetContentByPath" { "path": path };
    /// Full-text search. An absent list means the person's own settings; an empty list means everything, or nothing.
    read FULL_TEXT_SEARCH_BLOCK full_text_search_block(search: &FullText<'_>) -> Unfiltered<SearchPage>
        = "fullTextSearchBlock" {
            "query": search.query, "method": search.method, "groupBy": search.group, "orderBy": search.order,
            "page": search.page, "pageSize": search.size, "paths": search.paths,
            "types": search.types.map(on),
        };
}

endpoints! { "/api/search/";
    /// Blocks by meaning, the nearest first; it sends the query to the embedding service. Absent paths mean
    /// everywhere. Without a service, or if that fails, nothing is found.
    read SEMANTIC_SEARCH_BLOCK semantic_search_block(search: &ByMeaning<'_>) -> Unfiltered<SearchPage>
        = "semanticSearchBlock" {
            "query": search.query, "page": 1, "pageSize": search.size, "paths": search.paths,
            "types": on(search.types),
        };
}

/// The words for block types, each switched on.
fn on(types: NonEmpty<'_, &'static str>) -> Map<String, Value> {
    types.iter().map(|it| ((*it).to_owned(), Value::Bool(true))).collect()
}

endpoints! { "/api/search/";
    /// Files of assets by name, at most as many as SiYuan's settings say. An absent list means every ending.
    read SEARCH_ASSET search_asset(k: &str, exts: Option<NonEmpty<'_, String>>) -> FoundAssets
        = "searchAsset" { "k": k, "exts": exts };
}

/// Reply of `searchAsset`.
#[derive(Debug, Deserialize)]
pub struct FoundAssets(#[serde(deserialize_with = "super::list")] pub Vec<FoundAsset>);

/// A file of an asset.
#[derive(Debug, Deserialize)]
pub struct FoundAsset {
    /// The path, from `assets/` on.
    pub path: String,
    /// The time of its last change, in seconds since 1970.
    #[serde(default)]
    pub updated: u64,
}

endpoints! { "/api/search/";
    /// Search over the text of assets: method 0 words, 3 a regular expression; order 1 the best first (FTS5's rank is the
    /// smaller the better, and 0 is the largest first), 3 the newest. Absent endings mean every one.
    read FULL_TEXT_SEARCH_ASSET_CONTENT full_text_search_asset_content(
        query: &str, method: u8, order: u8, endings: Option<NonEmpty<'_, String>>, size: usize,
    ) -> AssetPage
        = "fullTextSearchAssetContent" {
            "query": query, "method": method, "orderBy": order, "page": 1, "pageSize": size,
            "types": endings.map(|endings| endings.iter().map(|it| (it.clone(), Value::Bool(true))).collect::<Map<_, _>>()),
        };
}

/// Reply of `fullTextSearchAssetContent`. It covers assets of every notebook.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AssetPage {
    #[serde(default, deserialize_with = "super::list")]
    pub asset_contents: Vec<AssetHit>,
    /// The total number of matching assets.
    #[serde(default)]
    pub matched_asset_count: usize,
}

/// An asset whose text or name matches.
#[derive(Debug, Deserialize)]
pub struct AssetHit {
    /// The path, from `assets/` on.
    pub path: String,
    /// The size in bytes.
    #[serde(default)]
    pub size: u64,
    /// The time of its last change, in seconds since 1970.
    #[serde(default)]
    pub updated: u64,
    /// The text with `<mark>` around matches, HTML-escaped.
    #[serde(default)]
    pub content: String,
}

/// Reply of `getAssetContentByPath`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AssetContentReply {
    /// The text; null until the index has read the file.
    pub asset_content: Option<IndexedText>,
}

/// The text of an asset.
#[derive(Debug, Deserialize)]
pub struct IndexedText {
    /// The text.
    #[serde(default)]
    pub content: String,
}

/// The query and the form of its result.
#[derive(Debug, Clone, Copy)]
pub struct FullText<'a> {
    /// The query, in the syntax of the method.
    pub query: &'a str,
    /// 0 words, 1 FTS5 syntax, 3 a regular expression.
    pub method: u8,
    /// 0 blocks, 1 documents.
    pub group: u8,
    /// The order, as the kernel's number for it.
    pub order: u8,
    /// The number of the page, from 1.
    pub page: usize,
    /// Hits per page.
    pub size: usize,
    /// Notebooks, and storage paths in them.
    pub paths: Option<NonEmpty<'a, String>>,
    /// The kernel's words for the block types to search.
    pub types: Option<NonEmpty<'a, &'static str>>,
}

/// A search by meaning: the first hits of all.
#[derive(Debug)]
pub struct ByMeaning<'a> {
    /// The text that is sent out.
    pub query: &'a str,
    /// The number of hits.
    pub size: usize,
    /// Notebooks, and storage paths in them.
    pub paths: Option<NonEmpty<'a, String>>,
    /// The kernel's words for the block types to compare.
    pub types: NonEmpty<'a, &'static str>,
}

/// Reply of `fullTextSearchBlock` and of `semanticSearchBlock`, whose counts mean nothing.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchPage {
    #[serde(default, deserialize_with = "super::list")]
    pub blocks: Vec<Hit>,
    /// The total number of matching blocks.
    #[serde(default)]
    pub matched_block_count: u64,
    /// The total number of documents with a match.
    #[serde(default)]
    pub matched_root_count: u64,
}

impl Filter for SearchPage {
    fn filter(mut self, grants: &Grants) -> Self {
        self.blocks = self.blocks.filter(grants);
        self
    }
}

/// One hit. With grouping by document, the blocks are in `children`.
#[derive(Debug, Clone, Deserialize)]
pub struct Hit {
    /// The block.
    pub id: String,
    #[serde(rename = "box", default)]
    pub notebook: String,
    /// The document.
    #[serde(rename = "rootID", default)]
    pub root: String,
    /// The document's storage path.
    #[serde(default)]
    pub path: String,
    /// The path of titles; for a document's own row, that of its parent.
    #[serde(rename = "hPath", default)]
    pub hpath: String,
    /// The text with `<mark>` around matches, HTML-escaped.
    #[serde(default)]
    pub content: String,
    #[serde(default)]
    pub markdown: String,
    /// The name, with marks, as the following three.
    #[serde(default)]
    pub name: String,
    /// Other names, between commas.
    #[serde(default)]
    pub alias: String,
    #[serde(default)]
    pub memo: String,
    #[serde(default)]
    pub tag: String,
    /// Node type, such as `NodeParagraph`.
    #[serde(rename = "type", default)]
    pub kind: String,
    /// Matches below a document, with grouping.
    #[serde(default)]
    pub children: Option<Vec<Hit>>,
}

impl InNotebook for Hit {
    fn notebook(&self) -> &str {
        &self.notebook
    }
}
