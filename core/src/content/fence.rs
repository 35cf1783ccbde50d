//! Code fences, line by line: the one thing in Markdown that switches everything else off.

/// An open fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    /// The fence that a line opens; the line comes without the marks of its containers.
    pub(super) fn opened_by(line: &str) -> Option<Fence> {
        let mark = line.chars().next().filter(|it| matches!(it, '`' | '~'))?;
        let length = run(line, mark);
        // A further backtick makes it inline code, and a tilde makes it text.
        let info = line.get(length..).unwrap_or_default();
        let plain = !info.contains('~') && (mark == '~' || !info.contains('`'));
        (length >= 3 && plain).then_some(Fence { mark, length })
    }

    /// Whether a line closes it.
    pub(super) fn closed_by(self, line: &str) -> bool {
        let length = run(line, self.mark);
        let blank = |rest: &str| rest.bytes().all(|it| it.is_ascii_whitespace());
        length >= self.length && line.get(length..).is_some_and(blank)
    }
}

/// The number of times that a mark starts a line; marks are ASCII, so this is bytes too.
fn run(line: &str, mark: char) -> usize {
    line.chars().take_while(|it| *it == mark).count()
}

/// The line without quote marks and indentation.
pub(super) fn inside_quotes(line: &str) -> &str {
    line.trim_start_matches([' ', '\t', '>'])
}

/// The length of a list mark with its blank, if a line begins with one: `- `, `12. `; `- [ ] ` counts as `- `.
pub(super) fn list_mark(line: &str) -> Option<usize> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let mark = match digits {
        0 => line.starts_with(['-', '*', '+']).then_some(1)?,
        1..=9 => line.get(digits..)?.starts_with(['.', ')']).then_some(digits + 1)?,
        _ => return None,
    };
    let rest = line.get(mark..)?;
    match rest.chars().next() {
        None => Some(mark),
        Some(' ' | '\t') => Some(mark + 1),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_open_and_close() {
        let fence = Fence::opened_by("```rust").unwrap();
        assert!(fence.closed_by("````  ") && !fence.closed_by("```rust") && !fence.closed_by("~~~"));
        assert_eq!(Fence::opened_by("``` a`b"), None);
        assert_eq!(Fence::opened_by("``"), None);
        assert!(Fence::opened_by("~~~ a`b").is_some());
        assert_eq!((Fence::opened_by("``` a~b"), Fence::opened_by("~~~ a~b")), (None, None));
        assert!(!fence.closed_by("```\u{a0}"));
    }

    #[test]
    fn list_marks() {
        let marks = ["- a", "* ", "-", "12. a", "3) a", "-a", "1234567890. a", "1a", "—"];
        let found: Vec<_> = marks.into_iter().map(list_mark).collect();
        assert_eq!(found, [Some(2), Some(2), Some(1), Some(4), Some(3), None, None, None, None]);
    }
}
