//! A query, judged before anything is asked, and how the kernel is asked it.

use super::fts;
use crate::content::pattern;
use crate::prelude::*;

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

/// A query that can be asked, by the way it is meant.
#[derive(Debug)]
pub(super) enum Asked {
    Words(String),
    /// FTS5 syntax, printed anew.
    Query(String),
    Regex(String),
}

impl Asked {
    /// The query, if it can be asked at all.
    pub(super) fn of(query: &str, meant: Match) -> Result<Asked, ToolError> {
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
            Match::Words => Asked::Words(query),
            Match::Query => Asked::Query(fts::within_columns(&query).map_err(wrong)?),
            Match::Regex => match pattern::problem(&query) {
                Some(problem) => return Err(wrong(format!("a regular expression (RE2); here: {problem}"))),
                None => Asked::Regex(query),
            },
        })
    }

    /// The kernel's method and what to send it.
    ///
    /// A person may have SiYuan search attributes too, and those of a block hold the names of its databases, from
    /// any notebook. Our own filter of columns keeps them out; a regular expression has none.
    pub(super) fn to_kernel(
        &self,
        by_relevance: bool,
        has_attributes: bool,
    ) -> Result<(u8, String), ToolError> {
        Ok(match self {
            Asked::Regex(_) if has_attributes => {
                return Err(ToolError::disabled(
                    "SiYuan is set to search attributes, which show names of databases in notebooks that are closed to agents, and a regular expression cannot leave them out. Use match words or query; or a person can switch attributes off in SiYuan: Settings, Search.",
                ));
            }
            Asked::Regex(pattern) => (3, pattern.clone()),
            Asked::Query(printed) => (1, in_sql(printed)),
            Asked::Words(words) => {
                let each: Vec<&str> = words.split_whitespace().collect();
                // Method 0 with several words finds nothing in this order.
                if has_attributes || (each.len() > 1 && by_relevance) {
                    (1, in_sql(&fts::all_of(each)))
                } else {
                    (0, words.clone())
                }
            }
        })
    }
}

/// Method 1 is pasted into an SQL literal by the kernel (K1), the others are not.
fn in_sql(printed: &str) -> String {
    printed.replace('\'', "''")
}
