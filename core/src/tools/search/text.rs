//! `search.text`: blocks by words, query syntax or regular expression, or blocks like another one.

use serde_json::json;

use super::like;
use super::looking::{self, SearchRequest};
use super::page::PagePosition;
use super::part;
use super::row::RowForm;
use super::search_query::{Match, SearchQuery};
use super::titles;
use super::types::{self, BlockType};
use crate::content::window::CHARS_PER_TOKEN;
use crate::kernel::api::search::FullText;
use crate::prelude::*;

/// Find blocks by words, query syntax or regular expression.
///
/// `words` finds blocks that contain every word, or otherwise any of them. `query` is FTS5 syntax: "a b", OR, NOT, NEAR, prefix ab*.
/// The text of an item is an excerpt with ** around matches; read the block for more.
#[derive(Debug, Action)]
#[action(
    search.text,
    workspace = Read,
    danger = None,
    idempotent = true,
    calls = [system::GET_CONF, query::SQL, ..looking, ..like],
    examples = [
        { "query": "spring" },
        {
            "query": "spring", "match": "query", "types": ["paragraph"], "notebook": "{notebook}", "group": "doc",
            "sort": "updated", "limit": 10, "budget": 500, "whole": true
        },
        { "query": "grow.*spring", "match": "regex", "under": "{doc}" },
        { "like": "{block}" },
    ],
)]
pub struct FindText {
    /// The query, or the block that hits are like.
    #[needs(Read)]
    #[one_of]
    pub what: TextQuery,
    /// The syntax of the query.
    pub r#match: Match,
    /// Only these types of blocks.
    pub types: Option<Many<BlockType, 1, 18>>,
    /// In which part of the workspace.
    #[args]
    #[needs(Read, else = workspace)]
    pub within: Within,
    /// One item per block, or one per document with its blocks.
    pub group: Group,
    /// Best match, last updated or last created first.
    pub sort: HitSort,
    /// A page of the hits.
    #[args]
    pub page: Paging<PagePosition, 20, 100>,
    /// Approximate maximum length of the text, in tokens.
    pub budget: Int<100, 32_000, 2_000>,
    /// The whole Markdown of each block instead of an excerpt.
    pub whole: Flag<false>,
}

/// The query, or the block that hits are like.
#[derive(Debug, OneOf)]
pub enum TextQuery {
    /// The text to search for.
    #[read_by(FullText)]
    Query(Text<1, 500>),
    /// Blocks like this one, or like this document.
    #[target]
    Like(BlockId),
}

/// The kind of thing that an item stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum Group {
    /// A block.
    #[default]
    Block,
    /// A document.
    Doc,
}

/// Which item comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum HitSort {
    /// The best match.
    #[default]
    Relevance,
    /// The one changed last.
    Updated,
    /// The one made last.
    Created,
}

impl Run for FindText {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let asked = self.asked(cx).await?;
        let page = self.page.after().copied().unwrap_or_else(|| PagePosition::first(self.page.limit.get()));
        let withhold = cx.grants().any_hidden();
        let nothing = || Ok(Output::new().with("items", json!([])).with("total", 0).with("documents", 0));
        let paths = part::paths(&self.within, cx).await?;
        let Some(paths) = part::given(paths.as_deref()) else { return nothing() };
        let types = self.kernel_types(withhold, cx).await?;
        let Some(types) = part::given(types.as_deref()) else { return nothing() };
        let has_attributes = withhold && part::attributes_are_searched(cx).await?;
        let (method, query) = asked.to_kernel(self.sort == HitSort::Relevance, has_attributes)?;
        let search = FullText {
            query: &query,
            method,
            group: if self.group == Group::Doc { 1 } else { 0 },
            order: match self.sort {
                HitSort::Relevance => looking::BY_RELEVANCE,
                HitSort::Updated => looking::BY_UPDATE,
                HitSort::Created => 2,
            },
            page: page.number,
            size: page.size,
            paths,
            types,
        };
        let found = looking::find(SearchRequest { asked: &asked, search, like: self.like() }, cx).await?;
        let telling = RowForm { whole: self.whole.is_set(), withhold };
        let output = page.to_output(&found, self.budget.get() * CHARS_PER_TOKEN, telling);
        match asked.words().filter(|_| found.page.matched_block_count == 0) {
            Some(words) => Ok(output.list("near_titles", titles::near(words, cx).await?)),
            None => Ok(output.flag("any_word", found.any_word)),
        }
    }
}

impl FindText {
    fn like(&self) -> Option<&BlockId> {
        match &self.what {
            TextQuery::Query(_) => None,
            TextQuery::Like(id) => Some(id),
        }
    }

    async fn asked(&self, cx: &Cx<'_>) -> Result<SearchQuery, ToolError> {
        match &self.what {
            TextQuery::Query(query) => SearchQuery::of(query.as_str(), self.r#match),
            TextQuery::Like(_) if self.r#match != Match::Words => {
                Err(ToolError::field("match", "left out with `like`"))
            }
            TextQuery::Like(id) => Ok(SearchQuery::Like(like::words(id, cx).await?)),
        }
    }

    /// The kernel's `types`; nothing is sent if the person's own settings apply.
    async fn kernel_types(
        &self,
        withhold: bool,
        cx: &Cx<'_>,
    ) -> Result<Option<Vec<&'static str>>, ToolError> {
        let wanted = |it: &BlockType| !withhold || !it.shows_elsewhere();
        Ok(match &self.types {
            Some(types) => Some(types::keys(types.as_slice().iter().copied().filter(wanted))),
            None if withhold => {
                let settings = &cx.conf().await?.search;
                let known = types::keys(types::defaults(settings).filter(wanted));
                Some(known.into_iter().chain(types::newer(settings)).collect())
            }
            None => None,
        })
    }
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
