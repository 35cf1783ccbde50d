//! `/api/ref`: who refers to a block or a document, and who mentions it without a reference.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Value, json};

use super::shape::{self, text};
use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;
use crate::markdown::{Kind, Node, Span, dom};
use crate::store::{Db, Reference, Tree};

pub(super) mod mention;

/// The blocks that refer to something, as panels show them.
#[derive(Default)]
struct Links {
    /// The blocks, each with the id that it refers to; an item, quote or the like stands for its paragraph.
    blocks: Vec<(Value, String)>,
    /// May be negative, because the real kernel subtracts some twice.
    count: i64,
    /// Blocks and documents that are no mentions, for they refer already.
    excluded: HashSet<String>,
    /// The paragraph that refers, by the block that stands for it.
    originals: HashMap<String, String>,
}

pub(super) fn row(db: &Db<'_>, id: &str) -> Result<Option<Value>, Refusal> {
    Ok(db.blocks_where("id = ?1 LIMIT 1", &[id])?.into_iter().next())
}

fn is_container(kind: &str) -> bool {
    matches!(kind, "NodeListItem" | "NodeBlockquote" | "NodeSuperBlock" | "NodeCallout")
}

/// Whether there is text besides references.
fn has_own_text(spans: &[Span]) -> bool {
    spans.iter().any(|span| !span.is("block-ref") && !span.text.trim().is_empty())
}

/// The item, quote, callout or super block that stands for a paragraph; an item does so only when the paragraph
/// is its first block or contains only references.
pub(super) fn stands_for(db: &Db<'_>, paragraph: &Value) -> Result<Option<(Value, bool)>, Refusal> {
    if text(paragraph, "type") != "NodeParagraph" {
        return Ok(None);
    }
    let Some(parent) = row(db, text(paragraph, "parentID"))? else { return Ok(None) };
    if !is_container(text(&parent, "type")) {
        return Ok(None);
    }
    let mut takes = true;
    if text(&parent, "type") == "NodeListItem" && text(&parent, "fcontent") != text(paragraph, "content") {
        let id = text(paragraph, "id");
        let tree = db.tree_of(id)?;
        takes = !tree.as_ref().and_then(|tree| tree.root.find(id)).is_some_and(|n| has_own_text(&n.spans));
    }
    Ok(Some((parent, takes)))
}

fn matches(block: &Value, keywords: &[String]) -> bool {
    let hpath = text(block, "hPath");
    let title = hpath.rsplit('/').next().unwrap_or(hpath);
    let fields = ["content", "name", "alias", "memo", "tag"].map(|name| text(block, name));
    keywords.is_empty()
        || keywords.iter().any(|keyword| {
            let holds = |field: &&str| field.to_lowercase().contains(keyword);
            fields.iter().any(holds) || holds(&title)
        })
}

/// The words of a filter, in small letters.
fn keywords_of(filter: &str) -> Vec<String> {
    let filter = filter.trim();
    if filter.is_empty() { Vec::new() } else { filter.split(' ').map(str::to_lowercase).collect() }
}

/// One reference for each block that refers.
fn one_each(references: Vec<Reference>) -> Vec<Reference> {
    let mut seen = HashSet::new();
    references.into_iter().filter(|reference| seen.insert(reference.from.clone())).collect()
}

/// The blocks that refer to a document, from given references into it.
fn links(db: &Db<'_>, root: &str, references: &[Reference], filter: &[String]) -> Result<Links, Refusal> {
    let mut out = Links::default();
    let mut direct = Vec::new();
    for reference in references {
        let (Some(from), Some(_)) = (row(db, &reference.from)?, row(db, &reference.to)?) else { continue };
        if reference.to_root == root || reference.from_root == root {
            out.excluded.extend([reference.from.clone(), reference.from_root.clone()]);
        }
        if reference.to_root == root {
            direct.push((from, reference.to.clone()));
        }
    }
    let is_paragraph = |block: &Value| text(block, "type") == "NodeParagraph";
    let parents: Vec<&str> =
        direct.iter().filter(|(block, _)| is_paragraph(block)).map(|(b, _)| text(b, "parentID")).collect();
    let distinct: HashSet<&str> = parents.iter().copied().collect();
    out.count = direct.len() as i64 - (parents.len() - distinct.len()) as i64;
    // The last paragraph of a parent counts.
    let lasts: BTreeMap<&str, &Value> =
        direct.iter().filter(|(b, _)| is_paragraph(b)).map(|(b, _)| (text(b, "parentID"), b)).collect();
    let mut taken = HashSet::new();
    for (parent_id, paragraph) in lasts {
        let Some((parent, takes)) = stands_for(db, paragraph)? else { continue };
        out.originals.insert(parent_id.to_owned(), text(paragraph, "id").to_owned());
        if takes {
            taken.insert(parent_id.to_owned());
        }
        if !matches(&parent, filter) {
            out.count -= 1;
        } else if takes {
            out.blocks.push((parent, String::new()));
        }
    }
    let headings: Vec<(Value, String)> =
        direct.iter().filter(|(b, _)| text(b, "type") == "NodeHeading").cloned().collect();
    for (block, to) in direct {
        if is_paragraph(&block) && taken.contains(text(&block, "parentID")) {
            continue;
        }
        if matches(&block, filter) {
            out.blocks.push((block, to));
        } else {
            out.count -= 1;
        }
    }
    // A heading is also found by the text below it.
    for (heading, to) in headings.into_iter().filter(|_| !filter.is_empty()) {
        let below = db.blocks_where("parent_id = ?1", &[text(&heading, "id")])?;
        let there = out.blocks.iter().any(|(block, _)| text(block, "id") == text(&heading, "id"));
        if !there && below.iter().any(|block| matches(block, filter)) {
            out.blocks.push((heading, to));
        }
    }
    Ok(out)
}

