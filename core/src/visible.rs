//! Makes hidden characters visible: codes stand for them in answers, and arguments turn codes back (B-039).
//!
//! Text can carry orders in characters that are not drawn, or reverse its direction. A model reads them,
//! a person at the page does not see them. They are shown as `⟨U+202E⟩`. The way back is the exact
//! inverse: the old text of an edit still matches, and text that is sent back unchanged stays the same.

use std::borrow::Cow;

use serde_json::{Map, Value};

const OPEN: char = '⟨';
const CLOSE: char = '⟩';
/// The maximum number of digits in a code.
const MOST_DIGITS: usize = 6;

/// The text with a code in place of every hidden character.
pub fn shown(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte == b'\n' || byte == b'\t' || (b' '..=b'~').contains(&byte)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let after = rest.as_str().chars().next();
        match character {
            // The kernel pads inline marks with it; this product drops that padding everywhere.
            '\u{200b}' if [before, after].into_iter().flatten().any(is_mark) => {}
            OPEN if code(rest.as_str()).is_some() => push(&mut out, character),
            _ if is_hidden(character, before, after) => push(&mut out, character),
            _ => out.push(character),
        }
        before = Some(character);
    }
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

/// The inverse of [`shown`].
pub fn meant(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(OPEN) else { return Cow::Borrowed(text) };
    let (start, mut rest) = text.split_at(first);
    let mut out = start.to_owned();
    while let Some(character) = rest.chars().next() {
        let inside = rest.strip_prefix(character).unwrap_or_default();
        match code(inside).filter(|_| character == OPEN) {
            Some((meant, after)) => {
                out.push(meant);
                rest = after;
            }
            None => {
                out.push(character);
                rest = inside;
            }
        }
    }
    Cow::Owned(out)
}

/// Applies [`shown`] to every text of an object, keys included.
pub fn show_all(map: &mut Map<String, Value>) {
    each_text(map, &shown);
}

/// Applies [`meant`] to every text of an object, keys included.
pub fn mean_all(map: &mut Map<String, Value>) {
    each_text(map, &meant);
}

fn each_text(map: &mut Map<String, Value>, change: &impl Fn(&str) -> Cow<'_, str>) {
    if map.keys().any(|key| matches!(change(key), Cow::Owned(_))) {
        *map =
            std::mem::take(map).into_iter().map(|(key, value)| (change(&key).into_owned(), value)).collect();
    }
    map.values_mut().for_each(|value| in_value(value, change));
}

fn in_value(value: &mut Value, change: &impl Fn(&str) -> Cow<'_, str>) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(changed) = change(text) {
                *text = changed;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| in_value(item, change)),
        Value::Object(map) => each_text(map, change),
        _ => {}
    }
}

fn push(out: &mut String, character: char) {
    out.push_str(&format!("{OPEN}U+{:04X}{CLOSE}", u32::from(character)));
}

/// The character of the code behind an opening bracket, and the rest; `None` for a code that [`shown`] never writes.
fn code(text: &str) -> Option<(char, &str)> {
    let text = text.strip_prefix("U+")?;
    // The search goes no further than a code reaches: a text may be full of beginnings without an end.
    let length = text.bytes().take(MOST_DIGITS + 1).take_while(u8::is_ascii_hexdigit).count();
    let (digits, after) = text.split_at_checked(length)?;
    let after = after.strip_prefix(CLOSE).filter(|_| (4..=MOST_DIGITS).contains(&length))?;
    let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    (character == OPEN || is_joiner(character) || character == '\r' || is_never_drawn(character))
        .then_some((character, after))
}

/// Whether a character is drawn by itself: not a blank, not for private use, not hidden.
pub(crate) fn is_seen(character: char) -> bool {
    let of_private_use = matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}');
    !(character.is_whitespace()
        || character.is_control()
        || of_private_use
        || is_joiner(character)
        || is_never_drawn(character))
}

