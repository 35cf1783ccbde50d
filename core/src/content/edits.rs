//! Exact-string edits: found in the text that a reader saw, made in the block's kramdown.
//!
//! A reader sees Markdown without block attribute lists and zero-width spaces; the kernel needs both back, or ids and
//! attributes are lost. So a match is found in a stripped copy that remembers the origin of each character, and the
//! replacement is made in the original.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::{Value, json};

use super::kramdown;
use crate::error::ToolError;
use crate::sorted::SharedSort as _;

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
/// The maximum number of lines whose likeness is computed: those that share the most letters with it.
const MOST_ALIKE: usize = 40;
/// The character that the kernel adds and a reader does not see.
const ZERO_WIDTH: char = '\u{200b}';
/// The likeness from which a line is named in an error, and from which the search for a better one stops.
const ALIKE: f64 = 0.5;
const NEAR: f64 = 0.9;

/// One replacement.
#[derive(Debug, Clone, Copy)]
pub struct TextEdit<'a> {
    /// The text to find.
    pub old: &'a str,
    /// The text to put there.
    pub new: &'a str,
    /// Every place instead of the only one.
    pub all: bool,
}

/// A top-level block with the text that a reader sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadableBlock {
    /// Its id.
    pub id: String,
    /// Its text.
    pub text: String,
}

/// Makes one edit in the shown blocks; returns the numbers of the changed blocks, each with its number of matches.
pub fn in_shown(
    blocks: &mut [ReadableBlock],
    edit: TextEdit<'_>,
    name: &str,
) -> Result<Vec<(usize, usize)>, ToolError> {
    let old = visible(edit.old);
    if old.is_empty() {
        return Err(ToolError::field(&format!("{name}.old"), "text that a reader sees"));
    }
    let hits: Vec<(usize, usize)> = blocks
        .iter()
        .enumerate()
        .map(|(at, block)| (at, visible(&block.text).matches(&*old).count()))
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
            block.text = visible(&block.text).replace(&*old, edit.new);
        }
    }
    Ok(hits)
}

/// Makes one edit in a block's kramdown; `None` if it would span a nested block's attributes.
pub fn in_kramdown(original: &str, edit: TextEdit<'_>) -> Option<String> {
    let mut stripped = StrippedKramdown::of(original.to_owned());
    stripped.edit(edit)?;
    Some(stripped.kramdown())
}

/// A text without zero-width spaces: the kernel adds them after code, tags and keys.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.contains(ZERO_WIDTH) { Cow::Owned(text.replace(ZERO_WIDTH, "")) } else { Cow::Borrowed(text) }
}

/// Kramdown as a reader sees it, with block attribute lists and zero-width spaces apart. They are sought once, however
/// many edits follow.
#[derive(Debug)]
pub struct StrippedKramdown {
    original: String,
    text: String,
    /// In their order.
    hidden: Vec<HiddenPart>,
}

/// A part of the original that `text` lacks.
#[derive(Debug, Clone)]
struct HiddenPart {
    /// The position in `text` before which it stands.
    at: usize,
    /// Its range in the original.
    range: Range<usize>,
    is_list: bool,
}

impl StrippedKramdown {
    /// Strips a block's kramdown.
    pub fn of(original: String) -> StrippedKramdown {
        let mut lists = block_lists(&original).into_iter().peekable();
        let (mut text, mut hidden) = (String::with_capacity(original.len()), Vec::<HiddenPart>::new());
        let mut from = 0;
        while let Some(rest) = original.get(from..).filter(|rest| !rest.is_empty()) {
            let list = lists.peek().map(|list| list.start.max(from));
            let space =
                rest.get(..list.map_or(rest.len(), |at| at - from)).and_then(|it| it.find(ZERO_WIDTH));
            let (at, end, is_list) = match (space, list) {
                (Some(space), _) => (from + space, from + space + ZERO_WIDTH.len_utf8(), false),
                (None, Some(at)) => (at, lists.next().map_or(at, |list| list.end), true),
                (None, None) => (original.len(), original.len(), false),
            };
            text.push_str(original.get(from..at).unwrap_or_default());
            if end > at {
                hidden.push(HiddenPart { at: text.len(), range: at..end, is_list });
            }
            from = end.max(from);
            if at == original.len() {
                break;
            }
        }
        StrippedKramdown { original, text, hidden }
    }