/// The documents of blocks, each with its number of them.
fn by_document(db: &Db<'_>, blocks: &[Value]) -> Result<Vec<Value>, Refusal> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for root in blocks.iter().map(|block| text(block, "rootID")) {
        match counts.iter_mut().find(|(known, _)| *known == root) {
            Some((_, count)) => *count += 1,
            None => counts.push((root, 1)),
        }
    }
    // The newest first; within one second the one that was found last.
    counts.reverse();
    counts.sort_by(|(a, _), (b, _)| b.get(..14).cmp(&a.get(..14)));
    let mut out = Vec::new();
    for (root, count) in counts {
        let Some(tree) = db.tree_of(root)? else { continue };
        let notebook = db.open_notebook(&tree.notebook)?;
        out.push(shape::path(&json!({
            "id": root,
            "box": tree.notebook,
            "name": tree.title(),
            "hPath": format!("{}{}", notebook.name, db.hpath(&tree.path)?),
            "type": "backlink",
            "nodeType": "NodeDocument",
            "count": count,
            "updated": tree.root.attrs.text("updated"),
            "created": root.get(..14).unwrap_or_default(),
        })));
    }
    Ok(out)
}

/// Sorts rows by the kernel's order numbers; the default is the newest change first.
fn sort(rows: &mut [Value], mode: &str) {
    let mode = mode.parse().unwrap_or(0);
    let name = |row: &Value| text(row, "name").to_lowercase();
    rows.sort_by(|a, b| match mode {
        0 | 4 => name(a).cmp(&name(b)),
        1 | 5 => name(b).cmp(&name(a)),
        2 => text(a, "updated").cmp(text(b, "updated")),
        3 => text(b, "updated").cmp(text(a, "updated")),
        9 => text(a, "created").cmp(text(b, "created")),
        10 => text(b, "created").cmp(text(a, "created")),
        _ => text(b, "id").cmp(text(a, "id")),
    });
}

pub(super) fn of_block(kernel: &Kernel, args: &Args) -> Outcome {
    if args.get("id").is_none() {
        return Ok(Value::Null);
    }
    let (id, filter, mention_filter) = (args.text("id")?, args.text("k")?, args.text("mk")?);
    let order =
        |name: &str| args.get(name).map_or(Ok("3"), |mode| mode.as_str().ok_or_else(Refusal::panicked));
    let (order, mention_order) = (order("sort")?, order("mSort")?);
    let below = args.bool_or("containChildren", true);
    kernel.store.read_index(|db| {
        let Some(block) = row(db, id)? else {
            return Ok(json!({
                "backlinks": [], "linkRefsCount": 0, "backmentions": [], "mentionsCount": 0, "k": filter,
                "mk": mention_filter, "box": "",
            }));
        };
        let references = one_each(db.references_to(id, below)?);
        let links = links(db, text(&block, "rootID"), &references, &keywords_of(filter))?;
        let blocks: Vec<Value> = links.blocks.iter().map(|(block, _)| block.clone()).collect();
        let mut backlinks = by_document(db, &blocks)?;
        sort(&mut backlinks, order);
        let mentions = mention::find(db, &block, &links, mention_filter.trim())?.blocks;
        let mut backmentions = by_document(db, &mentions)?;
        sort(&mut backmentions, mention_order);
        Ok(json!({
            "backlinks": backlinks,
            "linkRefsCount": links.count,
            "backmentions": backmentions,
            "mentionsCount": mentions.len(),
            "k": filter,
            "mk": mention_filter,
            "box": text(&block, "box"),
        }))
    })
}