/// Whether a character is invisible between these neighbours.
fn is_hidden(character: char, before: Option<char>, after: Option<char>) -> bool {
    let drawn =
        |it: Option<char>| it.is_some_and(|it| !it.is_ascii() && !is_joiner(it) && !is_never_drawn(it));
    match character {
        '\r' => after != Some('\n'),
        // Emoji and some scripts need one of them between two letters that are drawn.
        '\u{200c}' | '\u{200d}' => !((drawn(before) || before == Some('\u{fe0f}')) && drawn(after)),
        '\u{fe0e}' | '\u{fe0f}' => !drawn(before) && after != Some('\u{20e3}'),
        _ => is_never_drawn(character),
    }
}

fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
}

/// Whether a character marks inline Markdown; the kernel puts U+200B beside those.
fn is_mark(character: char) -> bool {
    matches!(character, '`' | '#' | '$' | '*' | '=' | '~' | '^' | '<' | '>')
}

/// Whether a character is never drawn: control and format characters, fillers, and the tags and selectors
/// that can spell a hidden text.
fn is_never_drawn(character: char) -> bool {
    matches!(character,
        '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{34f}'
        | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// B-039: invisible characters become visible codes.
    #[test]
    fn invisible_characters_are_shown_as_codes() {
        for (text, expected) in [
            ("pay\u{202e}lla", "pay⟨U+202E⟩lla"),
            ("a\u{200b}b\u{feff}", "a⟨U+200B⟩b⟨U+FEFF⟩"),
            ("\u{e0041}\u{e0042}", "⟨U+E0041⟩⟨U+E0042⟩"),
            ("bell\u{7}\u{1b}[31m", "bell⟨U+0007⟩⟨U+001B⟩[31m"),
            ("a\u{200d}b", "a⟨U+200D⟩b"),
            ("é\u{fe0f}\u{fe0f}", "é\u{fe0f}⟨U+FE0F⟩"),
            ("over\rwritten", "over⟨U+000D⟩written"),
        ] {
            assert_eq!(shown(text), expected);
        }
    }

    #[test]
    fn joiners_and_marks_of_scripts_are_kept() {
        let family = "👩\u{200d}👧 ❤\u{fe0f}\u{200d}🔥 1\u{fe0f}\u{20e3} می\u{200c}خواهم 小白菜 é\r\nx\ty";
        assert!(matches!(shown(family), Cow::Borrowed(_)));
        assert_eq!(shown("`code`\u{200b}, and #tag#\u{200b}"), "`code`, and #tag#");
    }

    #[test]
    fn code_written_by_a_person_is_not_decoded() {
        let written = "the code ⟨U+202E⟩ and ⟨U+0041⟩ and ⟨x";
        assert_eq!(shown(written), "the code ⟨U+27E8⟩U+202E⟩ and ⟨U+0041⟩ and ⟨x");
        assert_eq!(meant(&shown(written)), written);
    }

    #[test]
    fn invisible_characters_in_keys_and_nested_text_are_shown() {
        let Value::Object(mut map) = json!({ "a\u{200e}": [{ "b": "c\u{2060}" }, 1] }) else { panic!() };
        let before = map.clone();
        show_all(&mut map);
        assert_eq!(json!(map), json!({ "a⟨U+200E⟩": [{ "b": "c⟨U+2060⟩" }, 1] }));
        mean_all(&mut map);
        assert_eq!(map, before);
    }

    proptest! {
        /// Text that is sent back unchanged is the text that was there.
        #[test]
        fn shown_text_converts_back_exactly(text in "[a-zé⟨⟩U+0-9A-F\r\n\u{ad}\u{200c}-\u{200f}\u{202e}\u{fe0f}\u{e0041}👧]{0,24}") {
            let shown = shown(&text).into_owned();
            prop_assert!(!shown.contains(['\u{202e}', '\u{ad}', '\u{e0041}']), "{}", shown);
            prop_assert_eq!(meant(&shown), text);
        }
    }
}
