//! Splits Markdown into its top-level blocks, to compare a new text with an old one block by block.
//!
//! It is not a parser: it decides line by line. In doubt it keeps lines together, and a block that is kept together
//! by mistake only loses its id, never text.

use super::fence::{Fence, list_mark};

/// The kind of block that the current line continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OpenBlock {
    Nothing,
    /// Paragraph or table: ends at a blank line or at the start of another block.
    Text,
    /// Continues after blank lines with indented lines and items.
    List,
    Quote,
    Fence(Fence),
    Formula,
    /// Nested `{{{`.
    Super(usize),
    /// Raw HTML ends at a blank line.
    Html,
}

/// The top-level blocks of a Markdown text, each without blank lines around it.
///
/// An attribute list below a block is part of it.
pub fn split(markdown: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    let mut open = OpenBlock::Nothing;
    let (mut start, mut end, mut offset) = (0, 0, 0);
    let mut blank_before = false;
    for line in markdown.split_inclusive('\n') {
        let text = line.trim_end();
        let here = offset;
        offset += line.len();
        if let Some(inner) = still_inside(open, text) {
            end = here + text.len();
            // Only its attribute list may follow directly and still belong to it.
            open = inner;
            continue;
        }
        if text.is_empty() {
            if matches!(open, OpenBlock::Text | OpenBlock::Quote | OpenBlock::Html) {
                open = OpenBlock::Nothing;
            }
            blank_before = true;
            continue;
        }
        let is_list_of_block = text.starts_with("{:") && end > start && !blank_before;
        if !is_list_of_block && !goes_on(open, text, blank_before) {
            blocks.extend(markdown.get(start..end).filter(|it| !it.is_empty()));
            start = here;
            open = opened_by(text);
        } else if is_list_of_block {
            open = OpenBlock::Nothing;
        }
        end = here + text.len();
        blank_before = false;
        if open == OpenBlock::Text && is_one_line(text) {
            open = OpenBlock::Nothing;
        }
    }
    blocks.extend(markdown.get(start..end).filter(|it| !it.is_empty()));
    blocks
}

/// A text with a block's attribute list after its first top-level block.
///
/// The kernel gives the list to the block before it. If a block became several, a list at the end would move its id
/// to the last of them, and the id would occur twice.
pub fn bearing(markdown: &str, list: &str) -> String {
    let parts = split(markdown);
    match parts.split_first() {
        Some((first, rest)) if !rest.is_empty() => format!("{first}\n{list}\n\n{}", rest.join("\n\n")),
        _ => format!("{}\n{list}", markdown.trim_end_matches('\n')),
    }
}

/// Continues a block that only its own end closes; returns the block that is open after this line.
fn still_inside(open: OpenBlock, text: &str) -> Option<OpenBlock> {
    match open {
        OpenBlock::Fence(fence) => {
            Some(if fence.closed_by(text.trim_start()) { OpenBlock::Nothing } else { open })
        }
        OpenBlock::Formula => Some(if text.trim() == "$$" { OpenBlock::Nothing } else { open }),
        OpenBlock::Super(depth) if text.starts_with("{{{") => Some(OpenBlock::Super(depth + 1)),
        OpenBlock::Super(1) if text.starts_with("}}}") => Some(OpenBlock::Nothing),
        OpenBlock::Super(depth) if text.starts_with("}}}") => Some(OpenBlock::Super(depth - 1)),
        OpenBlock::Super(_) => Some(open),
        _ => None,
    }
}

/// Whether a line belongs to the open block.
fn goes_on(open: OpenBlock, text: &str, blank_before: bool) -> bool {
    let indented = text.starts_with([' ', '\t']);
    match open {
        OpenBlock::List => {
            indented
                || is_item(text)
                || (!blank_before && opened_by(text) == OpenBlock::Text && !is_one_line(text))
        }
        OpenBlock::Quote => {
            text.starts_with('>') || (opened_by(text) == OpenBlock::Text && !is_one_line(text))
        }
        OpenBlock::Html => true,
        // A line of dashes or equals signs below text turns it into a heading.
        OpenBlock::Text => {
            indented || is_underline(text) || (opened_by(text) == OpenBlock::Text && !is_one_line(text))
        }
        _ => false,
    }
}

