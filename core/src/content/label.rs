//! Renaming and removing labels: tags in text, tags of documents, bookmarks.

use std::collections::BTreeSet;

use super::incoming::would_run_in_value;
use super::tag::{self, Tag};
use crate::args::Checked;
use crate::cx::Cx;
use crate::error::ToolError;
use crate::visible::is_seen;

const SPAN: &str = "<span data-type=\"";
const END: &str = "</span>";
/// Stands beside elements in SiYuan's texts.
const UNSEEN: char = '\u{200b}';

/// A label and its new name. Subtags follow their tag: `a/b` becomes `new/b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LabelRename<'a> {
    /// The present name.
    pub from: &'a str,
    /// The new name.
    pub to: &'a str,
}

impl LabelRename<'_> {
    /// The new name of a tag; `None` for one that is neither the label nor below it.
    pub fn of(self, tag: &str) -> Option<String> {
        let rest = tag.strip_prefix(self.from)?;
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{}{rest}", self.to))
    }

    /// A block's kramdown with its tags renamed, where marks are written as elements; `None` if it has no such tag.
    pub fn in_text(self, kramdown: &str) -> Option<String> {
        with_tags(kramdown, |tag| {
            let new = self.of(&unescaped(tag.text))?;
            Some(format!("{SPAN}{}\"{}>{}{END}", tag.types, tag.rest, escaped(&new)))
        })
    }

    /// The tags of a document, as the kernel stores them, with this one renamed and duplicates removed.
    pub fn in_list(self, tags: &str) -> String {
        let mut seen = BTreeSet::new();
        let tags = tags.split(',').map(str::trim).filter(|it| !it.is_empty());
        let mut all: Vec<String> = tags.map(|tag| self.of(tag).unwrap_or_else(|| tag.to_owned())).collect();
        all.retain(|tag| seen.insert(tag.clone()));
        all.join(",")
    }
}

/// A label that is taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LabelRemoval<'a> {
    /// The label.
    pub label: &'a str,
    /// Whether its subtags go too.
    pub subtags: bool,
    /// Whether the tagged words stay as plain text.
    pub keeps_words: bool,
}

impl LabelRemoval<'_> {
    fn has(self, tag: &str) -> bool {
        tag.strip_prefix(self.label)
            .is_some_and(|rest| rest.is_empty() || (self.subtags && rest.starts_with('/')))
    }

    /// A block's kramdown without these tags, where marks are written as elements; `None` if it has none of them.
    /// Other marks of the words stay.
    pub fn in_text(self, kramdown: &str) -> Option<String> {
        with_tags(kramdown, |tag| {
            let words = unescaped(tag.text);
            if !self.has(&words) {
                return None;
            }
            let types: Vec<&str> = tag.types.split(' ').filter(|it| *it != "tag").collect();
            Some(match (self.keeps_words, types.is_empty()) {
                (false, _) => String::new(),
                (true, true) => plain(&words),
                (true, false) => format!("{SPAN}{}\"{}>{}{END}", types.join(" "), tag.rest, tag.text),
            })
        })
    }

    /// The tags of a document, as the kernel stores them, without these; `None` if it has none of them.
    pub fn in_list(self, tags: &str) -> Option<String> {
        let all: Vec<&str> = tags.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
        let kept: Vec<&str> = all.iter().copied().filter(|tag| !self.has(tag)).collect();
        (kept.len() < all.len()).then(|| kept.join(","))
    }
}

/// An element that marks a tag: `<span data-type="types"rest>text</span>`.
struct TagElement<'a> {
    types: &'a str,
    rest: &'a str,
    text: &'a str,
}

