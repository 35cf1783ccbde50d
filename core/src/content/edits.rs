//! Exact-string edits: found in the text that a reader saw, made in the block's kramdown.
//!
//! A reader sees Markdown without block attribute lists and zero-width spaces; the kernel needs both back, or ids and
//! attributes are lost. So a match is found in a stripped copy that remembers the origin of each character, and the
//! replacement is made in the original.

use std::ops::Range;

use serde_json::{Value, json};

use super::kramdown;
use crate::error::ToolError;

/// The maximum size in bytes of a document after replacements at many places, and the maximum by which a larger one
/// may still grow.
const MOST_TEXT: usize = 8_000_000;
const MOST_GROWTH: usize = 1_000_000;
/// The maximum number of places, or blocks, that an error names.
const MOST_NAMED: usize = 20;
/// The maximum number of characters of two lines that are compared for likeness: that takes time proportional to
/// their product.
const COMPARED: usize = 200;
/// The maximum number of lines that are compared with one that was not found.
const MOST_COMPARED: usize = 2_000;
/// The likeness from which a line is named in an error, and from which the search for a better one stops.
const ALIKE: f64 = 0.5;
const NEAR: f64 = 0.9;

/// One replacement.
#[derive(Debug, Clone, Copy)]
pub struct Edit<'a> {
    /// The text to find.
    pub old: &'a str,
    /// The text to put there.
    pub new: &'a str,
    /// Every place instead of the only one.
    pub all: bool,
}

/// A top-level block with the text that a reader sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Its id.
    pub id: String,
    /// Its text.
    pub text: String,
}

/// Makes one edit in the shown blocks; returns the numbers of the changed blocks, each with its number of matches.
pub fn in_shown(blocks: &mut [Shown], edit: Edit<'_>, name: &str) -> Result<Vec<(usize, usize)>, ToolError> {
    let old = visible(edit.old);
    if old.is_empty() {
        return Err(ToolError::field(&format!("{name}.old"), "text that a reader sees"));
    }
    let hits: Vec<(usize, usize)> = blocks
        .iter()
        .enumerate()
        .map(|(at, block)| (at, visible(&block.text).matches(old.as_str()).count()))
        .filter(|(_, count)| *count > 0)
        .collect();
    let total: usize = hits.iter().map(|(_, count)| count).sum();
    if total == 0 {
        return Err(absent(blocks, &old, name));
    }
    if total > 1 && !edit.all {
        let places: Vec<Value> = hits
            .iter()
            .filter_map(|(at, count)| blocks.get(*at).map(|block| (block, count)))
            .take(MOST_NAMED)
            .map(|(block, count)| json!({ "block": block.id, "line": line_of(&block.text, &old), "times": count }))
            .collect();
        let message = format!("text that occurs once; it occurs {total} times. Make it longer, or set `all`");
        return Err(ToolError::field(&format!("{name}.old"), message).with("places", places));
    }
    let now: usize = blocks.iter().map(|block| block.text.len()).sum();
    let grown = total.saturating_mul(edit.new.len().saturating_sub(old.len()));
    if total > 1 && now.saturating_add(grown) > MOST_TEXT.max(now + MOST_GROWTH) {
        let message = format!("shorter: put at {total} places it makes the document too long");
        return Err(ToolError::field(&format!("{name}.new"), message));
    }
    for (at, _) in &hits {
        if let Some(block) = blocks.get_mut(*at) {
            block.text = visible(&block.text).replace(old.as_str(), edit.new);
        }
    }
    Ok(hits)
}

