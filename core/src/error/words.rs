//! The kernel's own messages, cleaned: they name what lies in closed notebooks, and folders of the machine (B-087).

use std::ops::Range;

use crate::id::is_node_id;

/// The length of an id.
const ID: usize = 22;
/// Stands for what was left out.
const LEFT_OUT: char = '…';
const SEPARATORS: [char; 2] = ['/', '\\'];
/// Marks around names, with the mark that ends them.
const PAIRS: [(char, char); 13] = [
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('(', ')'),
    ('[', ']'),
    ('{', '}'),
    ('<', '>'),
    ('“', '”'),
    ('‘', '’'),
    ('«', '»'),
    ('「', '」'),
    ('《', '》'),
    ('【', '】'),
];

/// The refusal of a request in the kernel's words. Ids, paths, quoted and bracketed text are left out unless the call
/// itself contains them.
pub(crate) fn refusal(message: &str, call: &[&str]) -> String {
    format!("SiYuan refused: {}", cleaned(message, call))
}

fn cleaned(message: &str, call: &[&str]) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    let mut before = None;
    while let Some(character) = rest.chars().next() {
        let (name, length) = name_at(rest, before, call).unwrap_or((0..0, character.len_utf8()));
        let (taken, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let own = taken.get(name.clone()).unwrap_or_default();
        if name.is_empty() || call.contains(&own) {
            out.push_str(taken);
        } else {
            out.push_str(taken.get(..name.start).unwrap_or_default());
            out.push(LEFT_OUT);
            out.push_str(taken.get(name.end..).unwrap_or_default());
        }
        before = taken.chars().next_back();
        rest = after;
    }
    out
}

/// The range of the name that a text begins with, and its length together with the marks around it.
fn name_at(text: &str, before: Option<char>, call: &[&str]) -> Option<(Range<usize>, usize)> {
    if let Some(length) = path(text, before) {
        return Some((0..length, length));
    }
    if text.get(..ID).is_some_and(is_node_id) {
        return Some((0..ID, ID));
    }
    enclosed(text, before, call)
}

/// The text between the mark that this one begins with and the last one that ends it, because names contain such marks
/// too; without one, to the end. What the call itself contains ends earlier.
fn enclosed(text: &str, before: Option<char>, call: &[&str]) -> Option<(Range<usize>, usize)> {
    let first = text.chars().next()?;
    let (_, close) = PAIRS.into_iter().find(|(open, _)| *open == first)?;
    // An apostrophe within a word opens nothing.
    if first == '\'' && before.is_some_and(|it| it.is_ascii_alphanumeric()) {
        return None;
    }
    let start = first.len_utf8();
    let inner = text.get(start..)?;
    let mut ends = inner.match_indices(close).map(|(at, _)| at);
    let own = ends.clone().find(|end| inner.get(..*end).is_some_and(|it| call.contains(&it)));
    Some(match own.or(ends.next_back()) {
        Some(end) => (start..start + end, start + end + close.len_utf8()),
        None => (start..text.len(), text.len()),
    })
}

/// The length of the path that a text begins with, if any: one of titles, or one of this machine.
fn path(text: &str, before: Option<char>) -> Option<usize> {
    if before.is_some_and(|it| it.is_ascii_alphanumeric() || SEPARATORS.contains(&it)) {
        return None;
    }
    let drive = text
        .get(..2)
        .is_some_and(|it| it.starts_with(|it: char| it.is_ascii_alphabetic()) && it.ends_with(':'));
    let root = if drive { text.get(2..)? } else { text.strip_prefix('~').unwrap_or(text) };
    // After a scheme's colon, two slashes begin a host name, except for `file:`.
    if before == Some(':') && root.starts_with("//") && !root.starts_with("///") {
        return None;
    }
    let first = root.strip_prefix(SEPARATORS)?.trim_start_matches(SEPARATORS).chars().next();
    if first.is_none_or(char::is_whitespace) {
        return None;
    }
    // Titles may contain blanks: the last segment extends to a mark that ends it, or else to a blank.
    let last = text.rfind(SEPARATORS)? + 1;
    let name = text.get(last..)?;
    let mark =
        [": ", ", ", "; ", "\n", "\"", "'", "`", ")", "]", ">"].iter().filter_map(|it| name.find(it)).min();
    Some(last + mark.or_else(|| name.find(char::is_whitespace)).unwrap_or(name.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-087: ids, paths, quoted and bracketed text are left out, wherever in a word they begin.
    #[test]
    fn names_in_kernel_messages_are_left_out() {
        for (message, clean) in [
            ("open /home/ana/notes/data/x.sy: no such file", "open …: no such file"),
            (r"open C:\Users\ana\x.sy failed", "open … failed"),
            ("path=/home/ana/x", "path=…"),
            ("failed (/home/ana/notes/a.sy), again", "failed (…), again"),
            (r"rename [C:\Users\ana\x.sy] failed", "rename […] failed"),
            (r"open:\\server\ana\x.sy", "open:…"),
            ("open '/Users/Ana Maria/notes/x.sy' failed", "open '…' failed"),
            ("open /Users/Ana Maria/notes/x.sy: denied", "open …: denied"),
            ("stat ~/notes/x.sy: denied", "stat …: denied"),
            ("no folder /home/ana", "no folder …"),
            ("the block 20250101000000-secret0 is gone", "the block … is gone"),
            ("a document \"Letter to Ana\" exists", "a document \"…\" exists"),
            ("文档《Ana》已存在", "文档《…》已存在"),
            ("doc [Ana [the second]] is locked", "doc […] is locked"),
            ("doc [Ana] the second] is locked", "doc […] is locked"),
            ("a document 'Ana's letters' exists", "a document '…' exists"),
            ("文档\"Ana\"已存在", "文档\"…\"已存在"),
            ("文档/Ana/x 已存在", "文档… 已存在"),
            ("no document /Ana", "no document …"),
            ("no document /Letters, open/Ana and others", "no document … and others"),
            ("cut off \"Letter to Ana", "cut off \"…"),
        ] {
            assert_eq!(cleaned(message, &[]), clean);
        }
        for kept in [
            "and/or 1/2",
            "see https://b3log.org/siyuan/help for more",
            "block 1/2/3",
            "a: b",
            "a / b",
            "nothing ()",
            "it can't",
            "",
            "/",
        ] {
            assert_eq!(cleaned(kept, &[]), kept);
        }
    }

    /// B-087: what the caller wrote is no secret to it; a part of it is no proof.
    #[test]
    fn the_callers_own_words_stay() {
        let id = "20250101000000-garden0";
        let message = format!("no [{id}] and no {id} named \"Ana\" in \"Beds\" at /Garden/Beds");
        assert_eq!(cleaned(&message, &[id, "Ana", "Beds", "/Garden/Beds"]), message);
        assert_eq!(cleaned(&message, &["Ana and others"]), "no […] and no … named \"…\" at …");
    }
}