/// A block's kramdown with some of its tags replaced, each as a whole element; `None` if none is.
///
/// In this form text in code is escaped, so an element is always a real one.
fn with_tags(kramdown: &str, change: impl Fn(TagElement<'_>) -> Option<String>) -> Option<String> {
    let mut out = String::with_capacity(kramdown.len());
    let (mut rest, mut changed) = (kramdown, false);
    while let Some((before, from)) = rest.split_once(SPAN) {
        out.push_str(before);
        rest = from;
        let tag = element(from).filter(|(tag, _)| tag.types.split(' ').any(|it| it == "tag"));
        let Some((new, end)) = tag.and_then(|(tag, end)| Some((change(tag)?, end))) else {
            out.push_str(SPAN);
            continue;
        };
        rest = end;
        if !new.starts_with(SPAN) {
            // SiYuan keeps elements apart from other text by characters that nobody sees.
            rest = rest.strip_prefix(UNSEEN).unwrap_or(rest);
            out.truncate(out.strip_suffix(UNSEEN).unwrap_or(&out).len());
        }
        if new.is_empty() && (out.is_empty() || out.ends_with([' ', '\n'])) {
            // Of the blanks on both sides of words that go, one is enough.
            rest = rest.strip_prefix(' ').unwrap_or(rest);
        }
        out.push_str(&new);
        changed = true;
    }
    out.push_str(rest);
    changed.then_some(out)
}

/// The element that this text goes on with after `<span data-type="`, and what follows it. Marks and text are read up
/// to the next bracket at most, because every other bracket is escaped.
fn element(text: &str) -> Option<(TagElement<'_>, &str)> {
    let (marks, inside) = text.split_at_checked(text.find(['<', '>'])?)?;
    let inside = inside.strip_prefix('>')?;
    let (text, end) = inside.split_at_checked(inside.find('<')?)?;
    let (types, rest) = marks.split_once('"')?;
    Some((TagElement { types, rest, text }, end.strip_prefix(END)?))
}

/// Words as kramdown that means nothing else: what could be read as markup is escaped.
fn plain(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    let (mut is_start, mut is_number) = (true, true);
    for letter in words.chars() {
        let begins_a_block =
            (is_start && matches!(letter, '-' | '+')) || (is_number && matches!(letter, '.' | ')'));
        if begins_a_block || "\\`*_{}[]()#!|~^=<>&$:".contains(letter) {
            out.push('\\');
        }
        out.push(letter);
        is_start = false;
        is_number &= letter.is_ascii_digit();
    }
    out
}

/// Checks a new name for a tag: it never turns tagged documents into prompts, not even through a subtag.
pub fn new_tag<'l>(
    from: &str,
    to: &str,
    labels: impl IntoIterator<Item = &'l str>,
    cx: &Cx<'_>,
) -> Result<(), ToolError> {
    let wrong = |expected: &str| Err(ToolError::field("new_label", expected));
    let to = match Tag::parse(to) {
        Ok(it) if it.as_str() == to && !to.contains('<') && !to.starts_with('/') && !to.ends_with('/') => to,
        Ok(_) => return wrong("a tag without blanks or / at its ends and without <"),
        Err(expected) => return wrong(expected),
    };
    let renamed = labels.into_iter().filter_map(|it| LabelRename { from, to }.of(it));
    for label in std::iter::once(to.to_owned()).chain(renamed) {
        tag::refuse_prompt(
            "new_label",
            &[Tag::parse(&label).map_err(|it| ToolError::field("new_label", it))?],
            cx,
        )?;
    }
    Ok(())
}