/// The blocks of one document that refer to a block, as editor DOM.
pub(super) fn in_document(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, document, filter) = (args.text("defID")?, args.text("refTreeID")?, args.text("keyword")?);
    let below = args.bool_or("containChildren", true);
    let highlight = args.bool_or("highlight", true);
    let keywords: Vec<&str> = filter.trim().split(' ').filter(|_| !filter.trim().is_empty()).collect();
    kernel.store.read_index(|db| {
        let nothing = json!({ "backlinks": [], "keywords": keywords });
        let (Some(block), Some(tree)) = (row(db, id)?, db.tree_of(document)?) else { return Ok(nothing) };
        let mut references = db.references_to(id, below)?;
        references.retain(|reference| reference.from_root == document);
        let links = links(db, text(&block, "rootID"), &one_each(references), &keywords_of(filter))?;
        let ids: Vec<&str> = links.blocks.iter().map(|(block, _)| text(block, "id")).collect();
        let marks = if highlight { keywords.clone() } else { Vec::new() };
        let shown = show(db, &tree, &ids, &links.originals, &marks)?;
        Ok(json!({ "backlinks": shown, "keywords": keywords }))
    })
}

/// The blocks of one document that mention a block, as editor DOM.
pub(super) fn mentions_in_document(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, document, filter) = (args.text("defID")?, args.text("refTreeID")?, args.text("keyword")?);
    let below = args.bool_or("containChildren", true);
    let highlight = args.bool_or("highlight", true);
    let filter = filter.trim();
    kernel.store.read_index(|db| {
        let words: Vec<String> =
            filter.split(' ').filter(|_| !filter.is_empty()).map(str::to_owned).collect();
        let nothing = json!({ "backmentions": [], "keywords": shape::nil_when_empty(words.clone()) });
        let Some(block) = row(db, id)? else { return Ok(nothing) };
        let references = one_each(db.references_to(id, below)?);
        let links = links(db, text(&block, "rootID"), &references, &keywords_of(filter))?;
        let found = mention::find(db, &block, &links, filter)?;
        let mut keywords = words.clone();
        for word in found.words.iter().chain(&words) {
            if !keywords.contains(word) {
                keywords.push(word.clone());
            }
        }
        let ids: Vec<&str> = found
            .blocks
            .iter()
            .filter(|block| text(block, "rootID") == document)
            .map(|b| text(b, "id"))
            .collect();
        let Some(tree) = db.tree_of(document)? else { return Ok(nothing) };
        let marks: Vec<&str> =
            if highlight { keywords.iter().map(String::as_str).collect() } else { Vec::new() };
        let shown = show(db, &tree, &ids, &links.originals, &marks)?;
        Ok(json!({ "backmentions": shown, "keywords": keywords }))
    })
}

/// Blocks of a document in its order, with their descendants and their breadcrumbs.
fn show(
    db: &Db<'_>,
    tree: &Tree,
    ids: &[&str],
    originals: &HashMap<String, String>,
    marks: &[&str],
) -> Result<Vec<Value>, Refusal> {
    let mut nodes = Vec::new();
    tree.root.walk(&mut |node| nodes.extend(ids.contains(&node.id.as_str()).then_some(node)));
    let mut out = Vec::new();
    for node in nodes {
        let below = crate::edit::below_heading(&tree.root, &node.id).unwrap_or_default();
        let mut shown: Vec<Node> = std::iter::once(node).chain(below).cloned().collect();
        for block in &mut shown {
            block.walk_mut(&mut |n| n.texts_mut().into_iter().for_each(|spans| mention::mark(spans, marks)));
        }
        // The document alone is no way.
        let way = super::block::way_to(db, tree, node, &[])?;
        let way = if way.len() > 2 { way } else { Vec::new() };
        out.push(json!({
            "dom": dom::blocks(&shown, 1), "blockPaths": way, "expand": expands(node, originals),
        }));
    }
    Ok(out)
}

/// Whether the content below is shown unfolded: the block has no text besides references.
fn expands(node: &Node, originals: &HashMap<String, String>) -> bool {
    match node.kind {
        Kind::Heading(_) => !has_own_text(&node.spans),
        Kind::Item { .. } if node.children.len() > 1 => {
            let original = originals.get(&node.id).and_then(|id| node.children.iter().find(|c| c.id == *id));
            !original.is_some_and(|paragraph| has_own_text(&paragraph.spans))
        }
        _ => true,
    }
}

/// References are always fresh here.
pub(super) fn refresh(_: &Kernel, args: &Args) -> Outcome {
    args.text("id")?;
    Ok(Value::Null)
}
