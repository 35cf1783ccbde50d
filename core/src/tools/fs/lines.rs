//! The lines of a block that match a pattern, as `fs.grep` tells them.

use regex_lite::{Regex, RegexBuilder};

/// The maximum number of characters of a line in an answer, and those of them before the match.
const SHOWN: usize = 200;
const BEFORE: usize = 60;

/// A pattern by which lines are matched.
pub(super) enum Matcher {
    Literal {
        text: String,
        ignore_case: bool,
    },
    /// `None` for a pattern that only the kernel's engine knows.
    Regex(Option<Regex>),
}

/// A line that matches.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hit {
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
        Matcher::Regex(RegexBuilder::new(pattern).multi_line(true).case_insensitive(ignore_case).build().ok())
    }

    /// The number of characters before the match.
    fn at(&self, line: &str) -> Option<usize> {
        let chars = |text: &str, end| text.get(..end).map(|it| it.chars().count());
        match self {
            Matcher::Literal { text, ignore_case: true } => {
                let line = line.to_lowercase();
                chars(&line, line.find(text.as_str())?)
            }
            Matcher::Literal { text, .. } => chars(line, line.find(text.as_str())?),
            Matcher::Regex(regex) => chars(line, regex.as_ref()?.find(line)?.start()),
        }
    }

    /// The matching lines of a text that matches as a whole. A match over several lines, or one that only the kernel
    /// finds, is told by the first line that is not empty.
    pub(super) fn hits(&self, text: &str, context: usize) -> Vec<Hit> {
        let lines: Vec<&str> = text.lines().collect();
        let found = |(number, line): (usize, &&str)| self.at(line).map(|at| (number, at));
        let mut hits: Vec<(usize, usize)> = lines.iter().enumerate().filter_map(found).collect();
        if hits.is_empty() {
            let first = lines.iter().position(|line| !line.trim().is_empty());
            hits.push((first.unwrap_or_default(), 0));
        }
        let told = |(number, at): (usize, usize)| {
            let from = number.saturating_sub(context);
            let upto = (number + context + 1).min(lines.len());
            let shown = lines.get(from..upto).unwrap_or_default().iter().enumerate();
            let each: Vec<String> =
                shown.map(|(n, line)| cut(line, if from + n == number { at } else { 0 })).collect();
            Hit { line: number + 1, text: each.join("\n") }
        };
        hits.into_iter().map(told).collect()
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
        let hit = |line, text: &str| Hit { line, text: text.to_owned() };
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
        assert_eq!(hits, [Hit { line: 2, text: "苹果".to_owned() }]);
        assert_eq!(Matcher::regex(r"one\ntwo", false).hits("one\ntwo", 0)[0].line, 1);
    }

    #[test]
    fn long_line_is_cut_around_the_match() {
        let line = format!("{}needle{}", "字".repeat(300), "z".repeat(300));
        let hits = Matcher::literal("needle", true).hits(&line, 0);
        assert!(hits[0].text.contains("needle") && hits[0].text.chars().count() == SHOWN + 2, "{hits:?}");
    }
}