fn opened_by(text: &str) -> OpenBlock {
    // Indented code is not recognized: it reads like text.
    let line = text.trim_start();
    if let Some(fence) = Fence::opened_by(line) {
        return OpenBlock::Fence(fence);
    }
    match line {
        "$$" => OpenBlock::Formula,
        _ if line.starts_with("{{{") => OpenBlock::Super(1),
        _ if line.starts_with('>') => OpenBlock::Quote,
        _ if line.starts_with('<') => OpenBlock::Html,
        _ if is_item(line) => OpenBlock::List,
        _ => OpenBlock::Text,
    }
}

fn is_item(text: &str) -> bool {
    list_mark(text).is_some() && !is_rule(text)
}

/// Whether the line is a block of its own: heading, rule, embed.
fn is_one_line(text: &str) -> bool {
    let line = text.trim_start();
    let level = line.bytes().take_while(|it| *it == b'#').count();
    let heading = (1..=6).contains(&level) && matches!(line.as_bytes().get(level), None | Some(b' ' | b'\t'));
    heading || is_rule(line) || (line.starts_with("{{") && !line.starts_with("{{{") && line.ends_with("}}"))
}

fn is_rule(text: &str) -> bool {
    let marks: String = text.chars().filter(|it| !it.is_whitespace()).collect();
    marks.len() >= 3 && ["-", "*", "_"].iter().any(|mark| marks.replace(mark, "").is_empty())
}

fn is_underline(text: &str) -> bool {
    let line = text.trim();
    !line.is_empty() && (line.bytes().all(|it| it == b'=') || line.bytes().all(|it| it == b'-'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{bearing, split};

    #[test]
    fn attribute_list_belongs_to_the_first_of_several_blocks() {
        let list = "{: id=\"20250101000001-aaaaaaa\"}";
        assert_eq!(bearing("one", list), format!("one\n{list}"));
        assert_eq!(bearing("one\n\ntwo\n\n- x\n- y", list), format!("one\n{list}\n\ntwo\n\n- x\n- y"));
        assert_eq!(bearing("- x\n- y", list), format!("- x\n- y\n{list}"));
        assert_eq!(bearing("", list), format!("\n{list}"));
    }

    #[test]
    fn every_block_type_is_split_as_one_block() {
        let kinds = [
            "# Title",
            "a paragraph\nof two lines",
            "- a\n  - nested\n\n  more of a\n- b",
            "1. one\n2. two",
            "|a|b|\n|-|-|\n|1|2|",
            "```rust\n\n# no heading\n\n```",
            "$$\n\ne = mc^2\n$$",
            "> quote\n> more\nlazy",
            "***",
            "{{{row\nleft\n\n{{{col\na\n}}}\n}}}",
            "{{SELECT * FROM blocks}}",
            "<div>\nhtml\n</div>",
            "Heading\n---",
            "last",
        ];
        // Two adjacent lists would be one list, so something stands between them.
        assert_eq!(split(&kinds[..3].join("\n\n")), kinds[..3]);
        assert_eq!(split(&kinds[3..].join("\n\n\n")), kinds[3..]);
    }

    #[test]
    fn adjacent_blocks_need_no_blank_line() {
        assert_eq!(
            split("# T\ntext\n## U\n- a\n- b\n```\nx\n```\ny\n> q\n# V"),
            ["# T", "text", "## U", "- a\n- b", "```\nx\n```", "y", "> q", "# V"]
        );
        assert_eq!(split("text\n- a\n\n- b\n\nc"), ["text", "- a\n\n- b", "c"]);
        assert_eq!(split("***\nx"), ["***", "x"]);
    }

    #[test]
    fn attribute_list_belongs_to_the_block_above() {
        let text = "one\n{: custom-a=\"1\"}\ntwo\n\n- a\n  {: id=\"x\"}\n{: id=\"y\"}\n\n- b\n\n```\nx\n```\n{: id=\"z\"}";
        assert_eq!(
            split(text),
            [
                "one\n{: custom-a=\"1\"}",
                "two",
                "- a\n  {: id=\"x\"}\n{: id=\"y\"}",
                "- b",
                "```\nx\n```\n{: id=\"z\"}"
            ]
        );
    }

    #[test]
    fn unclosed_block_extends_to_the_end() {
        assert_eq!(split("a\n```\nb\n\nc\n"), ["a", "```\nb\n\nc"]);
        assert!(split(" \n\n").is_empty());
    }

    proptest! {
        /// Only blank lines are lost, and no text is repeated.
        #[test]
        fn splitting_keeps_all_text_in_order(text in "[a-c#>*`${}\\- \n0.]{0,60}") {
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(bare(&split(&text).concat()), bare(&text));
        }
    }
}
