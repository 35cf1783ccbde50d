//! Search over the text of all notebooks.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::endpoints;
use crate::kernel::NonEmpty;
use crate::permission::{Filter, Grants, InNotebook, Unfiltered};

endpoints! { "/api/search/";
    /// Full-text search. No list means the person's own settings; an empty one everything, or nothing.
    read FULL_TEXT_SEARCH_BLOCK full_text_search_block(search: &FullText<'_>) -> Unfiltered<SearchPage>
        = "fullTextSearchBlock" {
            "query": search.query, "method": search.method, "groupBy": search.group, "orderBy": search.order,
            "page": search.page, "pageSize": search.size, "paths": search.paths,
            "types": search.types.map(|types| types.iter().map(|it| ((*it).to_owned(), Value::Bool(true))).collect::<Map<_, _>>()),
        };
}

/// What is searched for, and how it is told.
#[derive(Debug)]
pub struct FullText<'a> {
    /// The query, written as the method wants it.
    pub query: &'a str,
    /// 0 words, 1 FTS5 syntax, 3 a regular expression.
    pub method: u8,
    /// 0 blocks, 1 documents.
    pub group: u8,
    /// The order, by the kernel's number for it.
    pub order: u8,
    /// Number of the page, from 1.
    pub page: usize,
    /// Hits of a page.
    pub size: usize,
    /// Notebooks, and storage paths in them.
    pub paths: Option<NonEmpty<'a, String>>,
    /// The kernel's words for the types of blocks that are searched.
    pub types: Option<NonEmpty<'a, &'static str>>,
}

/// Reply of `fullTextSearchBlock`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchPage {
    /// The hits.
    #[serde(default, deserialize_with = "super::list")]
    pub blocks: Vec<Hit>,
    /// Matching blocks in all.
    #[serde(default)]
    pub matched_block_count: u64,
    /// Documents with a match in all.
    #[serde(default)]
    pub matched_root_count: u64,
}

impl Filter for SearchPage {
    fn filter(mut self, grants: &Grants) -> Self {
        self.blocks = self.blocks.filter(grants);
        self
    }
}

/// One hit; with grouping by document the blocks stand in `children`.
#[derive(Debug, Clone, Deserialize)]
pub struct Hit {
    /// The block.
    pub id: String,
    /// The notebook.
    #[serde(rename = "box", default)]
    pub notebook: String,
    /// The document.
    #[serde(rename = "rootID", default)]
    pub root: String,
    /// The document's storage path.
    #[serde(default)]
    pub path: String,
    /// Path of titles; of a document's own row that of its parent.
    #[serde(rename = "hPath", default)]
    pub hpath: String,
    /// The text with `<mark>` around matches, HTML-escaped.
    #[serde(default)]
    pub content: String,
    /// The Markdown.
    #[serde(default)]
    pub markdown: String,
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
