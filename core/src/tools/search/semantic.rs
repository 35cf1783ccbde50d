//! `search.semantic`: blocks by meaning, blended with those that hold the words.
//!
//! The kernel compares blocks by what its index says they contain, and that of a database, a query embed, or of a
//! block that holds one, comes from any notebook. So while a notebook is closed only blocks with text of their own
//! are compared: otherwise their order would tell what is in the others.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::blend::{HitSource, blend};
use super::looking::{self, SearchRequest};
use super::part;
use super::row::{RowForm, row};
use super::search_query::{Match, SearchQuery};
use super::types::{self, BlockType};
use crate::content::paging::{PageStart, page};
use crate::error::ErrorType;
use crate::kernel::api::search::{ByMeaning, FullText, Hit};
use crate::prelude::*;

/// The number of hits by meaning and by words among which the pages are.
const AMONG: usize = 100;

/// Find blocks by meaning, with the embedding model set up in SiYuan.
#[derive(Debug, Action)]
#[action(
    search.semantic,
    workspace = Read,
    effect = External,
    danger = "Sends the search text `{name}` to the embedding service that is set up in SiYuan.",
    deed = Send(Never),
    idempotent = true,
    default = off,
    tier = advanced,
    calls = [search::SEMANTIC_SEARCH_BLOCK, system::GET_CONF, ..looking],
    examples = [
        { "query": "how plants come through the cold" },
        { "query": "warm season", "types": ["paragraph"], "notebook": "{notebook}", "limit": 5 },
        { "query": "warm season", "under": "{doc}" },
    ],
)]
pub struct Semantic {
    /// The text to search for.
    #[read_by()]
    pub query: Text<1, 1_000>,
    /// Only these types of blocks.
    pub types: Option<Many<BlockType, 1, 18>>,
    /// In which part of the workspace.
    #[args]
    #[needs(Read, else = workspace)]
    pub within: Within,
    /// A page of the hits.
    #[args]
    pub page: Paging<PageStart, 20, 100>,
}

impl Change for Semantic {
    type Facts = ();

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<()>, ToolError> {
        self.asked()?;
        if !cx.conf().await?.ai.embedding.enabled {
            let why = "Semantic search is not set up in SiYuan: a person can set an embedding model under Settings, AI. Use search.text.";
            return Err(ToolError::new(ErrorType::Api, why));
        }
        cx.within(&self.within).await?;
        let query = self.query.as_str();
        Ok(Plan::new("send", ())
            .show("query", query)
            .about(ThingKind::Text, Things::of([Thing::whole(query)]))
            .touching(1, query))
    }

    async fn run(self, _plan: Plan<()>, cx: &Cx<'_>) -> Reply {
        let nothing = || Ok(Output::new().with("items", json!([])));
        let paths = part::paths(&self.within, cx).await?;
        let Some(paths) = part::given(paths.as_deref()) else { return nothing() };
        let withhold = cx.grants().any_hidden();
        let types = self.kernel_types(withhold, cx).await?;
        let Some(types) = NonEmpty::of(&types) else { return nothing() };
        let ask = ByMeaning { query: self.query.as_str(), size: AMONG, paths, types };
        let found = cx.visible(cx.ask(search::semantic_search_block(&ask)).await?);
        let (mut meant, mut known) = (Vec::new(), BTreeSet::new());
        for hit in found.blocks {
            // The kernel filters by where a block lay when it was compared last.
            if part::holds(&self.within, &hit, cx).await? && known.insert(hit.id.clone()) {
                meant.push(hit);
            }
        }
        let words = self.by_words(paths, types, cx).await?;
        let only_words = meant.is_empty();
        let blended = blend(meant, words);
        let shown = page(&blended, self.page.after(), self.page.limit.get(), |(hit, _)| &hit.id);
        let telling = RowForm { whole: false, withhold };
        let items: Vec<Value> = shown.items.iter().map(|(hit, by)| item(hit, *by, telling)).collect();
        Ok(Output::new().with("items", items).flag("only_words", only_words).with("next", shown.next))
    }
}

impl Semantic {
    fn asked(&self) -> Result<SearchQuery, ToolError> {
        SearchQuery::of(self.query.as_str(), Match::Words)
    }

    async fn by_words(
        &self,
        paths: Option<NonEmpty<'_, String>>,
        types: NonEmpty<'_, &'static str>,
        cx: &Cx<'_>,
    ) -> Result<Vec<Hit>, ToolError> {
        let asked = self.asked()?;
        let has_attributes = cx.grants().any_hidden() && part::attributes_are_searched(cx).await?;
        let (method, query) = asked.to_kernel(true, has_attributes)?;
        let types = Some(types);
        let search = FullText {
            query: &query,
            method,
            group: 0,
            order: looking::BY_RELEVANCE,
            page: 1,
            size: AMONG,
            paths,
            types,
        };
        Ok(looking::find(SearchRequest { asked: &asked, search, like: None }, cx).await?.page.blocks)
    }

    /// The kernel's `types`. They are always sent: without a list the kernel also compares blocks that are gone, and
    /// fails on one.
    async fn kernel_types(&self, withhold: bool, cx: &Cx<'_>) -> Result<Vec<&'static str>, ToolError> {
        let safe = |it: &BlockType| !withhold || !(it.shows_elsewhere() || it.holds_others());
        Ok(match &self.types {
            Some(types) => types::keys(types.as_slice().iter().copied().filter(safe)),
            None => types::keys(types::defaults(&cx.conf().await?.search).filter(safe)),
        })
    }
}

fn item(hit: &Hit, by: HitSource, telling: RowForm) -> Value {
    let mut item: Map<String, Value> = row(hit, telling);
    item.insert("by".to_owned(), json!(by.word()));
    Value::Object(item)
}

#[cfg(test)]
#[path = "semantic_tests.rs"]
mod tests;
