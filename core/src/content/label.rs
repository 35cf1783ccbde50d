//! Renaming labels: tags in text, tags of documents, bookmarks.

use std::collections::BTreeSet;

use super::incoming::would_run_in_value;
use super::tag::{self, Tag};
use crate::args::Checked;
use crate::cx::Cx;
use crate::error::ToolError;
use crate::render::visible::is_seen;

const SPAN: &str = "<span data-type=\"";
const END: &str = "</span>";

/// A label and its new name. Subtags follow their tag: `a/b` becomes `new/b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Renaming<'a> {
    /// The present name.
    pub from: &'a str,
    /// The new name.
    pub to: &'a str,
}

impl Renaming<'_> {
    /// The new name of a tag; `None` for one that is neither the label nor below it.
    pub fn of(self, tag: &str) -> Option<String> {
        let rest = tag.strip_prefix(self.from)?;
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{}{rest}", self.to))
    }

    /// A block's kramdown with its tags renamed, where marks are written as elements; `None` if it has no such tag.
    ///
    /// In this form text in code is escaped, so an element is always a real one.
    pub fn in_text(self, kramdown: &str) -> Option<String> {
        let mut out = String::with_capacity(kramdown.len());
        let (mut rest, mut renamed) = (kramdown, false);
        while let Some((before, from)) = rest.split_once(SPAN) {
            out.push_str(before);
            out.push_str(SPAN);
            rest = from;
            let Some((marks, text, end)) = element(from) else { continue };
            let is_tag = marks.split('"').next().is_some_and(|it| it.split(' ').any(|it| it == "tag"));
            if let Some(new) = self.of(&unescaped(text)).filter(|_| is_tag) {
                out.push_str(marks);
                out.push('>');
                out.push_str(&escaped(&new));
                rest = end;
                renamed = true;
            }
        }
        out.push_str(rest);
        renamed.then_some(out)
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

/// The marks and the text of an element whose marks this text begins with, and the rest from its end on. Both are
/// read up to the next bracket at most, because every other bracket is escaped.
fn element(text: &str) -> Option<(&str, &str, &str)> {
    let (marks, inside) = text.split_at_checked(text.find(['<', '>'])?)?;
    let inside = inside.strip_prefix('>')?;
    let (text, end) = inside.split_at_checked(inside.find('<')?)?;
    end.starts_with(END).then_some((marks, text, end))
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
    let renamed = labels.into_iter().filter_map(|it| Renaming { from, to }.of(it));
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
    Err(ToolError::field("new_label", "one line of text that a reader sees and that runs nothing"))
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

    const RED: Renaming<'_> = Renaming { from: "red", to: "r&b" };

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
        let back = Renaming { from: "r&b", to: "red" };
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
    fn merged_tags_are_listed_once() {
        assert_eq!(RED.in_list("a, red,r&b,red/dark"), "a,r&b,r&b/dark");
    }
}
