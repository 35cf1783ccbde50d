//! A query, checked before any request, and the form in which the kernel gets it.

use super::{any_word, fts};
use crate::content::pattern;
use crate::prelude::*;

/// The syntax of a query.
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

/// A valid query, by the way that the caller means it.
#[derive(Debug)]
pub(super) enum SearchQuery {
    Words(String),
    /// FTS5 syntax, printed from the parsed query.
    Query(fts::FtsQuery),
    Regex(String),
    /// The words of a block, of which at least one must occur.
    Like(Vec<String>),
}

impl SearchQuery {
    /// The query, if it is valid.
    pub(super) fn of(query: &str, meant: Match) -> Result<SearchQuery, ToolError> {
        let wrong = |expected: String| ToolError::field("query", expected);
        let query = query.replace('\0', "").trim().to_owned();
        if query.is_empty() {
            return Err(wrong("more than blanks".to_owned()));
        }
        // The kernel drops invisible characters and then answers an id from any notebook (K2).
        let bare: String = query.chars().filter(|it| it.is_alphanumeric() || *it == '-').collect();
        if crate::id::is_node_id(&bare) {
            return Err(wrong(
                "words, not an id: use block.get or document.info to look up an id".to_owned(),
            ));
        }
        Ok(match meant {
            Match::Words => SearchQuery::Words(query),
            Match::Query => SearchQuery::Query(fts::within_columns(&query).map_err(wrong)?),
            Match::Regex => match pattern::problem(&query) {
                Some(problem) => return Err(wrong(format!("a regular expression (RE2); here: {problem}"))),
                None => SearchQuery::Regex(query),
            },
        })
    }

    /// The kernel's method and the query to send.
    ///
    /// A person may let SiYuan search attributes too, and those of a block contain the names of its databases, from
    /// any notebook. The filter of columns added here excludes them; a regular expression has no such filter.
    pub(super) fn to_kernel(
        &self,
        by_relevance: bool,
        has_attributes: bool,
    ) -> Result<(u8, String), ToolError> {
        Ok(match self {
            SearchQuery::Regex(_) if has_attributes => {
                return Err(ToolError::disabled(
                    "SiYuan is set to search attributes, which show names of databases in notebooks that are hidden from agents, and a regular expression cannot leave them out. Use match words or query; or a person can turn attributes off in SiYuan: Settings, Search.",
                ));
            }
            SearchQuery::Regex(pattern) => (3, pattern.clone()),
            SearchQuery::Query(printed) => (1, in_sql(&printed.text)),
            SearchQuery::Like(words) => (1, any_of(words)),
            SearchQuery::Words(words) => {
                // Method 0 finds nothing for several words in this order.
                let is_one = words.split_whitespace().nth(1).is_none();
                if has_attributes || (!is_one && by_relevance) {
                    let each = fts::each_once(words.split_whitespace().map(str::to_owned));
                    (1, in_sql(&fts::all_of(each.iter().map(String::as_str))))
                } else {
                    (0, words.clone())
                }
            }
        })
    }
}

impl SearchQuery {
    /// The words that hits hold, for their order; a regular expression has none.
    pub(super) fn held(&self) -> Vec<String> {
        match self {
            SearchQuery::Words(words) => fts::each_once(words.split_whitespace().map(str::to_owned)),
            SearchQuery::Query(printed) => printed.words.clone(),
            SearchQuery::Regex(_) => Vec::new(),
            SearchQuery::Like(words) => words.clone(),
        }
    }

    /// The caller's own words, if it is words.
    pub(super) fn words(&self) -> Option<&str> {
        match self {
            SearchQuery::Words(words) => Some(words),
            SearchQuery::Query(_) | SearchQuery::Regex(_) | SearchQuery::Like(_) => None,
        }
    }

    /// The words to look for any of, where that is another search.
    pub(super) fn any_word(&self) -> Option<Vec<String>> {
        match self {
            SearchQuery::Words(words) => any_word::others(words),
            SearchQuery::Query(_) | SearchQuery::Regex(_) | SearchQuery::Like(_) => None,
        }
    }
}

/// The query for any of these words, of method 1.
pub(super) fn any_of(words: &[String]) -> String {
    in_sql(&fts::any_of(words.iter().map(String::as_str)))
}

/// The kernel pastes a query of method 1 into an SQL literal (K1), but not those of the others.
fn in_sql(printed: &str) -> String {
    printed.replace('\'', "''")
}
