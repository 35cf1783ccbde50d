//! Text from notes and agents as it may stand in a question.

use crate::id::is_node_id;
use crate::visible;

/// The length of an id.
const ID: usize = 22;

/// The maximum number of characters of a title.
pub const LONGEST: usize = 80;

/// Text on one line of at most so many characters, cut at its end, with every hidden character as a visible code.
pub fn clean(text: &str, longest: usize) -> String {
    let mut line = String::new();
    // The end of a very long text is not looked at.
    let start: String = text.chars().take(longest.saturating_mul(4)).collect();
    for word in start.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let line = visible::shown(&line);
    if line.chars().nth(longest).is_none() && start.len() == text.len() {
        return line.into_owned();
    }
    line.chars().take(longest.saturating_sub(1)).chain(['…']).collect()
}

/// Text on one line of at most so many characters, cut in its middle.
pub(super) fn middle(text: &str, longest: usize) -> String {
    let line = clean(text, text.chars().count().saturating_add(1));
    let n = line.chars().count();
    if n <= longest {
        return line;
    }
    let start = longest / 3;
    let end = line.chars().skip(n - (longest - start - 1));
    line.chars().take(start).chain(['…']).chain(end).collect()
}

/// Shortens two texts so that their first difference stays visible.
pub(super) fn apart(old: &str, new: &str) -> (String, String) {
    const BEFORE: usize = 20;
    let (old, new) = (readable(old), readable(new));
    let same = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
    let skipped = if same > LONGEST / 2 && !new.is_empty() { same - BEFORE } else { 0 };
    let cut = |text: &str| {
        let rest: String = text.chars().skip(skipped).collect();
        clean(&if skipped == 0 { rest } else { format!("…{rest}") }, LONGEST)
    };
    (cut(&old), cut(&new))
}

/// Markdown as a person reads it: a reference is its text, and an id that remains is left out.
pub(super) fn readable(markdown: &str) -> String {
    let mut out = String::new();
    let mut rest = markdown;
    while let Some((before, after)) = rest.split_once("((") {
        out.push_str(before);
        match reference(after) {
            Some((text, after)) => {
                out.push_str(text);
                rest = after;
            }
            None => {
                out.push_str("((");
                rest = after;
            }
        }
    }
    without_ids(&(out + rest))
}

/// The text of a reference, `((id 'text'))`, from behind its brackets, and what follows it.
fn reference(text: &str) -> Option<(&str, &str)> {
    let text = text.get(..ID).filter(|it| is_node_id(it)).and(text.get(ID..))?.trim_start();
    let mark = text.chars().next().filter(|it| matches!(it, '\'' | '"'))?;
    let (anchor, after) = text.get(1..)?.split_once(&format!("{mark}))"))?;
    Some((anchor, after))
}

/// The text without ids, and without the hyphen before each.
pub(super) fn without_ids(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        match rest.get(..ID).filter(|it| is_node_id(it)) {
            Some(_) => {
                if out.ends_with('-') {
                    out.pop();
                }
                rest = rest.get(ID..).unwrap_or_default();
            }
            None => {
                out.push(character);
                rest = rest.get(character.len_utf8()..).unwrap_or_default();
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::Thing;
    use super::*;

    /// No question shows an id, also where Markdown and file names have them.
    #[test]
    fn references_and_file_names_are_shown_without_ids() {
        let id = "20250615150827-z5aa2b9";
        assert_eq!(
            readable(&format!("See (({id} 'the mint')) and ((x)), (({id} \"b\")).")),
            "See the mint and ((x)), b."
        );
        assert_eq!(readable(&format!("[x](siyuan://blocks/{id}) (({id}))")), "[x](siyuan://blocks/) (())");
        assert_eq!(without_ids(&format!("dot-{id}.gif")), "dot.gif");
        let file = |path: &str| Thing::file(path).title;
        assert_eq!(file(&format!("assets/{id}.png")), "20250615150827.png");
        assert_eq!(file("assets/.hidden-picture.png"), ".hidden-picture.png");
    }

    /// A line break in a title could imitate an answer below the question; other characters turn or hide what follows.
    #[test]
    fn hidden_characters_and_line_breaks_are_shown_or_dropped() {
        for apart in ['\n', '\r', '\t', '\u{85}', '\u{2028}', '\u{2029}', '\u{b}'] {
            assert_eq!(clean(&format!("a{apart}b"), 80), "a b", "{apart:?}");
        }
        assert_eq!(clean("pay\u{202e}lla\u{1b}[2J\u{2066}", 80), "pay⟨U+202E⟩lla⟨U+001B⟩[2J⟨U+2066⟩");
        assert_eq!(clean(" <img src=x> ", 80), "<img src=x>");
    }

    #[test]
    fn long_titles_are_cut_at_their_end() {
        assert_eq!(clean(&"番".repeat(80), 80), "番".repeat(80));
        assert_eq!(clean(&"番".repeat(81), 80), format!("{}…", "番".repeat(79)));
        assert_eq!(clean(&format!("a{}b", " ".repeat(10_000)), 80), "a…");
        assert_eq!(clean(&"\u{202e}".repeat(1_000), 10).chars().count(), 10);
    }

    #[test]
    fn path_keeps_the_name_of_its_file() {
        let path = format!("a{}/secret.pdf", "/.".repeat(100));
        let shown = middle(&path, LONGEST);
        assert!(shown.chars().count() == LONGEST && shown.ends_with("/secret.pdf"), "{shown}");
        assert_eq!(middle("a/b.pdf", LONGEST), "a/b.pdf");
    }

    #[test]
    fn change_far_behind_the_start_is_seen() {
        let (old, new) = (format!("{}pay 10 €", "x".repeat(150)), format!("{}pay 99 €", "x".repeat(150)));
        let (old, new) = apart(&old, &new);
        assert!(old.ends_with("pay 10 €") && new.ends_with("pay 99 €"), "{old} → {new}");
        assert_eq!(apart("mint", "sage"), ("mint".to_owned(), "sage".to_owned()));
    }
}
