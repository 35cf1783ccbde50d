//! Lays out what a search found as grep does: the place once, and what was found there below it.

use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr;

use super::paint::Style;
use super::view::View;
use super::words::said;
use super::wrapped;

/// The fields that name the place.
const PLACES: [&str; 2] = ["hpath", "path"];
const TEXT: &str = "text";
/// The most lines of one hit, and the blanks before each.
const TALLEST: usize = 3;
const INDENT: usize = 2;

/// The hits; `None` if the rows are none.
pub(crate) fn hits(view: &View, rows: &[&Map<String, Value>]) -> Option<String> {
    let is_text = |row: &&Map<String, Value>, key: &str| row.get(key).is_some_and(Value::is_string);
    let place = PLACES.into_iter().find(|key| rows.iter().all(|row| is_text(row, key)))?;
    if rows.is_empty() || !rows.iter().all(|row| is_text(row, TEXT)) {
        return None;
    }
    let room = view.width.unwrap_or(usize::MAX).saturating_sub(INDENT);
    let mut out: Vec<String> = Vec::new();
    let mut before = String::new();
    for row in rows {
        let value = |key: &str| row.get(key).map(|it| said(view, key, it)).unwrap_or_default();
        let at = format!("{}{}", value("notebook"), value(place)).trim_start_matches('/').to_owned();
        if at != before {
            out.extend((!out.is_empty()).then(String::new));
            out.push(Style::Heading.on(&at));
            before = at;
        }
        let mut lines = wrapped(&value(TEXT), room);
        if lines.len() > TALLEST {
            lines.truncate(TALLEST);
            if let Some(last) = lines.last_mut() {
                while last.width() + 1 > room && last.pop().is_some() {}
                last.push('…');
            }
        }
        out.extend(lines.iter().map(|line| format!("{:INDENT$}{line}", "")));
    }
    Some(out.join("\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::objects;
    use super::super::paint::painted;
    use super::*;

    /// B-099: each place once, at most three lines for a hit, broken between words.
    #[test]
    fn hits_stand_below_their_place() {
        let long = "many words ".repeat(20);
        let rows = json!([
            { "hpath": "/Plants/Mint", "text": "One mint" }, { "hpath": "/Plants/Mint", "text": long },
            { "hpath": "/Beds", "text": "Two" },
        ]);
        let rows = objects(rows.as_array().unwrap()).unwrap();
        let view = View { width: Some(30), ..View::default() };
        let text = painted(&hits(&view, &rows).unwrap(), false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..3], ["Plants/Mint", "  One mint", "  many words many words many"]);
        assert!(lines[4].ends_with('…') && lines.iter().all(|it| it.width() <= 30), "{lines:#?}");
        assert_eq!(lines[5..], ["", "Beds", "  Two"]);
        let rows = json!([{ "hpath": "/Beds" }]);
        assert_eq!(hits(&view, &objects(rows.as_array().unwrap()).unwrap()), None);
    }
}
