//! Kramdown as the kernel prints it: Markdown in which every block has a list of its attributes.

mod attributes;

use std::borrow::Cow;
use std::ops::Range;

pub use attributes::AttributeList;

use super::fence::{Fence, inside_quotes, list_mark};

/// A top-level block of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopBlock {
    /// Its own attributes; empty if it had no list.
    pub attributes: AttributeList,
    /// The whole block, with its own list at the end.
    pub kramdown: String,
}

impl TopBlock {
    /// Its Markdown, as `getChildBlocks` returns it.
    pub fn markdown(&self) -> String {
        strip(&self.kramdown)
    }
}

/// An attribute list in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeSpan {
    /// Its position.
    pub range: Range<usize>,
    /// Its attributes.
    pub attributes: AttributeList,
}

/// The parts of the item that a text begins with: its mark, the attribute list after the mark, and the rest.
///
/// `None` if the text does not begin with an item.
pub fn first_item(kramdown: &str) -> Option<(&str, AttributeList, &str)> {
    let (mark, rest) = kramdown.split_at_checked(list_mark(kramdown)?)?;
    match AttributeList::parse(rest) {
        Some((list, length)) => Some((mark, list, rest.get(length..)?)),
        None => Some((mark, AttributeList::default(), rest)),
    }
}

/// Every attribute list of a text, also in code and within lines.
pub fn lists(text: &str) -> Vec<AttributeSpan> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find("{:")).map(|at| from + at) {
        match text.get(at..).and_then(AttributeList::parse) {
            Some((attributes, length)) => {
                found.push(AttributeSpan { range: at..at + length, attributes });
                from = at + length;
            }
            None => from = at + 2,
        }
    }
    found
}

