//! The text of a note or of a tree on a terminal: lines broken between words, branches, and no ids.

use puppy_core::id::BlockId;
use unicode_width::UnicodeWidthStr;

use super::branches::branches;
use super::view::View;
use super::wrapped;

/// The text as it is drawn in a window.
pub(crate) fn prose(view: &View, text: &str) -> String {
    let text = if view.hides_ids { outline(text) } else { None }.unwrap_or_else(|| text.to_owned());
    let Some(room) = view.width else { return text };
    let mut fence = false;
    let mut out = Vec::new();
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        fence ^= is_fence;
        let is_kept = fence || is_fence || line.starts_with('|') || line.width() <= room;
        if is_kept {
            out.push(line.to_owned());
            continue;
        }
        let words = line.trim_start_matches(' ');
        let (blanks, hang) = ((line.len() - words.len()).min(room / 2), hang(line).min(room / 2));
        let first = wrapped(words, room - blanks).into_iter().next().unwrap_or_default();
        let rest = words.get(first.len()..).unwrap_or_default().trim_start();
        out.push(format!("{:blanks$}{first}", ""));
        if !rest.is_empty() {
            out.extend(wrapped(rest, room - hang).into_iter().map(|it| format!("{:hang$}{it}", "")));
        }
    }
    out.join("\n")
}

/// The columns before the words of a list item.
fn hang(line: &str) -> usize {
    let blanks = line.len() - line.trim_start().len();
    let marker = line.trim_start().split_once(' ').map_or("", |(marker, _)| marker);
    let digits = marker.trim_end_matches(['.', ')']);
    let is_marker = ["-", "*", "+", ">"].contains(&marker)
        || (digits.len() < marker.len()
            && !digits.is_empty()
            && digits.bytes().all(|it| it.is_ascii_digit()));
    blanks + if is_marker { marker.len() + 1 } else { 0 }
}

/// An indented outline of which each line has an id, with branches instead; `None` for any other text.
fn outline(text: &str) -> Option<String> {
    let mut rows = Vec::new();
    for line in text.lines() {
        let named = line.trim_start_matches(' ');
        // Text after the id is the number of items below.
        let (name, behind) = named.rsplit_once(" · ")?;
        let (name, count) = if BlockId::parse(behind).is_some() {
            (name.to_owned(), "")
        } else {
            let (name, id) = name.rsplit_once(" · ")?;
            BlockId::parse(id)?;
            (name.to_owned(), behind)
        };
        let gap = if count.is_empty() { "" } else { "  " };
        rows.push(((line.len() - named.len()) / 2, format!("{name}{gap}{count}")));
    }
    let depths: Vec<usize> = rows.iter().map(|it| it.0).collect();
    let lines = branches(&depths).into_iter().zip(&rows).map(|(branch, (_, name))| branch + name);
    Some(lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "20250101000000-abcdefg";

    fn drawn(width: Option<usize>, text: &str) -> String {
        prose(&View { width, hides_ids: true, ..View::default() }, text)
    }

    /// B-099: a tree has branches and no ids; with ids it is as it was.
    #[test]
    fn outlines_are_drawn_with_branches() {
        let tree = format!("Garden · {ID}\n  Beds · {ID} · (2)\n  A · b · {ID}");
        assert_eq!(drawn(None, &tree), "Garden\n├─ Beds  (2)\n└─ A · b");
        assert_eq!(prose(&View::default(), &tree), tree);
        assert_eq!(drawn(None, "No outline · at all"), "No outline · at all");
    }

    /// Lines are broken between words, list items below their words; code and tables stay.
    #[test]
    fn lines_are_broken_between_words() {
        let text = "one two three four\n\n  - one two three four\n\n```\none two three four five\n```\n|a|b|c|d|e|f|g|h|";
        let due = "one two\nthree four\n\n  - one two\n    three\n    four\n\n```\none two three four five\n```\n|a|b|c|d|e|f|g|h|";
        assert_eq!(drawn(Some(12), text), due);
    }
}
