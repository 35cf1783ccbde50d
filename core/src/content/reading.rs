//! Reading a document: selects the blocks, their number and the form of their text.

use puppy_core_derive::Record;
use serde_json::{Value, json};

use super::hash;
use super::window::{Cursor, cut};
use crate::args::{Flag, Int, Next, Text};
use crate::error::ToolError;
use crate::kernel::api::block::ChildBlock;
use crate::output::Output;

/// The part of a document that a caller requests.
#[derive(Debug, Clone, Record)]
pub struct Reading {
    /// Number of the first top-level block.
    pub start: Int<0, 1_000_000, 0>,
    /// Maximum number of results.
    pub limit: Int<1, 500, 200>,
    /// The `next` of an earlier answer, to continue there.
    pub cursor: Option<Next<Cursor>>,
    /// Only the last n blocks.
    pub tail: Option<Int<1, 100>>,
    /// Only the section under this heading (its text or id), or `first`.
    #[read_by()]
    pub section: Option<Text<1, 512>>,
    /// Approximate maximum length of the text, in tokens.
    pub budget: Int<100, 32_000, 2_000>,
    /// Whether to put each block's id before it.
    pub with_ids: Flag<false>,
}

/// The level of a heading, 1 to 6.
pub fn heading_level(block: &ChildBlock) -> Option<usize> {
    if block.kind != "h" {
        return None;
    }
    block.subtype.strip_prefix('h').and_then(|digit| digit.parse().ok())
}

/// The words of a heading without its marks.
pub fn heading_text(block: &ChildBlock) -> &str {
    block.markdown.lines().next().unwrap_or_default().trim_start_matches('#').trim()
}

/// The blocks of a section: from its heading to the next one of its level or above.
fn section(blocks: &[ChildBlock], name: &str) -> Option<std::ops::Range<usize>> {
    if name == "first" {
        let second = blocks.iter().enumerate().filter(|(_, it)| heading_level(it).is_some()).nth(1);
        return Some(0..second.map_or(blocks.len(), |(at, _)| at));
    }
    let wanted = name.trim_start_matches('#').trim();
    let at = blocks.iter().position(|it| {
        heading_level(it).is_some() && (it.id == name || heading_text(it).eq_ignore_ascii_case(wanted))
    })?;
    let level = blocks.get(at).and_then(heading_level)?;
    let after = blocks.iter().skip(at + 1).position(|it| heading_level(it).is_some_and(|it| it <= level));
    Some(at..after.map_or(blocks.len(), |more| at + 1 + more))
}

/// Cuts the blocks of a document to the requested part, as data and body; the last ones come newest first.
pub fn read(blocks: Vec<ChildBlock>, part: &Reading) -> Result<Output, ToolError> {
    read_within(blocks, part, part.budget.get())
}

/// Like [`read`], for one of several documents that share a budget.
pub fn read_within(mut blocks: Vec<ChildBlock>, part: &Reading, budget: usize) -> Result<Output, ToolError> {
    let is_tail = part.tail.is_some();
    if is_tail {
        blocks.reverse();
    }
    let all = 0..blocks.len();
    let range = match &part.section {
        None => all,
        Some(name) => section(&blocks, name.as_str()).ok_or_else(|| {
            let headings: Vec<&str> =
                blocks.iter().filter(|it| heading_level(it).is_some()).map(heading_text).take(30).collect();
            ToolError::field("section", "a heading of this document, its id, or `first`")
                .with("headings", headings)
        })?,
    };
    let start = Cursor { block: part.start.get().max(range.start), char: 0 };
    let from = part.cursor.map_or(start, |it| *it.get());
    let chosen = blocks.get(range.clone()).unwrap_or_default();
    let texts: Vec<String> = chosen
        .iter()
        .map(|it| {
            if part.with_ids.is_set() {
                format!("<!-- {} -->\n{}", it.id, it.markdown)
            } else {
                it.markdown.clone()
            }
        })
        .collect();
    let window = cut(&texts, range.start, from, part.limit.get(), budget);
    let databases: Vec<Value> = chosen
        .iter()
        .filter(|it| it.kind == "av")
        .map(|it| json!({ "id": it.id, "av": database_id(&it.markdown) }))
        .collect();
    let next = window.next.map(|it| it.to_string());
    let hash = (!is_tail).then(|| hash::of_blocks(blocks.iter().map(|it| it.markdown.as_str())));
    let mut output = Output::new()
        .with("blocks", (!is_tail).then_some(blocks.len()))
        .with("start", (!is_tail && from.block > 0).then_some(from.block))
        .with("shown", window.shown)
        .with("hash", hash)
        .with("truncated", next.is_some().then_some(true))
        .with("partial", window.partial.then_some(true))
        .with("next", next);
    if !databases.is_empty() {
        output = output.with("databases", databases);
    }
    Ok(output.body(window.text))
}

/// The database that a block shows.
pub(crate) fn database_id(markdown: &str) -> Option<&str> {
    markdown.split_once("data-av-id=\"")?.1.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(id: &str, subtype: &str, markdown: &str) -> ChildBlock {
        let kind = if subtype.is_empty() { "p" } else { "h" };
        ChildBlock { id: id.into(), kind: kind.into(), subtype: subtype.into(), markdown: markdown.into() }
    }

    fn document() -> Vec<ChildBlock> {
        vec![
            block("1", "", "intro"),
            block("2", "h1", "# Beds"),
            block("3", "", "about beds"),
            block("4", "h2", "## North"),
            block("5", "", "cold"),
            block("6", "h1", "# Paths"),
        ]
    }

    fn read(blocks: Vec<ChildBlock>, part: Value) -> Result<Output, ToolError> {
        super::read(blocks, &crate::args::taken(part).unwrap())
    }

    #[test]
    fn section_ends_at_the_next_heading_of_its_level() {
        let output = read(document(), json!({ "section": "beds" })).unwrap();
        assert_eq!(output.body.as_deref(), Some("# Beds\n\nabout beds\n\n## North\n\ncold"));
        let output = read(document(), json!({ "section": "first" })).unwrap();
        assert_eq!(output.body.as_deref(), Some("intro\n\n# Beds\n\nabout beds"));
        let error = read(document(), json!({ "section": "South" })).unwrap_err();
        assert_eq!(error.details["headings"], json!(["Beds", "North", "Paths"]));
    }

    #[test]
    fn next_continues_and_hash_covers_the_whole_document() {
        let first = read(document(), json!({ "limit": 2 })).unwrap();
        assert_eq!((first.data["shown"].clone(), first.data["next"].clone()), (json!(2), json!("2")));
        let second = read(document(), json!({ "cursor": "2" })).unwrap();
        assert_eq!(second.data["start"], json!(2));
        assert_eq!(first.data["hash"], second.data["hash"]);
    }

    #[test]
    fn tail_is_in_document_order_and_has_no_hash() {
        let tail = vec![block("6", "h1", "# Paths"), block("5", "", "cold")];
        let output = read(tail, json!({ "tail": 2 })).unwrap();
        assert_eq!(output.body.as_deref(), Some("cold\n\n# Paths"));
        assert!(!output.data.contains_key("hash") && !output.data.contains_key("blocks"));
    }

    #[test]
    fn start_past_the_end_gives_an_empty_body() {
        let output = read(document(), json!({ "start": 99 })).unwrap();
        assert_eq!((output.body.as_deref(), &output.data["blocks"]), (Some(""), &json!(6)));
    }
}
