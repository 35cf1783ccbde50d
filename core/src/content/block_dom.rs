//! Blocks in editor DOM that the kernel printed: the place of each, and small changes.

use std::ops::Range;

use crate::id::BlockId;

/// A block in a piece of editor DOM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DomBlock<'d> {
    /// Its id.
    pub id: &'d str,
    /// Its first tag, without what it contains.
    pub tag: Range<usize>,
    /// All of it.
    pub whole: Range<usize>,
}

/// The blocks in editor DOM, inner ones included, in the order of their ends. One whose end is missing is left out.
pub fn blocks(dom: &str) -> Vec<DomBlock<'_>> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    let mut from = 0;
    while let Some(tag) = next_tag(dom, from) {
        from = tag.end;
        let text = dom.get(tag.clone()).unwrap_or_default();
        if starts(text, "<div") {
            open.push((attribute(text, "data-node-id"), tag));
        } else if starts(text, "</div")
            && let Some((id, start)) = open.pop()
            && let Some(id) = id
        {
            found.push(DomBlock { id, whole: start.start..tag.end, tag: start });
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

/// The first tag of a piece of editor DOM.
pub fn first_tag(dom: &str) -> &str {
    next_tag(dom, 0).and_then(|range| dom.get(range)).unwrap_or_default()
}

fn starts(tag: &str, name: &str) -> bool {
    tag.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', '>', '/']))
}

/// The value of an attribute in a tag, as the kernel escaped it.
pub fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    value_range(tag, name).and_then(|range| tag.get(range))
}

fn value_range(tag: &str, name: &str) -> Option<Range<usize>> {
    let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    let length = tag.get(start..)?.find('"')?;
    Some(start..start + length)
}

/// The editor DOM with other text in place of these parts, which do not overlap.
pub fn replaced(dom: &str, mut parts: Vec<(Range<usize>, String)>) -> String {
    parts.sort_by_key(|(range, _)| range.start);
    let (mut out, mut from) = (String::with_capacity(dom.len()), 0);
    for (range, text) in parts {
        out.push_str(dom.get(from..range.start).unwrap_or_default());
        out.push_str(&text);
        from = range.end;
    }
    out.push_str(dom.get(from..).unwrap_or_default());
    out
}

/// The editor DOM in which these task list items have another mark, at this time.
pub fn marked(dom: &str, items: &[BlockId], marker: char, now: &str) -> String {
    let is_open = marker == ' ';
    let mut parts = Vec::new();
    for block in blocks(dom).into_iter().filter(|it| items.iter().any(|id| id.as_str() == it.id)) {
        let tag = dom.get(block.tag.clone()).unwrap_or_default();
        let mut set = |name: &str, value: String| {
            let range = value_range(tag, name);
            parts.extend(range.map(|it| (block.tag.start + it.start..block.tag.start + it.end, value)));
        };
        set("data-task", escaped(marker));
        set("updated", now.to_owned());
        set("class", if is_open { "li" } else { "li protyle-task--done" }.to_owned());
        // The box is the first thing in the item.
        let (icon, other) =
            if is_open { ("#iconUncheck", "#iconCheck") } else { ("#iconCheck", "#iconUncheck") };
        let inside = dom.get(block.tag.end..block.whole.end).unwrap_or_default();
        let shown = format!("\"{other}\"");
        if let Some(at) =
            inside.find(&shown).filter(|at| inside.find("data-node-id").is_none_or(|id| at < &id))
        {
            let start = block.tag.end + at + 1;
            parts.push((start..start + other.len(), icon.to_owned()));
        }
    }
    replaced(dom, parts)
}

fn escaped(marker: char) -> String {
    match marker {
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '&' => "&amp;".to_owned(),
        '"' => "&quot;".to_owned(),
        other => other.to_string(),
    }
}

/// An empty paragraph.
pub fn blank(id: &BlockId) -> String {
    format!(
        "<div data-node-id=\"{id}\" data-type=\"NodeParagraph\" class=\"p\"><div contenteditable=\"true\" \
         spellcheck=\"false\"></div>{ATTRIBUTES}</div>"
    )
}

/// An item with an empty paragraph.
pub fn blank_item(item: &BlockId, paragraph: &BlockId) -> String {
    format!(
        "<div data-marker=\"*\" data-subtype=\"u\" data-node-id=\"{item}\" data-type=\"NodeListItem\" \
         class=\"li\"><div class=\"protyle-action\" draggable=\"true\"><svg><use \
         xlink:href=\"#iconDot\"></use></svg></div>{}{ATTRIBUTES}</div>",
        blank(paragraph)
    )
}

/// The strip for attributes at the end of a block.
const ATTRIBUTES: &str = "<div class=\"protyle-attr\" contenteditable=\"false\">\u{200b}</div>";

#[cfg(test)]
mod tests {
    use super::*;

    const ITEM: &str = "20250101000000-item000";
    const INNER: &str = "20250101000000-inner00";

    fn task(id: &str, mark: &str, class: &str, icon: &str, inside: &str) -> String {
        format!(
            "<div data-marker=\"*\" data-subtype=\"t\" data-task=\"{mark}\" data-node-id=\"{id}\" \
             data-type=\"NodeListItem\" class=\"{class}\" memo=\"a > b\" updated=\"20250101000000\"><div \
             class=\"protyle-action protyle-action--task\" draggable=\"true\"><svg><use \
             xlink:href=\"#icon{icon}\"></use></svg></div>{inside}</div>"
        )
    }

    #[test]
    fn blocks_are_found_inside_of_others() {
        let dom = task(ITEM, " ", "li", "Uncheck", &blank(&BlockId::parse(INNER).unwrap()));
        let found = blocks(&dom);
        let ids: Vec<&str> = found.iter().map(|it| it.id).collect();
        assert_eq!(ids, [INNER, ITEM]);
        assert_eq!(found[1].whole, 0..dom.len());
        assert!(dom[found[1].tag.clone()].ends_with("updated=\"20250101000000\">"));
        assert_eq!(&dom[found[0].whole.clone()], blank(&BlockId::parse(INNER).unwrap()));
    }

    /// Only the boxes of these items change, whatever is around them.
    #[test]
    fn marks_change_where_they_should() {
        let (item, inner) = (BlockId::parse(ITEM).unwrap(), BlockId::parse(INNER).unwrap());
        let open = |inside: &str| task(ITEM, " ", "li", "Uncheck", inside);
        let inside = task(INNER, " ", "li", "Uncheck", "");
        let done = marked(&open(&inside), std::slice::from_ref(&item), 'X', "20250102000000");
        let time = |dom: String| dom.replacen("updated=\"20250101000000\"", "updated=\"20250102000000\"", 1);
        let expected = task(ITEM, "X", "li protyle-task--done", "Check", "\u{1}");
        assert_eq!(done, time(expected).replace('\u{1}', &inside));
        let both = marked(&done, &[item.clone(), inner], ' ', "20250101000000");
        assert_eq!(both, open(&inside));
        assert!(marked(&open(""), &[item], '<', "1").contains("data-task=\"&lt;\""));
    }
}
