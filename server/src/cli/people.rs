//! An answer as text for people, made from its shape: fields, tables, trees and texts (B-099).

mod branches;
mod hits;
mod paint;
mod prose;
mod runs;
mod table;
mod tree;
mod view;
mod words;

use puppy_core::visible;
use serde_json::{Map, Value};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::screen::Screen;
use crate::words::{AnswerWords, colon, comma};

pub(super) use paint::{Style, painted};
pub(super) use prose::prose;
pub(super) use runs::{RunSentence, run_sentence, shortened};
pub(super) use table::table;
pub(super) use view::{Clock, View, ago};
pub(super) use words::{is_id, title};

/// A table of objects that a command of this program itself tells, for the window; `None` if there are none.
pub(super) fn listed(mut rows: Vec<Value>) -> Option<String> {
    rows.iter_mut().filter_map(Value::as_object_mut).for_each(visible::show_all);
    let screen = Screen::out();
    let table = table(&View { width: screen.width, ..View::default() }, &objects(&rows)?)?;
    Some(painted(&table, screen.is_coloured) + "\n")
}

/// The blanks before a field.
const INDENT: usize = 2;
/// Marks that begin no line, and marks that end none.
const CLOSING: &str = "，。；：！？、）》」』”)]";
const OPENING: &str = "（《「『“([";

/// The fields of an answer: what is said in a line first, then lists and texts.
pub(super) fn fields(view: &View, data: &Map<String, Value>) -> String {
    let (mut lines, mut parts) = (String::new(), String::new());
    for (key, value) in data {
        if view.hides_ids && is_for_programs(view, key, value) {
            continue;
        }
        let title = words::title(key);
        let in_line = |said: &str| format!("  {}{}{said}\n", Style::Heading.on(&title), colon());
        match value {
            Value::Array(items) if items.is_empty() => lines.push_str(&in_line(AnswerWords::here().none())),
            Value::Array(items) => match objects(items).and_then(|rows| list(view, key, &rows)) {
                Some(list) => parts.push_str(&list),
                None => lines.push_str(&scalars(view, key, items)),
            },
            Value::Object(inner) if inner.values().any(is_large) || !fits(view, &title, key, value) => {
                let inner = fields(&view.indented(INDENT), inner);
                parts.push_str(&format!("\n{}{}", heading(&title), indented(&inner)));
            }
            Value::String(text) if text.trim_end().contains('\n') => {
                let text: Vec<String> = text.trim_end().lines().map(words::flat).collect();
                parts.push_str(&format!("\n{}{}", heading(&title), indented(&text.join("\n"))));
            }
            value => lines.push_str(&in_line(&words::said(view, key, value))),
        }
    }
    lines + &parts
}

/// A value on one line, without colours.
pub(super) fn in_line(view: &View, key: &str, value: &Value) -> String {
    painted(&words::said(view, key, value), false)
}

/// Whether a field is of use to programs only: ids, and the mark of a state.
fn is_for_programs(view: &View, key: &str, value: &Value) -> bool {
    let is_named = key == "notebook" && value.as_str().is_some_and(|it| view.notebooks.contains_key(it));
    match value {
        Value::Array(items) => !items.is_empty() && items.iter().all(words::is_id),
        value => key == "hash" || (words::is_id(value) && !is_named),
    }
}

/// Whether a value does not fit beside others on a line.
pub(super) fn is_large(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|it| it.is_object() || it.is_array()),
        Value::Object(_) => true,
        Value::String(text) => text.trim_end().contains('\n'),
        _ => false,
    }
}

fn objects(items: &[Value]) -> Option<Vec<&Map<String, Value>>> {
    items.iter().map(Value::as_object).collect()
}

/// A list of objects below its title; the main list needs none.
fn list(view: &View, key: &str, rows: &[&Map<String, Value>]) -> Option<String> {
    let laid =
        |view: &View| if tree::is_tree(rows) { Some(tree::tree(view, rows)) } else { table(view, rows) };
    if key == "items" {
        if let Some(hits) = hits::hits(view, rows).filter(|_| view.hides_ids) {
            return Some(format!("\n{hits}\n"));
        }
        if let Some(runs) = runs::runs(view, rows) {
            return Some(format!("\n{runs}\n"));
        }
        return laid(view).map(|it| format!("\n{it}\n"));
    }
    let list = indented(&laid(&view.indented(INDENT))?);
    Some(format!("\n{}{list}", heading(&words::title(key))))
}

/// Whether a value fits the line of its title.
fn fits(view: &View, title: &str, key: &str, value: &Value) -> bool {
    let room = view.width.unwrap_or(usize::MAX).saturating_sub(INDENT + title.width() + colon().width());
    words::said(view, key, value).width() <= room
}

/// The line of a name above its value.
fn heading(title: &str) -> String {
    format!("  {}{}\n", Style::Heading.on(title), colon().trim_end())
}