    /// Makes an edit and returns whether it changed something; `None` if it would span a nested block's attributes.
    pub fn edit(&mut self, edit: TextEdit<'_>) -> Option<bool> {
        let old = visible(edit.old);
        let (skip, keep) = common(&old, edit.new);
        let new = edit.new.get(skip..edit.new.len() - keep)?;
        let mut text = String::with_capacity(self.text.len());
        let mut hidden = Vec::with_capacity(self.hidden.len());
        let mut rest = self.hidden.iter().peekable();
        let mut done = 0;
        for (at, _) in self.text.match_indices(&*old) {
            let (from, to) = (at + skip, at + old.len() - keep);
            // If nothing is removed, the new text goes directly after the previous character.
            let is_before = |it: &&HiddenPart| it.at < from || (it.at == from && (from < to || from == 0));
            while let Some(it) = rest.next_if(is_before) {
                hidden.push(HiddenPart { at: text.len() + (it.at - done), ..it.clone() });
            }
            while let Some(it) = rest.next_if(|it| it.at < to) {
                if it.is_list {
                    return None;
                }
            }
            text.push_str(self.text.get(done..from)?);
            text.push_str(new);
            done = to;
        }
        hidden.extend(rest.map(|it| HiddenPart { at: text.len() + (it.at - done), ..it.clone() }));
        text.push_str(self.text.get(done..)?);
        let changed = text != self.text || hidden.len() != self.hidden.len();
        (self.text, self.hidden) = (text, hidden);
        if new.contains(ZERO_WIDTH) || new.contains("{:") {
            *self = StrippedKramdown::of(self.kramdown());
        }
        Some(changed)
    }

