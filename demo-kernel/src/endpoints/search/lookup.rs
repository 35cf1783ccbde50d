//! Blocks to refer to, blocks for an embed, and references that lead nowhere.

use std::collections::HashSet;

use regex::Regex;
use serde_json::{Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::edit::below_heading;
use crate::endpoints::shape::{self, put, text};
use crate::kernel::Kernel;
use crate::markdown::inline::ZERO_WIDTH;
use crate::markdown::plain::{self, Take};
use crate::markdown::write::wants_room;
use crate::markdown::{Kind, Node, dom};
use crate::store::{Db, Tree};

/// The number of blocks found, and of those referred to last.
const MOST: usize = 64;
const MOST_RECENT: usize = 32;
/// The length at which texts of references are cut, and blocks around the words found.
const LONGEST: usize = 96;
const WINDOW: usize = 64;

/// Blocks that contain all words of a text, for a reference from one block: not itself, its document or ancestors.
/// Without a text, the blocks that were referred to last.
pub(in crate::endpoints) fn to_refer_to(kernel: &Kernel, args: &Args) -> Outcome {
    let request = args.get("reqId").cloned().unwrap_or_default();
    if args.get("id").is_none() {
        return Ok(json!({ "reqId": request }));
    }
    let (root, id, wanted) = (args.text("rootID")?, args.text("id")?, args.text("k")?);
    args.get("beforeLen").and_then(Value::as_f64).ok_or_else(Refusal::panicked)?;
    kernel.store.read_index(|db| {
        let (found, fresh) = match wanted {
            "" => (recent(db)?, false),
            _ => (holding(db, wanted, id, root)?, is_new(db, args, id, wanted)?),
        };
        let mut blocks = Vec::new();
        for mut block in found {
            let own = text(&block, "id").to_owned();
            let Some(tree) = db.tree_of(&own)? else { continue };
            let Some(node) = tree.root.find(&own) else { continue };
            let notebook = db.open_notebook(&tree.notebook)?.name;
            let mut hpath = format!("{notebook}{}", text(&block, "hPath"));
            if node.kind == Kind::Document {
                hpath.truncate(hpath.rfind('/').map_or(0, |at| at + 1));
            }
            put(&mut block, "hPath", json!(hpath));
            put(&mut block, "refText", json!(reference_text(node)));
            put(&mut block, "refCount", json!(db.references_to(&own, false)?.len()));
            blocks.push(block);
        }
        let escaped = wanted.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        Ok(json!({ "blocks": blocks, "newDoc": fresh, "k": escaped, "reqId": request }))
    })
}

/// The default text of a reference to a block: its name, or the start of its text.
fn reference_text(node: &Node) -> String {
    if let Some(name) = node.attrs.get("name") {
        return name.to_owned();
    }
    // The space before code, a tag or a key counts where it stands first.
    let room = node.spans.first().is_some_and(|span| wants_room(span) && !span.is("img"));
    let blank = if room { ZERO_WIDTH.to_string() } else { String::new() };
    let whole = blank + plain::roomy(node, Take::Seen).trim();
    let cut: String = whole.chars().take(LONGEST).collect();
    if cut.len() < whole.len() { cut + "..." } else { cut }
}

fn recent(db: &Db<'_>) -> Result<Vec<Value>, Refusal> {
    let mut ids = db.texts("SELECT def_block_id FROM refs GROUP BY def_block_id ORDER BY max(rowid) DESC")?;
    ids.retain(|id| !id.is_empty());
    let rows = ids.iter().take(MOST_RECENT).map(|id| db.blocks_where("id = ?1 LIMIT 1", &[id]));
    Ok(rows.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

fn holding(db: &Db<'_>, wanted: &str, id: &str, root: &str) -> Result<Vec<Value>, Refusal> {
    if crate::id::is_node_id(wanted.trim()) {
        return db.blocks_where("id = ?1 LIMIT 1", &[wanted.trim()]);
    }
    let words: Vec<String> = wanted.split_whitespace().map(str::to_lowercase).collect();
    let types: Vec<String> =
        super::TYPES.iter().filter(|(.., on)| *on).map(|(_, short, _)| format!("'{short}'")).collect();
    let one = "instr(lower(content || ' ' || name || ' ' || alias || ' ' || memo || ' ' || tag), ?) > 0";
    let held = vec![one; words.len()].join(" AND ");
    let order = "CASE WHEN name = ? THEN 10 WHEN alias = ? THEN 20 WHEN memo = ? THEN 30
        WHEN content = ? AND type = 'd' THEN 40 WHEN instr(lower(content), lower(?)) > 0 AND type = 'd' THEN 41
        WHEN instr(lower(name), lower(?)) > 0 THEN 50 WHEN instr(lower(alias), lower(?)) > 0 THEN 60
        WHEN content = ? AND type = 'h' THEN 70 WHEN instr(lower(content), lower(?)) > 0 AND type = 'h' THEN 71
        WHEN instr(lower(memo), lower(?)) > 0 THEN 90 WHEN instr(lower(content), lower(?)) > 0 THEN 100
        ELSE 65535 END, sort, length, rowid DESC";
    let condition = format!("{held} AND type IN ({}) ORDER BY {order} LIMIT {MOST}", types.join(", "));
    let mut values: Vec<&str> = words.iter().map(String::as_str).collect();
    values.extend(std::iter::repeat_n(wanted, 11));
    let mut found = db.blocks_where(&condition, &values)?;
    found.retain(|block| text(block, "id") != id && text(block, "id") != root);
    let words: Vec<String> = words.iter().map(|word| regex::escape(word)).collect();
    let marker = Regex::new(&format!("(?i)(?:{})", words.join("|"))).ok();
    for block in &mut found {
        for field in ["content", "name", "alias", "memo", "tag"] {
            let shown = marked(text(block, field), marker.as_ref());
            put(block, field, json!(shown));
        }
    }
    Ok(found)
}

/// A text with words marked; of a long one the part around the first of them.
fn marked(text: &str, marker: Option<&Regex>) -> String {
    let first = marker.and_then(|marker| marker.find(text));
    let length = text.chars().count();
    let end = first.map_or(0, |found| text.get(..found.end()).unwrap_or_default().chars().count());
    let from = if end > WINDOW { (end - WINDOW / 2).min(length.saturating_sub(WINDOW)) } else { 0 };
    let part: String = text.chars().skip(from).take(WINDOW).collect();
    let escaped = part.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let shown =
        marker.map_or_else(|| escaped.clone(), |m| m.replace_all(&escaped, "<mark>$0</mark>").into_owned());
    let dots = |on: bool| if on { "..." } else { "" };
    format!("{}{shown}{}", dots(from > 0), dots(from + WINDOW < length))
}

/// Whether a document of that title could be made below the block's document.
fn is_new(db: &Db<'_>, args: &Args, id: &str, title: &str) -> Result<bool, Refusal> {
    if args.bool_or("isDatabase", false) {
        return Ok(true);
    }
    let Some(tree) = db.tree_of(id)? else { return Ok(false) };
    let path = format!("{}/{title}", db.hpath(&tree.path)?);
    Ok(db.ids_by_hpath(&tree.notebook, &path)?.is_empty())
}

/// The blocks that fill an embed: the results of a statement, as editor DOM.
pub(in crate::endpoints) fn for_embed(kernel: &Kernel, args: &Args) -> Outcome {
    args.text("embedBlockID")?;
    let statement = args.text("stmt")?;
    let excluded = args.list("excludeIDs")?;
    let mode = args.int_or("headingMode", 0);
    let with_way = args.bool_or("breadcrumb", false);
    if statement.trim().is_empty() {
        return Err(Refusal::new("SQL statement is empty"));
    }
    let rows =
        kernel.store.query(statement, "readonly").map_err(|refusal| Refusal { code: -1, ..refusal })?.rows;
    kernel.store.read_index(|db| {
        let mut out = Vec::new();
        for row in rows.as_array().into_iter().flatten() {
            let id = text(row, "id");
            if text(row, "type") == "query_embed" || excluded.contains(&json!(id)) {
                continue;
            }
            let Some(tree) = db.tree_of(id)? else { continue };
            let Some(node) = tree.root.find(id) else { continue };
            let shown = shown_for(&tree, node, mode);
            let way =
                if with_way { crate::endpoints::block::way_to(db, &tree, node, &[])? } else { Vec::new() };
            let notebook = db.open_notebook(&tree.notebook)?.name;
            let hpath = if tree.is_notebook() { "/".to_owned() } else { db.hpath(&tree.path)? };
            let content: String = shown.iter().map(|node| plain::content(node, Take::Seen)).collect();
            let block = shape::block(&json!({
                "box": tree.notebook,
                "path": tree.path,
                "hPath": format!("{notebook}{hpath}"),
                "id": id,
                "content": dom::blocks(shown, 1),
                "markdown": content,
                "type": node.kind.name(),
                "ial": crate::endpoints::attr::show(node),
            }));
            // A block that the statement names by itself may be changed in the embed.
            let own = node.kind.is_container() && statement.contains(&format!("'{id}'"));
            out.push(json!({ "block": block, "blockPaths": way, "allowChildOperation": own }));
        }
        Ok(json!({ "blocks": out }))
    })
}

/// A heading with its section, alone (1) or only its section (2); of a document its blocks.
fn shown_for<'t>(tree: &'t Tree, node: &'t Node, mode: i64) -> Vec<&'t Node> {
    let folded = node.attrs.get("fold") == Some("1");
    let below = below_heading(&tree.root, &node.id).filter(|_| !folded).unwrap_or_default();
    match (&node.kind, mode) {
        (Kind::Document, _) => node.children.iter().collect(),
        (Kind::Heading(_), 1) => vec![node],
        (Kind::Heading(_), 2) => below.iter().collect(),
        (Kind::Heading(_), _) => std::iter::once(node).chain(below).collect(),
        _ => vec![node],
    }
}

/// Blocks that refer to a missing block, in any notebook.
pub(in crate::endpoints) fn lost_references(kernel: &Kernel, args: &Args) -> Outcome {
    let positive = |name: &str, default: i64| {
        let number = args.int_or(name, default);
        usize::try_from(number).ok().filter(|n| *n > 0).unwrap_or(usize::try_from(default).unwrap_or(1))
    };
    let (page, size) = (positive("page", 1), positive("pageSize", 32));
    kernel.store.read_index(|db| {
        let mut known = HashSet::new();
        let mut users: Vec<(String, String, String)> = Vec::new();
        for notebook in db.notebooks()? {
            for tree in db.trees_in(&notebook.id)? {
                tree.root.walk(&mut |node| {
                    known.insert(node.id.clone());
                    for span in node.texts().into_iter().flatten() {
                        let link = span.attrs.text("data-href").strip_prefix("siyuan://blocks/");
                        let link = link.map(|to| to.split('?').next().unwrap_or(to));
                        let to = if span.is("block-ref") { Some(span.attrs.text("data-id")) } else { link };
                        users.extend(to.map(|to| (node.id.clone(), tree.id().to_owned(), to.to_owned())));
                    }
                });
            }
        }
        users.retain(|(.., to)| !known.contains(to));
        users.sort();
        users.dedup_by(|a, b| a.0 == b.0);
        let from = (page - 1) * size;
        if from > users.len() {
            return Err(Refusal::panicked());
        }
        let mut blocks = Vec::new();
        for (id, ..) in users.iter().skip(from).take(size) {
            blocks.extend(db.blocks_where("id = ?1 LIMIT 1", &[id])?);
        }
        let documents: HashSet<&String> = users.iter().map(|(_, root, _)| root).collect();
        Ok(json!({
            "blocks": blocks,
            "matchedBlockCount": users.len(),
            "matchedRootCount": documents.len(),
            "pageCount": users.len().div_ceil(size),
        }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_around_the_first_match() {
        let marker = Regex::new("(?i)pear").ok();
        assert_eq!(marked("a <Pear>", marker.as_ref()), "a &lt;<mark>Pear</mark>&gt;");
        let long = format!("{}pear{}", "x".repeat(100), "y".repeat(100));
        let shown = marked(&long, marker.as_ref());
        assert!(shown.starts_with("...x") && shown.ends_with("y...") && shown.contains("<mark>pear</mark>"));
    }
}
