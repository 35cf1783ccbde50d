//! Lays out objects that hold lists of objects as a tree.

use serde_json::{Map, Value};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::branches::branches;
use super::paint::{Style, painted};
use super::view::View;
use super::words::{is_id, said, title};

/// The fields by which a person knows a thing, best first.
const NAMES: [&str; 7] = ["title", "name", "text", "front", "hpath", "path", "label"];
/// The least columns of a name; with fewer its id goes to the next line.
const NARROWEST: usize = 20;
/// The mark in place of the rest of a text.
const CUT: &str = "…";

/// One line of the tree.
struct Node<'a> {
    depth: usize,
    fields: &'a Map<String, Value>,
}

/// Whether one of these objects holds a list of objects.
pub(crate) fn is_tree(rows: &[&Map<String, Value>]) -> bool {
    rows.iter().any(|row| row.values().any(|it| children(it).is_some()))
}

/// Lays out the objects, each with the objects that it holds below it.
pub(crate) fn tree(view: &View, rows: &[&Map<String, Value>]) -> String {
    let mut nodes = Vec::new();
    rows.iter().for_each(|row| add(&mut nodes, row, 0));
    let depths: Vec<usize> = nodes.iter().map(|it| it.depth).collect();
    let mut out = Vec::with_capacity(nodes.len());
    for (at, (node, branch)) in nodes.iter().zip(branches(&depths)).enumerate() {
        let has_children = depths.get(at + 1).is_some_and(|next| *next > node.depth);
        out.extend(lines(view, node, &branch, has_children));
    }
    out.join("\n")
}

fn children(value: &Value) -> Option<Vec<&Map<String, Value>>> {
    let items = value.as_array().filter(|it| !it.is_empty())?;
    items.iter().map(Value::as_object).collect()
}

fn add<'a>(nodes: &mut Vec<Node<'a>>, fields: &'a Map<String, Value>, depth: usize) {
    nodes.push(Node { depth, fields });
    for child in fields.values().filter_map(children).flatten() {
        add(nodes, child, depth + 1);
    }
}

/// The name with its id, and a line of the other fields.
fn lines(view: &View, node: &Node<'_>, branch: &str, has_children: bool) -> Vec<String> {
    let Node { fields, .. } = node;
    let name =
        NAMES.into_iter().find(|it| fields.get(*it).and_then(Value::as_str).is_some_and(|it| !it.is_empty()));
    let name = name.or_else(|| {
        fields.iter().find(|(_, it)| !is_id(it) && children(it).is_none()).map(|(key, _)| key.as_str())
    });
    let id = fields
        .get("id")
        .filter(|it| is_id(it) && !view.hides_ids)
        .map(|it| said(view, "id", it))
        .unwrap_or_default();
    let mut more: Vec<String> = Vec::new();
    for (key, value) in *fields {
        let is_shown_already = Some(key.as_str()) == name || key == "id" || Some(value) == fields.get("id");
        let is_hidden = view.hides_ids && is_id(value) && key != "notebook";
        if !is_shown_already && !is_hidden && children(value).is_none() {
            more.push(format!("{} {}", title(key), painted(&said(view, key, value), false)));
        }
    }
    let name = name.and_then(|key| Some(said(view, key, fields.get(key)?))).unwrap_or_default();
    let room = view.width.unwrap_or(usize::MAX).saturating_sub(branch.width() + 1);
    let beside = room.saturating_sub(id.width() + 2);
    let below = below(branch, has_children);
    let mut out = Vec::new();
    let mut line = |branch: &str, text: &str| out.push(format!(" {branch}{text}").trim_end().to_owned());
    let gap = if name.is_empty() || id.is_empty() { "" } else { "  " };
    let all = more.join(" · ");
    if name.width() + gap.width() + id.width() + all.width() + 2 <= room {
        let gap_before = if all.is_empty() || (name.is_empty() && id.is_empty()) { "" } else { "  " };
        line(branch, &format!("{name}{gap}{id}{gap_before}{}", Style::Faint.on(&all)));
        return out;
    }
    if name.width() <= beside || beside >= NARROWEST {
        line(branch, &format!("{}{gap}{id}", cut(&name, beside)));
    } else {
        line(branch, &cut(&name, room));
        line(&below, &id);
    }
    for more in joined(&more, room.saturating_sub(3)) {
        line(&below, &format!("  {}", Style::Faint.on(&more)));
    }
    out
}

/// Short texts joined to lines of at most so many columns.
fn joined(texts: &[String], room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for text in texts.iter().map(|it| cut(it, room)) {
        match lines.last_mut() {
            Some(line) if line.width() + text.width() + 3 <= room => line.push_str(&format!(" · {text}")),
            _ => lines.push(text),
        }
    }
    lines
}

/// The branches in front of the further lines of a row.
fn below(branch: &str, has_children: bool) -> String {
    let own = branch.replace("├─", "│ ").replace("└─", "  ");
    own + if has_children { "│" } else { " " }
}

/// The text in at most so many columns.
fn cut(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut left = room.saturating_sub(CUT.width());
    let fits = |letter: &char| {
        let width = letter.width().unwrap_or_default();
        let fits = width <= left;
        left = left.saturating_sub(width);
        fits
    };
    text.chars().take_while(fits).collect::<String>() + CUT
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::objects;
    use super::*;

    const ID: &str = "20250101000000-abcdefg";

    fn laid(width: Option<usize>, rows: &Value) -> Vec<String> {
        let rows = objects(rows.as_array().unwrap()).unwrap();
        assert!(is_tree(&rows));
        let view = View { width, ..View::default() };
        painted(&tree(&view, &rows), false).lines().map(str::to_owned).collect()
    }

    /// B-099: what a document holds stands below it, with its id.
    #[test]
    fn lists_of_objects_are_branches() {
        let rows = json!([
            { "id": ID, "doc": ID, "hpath": "/Tea", "updated": "2025", "blocks": [{ "id": ID, "text": "Mint" }, { "id": ID, "text": "Sage", "type": "p" }] },
            { "hpath": "/", "blocks": [] },
        ]);
        let due = [
            &format!(" /Tea  {ID}  updated 2025"),
            &format!(" ├─ Mint  {ID}"),
            &format!(" └─ Sage  {ID}  type p"),
            " /  blocks none",
        ];
        assert_eq!(laid(None, &rows), due);
        let due = [
            &format!(" /Tea  {ID}"),
            " │  updated 2025",
            &format!(" ├─ Mint  {ID}"),
            &format!(" └─ Sage  {ID}"),
            "       type p",
            " /  blocks none",
        ];
        assert_eq!(laid(Some(36), &rows), due);
    }

    /// Long titles are cut, ids never.
    #[test]
    fn tree_fits_its_window() {
        let rows = json!([{ "id": ID, "title": "小白菜".repeat(9_999), "blocks": [{ "id": ID, "text": "x ".repeat(9_999), "type": "y".repeat(999) }] }]);
        for width in [30, 60, 80] {
            let lines = laid(Some(width), &rows);
            assert!(lines.iter().all(|it| it.width() <= width), "{lines:#?}");
            assert_eq!(lines.iter().filter(|it| it.ends_with(ID)).count(), 2, "{lines:#?}");
        }
    }
}
