//! Where a Markdown text is code, so that what only looks like a reference or a script is left alone.
//!
//! The kernel's parser has the last word on what is code. So only what is code beyond doubt counts:
//! plain fences, and inline code with nothing before it in its paragraph that could swallow the mark.
//! From the first doubtful line on nothing counts. To take code for text costs at most a refusal; to
//! take text for code would let a forbidden reference through.

use crate::content::fence::{Fence, inside_quotes, list_mark};
use crate::content::kramdown::AttributeList;

/// A text in which code is blanked out byte by byte, so that places stay the same.
#[derive(Debug)]
pub(super) struct Masked {
    /// The text, blanks for code.
    pub(super) text: String,
    /// What would close the code fence that is open at the end.
    pub(super) closing: Option<String>,
}

/// Blanks out what is code beyond doubt.
pub(super) fn mask(markdown: &str) -> Masked {
    let mut masked = Masked { text: String::with_capacity(markdown.len()), closing: None };
    let mut state = State::Text { plain: true };
    for line in markdown.split_inclusive('\n') {
        state = state.take(line, &mut masked.text);
    }
    if let State::Code { indent, marks, .. } = state {
        masked.closing = Some(format!("{}{marks}", " ".repeat(indent)));
    }
    masked
}

#[derive(Debug)]
enum State {
    /// Outside of code; `plain` while nothing in the paragraph could swallow a backtick.
    Text { plain: bool },
    /// In a fence that was opened at an indentation.
    Code { fence: Fence, indent: usize, marks: String },
    /// Something came that may be read in two ways.
    Doubtful,
}

impl State {
    fn take(self, line: &str, out: &mut String) -> State {
        let text = line.trim_end();
        let content = text.trim_start();
        let indent = text.len() - content.len();
        let next = match self {
            State::Doubtful => State::Doubtful,
            State::Code { fence, indent: opened, marks } => {
                let marked = content.starts_with("```") || content.starts_with("~~~");
                if content.is_empty() || (!marked && indent >= opened) {
                    blank(line, out);
                    return State::Code { fence, indent: opened, marks };
                }
                if marked && indent == opened && fence.closed_by(content) {
                    State::Text { plain: true }
                } else {
                    State::Doubtful
                }
            }
            State::Text { .. } if content.is_empty() => State::Text { plain: true },
            State::Text { plain } => match Fence::opened_by(content) {
                Some(fence) if text.get(..indent).is_some_and(|it| it.chars().all(|it| it == ' ')) => {
                    let marks: String = content.chars().take_while(|it| content.starts_with(*it)).collect();
                    State::Code { fence, indent, marks }
                }
                _ if is_doubtful(content) => State::Doubtful,
                _ => return State::Text { plain: inline(line, plain, out) },
            },
        };
        out.push_str(line);
        next
    }
}

/// Whether a line may begin something that reads the lines after it in its own way: raw HTML, a
/// formula, a custom block, or a fence that is not plain.
fn is_doubtful(content: &str) -> bool {
    let mut rest = inside_quotes(content);
    // An item's attributes stand between its mark and its text.
    while let Some(length) = list_mark(rest).or_else(|| AttributeList::parse(rest).map(|(_, length)| length))
    {
        rest = inside_quotes(rest.get(length..).unwrap_or_default());
    }
    ["<", "$$", ";;;", "```", "~~~"].iter().any(|it| rest.starts_with(it))
}

/// Blanks out the inline code of a line; says whether the paragraph is still plain after it.
fn inline(line: &str, mut plain: bool, out: &mut String) -> bool {
    let heading = line.trim_start_matches('#').len();
    let mut rest = line;
    if line.len() - heading <= 6 && heading < line.len() {
        out.push_str(line.get(..line.len() - heading).unwrap_or_default());
        rest = line.get(line.len() - heading..).unwrap_or_default();
    }
    while plain && let Some(at) = rest.find('`') {
        let (before, marked) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        rest = marked;
        plain = is_plain(before);
        let length = rest.len() - rest.trim_start_matches('`').len();
        let code = rest.get(length..).unwrap_or_default();
        let Some(end) = closing_run(code, length).filter(|_| plain) else { break };
        let (inside, after) = code.split_at_checked(end).unwrap_or((code, ""));
        out.push_str(rest.get(..length).unwrap_or_default());
        blank(inside, out);
        out.push_str(after.get(..length).unwrap_or_default());
        rest = after.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    // An unclosed mark may be closed in a later line.
    plain && is_plain(rest) && !rest.contains('`')
}

fn is_plain(text: &str) -> bool {
    !text.contains(['<', '$', '#', '\\', '{']) && !text.contains("((")
}

/// Where a run of exactly so many backticks begins.
fn closing_run(code: &str, length: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = code.get(at..)?.find('`').map(|found| at + found) {
        let rest = code.get(found..)?;
        let run = rest.len() - rest.trim_start_matches('`').len();
        if run == length {
            return Some(found);
        }
        at = found + run;
    }
    None
}

fn blank(text: &str, out: &mut String) {
    out.extend(text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::mask;

    fn seen(markdown: &str) -> bool {
        mask(markdown).text.contains('X')
    }

    #[test]
    fn plain_code_is_blanked_out() {
        for code in [
            "```\nX\n```",
            "text\n\n~~~js\nX\n\n{{X}}\n~~~\nafter",
            "- item\n  ```\n  X\n  ```",
            "a `X` b ``X ` X`` c",
            "## `X`",
            "```\nX",
        ] {
            assert!(!seen(code), "{code}");
        }
    }

    /// Every one of these is text, or may be, to some reader of Markdown.
    #[test]
    fn what_may_be_text_is_kept() {
        for text in [
            "<div>\n```\n</div>\nX",
            "<!--\n\n```\n-->\nX\n```",
            "$$\n```\n$$\nX",
            "- ```\nX",
            "- ```\n  a\n  ```\n  X",
            "> ```\nX",
            "- {: a=\"1\"}```\n  a\n  ```\n  X",
            "- > {: a=\"1\"}- ```\n  a\n  ```\n  X",
            "  ```\nX",
            "```\na\n    ```\nX",
            "~~~\n```\nX\n```\n~~~",
            "a `\n- X`",
            "<a title=\"`\" X=\"`\">",
            "((1 '`')) X '`'",
            "$`$ X $`$",
            "\\`X`",
            "`a\n`X`",
            "``X`",
        ] {
            assert!(seen(text), "{text}");
        }
    }

    #[test]
    fn an_open_fence_says_how_to_close_it() {
        assert_eq!(mask("a\n  ~~~~js\n  X").closing.as_deref(), Some("  ~~~~"));
        assert_eq!(mask("```\nX\n```").closing, None);
    }

    proptest! {
        #[test]
        fn places_stay_the_same(text in "[a-c`~<>$#{}(\\\\ \n\u{5c0f}-]{0,60}") {
            let masked = mask(&text).text;
            prop_assert_eq!(masked.len(), text.len());
            for (at, letter) in masked.char_indices().filter(|(_, it)| *it != ' ') {
                prop_assert!(text[at..].starts_with(letter));
            }
        }
    }
}
