//! Finds the code in a Markdown text, so that text that only looks like a reference or a script is left alone.
//!
//! The kernel's parser has the last word on code. So only undoubted code counts: plain fences, and inline code with
//! nothing before it in its paragraph that could swallow the mark. Raw HTML is doubtful up to the next blank line;
//! after anything else that is doubtful, nothing counts. Taking code for text costs at most a refusal; taking text
//! for code would let a forbidden reference through.

mod items;

use std::ops::Range;

use self::items::OpenItems;
use crate::content::fence::{Fence, inside_quotes, list_mark};
use crate::content::kramdown::AttributeList;

/// The characters that the parser treats as blanks within a line.
const BLANK: [char; 3] = [' ', '\t', '\n'];

/// A text in which code is blanked out byte by byte, so that positions stay the same.
#[derive(Debug, Default)]
pub(super) struct MaskedText {
    /// The text with blanks for code of both kinds.
    pub(super) text: String,
    /// The text with blanks for the content of fences.
    pub(super) fenced: String,
    /// The line that would close the code fence that is open at the end.
    pub(super) closing: Option<String>,
    /// Whether something was opened from which on nothing counts as code.
    pub(super) is_doubtful: bool,
    /// The ranges in which a backslash is an escape beyond doubt, in order.
    plain: Vec<Range<usize>>,
}

impl MaskedText {
    /// Whether a backslash inserted at a position would be read as an escape.
    pub(super) fn is_plain(&self, at: usize) -> bool {
        let after = self.plain.partition_point(|it| it.start <= at);
        after.checked_sub(1).and_then(|index| self.plain.get(index)).is_some_and(|it| at < it.end)
    }

    fn keep(&mut self, text: &str) {
        self.text.push_str(text);
        self.fenced.push_str(text);
    }

    /// Keeps text that follows nothing special; it is plain up to the first special character.
    fn keep_plain(&mut self, text: &str) {
        let special = text.find(['<', '$', '#', '`', '[']).unwrap_or(text.len());
        let special = text.find("((").unwrap_or(special).min(special);
        self.plain.push(self.text.len()..self.text.len() + special);
        self.keep(text);
    }

    fn blank_fenced(&mut self, text: &str) {
        blank(text, &mut self.text);
        blank(text, &mut self.fenced);
    }

    fn blank_inline(&mut self, text: &str) {
        blank(text, &mut self.text);
        self.fenced.push_str(text);
    }
}

/// Blanks out undoubted code.
pub(super) fn mask(markdown: &str) -> MaskedText {
    let mut masked = MaskedText::default();
    let mut state = MaskState::Text { sure: Certainty::Code };
    let mut items = OpenItems::default();
    for line in markdown.split_inclusive('\n') {
        state = state.take(line, &mut items, &mut masked);
    }
    masked.is_doubtful = matches!(state, MaskState::Doubtful);
    if let MaskState::Code { indent, marks, .. } = state {
        masked.closing = Some(format!("{}{marks}", " ".repeat(indent)));
    }
    masked
}

/// The certainty after a piece of a paragraph, in rising order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Certainty {
    /// None: something was opened that may reach further.
    Nothing,
    /// A backslash is an escape.
    Escape,
    /// Backticks are code: nothing could swallow them.
    Code,
}

impl Certainty {
    /// The certainty after a piece of text without closed code.
    fn behind(text: &str) -> Certainty {
        let mut rest = text;
        let mut sure = Certainty::Code;
        while let Some((before, link)) = rest.split_once('[') {
            let Some(after) = simple_link(link) else { return Certainty::Nothing };
            sure = sure.min(Certainty::behind_words(before));
            rest = after;
        }
        sure.min(Certainty::behind_words(rest))
    }

    fn behind_words(text: &str) -> Certainty {
        if text.contains(['<', '$', '#', '`']) || text.contains("((") {
            return Certainty::Nothing;
        }
        // A brace after a backslash is text and ends there.
        if text.replace("\\{", "").contains(['\\', '{']) { Certainty::Escape } else { Certainty::Code }
    }
}

#[derive(Debug)]
enum MaskState {
    /// Outside of code, with the certainty for the next line of the paragraph.
    Text { sure: Certainty },
    /// In a fence that was opened at this indentation.
    Code { fence: Fence, indent: usize, marks: String },
    /// In raw HTML, or in text after a tag, which ends where a paragraph does.
    Html,
    /// In a formula that spans lines.
    Formula,
    /// After something that can be read in two ways.
    Doubtful,
}

