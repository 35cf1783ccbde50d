//! `/api/block`: reading blocks; [`mod@write`] changes them.

use serde_json::{Map, Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::edit;
use crate::kernel::Kernel;
use crate::markdown::plain::{self, Take};
use crate::markdown::write::{Style, write as write_block};
use crate::markdown::{Kind, Node, dom};
use crate::store::{Db, Tree};

pub(super) mod fold;
pub(super) mod heading;
pub(super) mod place;
pub(super) mod refs;
pub(super) mod stat;
pub(super) mod task;
pub(super) mod transactions;
pub(super) mod write;

/// The refusal for a block that is missing, or not indexed yet.
pub(super) fn not_found(kernel: &Kernel, db: &Db<'_>, id: &str) -> Refusal {
    if !crate::id::is_node_id(id) || kernel.is_indexing(id) {
        let why = "Data indexing is in progress. Please wait until indexing completes before trying to open";
        return Refusal::code(3, why);
    }
    match db.is_in_closed_notebook(id) {
        Ok(true) => Refusal::new(""),
        _ => Refusal::new(format!("Content block with id [{id}] not found")),
    }
}

/// Runs `f` on the block of an id, or returns the refusal for a missing one.
fn with_block(
    kernel: &Kernel,
    id: &str,
    missing: Value,
    f: impl FnOnce(&Db<'_>, &Tree, &Node) -> Outcome,
) -> Outcome {
    kernel.store.read(|db| {
        let Some(tree) = db.tree_of(id)? else { return Ok(missing) };
        match tree.root.find(id) {
            Some(node) => f(db, &tree, node),
            None => Ok(missing),
        }
    })
}

/// Only fields with a value, as in lists of children.
fn child(node: &Node) -> Value {
    let mut out = Map::new();
    out.insert("id".into(), json!(node.id));
    out.insert("type".into(), json!(node.kind.short()));
    let content = match node.kind {
        Kind::Embed(_) => String::new(),
        _ => plain::content(node, Take::Targets),
    };
    let markdown = write_block(node, Style::Plain);
    for (name, text) in [("subType", node.subtype()), ("content", content), ("markdown", markdown)] {
        if !text.is_empty() {
            out.insert(name.into(), json!(text));
        }
    }
    Value::Object(out)
}

/// The children of a block; for a heading, the blocks below it.
fn children<'n>(tree: &'n Tree, node: &'n Node) -> &'n [Node] {
    match node.kind {
        Kind::Heading(_) => edit::below_heading(&tree.root, &node.id).unwrap_or_default(),
        _ => &node.children,
    }
}

pub(super) fn child_blocks(kernel: &Kernel, args: &Args) -> Outcome {
    with_block(kernel, args.id("id")?, json!([]), |_, tree, node| {
        Ok(children(tree, node).iter().map(child).collect())
    })
}

/// The last children, the last one first.
pub(super) fn tail_child_blocks(kernel: &Kernel, args: &Args) -> Outcome {
    let count = usize::try_from(args.int_or("n", 7)).unwrap_or(0);
    with_block(kernel, args.id("id")?, json!([]), |_, tree, node| {
        Ok(children(tree, node).iter().rev().take(count).map(child).collect())
    })
}

fn style(args: &Args) -> Result<Style, Refusal> {
    match args.text_or("mode", "md") {
        "md" | "" => Ok(Style::Kramdown),
        "textmark" => Ok(Style::Textmark),
        _ => Err(Refusal::new("Invalid mode")),
    }
}

pub(super) fn kramdown(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.id("id")?;
    let style = style(args)?;
    with_block(kernel, id, json!({ "id": id, "kramdown": "" }), |_, _, node| {
        Ok(json!({ "id": id, "kramdown": kramdown_of(node, style) }))
    })
}

/// The textmark form ends with a line break, the other loses the spaces at its ends.
fn kramdown_of(node: &Node, style: Style) -> String {
    let text = write_block(node, style);
    if style == Style::Textmark { text + "\n" } else { text.trim().to_owned() }
}

pub(super) fn kramdowns(kernel: &Kernel, args: &Args) -> Outcome {
    let (ids, style) = (args.texts("ids")?, style(args)?);
    if !ids.iter().all(|id| crate::id::is_node_id(id)) {
        return Err(Refusal::panicked());
    }
    kernel.store.read(|db| {
        let mut out = Map::new();
        for id in ids {
            let tree = db.tree_of(id)?;
            if let Some(node) = tree.as_ref().and_then(|tree| tree.root.find(id)) {
                out.insert(id.to_owned(), json!(kramdown_of(node, style)));
            }
        }
        Ok(Value::Object(out))
    })
}

pub(super) fn block_dom(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("id")?;
    with_block(kernel, id, json!({ "dom": "", "id": id }), |_, _, node| {
        // Items have numbers only in answers to a change.
        let index = (!matches!(node.kind, Kind::Item { .. })).then_some(1);
        Ok(json!({ "dom": dom::block(node, index), "id": id }))
    })
}

pub(super) fn block_doms(kernel: &Kernel, args: &Args) -> Outcome {
    let ids = args.texts("ids")?;
    kernel.store.read(|db| {
        let mut out = Map::new();
        for id in ids {
            let tree = db.tree_of(id)?;
            if let Some(node) = tree.as_ref().and_then(|tree| tree.root.find(id)) {
                out.insert(id.to_owned(), json!(dom::block(node, Some(1))));
            }
        }
        Ok(Value::Object(out))
    })
}

pub(super) fn block_info(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("id")?;
    kernel.store.read(|db| {
        let tree = db.tree_of(id)?.ok_or_else(|| not_found(kernel, db, id))?;
        Ok(json!({
            "box": tree.notebook,
            "path": tree.path,
            "rootID": tree.id(),
            "rootChildID": tree.id(),
            "rootTitle": tree.title(),
            "rootTitleEmpty": tree.is_untitled(),
            "rootIcon": tree.root.attrs.text("icon"),
        }))
    })
}

/// The breadcrumb: the document, the headings above, the ancestors, and the block itself without a name.
pub(super) fn breadcrumb(kernel: &Kernel, args: &Args) -> Outcome {
    let excluded = args.texts("excludeTypes").unwrap_or_default();
    with_block(kernel, args.text("id")?, json!([]), |db, tree, node| {
        Ok(Value::Array(way_to(db, tree, node, &excluded)?))
    })
}

/// The way from a document to a block in it.
pub(super) fn way_to(
    db: &Db<'_>,
    tree: &Tree,
    node: &Node,
    excluded: &[&str],
) -> Result<Vec<Value>, Refusal> {
    let notebook = db.open_notebook(&tree.notebook)?;
    let hpath = db.hpath(&tree.path)?;
    let mut crumbs = Vec::new();
    let mut above: Vec<&Node> = vec![node];
    let mut at = node.id.as_str();
    while let Some((parent, place)) = tree.root.parent_of(at) {
        above.extend(headings_above(parent, place));
        above.push(parent);
        at = &parent.id;
    }
    for part in above.into_iter().rev() {
        let name = match &part.kind {
            Kind::Paragraph if is_alone_in_item(&tree.root, &part.id) => continue,
            _ if part.id == node.id => String::new(),
            Kind::Document if tree.is_notebook() => notebook.name.clone(),
            Kind::Document => format!("{}{hpath}", notebook.name),
            Kind::List(_) | Kind::Super { .. } | Kind::Quote | Kind::Callout { .. } => continue,
            Kind::Tabs | Kind::Mindmap(_) => continue,
            _ => crumb(db, part)?,
        };
        if part.id != node.id && excluded.contains(&part.kind.name()) {
            continue;
        }
        crumbs.push(json!({
            "id": part.id, "name": name, "type": part.kind.name(), "subType": part.subtype(), "children": null,
        }));
    }
    Ok(crumbs)
}

/// The label of a block in a breadcrumb: its name or its text, and for an item the text of its first block. A database
/// there gives its name.
fn crumb(db: &Db<'_>, node: &Node) -> Result<String, Refusal> {
    let text = match node.attrs.get("name") {
        Some(name) => name.to_owned(),
        None => {
            let mut leaf = node;
            while let Some(first) = leaf.children.first().filter(|_| leaf.kind.is_container()) {
                leaf = first;
            }
            match &leaf.kind {
                Kind::Database { av, .. } => {
                    db.find_database(av)?.map(|it| it.shown_name().to_owned()).unwrap_or_default()
                }
                _ => plain::content(leaf, Take::Seen).trim().replace('\n', ""),
            }
        }
    };
    let text: String = text.chars().take(LONGEST_CRUMB).collect();
    Ok(text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
}

/// The number of characters of a block's text that a breadcrumb shows.
const LONGEST_CRUMB: usize = 1024;

/// Whether a block is the only content of an item.
fn is_alone_in_item(root: &Node, id: &str) -> bool {
    let parent = root.parent_of(id).map(|(parent, _)| parent);
    parent.is_some_and(|parent| matches!(parent.kind, Kind::Item { .. }) && parent.children.len() == 1)
}

/// The headings above a block, the nearest first.
fn headings_above(parent: &Node, place: usize) -> Vec<&Node> {
    let own = parent.children.get(place).map(|n| &n.kind);
    let mut level = match own {
        Some(Kind::Heading(level)) => *level,
        _ => 7,
    };
    let mut found = Vec::new();
    for before in parent.children.iter().take(place).rev() {
        if let Kind::Heading(other) = before.kind
            && other < level
        {
            found.push(before);
            level = other;
        }
    }
    found
}

pub(super) fn exists(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("id")?;
    kernel.store.read(|db| Ok(json!(id.is_empty() || db.root_of(id)?.is_some())))
}

pub(super) fn all_exist(kernel: &Kernel, args: &Args) -> Outcome {
    let ids = args.texts("ids")?;
    kernel.store.read(|db| {
        let known = ids.iter().filter(|id| crate::id::is_node_id(id));
        let found = known.map(|id| Ok(((*id).to_owned(), json!(db.root_of(id)?.is_some()))));
        Ok(Value::Object(found.collect::<Result<_, Refusal>>()?))
    })
}

/// Parent and neighbours, each with its type.
pub(super) fn tree_infos(kernel: &Kernel, args: &Args) -> Outcome {
    let ids = args.texts("ids")?;
    kernel.store.read(|db| {
        let mut out = Map::new();
        for id in ids {
            let Some(tree) = db.tree_of(id)? else { continue };
            let Some(node) = tree.root.find(id) else { continue };
            let place = tree.root.parent_of(id);
            let parent = place.map(|(parent, _)| parent);
            let sibling = |by: isize| {
                let (parent, at) = place?;
                parent.children.get(at.checked_add_signed(by)?)
            };
            let (previous, next) = (sibling(-1), sibling(1));
            let name = |node: Option<&Node>| node.map_or("", |n| n.kind.name());
            let id_of = |node: Option<&Node>| node.map(|n| n.id.clone()).unwrap_or_default();
            out.insert(
                id.to_owned(),
                json!({
                    "id": id,
                    "type": node.kind.name(),
                    "parentID": id_of(parent),
                    "parentType": name(parent),
                    "previousID": id_of(previous),
                    "previousType": name(previous),
                    "nextID": id_of(next),
                    "nextType": name(next),
                }),
            );
        }
        Ok(Value::Object(out))
    })
}

pub(super) fn heading_children_ids(kernel: &Kernel, args: &Args) -> Outcome {
    with_block(kernel, args.text("id")?, json!([]), |_, tree, node| match node.kind {
        Kind::Heading(_) if !children(tree, node).is_empty() => {
            Ok(children(tree, node).iter().map(|child| json!(child.id)).collect())
        }
        _ => Ok(Value::Null),
    })
}

/// The name of a block, or its text.
pub(super) fn ref_text(kernel: &Kernel, args: &Args) -> Outcome {
    with_block(kernel, args.id("id")?, json!("block not found"), |_, _, node| {
        let text = plain::roomy(node, Take::Seen);
        Ok(json!(node.attrs.get("name").unwrap_or(text.trim())))
    })
}

/// The document of a block, with the references to the block in the index.
pub(super) fn doc_info(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("id")?;
    let missing = || Refusal::new(format!("Content block with id [{id}] not found"));
    show_doc_info(kernel, id)?.ok_or_else(missing)
}

pub(super) fn docs_info(kernel: &Kernel, args: &Args) -> Outcome {
    let ids = args.texts("ids")?;
    for name in ["refCount", "av"] {
        args.get(name).and_then(Value::as_bool).ok_or_else(Refusal::panicked)?;
    }
    let infos = ids.into_iter().filter_map(|id| show_doc_info(kernel, id).transpose());
    infos.collect()
}

fn show_doc_info(kernel: &Kernel, id: &str) -> Result<Option<Value>, Refusal> {
    let found = kernel.store.read(|db| {
        let Some(tree) = db.tree_of(id)? else { return Ok(None) };
        let below = db.count_below(&tree.notebook, &tree.folder())?;
        Ok(Some((tree, below)))
    })?;
    let Some((tree, below)) = found else { return Ok(None) };
    let references = kernel.store.read_index(|db| db.users_of(id, id == tree.id()))?;
    Ok(Some(json!({
        "id": id,
        "rootID": tree.id(),
        "name": tree.title(),
        "refCount": references.len(),
        "subFileCount": below,
        "refIDs": references,
        "ial": super::attr::show(&tree.root),
        "icon": tree.root.attrs.text("icon"),
        "attrViews": null,
    })))
}

/// The newest paragraphs of all notebooks, sixteen at most.
pub(super) fn recent(kernel: &Kernel, _: &Args) -> Outcome {
    kernel.store.read_index(|db| {
        Ok(json!(db.blocks_where("type = 'p' AND length > 1 ORDER BY updated DESC, id DESC LIMIT 16", &[])?))
    })
}