/// Makes the same edit in a block's kramdown; `None` if it would span a nested block's attributes.
pub fn in_kramdown(original: &str, edit: Edit<'_>) -> Option<String> {
    let old = visible(edit.old);
    let stripped = Stripped::of(original);
    let (skip, keep) = common(&old, edit.new);
    let new = edit.new.get(skip..edit.new.len() - keep)?;
    let mut out = String::with_capacity(original.len());
    let mut done = 0;
    for (at, _) in stripped.text.match_indices(old.as_str()) {
        let range = stripped.range(at + skip, at + old.len() - keep, original.len())?;
        out.push_str(original.get(done..range.start)?);
        out.push_str(new);
        done = range.end;
    }
    out.push_str(original.get(done..)?);
    Some(out)
}

/// A text without zero-width spaces: the kernel adds them after code, tags and keys.
pub fn visible(text: &str) -> String {
    text.replace('\u{200b}', "")
}

/// Kramdown without block attribute lists and zero-width spaces.
struct Stripped {
    text: String,
    /// For each byte of `text`, its position in the original.
    origin: Vec<usize>,
    /// The ranges of the lists removed from the original.
    lists: Vec<Range<usize>>,
}

impl Stripped {
    fn of(original: &str) -> Stripped {
        let mut stripped = Stripped { text: String::new(), origin: Vec::new(), lists: block_lists(original) };
        // Lists and letters come in the same order.
        let mut lists = stripped.lists.iter().peekable();
        for (at, letter) in original.char_indices() {
            while lists.next_if(|list| list.end <= at).is_some() {}
            let in_list = lists.peek().is_some_and(|list| list.contains(&at));
            if !in_list && letter != '\u{200b}' {
                stripped.text.push(letter);
                stripped.origin.extend(at..at + letter.len_utf8());
            }
        }
        stripped
    }

    /// The original range of a range of the text, if no attribute list lies inside it.
    fn range(&self, from: usize, to: usize, end: usize) -> Option<Range<usize>> {
        let start = self.origin.get(from).copied().unwrap_or(end);
        let stop = match to.checked_sub(1).filter(|last| *last >= from) {
            Some(last) => self.origin.get(last)? + 1,
            // The edit removes nothing: the new text goes directly after the previous character.
            None => from.checked_sub(1).and_then(|last| self.origin.get(last)).map_or(start, |last| last + 1),
        };
        let start = start.min(stop);
        let first = self.lists.partition_point(|list| list.start < start);
        let clear = self.lists.get(first).is_none_or(|list| list.start >= stop);
        clear.then_some(start..stop)
    }
}

/// The ranges of block attribute lists; a list that is alone on a line includes the line.
fn block_lists(text: &str) -> Vec<Range<usize>> {
    let of_blocks = kramdown::lists(text).into_iter().filter(|it| it.attributes.id().is_some());
    let mut line = 0..0;
    let mut lists = Vec::new();
    for list in of_blocks.map(|it| it.range) {
        // The borders of a line are searched once, however many lists it contains.
        if list.start >= line.end {
            line = line_around(text, &list);
        }
        lists.push(with_line(text, list, &line));
    }
    // A list at the very end includes the line break before it.
    if let Some(last) = lists.last_mut()
        && last.end == text.len()
        && text.get(..last.start).is_some_and(|before| before.ends_with('\n'))
    {
        last.start -= 1;
    }
    lists
}

