//! `search.text`: blocks by words, query syntax or regular expression.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::fts;
use super::row::{Telling, row};
use super::types::{self, BlockType};
use crate::content::pattern;
use crate::content::window::CHARS_PER_TOKEN;
use crate::kernel::api::search::{FullText, SearchPage};
use crate::output::json_chars;
use crate::prelude::*;

/// Find blocks by words, query syntax or regular expression.
///
/// `words` finds blocks that hold every word. `query` is FTS5 syntax: "a b", OR, NOT, NEAR, prefix ab*.
/// The text of a row is an excerpt with ** around matches; read the block for more.
#[derive(Debug, Action)]
#[action(
    search.text,
    workspace = Read,
    danger = None,
    idempotent = true,
    calls = [search::FULL_TEXT_SEARCH_BLOCK, system::GET_CONF],
)]
pub struct FindText {
    /// What to look for.
    pub query: Text<1, 500>,
    /// How the query is meant.
    pub r#match: Match,
    /// Only these types of blocks.
    pub types: Option<Many<BlockType, 1, 18>>,
    /// Only in this notebook, by id or exact name.
    #[needs(Read, else = workspace)]
    pub notebook: Option<NotebookRef>,
    /// Only this document and the documents below it.
    #[needs(Read, else = workspace)]
    pub under: Option<DocId>,
    /// One item a block, or one a document with its blocks.
    pub group: Group,
    /// Best, newest or latest created first.
    pub sort: Sort,
    /// Most items.
    pub limit: Int<1, 100, 20>,
    /// The `next` of an earlier answer, to go on there.
    pub cursor: Option<Text<1, 100>>,
    /// Approximate most tokens of text.
    pub budget: Int<100, 32_000, 2_000>,
    /// The whole Markdown of each block instead of an excerpt.
    pub whole: Flag<false>,
}

/// How a query is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum Match {
    /// Every word in the block.
    #[default]
    Words,
    /// FTS5 syntax.
    Query,
    /// A regular expression (RE2).
    Regex,
}

/// What an item is.
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
pub enum Sort {
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
        let query = self.checked()?;
        let page = self.page()?;
        let withhold = cx.grants().any_hidden();
        let nothing = || Ok(Output::new().with("items", json!([])).with("total", 0).with("documents", 0));
        let paths = self.paths(withhold, cx).await?;
        let Some(paths) = given(paths.as_deref()) else { return nothing() };
        let types = self.kernel_types(withhold, cx).await?;
        let Some(types) = given(types.as_deref()) else { return nothing() };
        let (method, query) = self.kernel_query(query, withhold && attributes_are_searched(cx).await?)?;
        let search = FullText {
            query: &query,
            method,
            group: if self.group == Group::Doc { 1 } else { 0 },
            order: match self.sort {
                Sort::Relevance => 7,
                Sort::Updated => 4,
                Sort::Created => 2,
            },
            page: page.number,
            size: page.size,
            paths,
            types,
        };
        let found = cx.visible(cx.ask(search::full_text_search_block(&search)).await?);
        Ok(self.told(&found, page, Telling { whole: self.whole.is_set(), withhold }))
    }
}

