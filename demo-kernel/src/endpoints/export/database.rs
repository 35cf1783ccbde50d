//! Databases in exported documents: a table of Markdown, or the file of the database itself.

use std::path::Path;

use serde_json::json;

use super::pack::Pack;
use crate::answer::Refusal;
use crate::av::show;
use crate::av::value::{Asset, Value, ValueKind};
use crate::endpoints::asset;
use crate::kernel::Kernel;
use crate::markdown::{Kind, Node};
use crate::store::{Db, Tree};

/// Puts the table that a block shows in its place; one whose database is gone stays as it is.
pub(super) fn fill(db: &Db<'_>, nodes: &mut [Node]) -> Result<(), Refusal> {
    for node in nodes {
        if let Kind::Database { av, .. } = &node.kind
            && let Some(database) = db.find_database(av)?
        {
            let rows = show::rows(db, &database, &db.shown_view(&node.id)?)?;
            node.kind = Kind::Html(table(&rows));
        }
        fill(db, &mut node.children)?;
    }
    Ok(())
}

/// All columns, hidden ones too, with the rows as the view filters and sorts them.
fn table(rows: &crate::av::render::RenderedView) -> String {
    let mut widths: Vec<usize> = Vec::new();
    let mut lines = Vec::new();
    let mut line = |cells: Vec<(String, usize)>| {
        for (at, (_, width)) in cells.iter().enumerate() {
            match widths.get_mut(at) {
                Some(widest) => *widest = (*widest).max(*width),
                None => widths.push(*width),
            }
        }
        let texts: Vec<String> = cells.into_iter().map(|(text, _)| text).collect();
        lines.push(format!("|{}|", texts.join("|")));
    };
    line(rows.columns.iter().map(|(_, key)| plain(escape(&key.name))).collect());
    for (number, item) in rows.items.iter().enumerate() {
        let cells = rows.columns.iter().zip(&item.cells);
        line(cells.map(|((field, _), value)| cell(value, field.wrap, number + 1)).collect());
    }
    let dashes: Vec<String> =
        widths.iter().map(|width| format!(" {}", "-".repeat((*width).max(1)))).collect();
    lines.insert(1, format!("|{}|", dashes.join("|")));
    lines.join("\n")
}

/// A text with its width as the kernel counts it.
fn plain(text: String) -> (String, usize) {
    let width = width(&text);
    (text, width)
}

fn width(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
}

/// Text with the characters that Markdown would read kept as they are.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if "*_\\`~$=^<>".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out.replace("\\|", "|").replace('|', "\\|")
}

/// The lines of a cell: a wrapping column ends each with a break, any other replaces line breaks with spaces.
fn lines(text: &str, wrap: bool) -> (String, usize) {
    if !wrap {
        return plain(text.replace('\n', " "));
    }
    let width = text.split('\n').map(width).sum();
    (text.split('\n').map(|line| format!("{line}<br/>")).collect(), width)
}

fn cell(value: &Value, wrap: bool, number: usize) -> (String, usize) {
    match value.kind {
        Some(ValueKind::Block | ValueKind::Text) => lines(&escape(value.plain().unwrap_or_default()), wrap),
        Some(ValueKind::Template) => {
            let text = value.plain().unwrap_or_default();
            lines(&text.replace("\\|", "|").replace('|', "\\|"), wrap)
        }
        Some(ValueKind::Url) => match value.plain().unwrap_or_default() {
            blank if blank.trim().is_empty() => plain(String::new()),
            url => link("", url, url),
        },
        Some(ValueKind::MAsset) => {
            let files: Vec<(String, usize)> = value.m_asset.iter().map(file).collect();
            let width = files.iter().map(|(_, width)| width + 1).sum::<usize>().saturating_sub(1);
            (files.into_iter().map(|(text, _)| text).collect::<Vec<_>>().join(" "), width)
        }
        Some(ValueKind::LineNumber) => plain(number.to_string()),
        Some(ValueKind::Relation | ValueKind::Rollup) => {
            let shown = value.contents().iter().map(|content| match content.kind {
                Some(ValueKind::Block) => lines(&escape(content.plain().unwrap_or_default()), wrap).0,
                _ => content.shown(true),
            });
            plain(shown.collect::<Vec<_>>().join(", "))
        }
        _ => plain(value.shown(true)),
    }
}

fn file(file: &Asset) -> (String, usize) {
    let name = if file.name.trim().is_empty() { &file.content } else { file.name.trim() };
    match file.kind.as_str() {
        "image" => link("!", &file.name, &file.content),
        _ if file.content.trim().is_empty() => plain(name.to_owned()),
        _ => link("", name, &file.content),
    }
}

fn link(mark: &str, text: &str, to: &str) -> (String, usize) {
    (format!("{mark}[{text}]({})", to.replace(' ', "%20")), width(text) + width(to))
}

/// The databases that blocks of a document show or are rows of.
fn databases_of(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    tree.root.walk(&mut |node| {
        if let Kind::Database { av, .. } = &node.kind {
            found.push(av.clone());
        }
        found.extend(crate::av::bind::rows_of(node));
    });
    found
}

/// The blocks that are rows of the databases which a document shows.
pub(super) fn rows_of(db: &Db<'_>, tree: &Tree) -> Result<Vec<String>, Refusal> {
    let mut shown = Vec::new();
    tree.root.walk(&mut |node| {
        if let Kind::Database { av, .. } = &node.kind {
            shown.push(av.clone());
        }
    });
    let mut rows = Vec::new();
    for id in shown {
        rows.extend(db.find_database(&id)?.map(|database| database.bound_blocks()).unwrap_or_default());
    }
    Ok(rows)
}

/// Packs the databases of documents, related databases, and the files that their cells name.
pub(super) fn pack(kernel: &Kernel, trees: &[&Tree], folder: &Path, pack: &mut Pack) -> Result<(), Refusal> {
    let mut due: Vec<String> = trees.iter().flat_map(|tree| databases_of(tree)).collect();
    let mut seen: Vec<String> = Vec::new();
    while let Some(id) = due.pop() {
        if seen.contains(&id) {
            continue;
        }
        let Some(database) = kernel.store.read(|db| db.find_database(&id))? else { continue };
        pack.add(folder.join(format!("storage/av/{id}.json")), json!(database).to_string().into_bytes());
        for column in &database.columns {
            due.extend(column.key.relation.as_ref().map(|relation| relation.database.clone()));
            for path in column.values.iter().flat_map(|cell| &cell.m_asset).map(|file| &file.content) {
                let found = asset::find(kernel, path).filter(|file| file.is_file());
                if let Some(bytes) = found.and_then(|file| std::fs::read(file).ok()) {
                    pack.add(folder.join(asset::used::without_query(path)), bytes);
                }
            }
        }
        seen.push(id);
    }
    Ok(())
}
