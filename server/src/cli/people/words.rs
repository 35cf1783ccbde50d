//! One value of an answer as words on one line.

use puppy_core::id::BlockId;
use puppy_core::visible;
use serde_json::Value;
use unicode_width::UnicodeWidthChar;

use super::paint::{self, Style};
use super::view::View;
use crate::words::{AnswerWords, comma, field, language};

/// The most characters without width in a row: accents and the parts of one emoji, but no tower over other lines.
const MOST_WITHOUT_WIDTH: usize = 6;
/// The names of fields that hold what a person wrote: a title that looks like a moment is a title.
const OF_PERSONS: [&str; 8] = ["title", "name", "text", "value", "hpath", "path", "front", "back"];

/// The names of fields that hold a level: people read it as the panel names it.
const LEVELS: [&str; 3] = ["level", "required", "new_notebook_level"];

/// A value on one line, as a person says it.
pub(crate) fn said(view: &View, key: &str, value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => AnswerWords::here().yes().to_owned(),
        Value::Bool(false) => AnswerWords::here().no().to_owned(),
        Value::String(text) => text_said(view, key, text),
        Value::Number(number) => match (view.clock, key, number.as_u64()) {
            (Some(_), "size" | "bytes", Some(bytes)) => size(bytes),
            _ => number.to_string(),
        },
        Value::Array(items) if items.is_empty() => AnswerWords::here().none().to_owned(),
        Value::Array(items) => {
            items.iter().map(|it| said(view, key, it)).collect::<Vec<String>>().join(comma())
        }
        Value::Object(fields) if fields.is_empty() => AnswerWords::here().none().to_owned(),
        Value::Object(fields) => {
            let each = fields.iter().map(|(key, value)| format!("{} {}", title(key), said(view, key, value)));
            each.collect::<Vec<String>>().join(comma())
        }
    }
}

/// The name of a field as a title.
pub(crate) fn title(key: &str) -> String {
    field(&flat(key))
}

/// Whether a value is an id of SiYuan.
pub(crate) fn is_id(value: &Value) -> bool {
    value.as_str().is_some_and(|it| BlockId::parse(it).is_some())
}

/// The text on one line, with no more characters on top of each other than writing needs.
pub(crate) fn flat(text: &str) -> String {
    let mut without_width = 0;
    let mut out = String::with_capacity(text.len());
    for letter in text.replace("\r\n", " ").chars() {
        let letter = if matches!(letter, '\n' | '\r' | '\t') { ' ' } else { letter };
        without_width = if letter.width().unwrap_or_default() == 0 { without_width + 1 } else { 0 };
        if without_width <= MOST_WITHOUT_WIDTH {
            out.push(letter);
        }
    }
    out
}

fn text_said(view: &View, key: &str, text: &str) -> String {
    if key == "icon" {
        return emoji(text).unwrap_or_else(|| flat(text));
    }
    if key == "notebook"
        && let Some(name) = view.notebooks.get(text)
    {
        return flat(name);
    }
    if LEVELS.contains(&key)
        && let Some(level) = language().level_of(text)
    {
        return level.to_owned();
    }
    if BlockId::parse(text).is_some() {
        return Style::Faint.on(text);
    }
    let is_of_person = OF_PERSONS.contains(&key);
    if let Some(relative) = view.clock.filter(|_| !is_of_person).and_then(|clock| clock.relative(text)) {
        return relative;
    }
    let text = flat(text);
    if view.has_found_words && is_of_person { paint::found(&text).into_owned() } else { text }
}

/// The emoji of code points in hex such as `1f4d4`; `None` for a picture, and for characters that cannot be seen.
pub(crate) fn emoji(code: &str) -> Option<String> {
    let letter = |part: &str| u32::from_str_radix(part, 16).ok().and_then(char::from_u32);
    let text: String = code.split('-').map(letter).collect::<Option<_>>()?;
    (!text.is_ascii() && visible::shown(&text) == text.as_str()).then_some(text)
}

/// A number of bytes with its unit.
fn size(bytes: u64) -> String {
    let (unit, name) = match bytes {
        0..1_000 => return format!("{bytes} B"),
        1_000..1_000_000 => (1_000, "kB"),
        1_000_000..1_000_000_000 => (1_000_000, "MB"),
        _ => (1_000_000_000, "GB"),
    };
    // One digit behind the point while there is one before it, as a person rounds.
    if bytes / unit < 10 {
        format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit)
    } else {
        format!("{} {name}", bytes / unit)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::view::Clock;
    use super::*;

    const ID: &str = "20250101000000-abcdefg";

    fn plain(view: &View, key: &str, value: &Value) -> String {
        paint::painted(&said(view, key, value), false)
    }

    /// B-099: people read emoji, names and sizes instead of codes, ids and bytes.
    #[test]
    fn codes_are_told_as_what_they_mean() {
        let mut view = View { clock: Some(Clock::new(0, "")), ..View::default() };
        view.notebooks.insert(ID.to_owned(), "Garden\n".to_owned());
        for (key, value, due) in [
            ("icon", json!("1f4d4"), "📔"),
            ("icon", json!("1f468-200d-1f33e"), "👨\u{200d}🌾"),
            ("icon", json!("plants/leaf.png"), "plants/leaf.png"),
            ("icon", json!("202e"), "202e"),
            ("icon", json!("1b-1f4d4"), "1b-1f4d4"),
            ("icon", json!("leaf"), "leaf"),
            ("notebook", json!(ID), "Garden "),
            ("id", json!(ID), ID),
            ("updated", json!("1969-12-31T23:00:00Z"), "1 hour ago"),
            ("title", json!("1969-12-31T23:00:00Z"), "1969-12-31T23:00:00Z"),
            ("size", json!(220), "220 B"),
            ("size", json!(1_250), "1.2 kB"),
            ("size", json!(11_650_000), "11 MB"),
            ("total", json!(1_250), "1250"),
            ("open", json!(true), "yes"),
            ("level", json!("none"), "No access"),
            ("level", json!("rwd"), "Delete"),
            ("level", json!(2), "2"),
            ("text", json!("rw"), "rw"),
            ("tags", json!(["a", "b"]), "a, b"),
            ("due", json!({ "in_a_day": 1 }), "in a day 1"),
        ] {
            assert_eq!(plain(&view, key, &value), due, "{key} {value}");
        }
        assert_eq!(plain(&View::default(), "size", &json!(1_250)), "1250", "exact for programs");
    }

    /// Text stays on its line, and accents without end do not cover other lines.
    #[test]
    fn texts_stay_on_their_line() {
        assert_eq!(flat("a\r\nb\tc\nd"), "a b c d");
        assert_eq!(flat("é 小白菜 👩\u{200d}👧"), "é 小白菜 👩\u{200d}👧");
        let tower = format!("e{}x", "\u{301}".repeat(10_000));
        assert_eq!(flat(&tower).chars().count(), 2 + MOST_WITHOUT_WIDTH);
    }
}
