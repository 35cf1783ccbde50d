//! Reading a document: which blocks, from where, how many, and as what text.

use serde_json::{Value, json};

use super::hash;
use super::window::{Cursor, cut};
use crate::error::ToolError;
use crate::kernel::api::block::ChildBlock;
use crate::output::Output;

/// What part of a document is asked for.
#[derive(Debug, Clone, Default)]
pub struct Part<'a> {
    /// Number of the first top-level block.
    pub start: usize,
    /// Where an earlier read ended.
    pub cursor: Option<&'a str>,
    /// The blocks are the last ones, newest first.
    pub tail: bool,
    /// A heading's text or id, or `first`.
    pub section: Option<&'a str>,
    /// Most blocks.
    pub limit: usize,
    /// Most approximate tokens.
    pub budget: usize,
    /// Whether each block's id stands before it.
    pub with_ids: bool,
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

/// Cuts the blocks of a document to the part asked for, as data and body.
pub fn read(mut blocks: Vec<ChildBlock>, part: &Part<'_>) -> Result<Output, ToolError> {
    if part.tail {
        blocks.reverse();
    }
    let all = 0..blocks.len();
    let range = match part.section {
        None => all,
        Some(name) => section(&blocks, name).ok_or_else(|| {
            let headings: Vec<&str> =
                blocks.iter().filter(|it| heading_level(it).is_some()).map(heading_text).take(30).collect();
            ToolError::field("section", "a heading of this document, its id, or `first`")
                .with("headings", headings)
        })?,
    };
    let from = match part.cursor {
        None => Cursor { block: part.start.max(range.start), char: 0 },
        Some(text) => Cursor::parse(text)
            .ok_or_else(|| ToolError::field("cursor", "the `next` of an earlier answer"))?,
    };
    let chosen = blocks.get(range.clone()).unwrap_or_default();
    let texts: Vec<String> =
        chosen
            .iter()
            .map(|it| {
                if part.with_ids {
                    format!("<!-- {} -->\n{}", it.id, it.markdown)
                } else {
                    it.markdown.clone()
                }
            })
            .collect();
    let window = cut(&texts, range.start, from, part.limit, part.budget);
    let databases: Vec<Value> = chosen
        .iter()
        .filter(|it| it.kind == "av")
        .map(|it| json!({ "id": it.id, "av": database_id(&it.markdown) }))
        .collect();
    let next = window.next.map(|it| it.to_string());
    let hash = (!part.tail).then(|| hash::of_blocks(blocks.iter().map(|it| it.markdown.as_str())));
    let mut output = Output::new()
        .with("blocks", (!part.tail).then_some(blocks.len()))
        .with("start", (!part.tail && from.block > 0).then_some(from.block))
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

    fn part() -> Part<'static> {
        Part { limit: 200, budget: 2_000, ..Part::default() }
    }

    #[test]
    fn a_section_reaches_to_the_next_heading_of_its_level() {
        let output = read(document(), &Part { section: Some("beds"), ..part() }).unwrap();
        assert_eq!(output.body.as_deref(), Some("# Beds\n\nabout beds\n\n## North\n\ncold"));
        let output = read(document(), &Part { section: Some("first"), ..part() }).unwrap();
        assert_eq!(output.body.as_deref(), Some("intro\n\n# Beds\n\nabout beds"));
        let error = read(document(), &Part { section: Some("South"), ..part() }).unwrap_err();
        assert_eq!(error.details["headings"], json!(["Beds", "North", "Paths"]));
    }

    #[test]
    fn next_leads_on_and_the_hash_covers_the_whole() {
        let first = read(document(), &Part { limit: 2, ..part() }).unwrap();
        assert_eq!((first.data["shown"].clone(), first.data["next"].clone()), (json!(2), json!("2")));
        let second = read(document(), &Part { cursor: Some("2"), ..part() }).unwrap();
        assert_eq!(second.data["start"], json!(2));
        assert_eq!(first.data["hash"], second.data["hash"]);
    }

    #[test]
    fn a_tail_is_turned_round_and_has_no_hash() {
        let tail = vec![block("6", "h1", "# Paths"), block("5", "", "cold")];
        let output = read(tail, &Part { tail: true, ..part() }).unwrap();
        assert_eq!(output.body.as_deref(), Some("cold\n\n# Paths"));
        assert!(!output.data.contains_key("hash") && !output.data.contains_key("blocks"));
    }

    #[test]
    fn a_start_past_the_end_is_an_empty_body() {
        let output = read(document(), &Part { start: 99, ..part() }).unwrap();
        assert_eq!((output.body.as_deref(), &output.data["blocks"]), (Some(""), &json!(6)));
    }
}
