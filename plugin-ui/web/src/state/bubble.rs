//! Titles in the bubble: a person's text made one short line that cannot pretend to be anything else.

/// Characters of each part.
const LIMIT: usize = 24;

/// A title as the bubble shows it.
pub fn part(title: &str) -> String {
    line(title, LIMIT)
}

/// Somebody else's text in one line of a greatest length, in characters.
pub fn line(text: &str, limit: usize) -> String {
    let mut kept =
        text.chars().map(|it| if it.is_whitespace() { ' ' } else { it }).filter(|it| is_plain(*it));
    let mut text: String = kept.by_ref().take(limit).collect();
    if kept.next().is_some() {
        text.pop();
        text.push('…');
    }
    text.trim().to_owned()
}

/// A place in one line: `Garden / Tomatoes`.
pub fn place(notebook: &str, title: Option<&str>) -> String {
    let notebook = part(notebook);
    match title.map(part).filter(|it| !it.is_empty()) {
        Some(title) => format!("{notebook} / {title}"),
        None => notebook,
    }
}

/// Not a control, and nothing that turns the direction of what follows or has no width.
const fn is_plain(c: char) -> bool {
    !matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_titles_are_truncated_by_character() {
        assert_eq!(part("Tomatoes"), "Tomatoes");
        assert_eq!(part(&"番".repeat(24)), "番".repeat(24));
        assert_eq!(part(&"番".repeat(25)), format!("{}…", "番".repeat(23)));
    }

    #[test]
    fn bidi_and_invisible_characters_are_removed() {
        assert_eq!(part("a\u{202e}b\u{2066}c\u{200f}d\u{0}e\u{feff}"), "abcde");
        assert_eq!(part(" two\nlines\t "), "two lines");
        assert_eq!(part("<b>x</b>"), "<b>x</b>", "markup is text");
    }

    #[test]
    fn place_without_a_title_shows_the_notebook() {
        assert_eq!(place("Garden", Some("Tomatoes")), "Garden / Tomatoes");
        assert_eq!(place("Garden", Some("\u{200b}")), "Garden");
        assert_eq!(place("\u{200b}", None), "");
    }
}