impl FindText {
    /// The query, if it can be asked at all.
    fn checked(&self) -> Result<Asked, ToolError> {
        let query = self.query.as_str().replace('\0', "").trim().to_owned();
        if query.is_empty() {
            return Err(ToolError::field("query", "more than blanks"));
        }
        // The kernel drops invisible characters and then answers an id from any notebook (K2).
        let bare: String = query.chars().filter(|it| it.is_alphanumeric() || *it == '-').collect();
        if crate::id::is_node_id(&bare) {
            return Err(ToolError::field(
                "query",
                "words, not an id: use block.get or document.info to look up an id",
            ));
        }
        Ok(match self.r#match {
            Match::Regex => match pattern::problem(&query) {
                Some(problem) => {
                    return Err(ToolError::field(
                        "query",
                        format!("a regular expression (RE2); here: {problem}"),
                    ));
                }
                None => Asked::Regex(query),
            },
            Match::Query => Asked::Query(
                fts::within_columns(&query).map_err(|expected| ToolError::field("query", expected))?,
            ),
            Match::Words => Asked::Words(query),
        })
    }

    /// The kernel's method and what to send it.
    ///
    /// A person may have SiYuan search attributes too, and those of a block hold the names of its databases, from
    /// any notebook. Our own filter of columns keeps them out; a regular expression has none.
    fn kernel_query(&self, asked: Asked, has_attributes: bool) -> Result<(u8, String), ToolError> {
        Ok(match asked {
            Asked::Regex(_) if has_attributes => {
                return Err(ToolError::disabled(
                    "SiYuan is set to search attributes, which show names of databases in notebooks that are closed to agents, and a regular expression cannot leave them out. Use match words or query; or a person can switch attributes off in SiYuan: Settings, Search.",
                ));
            }
            Asked::Regex(pattern) => (3, pattern),
            Asked::Query(printed) => (1, in_sql(&printed)),
            Asked::Words(words) => {
                let each: Vec<&str> = words.split_whitespace().collect();
                // Method 0 with several words finds nothing in this order.
                if has_attributes || (each.len() > 1 && self.sort == Sort::Relevance) {
                    (1, in_sql(&fts::all_of(each)))
                } else {
                    (0, words)
                }
            }
        })
    }

    /// The kernel's `paths`: `None` is everywhere, an empty list nowhere.
    async fn paths(&self, hidden: bool, cx: &Cx<'_>) -> Result<Option<Vec<String>>, ToolError> {
        let notebook = match &self.notebook {
            Some(it) => Some(cx.found(it).await?.notebook.clone()),
            None => None,
        };
        if let Some(under) = &self.under {
            let place = cx.found(under).await?;
            if notebook.is_some_and(|it| it != place.notebook) {
                return Ok(Some(Vec::new()));
            }
            let inside = match &place.storage {
                Some(it) if *under != place.notebook.own_document() => it.below(),
                _ => String::new(),
            };
            return Ok(Some(vec![format!("{}{}", place.notebook, inside.trim_end_matches('/'))]));
        }
        if let Some(notebook) = notebook {
            return Ok(Some(vec![notebook.to_string()]));
        }
        if !hidden {
            return Ok(None);
        }
        Ok(Some(cx.readable_boxes().into_iter().map(str::to_owned).collect()))
    }

    /// The kernel's `types`; nothing is sent where the person's own settings are to hold.
    async fn kernel_types(
        &self,
        withhold: bool,
        cx: &Cx<'_>,
    ) -> Result<Option<Vec<&'static str>>, ToolError> {
        let wanted = |it: &BlockType| !withhold || !it.shows_elsewhere();
        Ok(match &self.types {
            Some(types) => Some(types::keys(types.as_slice().iter().copied().filter(wanted))),
            None if withhold => Some(types::keys(types::defaults(&cx.conf().await?.search).filter(wanted))),
            None => None,
        })
    }

    fn page(&self) -> Result<Page, ToolError> {
        let Some(cursor) = &self.cursor else {
            return Ok(Page { number: 1, size: self.limit.get(), skip: 0 });
        };
        Page::parse(cursor.as_str())
            .ok_or_else(|| ToolError::field("cursor", "the `next` of an earlier answer"))
    }

    /// Rows until the page or the budget ends.
    fn told(&self, found: &SearchPage, page: Page, telling: Telling) -> Output {
        let mut room = self.budget.get() * CHARS_PER_TOKEN;
        let (mut items, mut seen, mut cut) = (Vec::new(), BTreeSet::new(), None);
        for (at, hit) in found.blocks.iter().enumerate().skip(page.skip) {
            // The index can hold a block twice.
            if !seen.insert(hit.id.as_str()) {
                continue;
            }
            let row = row(hit, telling);
            let size = json_chars(&row);
            if size > room && !items.is_empty() {
                cut = Some(Page { skip: at, ..page });
                break;
            }
            room = room.saturating_sub(size);
            items.push(Value::Object(row));
        }
        let total = found.matched_block_count;
        let more = page.number.saturating_mul(page.size) < usize::try_from(total).unwrap_or(usize::MAX);
        let next = cut.or(more.then(|| Page { number: page.number + 1, size: page.size, skip: 0 }));
        Output::new()
            .with("items", items)
            .with("total", total)
            .with("documents", found.matched_root_count)
            .with("truncated", cut.map(|_| true))
            .with("next", next.map(|it| it.to_string()))
    }
}

/// A list that narrows the search, if there is one. `None` for an empty one, which is not asked: to the kernel it
/// means everything, or nothing.
fn given<T>(list: Option<&[T]>) -> Option<Option<NonEmpty<'_, T>>> {
    match list {
        None => Some(None),
        Some(all) => NonEmpty::of(all).map(Some),
    }
}

/// Where a page lies: the kernel pages by number, so its size must stay the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Page {
    number: usize,
    size: usize,
    skip: usize,
}

impl Page {
    fn parse(cursor: &str) -> Option<Page> {
        let numbers: Vec<usize> = cursor.split('.').map(str::parse).collect::<Result<_, _>>().ok()?;
        match numbers.as_slice() {
            [number @ 1..=1_000_000, size @ 1..=100, skip @ 0..=100] => {
                Some(Page { number: *number, size: *size, skip: *skip })
            }
            _ => None,
        }
    }
}

impl std::fmt::Display for Page {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.number, self.size, self.skip)
    }
}

/// A query that can be asked, by the way it is meant.
enum Asked {
    Words(String),
    /// FTS5 syntax, printed anew.
    Query(String),
    Regex(String),
}

/// Method 1 is pasted into an SQL literal by the kernel (K1), the others are not.
fn in_sql(printed: &str) -> String {
    printed.replace('\'', "''")
}

/// Whether SiYuan is set to search the attributes of blocks.
async fn attributes_are_searched(cx: &Cx<'_>) -> Result<bool, ToolError> {
    // Without the key it does not; what is no boolean is not trusted.
    Ok(cx.conf().await?.search.get("ial").is_some_and(|it| *it != Value::Bool(false)))
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