/// A list of single values: on one line if it fits, else one a line.
fn scalars(view: &View, key: &str, items: &[Value]) -> String {
    let title = words::title(key);
    let said: Vec<String> = items.iter().map(|it| words::said(view, key, it)).collect();
    let line = said.join(comma());
    let room = view.width.unwrap_or(usize::MAX).saturating_sub(INDENT + title.width() + colon().width());
    if line.width() <= room {
        return format!("  {}{}{line}\n", Style::Heading.on(&title), colon());
    }
    format!("{}{}", heading(&title), indented(&said.join("\n")))
}

/// The text in lines of at most so many columns, broken between words and beside wide letters; a longer word is broken
/// where it must be. A letter that is wider than the room has a line of its own. Only blanks at the ends of lines are
/// lost.
pub(super) fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut used) = (String::new(), 0);
    for (at, word) in text.split(' ').enumerate() {
        let pieces = pieces(word);
        let first = pieces.first().map_or(0, |it| it.width());
        if at > 0 && used > 0 && used + 1 + first > room {
            lines.push(std::mem::take(&mut line));
            used = 0;
        } else if !line.is_empty() {
            line.push(' ');
            used += 1;
        }
        for piece in pieces {
            if used > 0 && used + piece.width() > room && piece.width() > 0 {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            for letter in piece.chars() {
                let width = letter.width().unwrap_or_default();
                // An accent stays on its letter, however narrow the room is.
                if used > 0 && width > 0 && used + width > room {
                    lines.push(std::mem::take(&mut line));
                    used = 0;
                }
                line.push(letter);
                used += width;
            }
        }
    }
    lines.push(line);
    lines
}

/// The parts of a word between which a line may end: before and after each wide letter, but not beside its marks.
fn pieces(word: &str) -> Vec<&str> {
    let is_wide = |it: char| it.width() == Some(2);
    let mut pieces = Vec::new();
    let (mut start, mut before) = (0, None);
    for (at, letter) in word.char_indices() {
        let may_end = before.is_some_and(|it| (is_wide(it) || is_wide(letter)) && !OPENING.contains(it));
        if may_end && letter.width().unwrap_or_default() > 0 && !CLOSING.contains(letter) {
            pieces.extend(word.get(start..at));
            start = at;
        }
        before = Some(letter);
    }
    pieces.extend(word.get(start..));
    pieces
}

fn indented(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") }).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn laid_out(width: Option<usize>, data: Value) -> String {
        let Value::Object(data) = data else { panic!("no object") };
        painted(&fields(&View { width, ..View::default() }, &data), false)
    }

    /// B-099: what fits a line comes first; lists, nested fields and texts of several lines follow.
    #[test]
    fn answer_is_laid_out_by_its_shape() {
        let data = json!({
            "items": [{ "name": "Garden" }], "text": "one\n\ntwo\n", "total": 1, "empty": [],
            "conf": { "lang": "en", "keys": { "a": 1 } }, "flat": { "b": true },
        });
        let due = "  total: 1\n  empty: none\n  flat: b yes\n\n name\n Garden\n\n  text:\n  one\n\n  two\n\n  conf:\n    lang: en\n    keys: a 1\n";
        assert_eq!(laid_out(None, data), due);
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("restored from the history", 12), ["restored", "from the", "history"]);
        assert_eq!(wrapped("小白菜小白菜 a", 7), ["小白菜", "小白菜", "a"]);
        assert_eq!(wrapped("从块 `start`、从标题开始", 13), ["从块", "`start`、从标", "题开始"]);
        assert_eq!(
            wrapped("地址 [环境变量：SIYUAN]（思源）", 12),
            ["地址 [环境变", "量：SIYUAN]", "（思源）"]
        );
        assert_eq!(wrapped("以 URL 打开笔记本的文档", 10), ["以 URL 打", "开笔记本的", "文档"]);
        assert_eq!(wrapped("请在思源中，重启。", 10), ["请在思源", "中，重启。"]);
        assert_eq!(wrapped("", 7), [""]);
    }

    /// B-099: characters without width neither hide a word nor part from the letter below them.
    #[test]
    fn hostile_widths_hide_nothing() {
        assert_eq!(wrapped("\u{301} one two", 5), ["\u{301} one", "two"]);
        assert_eq!(wrapped("小\u{301}菜 e\u{301}", 1), ["小\u{301}", "菜", "e\u{301}"]);
        let without_blanks = |text: &str| text.replace(' ', "");
        for part in ["\u{301} ", "\u{301}", "小\u{301} \u{301}a ", "👩\u{200d}🌾", "\u{2061}a\u{2060} "]
        {
            // A cost that grew with the square of the length would take hours.
            let text = part.repeat(200_000);
            for room in [1, 2, 80] {
                let lines = wrapped(&text, room);
                assert_eq!(without_blanks(&lines.concat()), without_blanks(&text), "{part:?}");
                assert!(lines.iter().all(|it| it.width() <= room.max(2)), "{part:?}");
            }
        }
    }

    #[test]
    fn long_list_takes_a_line_for_each_value() {
        let data = json!({ "ids": ["aaaa", "bbbb", "cccc"] });
        assert_eq!(laid_out(Some(30), data.clone()), "  ids: aaaa, bbbb, cccc\n");
        assert_eq!(laid_out(Some(20), data), "  ids:\n  aaaa\n  bbbb\n  cccc\n");
    }
}
