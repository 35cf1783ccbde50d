//! The open list items while a text is read line by line: they decide how deep a fence may be indented.

use crate::content::fence::list_mark;

/// The maximum number of items that may begin on one line.
const MOST_MARKS: usize = 32;

/// The known containers around the next line.
#[derive(Debug, Default)]
pub(super) struct OpenItems {
    /// The columns at which the text of the open items begins, outermost first.
    columns: Vec<usize>,
    /// Whether the previous line was text that the next one may continue.
    in_paragraph: bool,
    /// Whether a tab occurred where columns count.
    tabs: bool,
    /// Whether a super block was opened.
    super_block: bool,
}

impl OpenItems {
    /// Records a blank line.
    pub(super) fn blank(&mut self) {
        self.in_paragraph = false;
    }

    /// Records the end of a paragraph.
    pub(super) fn paragraph_ended(&mut self) {
        self.in_paragraph = false;
    }

    /// Whether a super block may be open.
    pub(super) fn in_super_block(&self) -> bool {
        self.super_block
    }

    /// Whether a fence at this indentation is a fence: four columns deeper it would be text.
    pub(super) fn may_hold_a_fence(&mut self, text: &str, indent: usize) -> bool {
        let spaces = text.get(..indent).is_some_and(|it| it.bytes().all(|it| it == b' '));
        self.leave(indent);
        let from = self.columns.last().copied().unwrap_or(0);
        spaces && (indent == 0 || !self.tabs) && indent < from + 4
    }

    /// Records a line of text.
    pub(super) fn take(&mut self, text: &str, indent: usize) {
        self.tabs |= text.get(..indent).is_some_and(|it| it.contains('\t'));
        self.super_block |= text.contains("{{{");
        self.leave(indent);
        let mut column = indent;
        let mut rest = text.get(indent..).unwrap_or_default();
        if is_rule(rest) || indent >= self.columns.last().copied().unwrap_or(0) + 4 {
            self.in_paragraph = true;
            return;
        }
        for _ in 0..MOST_MARKS {
            let Some(mark) = list_mark(rest) else { break };
            let after = rest.get(mark..).unwrap_or_default();
            let begins = !self.in_paragraph || rest.starts_with(['-', '*', '+']) || rest.starts_with("1.");
            if !begins || after.trim().is_empty() || is_rule(rest) {
                break;
            }
            self.tabs |= rest.get(..mark).is_some_and(|it| it.ends_with('\t')) || after.starts_with('\t');
            let blanks = after.len() - after.trim_start_matches(' ').len();
            // With five or more blanks, the text itself is indented.
            let width = if blanks < 4 { mark + blanks } else { mark };
            column += width;
            self.columns.push(column);
            self.in_paragraph = false;
            rest = rest.get(width..).unwrap_or_default();
        }
        // These are more marks than anyone writes, and the columns are no longer known.
        self.tabs |= list_mark(rest).is_some();
        self.in_paragraph = true;
    }

    /// Closes the items that a line at this indentation cannot belong to.
    pub(super) fn leave(&mut self, indent: usize) {
        while self.columns.last().is_some_and(|column| *column > indent) {
            self.columns.pop();
        }
    }
}

/// Whether a line is a rule, although it begins like an item.
fn is_rule(line: &str) -> bool {
    let mut marks = line.chars().filter(|it| !it.is_whitespace());
    let first = marks.next();
    let mut more = 0;
    let alike = marks.all(|it| {
        more += 1;
        Some(it) == first
    });
    matches!(first, Some('-' | '*' | '_')) && alike && more >= 2
}
