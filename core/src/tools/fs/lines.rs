//! The lines of a block that match a pattern, as `fs.grep` tells them.

use std::cell::Cell;

use regex_lite::{Regex, RegexBuilder};

use crate::content::pattern;

/// The maximum number of characters of a line in an answer, and those of them before the match.
const SHOWN: usize = 200;
const BEFORE: usize = 60;
/// The maximum number of steps that a regular expression takes in one text: its size for each letter.
const MOST_STEPS: usize = 4_000_000;

/// A pattern by which lines are matched.
pub(super) enum Matcher {
    Literal {
        text: String,
        ignore_case: bool,
    },
    Regex {
        /// `None` for a pattern that only the kernel's engine knows.
        regex: Option<Regex>,
        size: usize,
    },
}

/// A line that matches.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LineHit {
    /// Its number in the block, from 1.
    pub(super) line: usize,
    /// Its text around the match, with lines around it.
    pub(super) text: String,
}

impl Matcher {
    pub(super) fn literal(text: &str, ignore_case: bool) -> Matcher {
        let text = if ignore_case { text.to_lowercase() } else { text.to_owned() };
        Matcher::Literal { text, ignore_case }
    }

    pub(super) fn regex(pattern: &str, ignore_case: bool) -> Matcher {
        let regex = RegexBuilder::new(pattern).multi_line(true).case_insensitive(ignore_case).build().ok();
        Matcher::Regex { regex, size: pattern::size(pattern).unwrap_or(1) }
    }

    /// The number of characters before the match. A regular expression looks at no line that would take more steps than
    /// are left.
    fn at(&self, line: &str, left: &Cell<usize>) -> Option<usize> {
        let chars = |text: &str, end| text.get(..end).map(|it| it.chars().count());
        match self {
            Matcher::Literal { text, ignore_case: true } => {
                let line = line.to_lowercase();
                chars(&line, line.find(text.as_str())?)
            }
            Matcher::Literal { text, .. } => chars(line, line.find(text.as_str())?),
            Matcher::Regex { regex, size } => {
                let steps = line.len().saturating_mul(*size);
                left.set(left.get().checked_sub(steps)?);
                chars(line, regex.as_ref()?.find(line)?.start())
            }
        }
    }

    /// The title, if it matches.
    pub(super) fn hit_in_title(&self, title: &str) -> Option<LineHit> {
        let at = self.at(title, &Cell::new(MOST_STEPS)).filter(|_| !title.is_empty())?;
        Some(LineHit { line: 1, text: cut(title, at) })
    }

    /// The matching lines of a text that matches as a whole. A match over several lines, one that only the kernel finds,
    /// or one behind too many letters is reported as the first line that is not empty.
    pub(super) fn hits(&self, text: &str, context: usize) -> Vec<LineHit> {
        let lines: Vec<&str> = text.lines().collect();
        let left = Cell::new(MOST_STEPS);
        let found = |(number, line): (usize, &&str)| self.at(line, &left).map(|at| (number, at));
        let mut hits: Vec<(usize, usize)> = lines.iter().enumerate().filter_map(found).collect();
        if hits.is_empty() {
            let first = lines.iter().position(|line| !line.trim().is_empty());
            hits.push((first.unwrap_or_default(), 0));
        }
        let hit = |(number, at): (usize, usize)| {
            let from = number.saturating_sub(context);
            let upto = (number + context + 1).min(lines.len());
            let shown = lines.get(from..upto).unwrap_or_default().iter().enumerate();
            let each: Vec<String> =
                shown.map(|(n, line)| cut(line, if from + n == number { at } else { 0 })).collect();
            LineHit { line: number + 1, text: each.join("\n") }
        };
        hits.into_iter().map(hit).collect()
    }
}

/// The part of a line around a character.
fn cut(line: &str, at: usize) -> String {
    let count = line.chars().count();
    if count <= SHOWN {
        return line.to_owned();
    }
    let from = at.saturating_sub(BEFORE).min(count - SHOWN);
    let part: String = line.chars().skip(from).take(SHOWN).collect();
    let (before, after) = (if from > 0 { "…" } else { "" }, if from + SHOWN < count { "…" } else { "" });
    format!("{before}{part}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_matching_line_is_a_hit() {
        let text = "one Mint\ntwo\nmint and mint\n";
        let hit = |line, text: &str| LineHit { line, text: text.to_owned() };
        assert_eq!(
            Matcher::literal("MINT", true).hits(text, 0),
            [hit(1, "one Mint"), hit(3, "mint and mint")]
        );
        assert_eq!(Matcher::literal("mint", false).hits(text, 1), [hit(3, "two\nmint and mint")]);
        assert_eq!(Matcher::regex("^t.o$", false).hits(text, 0), [hit(2, "two")]);
    }

    /// The kernel knows more patterns, and one may match over a line's end.
    #[test]
    fn match_that_no_line_has_is_told_by_the_first_line() {
        let hits = Matcher::regex(r"\p{Han}", false).hits("\n苹果\nx", 0);
        assert_eq!(hits, [LineHit { line: 2, text: "苹果".to_owned() }]);
        assert_eq!(Matcher::regex(r"one\ntwo", false).hits("one\ntwo", 0)[0].line, 1);
    }

    /// F10: an expression takes a bounded number of steps, however long the text.
    #[test]
    fn lines_behind_too_many_steps_are_not_matched() {
        let text = format!("first\n{}\nneedle", "a".repeat(200_000));
        let line = |pattern: &str| Matcher::regex(pattern, false).hits(&text, 0)[0].line;
        assert_eq!(line("needle"), 3);
        // The long line is passed over as a whole, and what is behind it is found.
        assert_eq!(line("(?:a?){999}b|needle"), 3);
        let many = format!("first\n{}a longer line with a needle", "aaaaaaaaa\n".repeat(10_000));
        let line = |pattern: &str| Matcher::regex(pattern, false).hits(&many, 0)[0].line;
        assert_eq!(line("needle"), 10_002);
        assert_eq!(line("(?:a?){999}b|needle"), 1);
    }

    #[test]
    fn long_line_is_cut_around_the_match() {
        let line = format!("{}needle{}", "字".repeat(300), "z".repeat(300));
        let hits = Matcher::literal("needle", true).hits(&line, 0);
        assert!(hits[0].text.contains("needle") && hits[0].text.chars().count() == SHOWN + 2, "{hits:?}");
    }
}