/// Rewrites every attribute list of a text; `None` removes one.
pub fn rewrite(text: &str, mut change: impl FnMut(&AttributeList) -> Option<AttributeList>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for AttributeSpan { range, attributes } in lists(text) {
        out.push_str(text.get(from..range.start).unwrap_or_default());
        from = range.end;
        match change(&attributes) {
            Some(changed) if changed == attributes => out.push_str(text.get(range).unwrap_or_default()),
            Some(changed) => out.push_str(&changed.to_string()),
            None => {}
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// The attribute list that fills a line, apart from quote marks.
fn whole_line(line: &str) -> Option<AttributeList> {
    let text = inside_quotes(line).trim_end();
    AttributeList::parse(text).filter(|(_, length)| *length == text.len()).map(|(list, _)| list)
}

/// The content of a line after list marks, and the attribute lists of the items; several if lists nest.
fn item(line: &str) -> (&str, Vec<AttributeSpan>) {
    let mut rest = inside_quotes(line);
    let mut found = Vec::new();
    while let Some(mark) = list_mark(rest) {
        rest = rest.get(mark..).unwrap_or_default().trim_start();
        if let Some((attributes, length)) = AttributeList::parse(rest) {
            let at = line.len() - rest.len();
            found.push(AttributeSpan { range: at..at + length, attributes });
            rest = rest.get(length..).unwrap_or_default();
        }
    }
    (rest, found)
}

/// The attribute lists of the blocks in printed kramdown; text in code does not count.
pub fn attribute_lists(kramdown: &str) -> Vec<AttributeList> {
    let mut all = Vec::new();
    let mut open: Option<Fence> = None;
    for line in kramdown.lines() {
        if let Some(fence) = open {
            if fence.closed_by(inside_quotes(line)) {
                open = None;
            }
            continue;
        }
        if let Some(list) = whole_line(line) {
            all.push(list);
            continue;
        }
        let (content, lists) = item(line);
        open = Fence::opened_by(content.trim_start());
        all.extend(lists.into_iter().map(|it| it.attributes));
    }
    all
}

/// The Markdown of kramdown: without the lists of blocks and items, and without zero-width spaces.
pub fn strip(kramdown: &str) -> String {
    let mut lines: Vec<Cow<'_, str>> = Vec::new();
    let mut open: Option<Fence> = None;
    for line in kramdown.lines() {
        if let Some(fence) = open {
            if fence.closed_by(inside_quotes(line)) {
                open = None;
            }
            lines.push(line.into());
            continue;
        }
        if whole_line(line).is_some_and(|list| list.id().is_some()) {
            continue;
        }
        let (content, lists) = item(line);
        open = Fence::opened_by(content.trim_start());
        if lists.is_empty() {
            lines.push(line.into());
            continue;
        }
        let (mut bare, mut from) = (String::with_capacity(line.len()), 0);
        for found in lists {
            bare.push_str(line.get(from..found.range.start).unwrap_or_default());
            from = found.range.end;
        }
        bare.push_str(line.get(from..).unwrap_or_default());
        lines.push(bare.into());
    }
    while lines.last().is_some_and(|line| inside_quotes(line).trim().is_empty()) {
        lines.pop();
    }
    lines.join("\n").replace('\u{200b}', "")
}

/// The top-level blocks of a document's kramdown, in order, without the document's own list at the end.
pub fn blocks(kramdown: &str) -> Vec<TopBlock> {
    let mut inside = Inside::default();
    cut(kramdown, |line| inside.is_top_level(line).then(|| whole_line(line)).flatten())
}

/// Like `blocks`, cut at the attribute lists of known top-level ids.
pub fn blocks_of(kramdown: &str, ids: &[&str]) -> Vec<TopBlock> {
    cut(kramdown, |line| {
        let list = line.starts_with('{').then(|| whole_line(line)).flatten()?;
        let ends = list.get("type") == Some("doc") || list.id().is_some_and(|id| ids.contains(&id));
        ends.then_some(list)
    })
}

/// Cuts after each line that closes a block.
fn cut(kramdown: &str, mut closing: impl FnMut(&str) -> Option<AttributeList>) -> Vec<TopBlock> {
    let mut blocks = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    for line in kramdown.lines() {
        if lines.is_empty() && line.trim().is_empty() {
            continue;
        }
        let closed = closing(line).filter(|list| list.id().is_some());
        lines.push(line);
        let Some(attributes) = closed else { continue };
        if attributes.get("type") != Some("doc") {
            blocks.push(TopBlock { attributes, kramdown: lines.join("\n") });
        }
        lines.clear();
    }
    if lines.iter().any(|line| !line.trim().is_empty()) {
        blocks.push(TopBlock { attributes: AttributeList::default(), kramdown: lines.join("\n") });
    }
    blocks
}

/// Whether a line is inside a block at the left margin that has attribute lists of its own, or text like them.
#[derive(Default)]
struct Inside {
    fence: Option<Fence>,
    formula: bool,
    super_blocks: usize,
}

impl Inside {
    fn is_top_level(&mut self, line: &str) -> bool {
        if let Some(fence) = self.fence {
            if fence.closed_by(line) {
                self.fence = None;
            }
            return false;
        }
        if line.trim_end() == "$$" {
            self.formula = !self.formula;
            return false;
        }
        if self.formula {
            return false;
        }
        self.fence = Fence::opened_by(line);
        if line.starts_with("{{{") {
            self.super_blocks += 1;
        } else if line.starts_with("}}}") {
            self.super_blocks = self.super_blocks.saturating_sub(1);
        }
        self.super_blocks == 0 && line.starts_with('{')
    }
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A document as the kernel prints it, with the kinds of blocks that have lists inside.
    const PRINTED: &str = concat!(
        "# Title\n{: id=\"20250101000000-head000\" updated=\"20250101000000\"}\n\n",
        "with `code`\u{200b}, and\nsecond line\n{: updated=\"20250101000000\" id=\"20250101000000-para000\"}\n\n",
        "- {: id=\"20250101000000-item000\"}bullet one\n  {: id=\"20250101000000-inner00\"}\n\n",
        "  - {: id=\"20250101000000-item001\"}nested one\n    {: id=\"20250101000000-inner01\"}\n",
        "  {: id=\"20250101000000-list001\"}\n",
        "- {: id=\"20250101000000-item002\"}bullet two\n  {: id=\"20250101000000-inner02\"}\n",
        "{: id=\"20250101000000-list000\" updated=\"20250101000000\"}\n\n",
        "```md\n{: id=\"20250101000000-incode0\"}\n```\n{: id=\"20250101000000-code000\"}\n\n",
        "> [!NOTE] Title\n> inside\n> {: id=\"20250101000000-inner03\"}\n>\n{: id=\"20250101000000-quote00\"}\n\n",
        "{{{row\nleft\n{: id=\"20250101000000-left000\"}\n\nright\n{: id=\"20250101000000-right00\"}\n\n}}}\n",
        "{: id=\"20250101000000-super00\"}\n\n",
        "{: id=\"20250101000000-doc0000\" title=\"Every kind\" type=\"doc\" updated=\"20250101000000\"}\n",
    );

    #[test]
    fn document_blocks_are_its_top_level_blocks() {
        let blocks = blocks(PRINTED);
        let texts: Vec<String> = blocks.iter().map(TopBlock::markdown).collect();
        assert_eq!(
            texts,
            [
                "# Title",
                "with `code`, and\nsecond line",
                "- bullet one\n\n  - nested one\n- bullet two",
                "```md\n{: id=\"20250101000000-incode0\"}\n```",
                "> [!NOTE] Title\n> inside",
                "{{{row\nleft\n\nright\n\n}}}",
            ]
        );
        let ids: Vec<&str> = blocks.iter().filter_map(|it| it.attributes.id()).collect();
        assert_eq!(blocks_of(PRINTED, &ids), blocks);
        assert_eq!(blocks_of(PRINTED, &ids[..1])[0], blocks[0]);
    }

    #[test]
    fn attribute_lists_in_code_are_not_attributes() {
        let ids: Vec<String> =
            attribute_lists(PRINTED).iter().filter_map(|it| it.id().map(|id| id[15..].to_owned())).collect();
        assert_eq!(ids.len(), 17);
        assert!(ids.iter().any(|id| id == "item001") && !ids.iter().any(|id| id == "incode0"));
        let nested = "- {: id=\"a\"}- {: id=\"b\"}```\n  {: id=\"no\"}\n  ```\n  {: id=\"c\"}";
        let ids: Vec<String> =
            attribute_lists(nested).iter().filter_map(|it| it.id().map(str::to_owned)).collect();
        assert_eq!(ids, ["a", "b", "c"]);
        assert_eq!(strip(nested), "- - ```\n  {: id=\"no\"}\n  ```");
    }

    #[test]
    fn empty_document_has_one_empty_block() {
        let blocks =
            blocks("{: id=\"20250101000000-para000\"}\n\n{: id=\"20250101000000-doc0000\" type=\"doc\"}");
        assert_eq!(blocks.len(), 1);
        assert_eq!(blocks[0].markdown(), "");
    }

    #[test]
    fn rewriting_changes_attribute_lists_only() {
        let text = "a {: style=\"color: red\"} b\n{: id=\"x\" custom-a=\"1\"}\n{: broken";
        let out = rewrite(text, |list| {
            let mut list = list.clone();
            list.remove("id");
            (list.get("style").is_none()).then_some(list)
        });
        assert_eq!(out, "a  b\n{: custom-a=\"1\"}\n{: broken");
    }

    proptest! {
        #[test]
        fn splitting_any_text_does_not_panic(text in "[a-z{}:= \"\n>`$*-]{0,80}") {
            let _ = (strip(&text), blocks(&text), lists(&text));
        }

        #[test]
        fn splitting_and_joining_paragraphs_restores_the_document(texts in prop::collection::vec("[a-z][a-z \u{5c0f}]{0,20}[a-z]", 1..6)) {
            let printed: Vec<String> = texts
                .iter()
                .enumerate()
                .map(|(at, text)| format!("{text}\n{{: id=\"20250101000000-{at:07}\"}}"))
                .collect();
            let cut = blocks(&printed.join("\n\n"));
            prop_assert_eq!(cut.iter().map(TopBlock::markdown).collect::<Vec<_>>(), texts);
            prop_assert_eq!(cut.into_iter().map(|it| it.kramdown).collect::<Vec<_>>(), printed);
        }
    }
}
