//! The kernel's own messages, cleaned: they name what lies in closed notebooks, and folders of the machine (B-087).

use crate::id::is_node_id;

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
    while let Some(letter) = rest.chars().next() {
        let (kept, length) = if let Some(length) = absolute_path(rest, before) {
            (String::new(), length)
        } else if let Some(inner) = enclosed(rest, before) {
            let (open, close) = (letter.len_utf8(), rest.len() - inner.rest);
            match call.contains(&inner.text) {
                true => (rest.get(..close).unwrap_or_default().to_owned(), close),
                false => {
                    let end = rest.get(open + inner.text.len()..close).unwrap_or_default();
                    (format!("{letter}{LEFT_OUT}{end}"), close)
                }
            }
        } else if let Some(id) = rest.get(..22).filter(|it| is_node_id(it)) {
            (if call.contains(&id) { id.to_owned() } else { String::new() }, 22)
        } else {
            (letter.to_string(), letter.len_utf8())
        };
        if kept.is_empty() {
            out.push(LEFT_OUT);
        }
        out.push_str(&kept);
        let (taken, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        before = taken.chars().next_back();
        rest = after;
    }
    out
}

/// Text between marks.
struct Enclosed<'a> {
    text: &'a str,
    /// Bytes behind the mark that ends it.
    rest: usize,
}

/// The text between the marks at the start of this one; to its end if the second mark is missing.
fn enclosed(text: &str, before: Option<char>) -> Option<Enclosed<'_>> {
    let first = text.chars().next()?;
    let (open, close) = PAIRS.into_iter().find(|(open, _)| *open == first)?;
    // An apostrophe within a word opens nothing.
    if open == close && before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let inner = text.get(first.len_utf8()..)?;
    let mut depth = 1_usize;
    for (at, letter) in inner.char_indices() {
        if letter == close {
            depth -= 1;
        } else if letter == open {
            depth += 1;
        }
        if depth == 0 {
            let rest = inner.len() - at - close.len_utf8();
            return Some(Enclosed { text: inner.get(..at)?, rest });
        }
    }
    Some(Enclosed { text: inner, rest: 0 })
}

/// The length of the absolute path that a text begins with, if any.
fn absolute_path(text: &str, before: Option<char>) -> Option<usize> {
    if before.is_some_and(|it| it.is_alphanumeric() || SEPARATORS.contains(&it)) {
        return None;
    }
    let drive = text
        .get(..2)
        .is_some_and(|it| it.starts_with(|it: char| it.is_ascii_alphabetic()) && it.ends_with(':'));
    let root = if drive { text.get(2..)? } else { text.strip_prefix('~').unwrap_or(text) };
    // After a scheme's colon, two slashes begin a host name, except for `file:`.
    if !root.starts_with(SEPARATORS)
        || (before == Some(':') && root.starts_with("//") && !root.starts_with("///"))
    {
        return None;
    }
    // Folder names may contain blanks: a path extends to its last separator before a character that ends it.
    let end =
        [": ", ", ", "; ", "\n", "\"", "'", "`", ")", "]", ">"].iter().filter_map(|it| text.find(it)).min();
    let most = text.get(..end.unwrap_or(text.len()))?;
    let last = most.rfind(SEPARATORS)?;
    let name = most.get(last + 1..)?;
    let length = last + 1 + name.find(char::is_whitespace).unwrap_or(name.len());
    let separators = most.matches(SEPARATORS).count();
    (separators > 1 || drive).then_some(length)
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
            ("cut off \"Letter to Ana", "cut off \"…"),
        ] {
            assert_eq!(cleaned(message, &[]), clean);
        }
        for kept in [
            "and/or 1/2",
            "see https://b3log.org/siyuan/help for more",
            "block 1/2/3",
            "a: b",
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
        let message = format!("no [{id}] and no {id} named \"Ana\"");
        assert_eq!(cleaned(&message, &[id, "Ana"]), message);
        assert_eq!(cleaned(&message, &["Ana and others"]), "no […] and no … named \"…\"");
    }
}
