//! The attribute lists of a text: read strictly, because the parser reads loosely.
//!
//! They are printed again, or turned into text if they cannot be read.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::code::{MaskedText, mask};
use super::{ReplacedContent, is_protected, would_run, would_run_in_value};
use crate::content::kramdown::AttributeList;
use crate::content::style;
use crate::error::ToolError;
use crate::sorted::IntoSorted as _;

/// The maximum number of passes over a text from which attribute lists were removed.
const MOST_ROUNDS: usize = 8;

/// Attributes of blocks and cells that may be sent with any value that runs nothing where it is shown.
const PLAIN: [&str; 14] = [
    "id",
    "name",
    "alias",
    "memo",
    "bookmark",
    "fold",
    "heading-fold",
    "colspan",
    "rowspan",
    "breadcrumb",
    "ligatures",
    "linenumber",
    "linewrap",
    "lang",
];

/// A text with its attribute lists settled.
#[derive(Debug)]
pub(super) struct AttributedText {
    pub(super) markdown: String,
    /// The text with its code blanked out.
    pub(super) masked: MaskedText,
    /// Ids that were removed.
    pub(super) dropped: Vec<String>,
}

/// The kind of text at `{:`.
#[derive(Debug, PartialEq, Eq)]
enum BraceKind {
    /// Text that the parser does not read as a list.
    Text,
    /// A list in the one form that is read to its end.
    List(AttributeList, usize),
    /// Text that the parser may read as a list.
    Odd,
}

/// Drops ids and protected attributes that are new to the text.
///
/// Removing a list may turn code into text, so the text is read again until nothing changes.
pub(super) fn settle(markdown: String, kept: &ReplacedContent) -> Result<AttributedText, ToolError> {
    let (mut markdown, mut dropped) = (markdown, Vec::new());
    for _ in 0..=MOST_ROUNDS {
        let masked = mask(&markdown);
        let (next, more) = once(&markdown, &masked, kept)?;
        if next == markdown {
            return Ok(AttributedText { markdown, masked, dropped });
        }
        markdown = next;
        dropped.extend(more);
    }
    Err(ToolError::field("markdown", "Markdown without attribute lists in code; remove them"))
}

fn once(
    markdown: &str,
    masked: &MaskedText,
    kept: &ReplacedContent,
) -> Result<(String, Vec<String>), ToolError> {
    let mut dropped = Vec::new();
    let mut used = BTreeSet::new();
    let mut out = String::with_capacity(markdown.len());
    let mut from = 0;
    for (at, sort) in sorts(&masked.text) {
        out.push_str(markdown.get(from..at).unwrap_or_default());
        from = at;
        match sort {
            BraceKind::Text => {}
            BraceKind::Odd if masked.is_plain(at) => out.push('\\'),
            BraceKind::Odd => return Err(odd()),
            BraceKind::List(list, length) => {
                from = at + length;
                let list = allowed(&list, kept, &mut used, &mut dropped)?;
                if !list.is_empty() {
                    out.push_str(&list.to_string());
                }
            }
        }
    }
    out.push_str(markdown.get(from..).unwrap_or_default());
    Ok((out, dropped))
}

/// The part of a list that may be sent; nothing of a document's own list.
fn allowed(
    list: &AttributeList,
    kept: &ReplacedContent,
    used: &mut BTreeSet<String>,
    dropped: &mut Vec<String>,
) -> Result<AttributeList, ToolError> {
    if list.get("type") == Some("doc") {
        return Ok(AttributeList::default());
    }
    for (name, _) in list.iter() {
        if runs(name) {
            return Err(would_run("on...= attributes"));
        }
    }
    let mut list = judged(list, kept)?;
    let before = list.id().and_then(|id| kept.blocks.get(id));
    let known = before.is_some() && list.id().is_some_and(|id| used.insert(id.to_owned()));
    if !known {
        dropped.extend(list.id().map(str::to_owned));
        list.remove("id");
    }
    list.retain(|name, _| !is_protected(name));
    // Without them, the block would leave its database and its decks.
    for (name, value) in before.filter(|_| known).into_iter().flat_map(AttributeList::iter) {
        if is_protected(name) && name != "updated" {
            list.set(name, value);
        }
    }
    Ok(list)
}

/// A list whose styles are printed from our parse. SiYuan writes every attribute into its page, some of them as HTML. So
/// only known names pass, and attributes that the replaced text had.
fn judged(list: &AttributeList, kept: &ReplacedContent) -> Result<AttributeList, ToolError> {
    let mut out = AttributeList::default();
    for (name, value) in list.iter() {
        if kept.pairs.contains(&(name.to_owned(), value.to_owned())) {
            out.set(name, value);
            continue;
        }
        let Some(value) = printed(name, value) else {
            let expected = match name {
                "style" | "parent-style" | "colgroup" => format!("Markdown whose styles have {}", style::EXPECTED),
                _ => "Markdown whose attribute lists have only style, name, alias, memo, bookmark or custom-..., with values without active content".to_owned(),
            };
            return Err(ToolError::field("markdown", expected).with("attribute", name));
        };
        out.set(name, &value);
    }
    Ok(out)
}