impl MaskState {
    fn take(self, line: &str, items: &mut OpenItems, out: &mut MaskedText) -> MaskState {
        let text = line.trim_end_matches(BLANK);
        let content = text.trim_start_matches(BLANK);
        let indent = text.len() - content.len();
        let next = match self {
            MaskState::Doubtful => MaskState::Doubtful,
            MaskState::Code { fence, indent: opened, marks } => {
                let marked = content.starts_with("```") || content.starts_with("~~~");
                // The end of a super block ends the fence inside it.
                let ends = content == "}}}" && items.in_super_block();
                if !ends && (content.is_empty() || (!marked && indent >= opened)) {
                    out.blank_fenced(line);
                    return MaskState::Code { fence, indent: opened, marks };
                }
                if marked && indent == opened && fence.closed_by(content) {
                    MaskState::Text { sure: Certainty::Code }
                } else {
                    MaskState::Doubtful
                }
            }
            MaskState::Html if !content.is_empty() => {
                items.leave(indent);
                MaskState::Html
            }
            MaskState::Formula if text == "$$" => MaskState::Text { sure: Certainty::Code },
            // These end a formula early.
            MaskState::Formula if content.contains("$$") || content.contains("{:") || content == "}}}" => {
                MaskState::Doubtful
            }
            MaskState::Formula => MaskState::Formula,
            MaskState::Text { .. } | MaskState::Html if content.is_empty() => {
                items.blank();
                MaskState::Text { sure: Certainty::Code }
            }
            MaskState::Html => MaskState::Html,
            MaskState::Text { sure } => match Fence::opened_by(content) {
                Some(fence) if items.may_hold_a_fence(text, indent) => {
                    items.paragraph_ended();
                    let marks: String = content.chars().take_while(|it| content.starts_with(*it)).collect();
                    MaskState::Code { fence, indent, marks }
                }
                _ if text == "$$" => {
                    items.leave(0);
                    MaskState::Formula
                }
                _ if is_doubtful(content) => MaskState::Doubtful,
                _ if behind_marks(content).starts_with('<') => {
                    items.leave(indent);
                    MaskState::Html
                }
                _ => {
                    items.take(text, indent);
                    return MaskState::Text { sure: inline(line, sure, out) };
                }
            },
        };
        out.keep(line);
        next
    }
}

/// Whether a line may begin a construct that reads the following lines in its own way: a conflict, a formula, a
/// custom block, or a fence that is not plain.
fn is_doubtful(content: &str) -> bool {
    let rest = behind_marks(content);
    ["<<<", "$$", ";;;", "```", "~~~"].iter().any(|it| rest.starts_with(it))
}

/// The content after the marks of quotes, items and tasks, and after the attributes of items.
pub(super) fn behind_marks(content: &str) -> &str {
    let mut rest = inside_quotes(content);
    loop {
        let task = rest.strip_prefix('[').and_then(|it| {
            let mut letters = it.chars();
            letters.next()?;
            letters.as_str().starts_with("] ").then(|| rest.len() - letters.as_str().len() + 2)
        });
        let length =
            list_mark(rest).or(task).or_else(|| AttributeList::parse(rest).map(|(_, length)| length));
        let Some(after) = length.and_then(|length| rest.get(length..)) else { return rest };
        rest = inside_quotes(after);
    }
}

/// Blanks out the inline code of a line; returns the certainty in the paragraph after it.
fn inline(line: &str, mut sure: Certainty, out: &mut MaskedText) -> Certainty {
    let (marks, mut rest) = line.split_at_checked(head(line)).unwrap_or(("", line));
    out.keep(marks);
    while sure == Certainty::Code
        && let Some((before, _)) = rest.split_once('`')
    {
        out.keep_plain(before);
        sure = Certainty::behind(before);
        rest = rest.get(before.len()..).unwrap_or_default();
        let length = rest.len() - rest.trim_start_matches('`').len();
        let code = rest.get(length..).unwrap_or_default();
        let end = closing_run(code, length).filter(|_| sure == Certainty::Code);
        let inside = end.and_then(|end| code.get(..end));
        // The parser cuts the cells of a table before it reads code, and it takes the end of this tag in code out of
        // the text behind it.
        let Some(inside) = inside.filter(|it| !it.contains('|') && !it.contains("<span data-type=")) else {
            sure = Certainty::Nothing;
            break;
        };
        out.keep(rest.get(..length).unwrap_or_default());
        out.blank_inline(inside);
        out.keep(rest.get(..length).unwrap_or_default());
        rest = code.get(inside.len() + length..).unwrap_or_default();
    }
    match sure {
        Certainty::Nothing => out.keep(rest),
        _ => out.keep_plain(rest),
    }
    sure.min(Certainty::behind(rest))
}

/// The length of the marks that a line begins with: blanks, and one mark of a heading or a task.
fn head(line: &str) -> usize {
    let rest = line.trim_start_matches('#');
    if (1..=6).contains(&(line.len() - rest.len())) {
        return line.len() - rest.len();
    }
    let rest = line.trim_start_matches(BLANK);
    let rest = list_mark(rest).and_then(|mark| rest.get(mark..)).unwrap_or(rest);
    let is_task = ["[ ] ", "[x] ", "[X] "].iter().any(|it| rest.starts_with(it));
    line.len() - rest.len() + if is_task { 4 } else { 0 }
}

/// The text after a link without special content; the given text starts after the link's first bracket.
fn simple_link(text: &str) -> Option<&str> {
    let special = |text: &str| text.contains(['[', '`', '\\', '<', '>', '$', '#', '{', '(', '|', '"', '\'']);
    let (label, rest) = text.split_once(']')?;
    let (target, rest) = rest.strip_prefix('(')?.split_once(')')?;
    (!special(label) && !special(target) && !target.contains(char::is_whitespace)).then_some(rest)
}

/// The start of a run of exactly `length` backticks.
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
mod tests;
