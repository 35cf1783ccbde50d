//! Colours of text on a terminal: marks without width stand for them while lines are laid out.
//!
//! The marks are characters that `visible` shows as codes wherever they come from notes, so no title can hold one.

use std::borrow::Cow;

/// The style of a text on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// A match of a search.
    Found,
    /// The name of a column or part.
    Heading,
    /// An id, and other text that matters less.
    Faint,
    /// Done.
    Good,
    /// Failed.
    Bad,
}

/// The mark that ends each style.
const END: char = '\u{2060}';
const RESET: &str = "\u{1b}[0m";

impl Style {
    const ALL: [Style; 5] = [Style::Found, Style::Heading, Style::Faint, Style::Good, Style::Bad];

    fn mark(self) -> char {
        match self {
            Style::Found => '\u{2061}',
            Style::Heading => '\u{2062}',
            Style::Faint => '\u{2063}',
            Style::Good => '\u{2064}',
            Style::Bad => '\u{206a}',
        }
    }

    fn sequence(self) -> &'static str {
        match self {
            Style::Found => "\u{1b}[1;33m",
            Style::Heading => "\u{1b}[1m",
            Style::Faint => "\u{1b}[2m",
            Style::Good => "\u{1b}[32m",
            Style::Bad => "\u{1b}[31m",
        }
    }

    /// The text in this style. Each word is marked on its own, so that it stays marked where a line is broken.
    pub(crate) fn on(self, text: &str) -> String {
        let words = text.split(' ').map(|word| match word {
            "" => String::new(),
            word => format!("{}{word}{END}", self.mark()),
        });
        words.collect::<Vec<String>>().join(" ")
    }
}

/// The text with its marks turned into colours, or taken away. A style ends with its line at the latest.
pub(crate) fn painted(text: &str, coloured: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_open = false;
    for letter in text.chars() {
        let style = Style::ALL.into_iter().find(|it| it.mark() == letter);
        match style {
            Some(style) if coloured => {
                out.push_str(style.sequence());
                is_open = true;
            }
            Some(_) => {}
            None => {
                if is_open && matches!(letter, END | '\n') {
                    out.push_str(RESET);
                    is_open = false;
                }
                if letter != END {
                    out.push(letter);
                }
            }
        }
    }
    if is_open {
        out.push_str(RESET);
    }
    out
}

/// The text with what the search marked by `**` in colour instead; unchanged if nothing is marked.
pub(crate) fn found(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, inside, after)) = marked(rest) {
        out.push_str(before);
        out.push_str(&Style::Found.on(inside));
        rest = after;
    }
    if out.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(out + rest) }
}

/// The text before, between and after the first two `**`.
fn marked(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("**")?;
    let (inside, after) = rest.split_once("**")?;
    (!inside.is_empty()).then_some((before, inside, after))
}

#[cfg(test)]
mod tests {
    use puppy_core::visible;

    use super::*;

    /// B-099: without colour no byte of the styles is left.
    #[test]
    fn styles_are_colours_or_nothing() {
        let text = format!("{} {}", Style::Heading.on("two words"), Style::Good.on("✓"));
        assert_eq!(painted(&text, false), "two words ✓");
        assert_eq!(
            painted(&text, true),
            "\u{1b}[1mtwo\u{1b}[0m \u{1b}[1mwords\u{1b}[0m \u{1b}[32m✓\u{1b}[0m"
        );
        let cut = Style::Bad.on("cut").replace(END, "\n");
        assert_eq!(painted(&cut, true), "\u{1b}[31mcut\u{1b}[0m\n");
    }

    #[test]
    fn marked_words_of_a_hit_are_coloured() {
        assert_eq!(painted(&found("a **mint** and **te**a"), false), "a mint and tea");
        assert_eq!(painted(&found("**mint**"), true), "\u{1b}[1;33mmint\u{1b}[0m");
        for plain in ["", "2 ** 3", "****", "mint"] {
            assert_eq!(found(plain), plain);
        }
    }

    /// B-039: text of notes cannot hold a mark, because each is shown as a code.
    #[test]
    fn notes_cannot_hold_marks() {
        for mark in Style::ALL.map(Style::mark).into_iter().chain([END]) {
            assert!(!visible::shown(&format!("a{mark}b")).contains(mark), "{mark:?}");
        }
    }
}
