//! Blocks in editor DOM that the kernel printed: their parts, and the DOM without marks of databases.

use std::collections::BTreeMap;
use std::ops::Range;

/// The elements of blocks in a piece of editor DOM: their first tags, inner ones included, in its order.
fn block_tags(dom: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(tag) = next_tag(dom, from) {
        from = tag.end;
        let text = dom.get(tag.clone()).unwrap_or_default();
        if text.starts_with("<div ") && attribute(text, "data-node-id").is_some() {
            found.push(tag);
        }
    }
    found
}

/// The editor DOM of each block in a piece of it, inner ones included. One whose end is missing is left out.
pub fn parts(dom: &str) -> BTreeMap<&str, &str> {
    let (mut found, mut open) = (BTreeMap::new(), Vec::new());
    let mut from = 0;
    while let Some(tag) = next_tag(dom, from) {
        from = tag.end;
        let text = dom.get(tag.clone()).unwrap_or_default();
        if text.starts_with("<div") {
            open.push((attribute(text, "data-node-id"), tag.start));
        } else if text == "</div>"
            && let Some((Some(id), start)) = open.pop()
            && let Some(whole) = dom.get(start..tag.end)
        {
            found.insert(id, whole);
        }
    }
    found
}

/// The first tag from a position on. A closing angle bracket inside a quoted value does not end it.
fn next_tag(dom: &str, from: usize) -> Option<Range<usize>> {
    let start = from + dom.get(from..)?.find('<')?;
    let (mut quote, mut before) = (None, '<');
    for (at, it) in dom.get(start..)?.char_indices() {
        match (quote, it) {
            (Some(open), it) if open == it => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if before == '=' => quote = Some(it),
            (None, '>') => return Some(start..start + at + 1),
            (None, _) => {}
        }
        before = it;
    }
    None
}

/// The value of an attribute in a tag, as the kernel escaped it.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    attributes(tag).into_iter().find(|it| it.name == name).map(|it| it.value)
}

/// An attribute in a tag.
struct TagAttribute<'t> {
    name: &'t str,
    value: &'t str,
    /// Its place, with the space before it.
    whole: Range<usize>,
}

/// The attributes of a tag that have values in double quotes: the kernel writes no others at blocks.
fn attributes(tag: &str) -> Vec<TagAttribute<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((start, name, value)) = next_attribute(tag, from) {
        from = start + 1 + name.len() + 2 + value.len() + 1;
        found.push(TagAttribute { name, value, whole: start..from });
    }
    found
}

fn next_attribute(tag: &str, from: usize) -> Option<(usize, &str, &str)> {
    let start = from + tag.get(from..)?.find(' ')?;
    let (name, rest) = tag.get(start + 1..)?.split_once("=\"")?;
    let (value, _) = rest.split_once('"')?;
    Some((start, name, value))
}

/// The ids of the blocks in a piece of editor DOM, in its order.
pub fn ids(dom: &str) -> Vec<&str> {
    let tags = block_tags(dom).into_iter().filter_map(|tag| dom.get(tag));
    tags.filter_map(|tag| attribute(tag, "data-node-id")).collect()
}

/// Whether a piece of editor DOM is the whole of what it shows: no block is hidden below a folded heading, and none is
/// a database, with which SiYuan would change the documents of its rows.
pub fn is_self_contained(dom: &str) -> bool {
    let tags = block_tags(dom).into_iter().filter_map(|tag| dom.get(tag));
    tags.map(attributes).all(|attributes| {
        let is_hidden = attributes.iter().any(|it| matches!(it.name, "parent-heading" | "heading-fold"));
        let is = |kind: &str| attributes.iter().any(|it| it.name == "data-type" && it.value == kind);
        let is_folded = is("NodeHeading") && attributes.iter().any(|it| it.name == "fold");
        !is_hidden && !is_folded && !is("NodeAttributeView")
    })
}

/// The editor DOM in which no block is a row of a database or a flashcard. SiYuan removes rows with their blocks, so a
/// block that comes back with such a mark would name a row that does not exist.
pub fn without_rows(dom: &str) -> String {
    let (mut out, mut from) = (String::with_capacity(dom.len()), 0);
    for tag in block_tags(dom) {
        for it in attributes(dom.get(tag.clone()).unwrap_or_default()) {
            if is_of_rows(it.name) {
                out.push_str(dom.get(from..tag.start + it.whole.start).unwrap_or_default());
                from = tag.start + it.whole.end;
            }
        }
    }
    out.push_str(dom.get(from..).unwrap_or_default());
    out
}

fn is_of_rows(name: &str) -> bool {
    matches!(name, "custom-avs" | "av-names" | "custom-riff-decks") || name.starts_with("custom-sy-av-s-text")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(id: &str, kind: &str, more: &str, inside: &str) -> String {
        format!(
            "<div data-node-id=\"{id}\" data-type=\"{kind}\" class=\"p\"{more}><div contenteditable=\"true\">{inside}</div><div class=\"protyle-attr\"></div></div>"
        )
    }

    #[test]
    fn blocks_are_found_inside_of_others() {
        let inner = block("b", "NodeParagraph", " memo=\"a > b data-node-id=c\"", "x data-node-id=\"d\" y");
        let outer = block("a", "NodeBlockquote", "", &inner);
        assert_eq!(ids(&outer), ["a", "b"]);
        let both = format!("{outer}<div data-node-id=\"e\">");
        assert_eq!(parts(&both), BTreeMap::from([("a", outer.as_str()), ("b", inner.as_str())]));
    }

    #[test]
    fn marks_of_rows_are_removed_and_nothing_else() {
        let marks = " custom-avs=\"x,y\" memo=\"kept custom-avs=z\" av-names=\"&lt;b&gt;\" custom-sy-av-s-text-k=\"v\" custom-riff-decks=\"d\" custom-a=\"1\"";
        let dom =
            block("a", "NodeBlockquote", marks, &block("b", "NodeParagraph", marks, "custom-avs=\"t\""));
        let kept = " memo=\"kept custom-avs=z\" custom-a=\"1\"";
        let expected =
            block("a", "NodeBlockquote", kept, &block("b", "NodeParagraph", kept, "custom-avs=\"t\""));
        assert_eq!(without_rows(&dom), expected);
    }

    #[test]
    fn hidden_blocks_and_databases_are_not_self_contained() {
        let inside = |kind: &str, more: &str| {
            is_self_contained(&block("a", "NodeSuperBlock", "", &block("b", kind, more, "x")))
        };
        assert!(inside("NodeParagraph", "") && inside("NodeList", " fold=\"1\""));
        assert!(!inside("NodeParagraph", " parent-heading=\"h\""));
        assert!(!inside("NodeHeading", " fold=\"1\""));
        assert!(!inside("NodeAttributeView", ""));
    }
}