/// The line of a list, with the break that ends it.
fn line_around(text: &str, list: &Range<usize>) -> Range<usize> {
    let start = text.get(..list.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let end =
        text.get(list.end..).and_then(|after| after.find('\n')).map_or(text.len(), |at| list.end + at + 1);
    start..end
}

fn with_line(text: &str, list: Range<usize>, line: &Range<usize>) -> Range<usize> {
    let before = text.get(line.start..list.start).unwrap_or_default();
    let after = text.get(list.end..line.end).unwrap_or_default();
    let alone = after.trim().is_empty() && before.trim_matches([' ', '>', '\t']).is_empty();
    if alone { line.clone() } else { list }
}

/// The number of bytes that two texts share at their start and, beyond that, at their end.
fn common(old: &str, new: &str) -> (usize, usize) {
    let skip: usize =
        old.chars().zip(new.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let (old, new) = (old.get(skip..).unwrap_or_default(), new.get(skip..).unwrap_or_default());
    let keep =
        old.chars().rev().zip(new.chars().rev()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    (skip, keep)
}

/// The error for a text that was not found: it spans blocks, or the error names the nearest line.
fn absent(blocks: &[Shown], old: &str, name: &str) -> ToolError {
    let field = format!("{name}.old");
    let joined: String = blocks.iter().map(|block| visible(&block.text)).collect::<Vec<_>>().join("\n\n");
    if let Some(at) = joined.find(old) {
        let (mut from, mut ids) = (0, Vec::new());
        for block in blocks {
            let to = from + visible(&block.text).len() + 2;
            if from < at + old.len() && at < to && ids.len() < MOST_NAMED {
                ids.push(block.id.as_str());
            }
            from = to;
        }
        return ToolError::field(&field, "text within one block; make one edit for each of these blocks")
            .with("blocks", ids);
    }
    let error = ToolError::field(&field, "text of this document, letter for letter; read it again");
    match nearest(blocks, old) {
        Some((block, line)) => error.with("nearest", json!({ "block": block.id, "line": line })),
        None => error,
    }
}

/// The line whose beginning is most like that of the text's first line, if any is like it.
fn nearest<'a>(blocks: &'a [Shown], old: &str) -> Option<(&'a Shown, String)> {
    let start = |line: &str| line.chars().take(COMPARED).collect::<String>();
    let first = start(old.lines().find(|line| !line.trim().is_empty()).unwrap_or(old));
    let lines = blocks.iter().flat_map(|block| block.text.lines().map(move |line| (block, line)));
    let mut best = None;
    let mut most = ALIKE;
    for (block, line) in lines.filter(|(_, line)| !line.trim().is_empty()).take(MOST_COMPARED) {
        let line = start(line);
        let likeness = strsim::normalized_levenshtein(&first, &line);
        if likeness > most {
            most = likeness;
            best = Some((block, line));
        }
        if most >= NEAR {
            break;
        }
    }
    best
}

/// The number of the line, from 1, in which a text begins.
fn line_of(text: &str, old: &str) -> usize {
    let text = visible(text);
    text.find(old).and_then(|at| text.get(..at)).map_or(1, |before| before.matches('\n').count() + 1)
}

/// The lines that differ between two texts, each side at most 400 characters.
pub fn changed_lines(before: &str, after: &str) -> (String, String) {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let skip = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let room = old.len().min(new.len()) - skip;
    let keep = old.iter().rev().zip(new.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
    let part = |lines: &[&str]| {
        let lines = lines.get(skip..lines.len() - keep).unwrap_or_default();
        lines.join("\n").chars().take(400).collect()
    };
    (part(&old), part(&new))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "- {: id=\"20250101000001-aaaaaaa\"}one `x`\u{200b} day\n  {: id=\"20250101000002-bbbbbbb\"}\n\n- {: id=\"20250101000003-ccccccc\"}two\n  {: id=\"20250101000004-ddddddd\"}\n{: id=\"20250101000005-eeeeeee\" custom-x=\"1\"}";

    fn edit<'a>(old: &'a str, new: &'a str) -> Edit<'a> {
        Edit { old, new, all: false }
    }

    #[test]
    fn edit_keeps_attributes_and_zero_width_spaces() {
        let out = in_kramdown(LIST, edit("`x` day", "`x` night")).unwrap();
        assert_eq!(out, LIST.replace("day", "night"));
        let out =
            in_kramdown("end\n{: id=\"20250101000001-aaaaaaa\"}", edit("end", "the end\n\nnew")).unwrap();
        assert_eq!(out, "the end\n\nnew\n{: id=\"20250101000001-aaaaaaa\"}");
    }

    #[test]
    fn edit_that_touches_nested_attributes_is_refused() {
        assert_eq!(in_kramdown(LIST, edit("day\n\n- two", "gone")), None);
        let out = in_kramdown(LIST, edit("day\n\n- two", "day\n\n- three")).unwrap();
        assert_eq!(out, LIST.replace("two", "three"));
    }

    #[test]
    fn span_attribute_list_is_edited_as_text() {
        let text = "a **b**{: style=\"color: red;\"} c\n{: id=\"20250101000001-aaaaaaa\"}";
        assert_eq!(in_kramdown(text, edit(" c", " d")).unwrap(), text.replace(" c\n", " d\n"));
    }

    fn blocks() -> Vec<Shown> {
        let shown = |id: &str, text: &str| Shown { id: id.into(), text: text.into() };
        vec![shown("1", "alpha beta"), shown("2", "beta\ngamma")]
    }

    #[test]
    fn edit_replaces_one_or_all_or_reports_the_count() {
        let mut shown = blocks();
        let error = in_shown(&mut shown, edit("beta", "x"), "edits[0]").unwrap_err();
        assert_eq!(
            error.details["places"],
            json!([{ "block": "1", "line": 1, "times": 1 }, { "block": "2", "line": 1, "times": 1 }])
        );
        assert_eq!(shown, blocks());
        let hits = in_shown(&mut shown, Edit { all: true, ..edit("beta", "x") }, "edits[0]").unwrap();
        assert_eq!((hits, shown[0].text.as_str()), (vec![(0, 1), (1, 1)], "alpha x"));
        let error = in_shown(&mut blocks(), edit("alpha betta", "x"), "edits[0]").unwrap_err();
        assert_eq!(error.details["nearest"]["block"], json!("1"));
        let error = in_shown(&mut blocks(), edit("alpha beta\n\nbeta", "x"), "edits[0]").unwrap_err();
        assert_eq!(error.details["blocks"], json!(["1", "2"]));
    }

    #[test]
    fn diff_shows_changed_lines_only() {
        assert_eq!(changed_lines("a\nb\nc", "a\nB\nc"), ("b".into(), "B".into()));
        assert_eq!(changed_lines("a", "a\nb"), (String::new(), "b".into()));
    }

    /// F10: multiplied replacements have a limit, and so has the length of an error.
    #[test]
    fn oversized_replacement_is_refused() {
        let mut shown = vec![Shown { id: "1".into(), text: "o".repeat(1_000) }];
        let long = "x".repeat(9_000);
        let error = in_shown(&mut shown, Edit { all: true, ..edit("o", &long) }, "edits[0]").unwrap_err();
        assert_eq!(error.fields[0].field, "edits[0].new");
        assert_eq!(shown[0].text.len(), 1_000);
        assert!(in_shown(&mut shown, Edit { all: true, ..edit("o", &long[..7_000]) }, "edits[0]").is_ok());
        let mut many: Vec<Shown> =
            (0..100).map(|at| Shown { id: at.to_string(), text: "o".into() }).collect();
        let error = in_shown(&mut many, edit("o", "x"), "edits[0]").unwrap_err();
        assert_eq!(error.details["places"].as_array().unwrap().len(), MOST_NAMED);
        let across = vec!["o"; 100].join("\n\n");
        let error = in_shown(&mut many, edit(&across, "x"), "edits[0]").unwrap_err();
        assert_eq!(error.details["blocks"].as_array().unwrap().len(), MOST_NAMED);
    }

    #[test]
    fn replace_all_edits_every_match_in_a_block() {
        let every = Edit { all: true, ..edit("o", "00") };
        let list = LIST.replace("two", "o o");
        assert_eq!(in_kramdown(&list, every), Some(list.replace("o o", "00 00").replace("one", "00ne")));
        assert_eq!(in_kramdown("aa", Edit { all: true, ..edit("a", "ab") }), Some("abab".to_owned()));
        assert_eq!(in_kramdown("aa", Edit { all: true, ..edit("a", "") }), Some(String::new()));
    }
}