/// Whether any agent may set an attribute of a block to a value.
pub(super) fn may_be_set(name: &str, value: &str) -> bool {
    name != "id" && !is_protected(name) && !runs(name) && printed(name, value).is_some()
}

/// The value of an attribute as it may be sent.
fn printed<'v>(name: &str, value: &'v str) -> Option<Cow<'v, str>> {
    match name {
        "style" | "parent-style" => style::printed(value).map(Cow::Owned),
        "colgroup" => style::printed_columns(value).map(Cow::Owned),
        // Of cells that are covered by a wider one.
        "class" => (value == "fn__none").then_some(Cow::Borrowed(value)),
        // SiYuan puts memos, names and aliases between the quotes of an attribute.
        _ => ((PLAIN.contains(&name) || name.starts_with("custom-") || is_protected(name))
            && !would_run_in_value(value))
        .then_some(Cow::Borrowed(value)),
    }
}

/// Whether a text contains something that only the parser may read as a list, or a list with active content, on a
/// line that none of the known texts has.
pub(super) fn is_odd(masked: &str, known: &[&str], pairs: &BTreeSet<(String, String)>) -> bool {
    let known: BTreeSet<&str> = known.iter().flat_map(|it| it.lines()).into_set();
    masked.lines().any(|line| {
        let odd = sorts(line).iter().any(|(_, sort)| match sort {
            BraceKind::Text => false,
            BraceKind::Odd => true,
            BraceKind::List(list, _) => {
                let is_known = |name: &str, value: &str| pairs.contains(&(name.to_owned(), value.to_owned()));
                list.iter().any(|(name, value)| {
                    runs(name) || (printed(name, value).is_none() && !is_known(name, value))
                })
            }
        });
        odd && !known.contains(line)
    })
}

fn runs(name: &str) -> bool {
    name.starts_with("on") || name == "srcdoc"
}

fn sorts(masked: &str) -> Vec<(usize, BraceKind)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = masked.get(from..).and_then(|rest| rest.find("{:")).map(|at| from + at) {
        let sort = sort(masked.get(at..).unwrap_or_default(), is_escaped(masked, at));
        from = at + if let BraceKind::List(_, length) = &sort { *length } else { 2 };
        found.push((at, sort));
    }
    found
}

fn is_escaped(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
}

fn sort(text: &str, escaped: bool) -> BraceKind {
    let behind = text.get(2..).unwrap_or_default();
    let first = behind.trim_start_matches([' ', '\t', '\n']);
    // Every attribute follows a blank and begins with one of these letters.
    let begins = first.starts_with(|it: char| it.is_ascii_alphabetic() || "_:".contains(it));
    if escaped || first.len() == behind.len() || !begins {
        return BraceKind::Text;
    }
    match AttributeList::parse(text) {
        Some((list, length)) if is_strict(&list) => BraceKind::List(list, length),
        _ => BraceKind::Odd,
    }
}

/// Whether every name is one that the kernel writes, and none occurs twice.
fn is_strict(list: &AttributeList) -> bool {
    let mut names = BTreeSet::new();
    list.iter().all(|(name, _)| {
        let plain = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-';
        name.starts_with(|it: char| it.is_ascii_lowercase())
            && name.bytes().all(plain)
            && names.insert(name.to_owned())
    })
}

fn odd() -> ToolError {
    ToolError::field(
        "markdown",
        "Markdown whose attribute lists have the form {: name=\"value\"} on one line, each name in small letters and once; put a backslash before the brace of other text, or write it in a fenced code block",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsed_attribute_list_is_known_or_odd() {
        for text in [
            "{: a='1'}",
            "{: a=1}",
            "{: a}",
            "{:\na=\"1\"}",
            "{: a=\"1\" b='2'}",
            "{: A=\"1\"}",
            "{: a=\"1\" a=\"2\"}",
            "{: _a=\"1\"}",
            "{: a.b=\"1\"}",
            "{: :a=\"1\"}",
            "{: a = '1'}",
            "{:\ta=\"1\" b}",
            "{: a=\"1",
            "{: a=\"1\n\"}",
        ] {
            assert_eq!(sort(text, false), BraceKind::Odd, "{text}");
        }
        for text in ["{:a=\"1\"}", "{: }", "{: .a}", "{: #a}", "{:ok, x}", "{:"] {
            assert_eq!(sort(text, false), BraceKind::Text, "{text}");
        }
        assert!(matches!(sort("{: a=\"1\" b-2 = \"x\" }z", false), BraceKind::List(_, 20)));
        assert_eq!(sort("{: a='1'}", true), BraceKind::Text);
    }

    #[test]
    fn even_number_of_backslashes_escapes_nothing() {
        assert!(is_escaped("\\{", 1) && !is_escaped("\\\\{", 2) && is_escaped("\\\\\\{", 3));
    }
}