    /// The kramdown with its hidden parts.
    pub fn kramdown(&self) -> String {
        let mut out = String::with_capacity(self.original.len());
        let mut from = 0;
        for HiddenPart { at, range, .. } in &self.hidden {
            out.push_str(self.text.get(from..*at).unwrap_or_default());
            out.push_str(self.original.get(range.clone()).unwrap_or_default());
            from = *at;
        }
        out.push_str(self.text.get(from..).unwrap_or_default());
        out
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
fn absent(blocks: &[ReadableBlock], old: &str, name: &str) -> ToolError {
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
fn nearest<'a>(blocks: &'a [ReadableBlock], old: &str) -> Option<(&'a ReadableBlock, String)> {
    let start = |line: &str| line.chars().take(COMPARED).collect::<String>();
    let first = start(old.lines().find(|line| !line.trim().is_empty()).unwrap_or(old));
    let letters = sorted(&first);
    let lines = blocks.iter().flat_map(|block| block.text.lines().map(move |line| (block, line)));
    let lines = lines.filter(|(_, line)| !line.trim().is_empty()).take(MOST_COMPARED);
    let mut alike: Vec<(f64, &ReadableBlock, String)> = lines
        .map(|(block, line)| (block, start(line)))
        .map(|(block, line)| (at_most(&letters, &sorted(&line)), block, line))
        .filter(|(likeness, ..)| *likeness > ALIKE)
        .collect();
    alike.sort_shared_by(|(a, ..), (b, ..)| b.total_cmp(a));
    let mut best = None;
    let mut most = ALIKE;
    for (bound, block, line) in alike.into_iter().take(MOST_ALIKE) {
        if most >= NEAR || bound <= most {
            break;
        }
        let likeness = strsim::normalized_levenshtein(&first, &line);
        if likeness > most {
            most = likeness;
            best = Some((block, line));
        }
    }
    best
}

fn sorted(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().collect();
    letters.sort_unstable();
    letters
}

/// The likeness that two lines of these letters have at most, whatever the order of the letters.
fn at_most(a: &[char], b: &[char]) -> f64 {
    let (mut left, mut shared) = (b, 0);
    for letter in a {
        left = left.get(left.partition_point(|it| it < letter)..).unwrap_or_default();
        if let Some((_, rest)) = left.split_first().filter(|(it, _)| *it == letter) {
            (left, shared) = (rest, shared + 1);
        }
    }
    let part = |many: usize| f64::from(u32::try_from(many).unwrap_or(u32::MAX));
    part(shared) / part(a.len().max(b.len()).max(1))
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

    fn edit<'a>(old: &'a str, new: &'a str) -> TextEdit<'a> {
        TextEdit { old, new, all: false }
    }

    /// Edits one after the other are those of each result.
    #[test]
    fn edits_after_each_other_keep_hidden_parts() {
        let mut stripped = StrippedKramdown::of(LIST.to_owned());
        assert_eq!(stripped.kramdown(), LIST);
        assert_eq!(stripped.edit(edit("one", "1\u{200b}{: x")), Some(true));
        assert_eq!(stripped.edit(edit("`x` day", "`y` day")), Some(true));
        assert_eq!(stripped.edit(edit("two", "two three")), Some(true));
        assert_eq!(stripped.edit(edit("three", "three")), Some(false));
        let expected = LIST.replace("one", "1\u{200b}{: x").replace("`x`", "`y`").replace("two", "two three");
        assert_eq!(stripped.kramdown(), expected);
    }

    /// F10: the likeness of two lines takes time in proportion to the product of their lengths, so few are compared.
    #[test]
    fn lines_with_the_same_letters_are_compared_first() {
        let line = |at: usize| format!("{}{}", "x".repeat(at % 50), "y".repeat(60));
        let mut text: Vec<String> = (0..1_500).map(line).collect();
        text.push("a line about mint and sage".to_owned());
        let shown = [ReadableBlock { id: "1".into(), text: text.join("\n") }];
        let near = nearest(&shown, "a line about mint, sage and thyme").unwrap();
        assert_eq!(near.1, "a line about mint and sage");
        assert_eq!(at_most(&sorted("aabc"), &sorted("abbd")), 0.5);
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

    fn blocks() -> Vec<ReadableBlock> {
        let shown = |id: &str, text: &str| ReadableBlock { id: id.into(), text: text.into() };
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
        let hits = in_shown(&mut shown, TextEdit { all: true, ..edit("beta", "x") }, "edits[0]").unwrap();
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
        let mut shown = vec![ReadableBlock { id: "1".into(), text: "o".repeat(1_000) }];
        let long = "x".repeat(9_000);
        let error = in_shown(&mut shown, TextEdit { all: true, ..edit("o", &long) }, "edits[0]").unwrap_err();
        assert_eq!(error.fields[0].field, "edits[0].new");
        assert_eq!(shown[0].text.len(), 1_000);
        assert!(
            in_shown(&mut shown, TextEdit { all: true, ..edit("o", &long[..7_000]) }, "edits[0]").is_ok()
        );
        let mut many: Vec<ReadableBlock> =
            (0..100).map(|at| ReadableBlock { id: at.to_string(), text: "o".into() }).collect();
        let error = in_shown(&mut many, edit("o", "x"), "edits[0]").unwrap_err();
        assert_eq!(error.details["places"].as_array().unwrap().len(), MOST_NAMED);
        let across = vec!["o"; 100].join("\n\n");
        let error = in_shown(&mut many, edit(&across, "x"), "edits[0]").unwrap_err();
        assert_eq!(error.details["blocks"].as_array().unwrap().len(), MOST_NAMED);
    }

    #[test]
    fn replace_all_edits_every_match_in_a_block() {
        let every = TextEdit { all: true, ..edit("o", "00") };
        let list = LIST.replace("two", "o o");
        assert_eq!(in_kramdown(&list, every), Some(list.replace("o o", "00 00").replace("one", "00ne")));
        assert_eq!(in_kramdown("aa", TextEdit { all: true, ..edit("a", "ab") }), Some("abab".to_owned()));
        assert_eq!(in_kramdown("aa", TextEdit { all: true, ..edit("a", "") }), Some(String::new()));
    }

    /// F10: attribute lists are sought once, however many edits follow. So all edits together take less time than seeking
    /// for each of them.
    #[test]
    #[expect(clippy::disallowed_types, reason = "a test may measure")]
    fn edits_after_each_other_seek_attribute_lists_once() {
        let item = |at: usize| {
            format!(
                "* {{: id=\"20260101000000-{at:07}\"}}item {at} of the list\n  {{: id=\"20260101000001-{at:07}\"}}\n"
            )
        };
        let list: String = (0..3_000).map(item).collect();
        let shortest = |work: &dyn Fn()| {
            let each = (0..3).map(|_| {
                let began = std::time::Instant::now();
                work();
                began.elapsed()
            });
            each.min().unwrap()
        };
        let edited = shortest(&|| {
            let mut stripped = StrippedKramdown::of(list.clone());
            for at in 0..30 {
                let old = format!("item {at} of");
                assert_eq!(stripped.edit(TextEdit { old: &old, new: "x", all: false }), Some(true));
            }
        });
        let sought = shortest(&|| {
            for _ in 0..30 {
                drop(StrippedKramdown::of(list.clone()));
            }
        });
        println!("30 edits {edited:?}, sought 30 times {sought:?}");
        assert!(edited * 3 < sought, "30 edits {edited:?}, sought 30 times {sought:?}");
    }
}