/// Checks a new name for a bookmark.
pub fn new_bookmark(to: &str) -> Result<(), ToolError> {
    let plain = to.trim() == to && to.chars().any(is_seen) && !to.contains(char::is_control);
    if plain && !would_run_in_value(to) {
        return Ok(());
    }
    Err(ToolError::field("new_label", "one line of visible text and that runs nothing"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: LabelRename<'_> = LabelRename { from: "red", to: "r&b" };

    #[test]
    fn renaming_a_tag_renames_subtags_but_no_other_word() {
        assert_eq!(RED.of("red"), Some("r&b".to_owned()));
        assert_eq!(RED.of("red/dark"), Some("r&b/dark".to_owned()));
        for other in ["reds", "infrared", "Red", "dark/red", ""] {
            assert_eq!(RED.of(other), None, "{other}");
        }
    }

    /// The kernel's print in this form: code is escaped, marks may be joined.
    #[test]
    fn renaming_changes_tags_in_text_only() {
        let text = "red <span data-type=\"tag\">red/dark</span> <span data-type=\"strong tag\" style=\"x\">red</span> \
                    <span data-type=\"code\">&lt;span data-type=\"tag\"&gt;red</span> <span data-type=\"strong\">red</span> \
                    <span data-type=\"tag\">reds</span>\n{: id=\"x\"}";
        let renamed = RED.in_text(text).unwrap();
        let expected = text.replace("tag\">red/", "tag\">r&amp;b/").replace("\"x\">red<", "\"x\">r&amp;b<");
        assert_eq!(renamed, expected);
        assert_eq!(RED.in_text("red <span data-type=\"tag\">reds</span>"), None);
        let back = LabelRename { from: "r&b", to: "red" };
        assert_eq!(back.in_text(&renamed).unwrap(), text);
    }

    #[test]
    fn renaming_leaves_truncated_markup_unchanged() {
        for broken in ["<span data-type=\"", "<span data-type=\"tag", "<span data-type=\"tag\">red", "<span"]
        {
            assert_eq!(RED.in_text(broken), None, "{broken}");
        }
    }

    #[test]
    fn removing_a_tag_keeps_words_and_other_marks() {
        let removing = LabelRemoval { label: "red", subtags: false, keeps_words: true };
        let text = "a <span data-type=\"tag\">red</span> <span data-type=\"strong tag\" style=\"x\">red</span> \
                    <span data-type=\"tag\">red/dark</span> <span data-type=\"code\">red</span>";
        let expected = "a red <span data-type=\"strong\" style=\"x\">red</span> \
                        <span data-type=\"tag\">red/dark</span> <span data-type=\"code\">red</span>";
        assert_eq!(removing.in_text(text).as_deref(), Some(expected));
        assert_eq!(removing.in_text(expected), None);
        let dropping = LabelRemoval { subtags: true, keeps_words: false, ..removing };
        assert_eq!(dropping.in_text(text).as_deref(), Some("a <span data-type=\"code\">red</span>"));
        let apart = "\u{200b}<span data-type=\"tag\">red</span>\u{200b} b <span data-type=\"strong tag\">red</span>\u{200b}";
        let strong = "<span data-type=\"strong\">red</span>\u{200b}";
        assert_eq!(removing.in_text(apart), Some(format!("red b {strong}")));
        assert_eq!(dropping.in_text(apart).as_deref(), Some("b "));
        assert_eq!(removing.in_list("a, red,red/dark").as_deref(), Some("a,red/dark"));
        assert_eq!(dropping.in_list("red,red/dark").as_deref(), Some(""));
        assert_eq!(removing.in_list("a,reds"), None);
    }

    /// Words that were a tag never become markup: no list, no reference, no other mark.
    #[test]
    fn words_of_a_removed_tag_are_plain_text() {
        for (label, left) in [
            ("- red", "\\- red"),
            ("1. red", "1\\. red"),
            ("v1.2-b", "v1.2-b"),
            ("((x))", "\\(\\(x\\)\\)"),
            ("R&D", "R\\&D"),
            ("a/b", "a/b"),
        ] {
            let text = format!("<span data-type=\"tag\">{}</span>", escaped(label));
            let removing = LabelRemoval { label, subtags: false, keeps_words: true };
            assert_eq!(removing.in_text(&text).as_deref(), Some(left), "{label}");
        }
    }

    #[test]
    fn merged_tags_are_listed_once() {
        assert_eq!(RED.in_list("a, red,r&b,red/dark"), "a,r&b,r&b/dark");
    }
}
