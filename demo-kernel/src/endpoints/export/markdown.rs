//! Documents as Markdown: embeds are filled in, references become footnotes, links or text.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::database;
use crate::answer::Refusal;
use crate::edit::below_heading;
use crate::kernel::Kernel;
use crate::markdown::write::write_inside;
use crate::markdown::{Kind, Node, Span};
use crate::store::{Db, Search, Tree};

mod text;

use text::{text_of, write_plain};

/// The greatest number of blocks in an embed.
const MOST: i64 = 64;
/// The depth to which embeds inside embeds are filled.
const DEEPEST: usize = 7;

/// The treatment of references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum References {
    Links,
    Texts,
    Footnotes,
    Unchanged,
}

impl References {
    /// The mode by its number in requests and settings.
    pub(super) fn of_mode(mode: i64) -> References {
        match mode {
            2 => References::Links,
            3 => References::Texts,
            4 => References::Footnotes,
            _ => References::Unchanged,
        }
    }
}

/// Other exported documents: references to them get no footnote.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// The targets of references, by the blocks that they name.
    pub(super) links: HashMap<String, String>,
    /// All blocks that any of the documents refers to.
    pub(super) targets: Vec<String>,
}

/// The options of an exported document.
#[derive(Debug)]
pub(super) struct MarkdownOptions {
    pub(super) references: References,
    pub(super) quote_embeds: bool,
    pub(super) title: bool,
    pub(super) image_tags: bool,
    /// Whether the first heading of a section becomes the highest.
    pub(super) lift_headings: bool,
    pub(super) files: Option<Files>,
}

/// A footnote: the block that it shows, and the text of the first reference to it.
#[derive(Debug)]
struct Footnote {
    id: String,
    text: String,
}

/// A block of a document as Markdown; a heading with the blocks below it.
pub(super) fn of(
    kernel: &Kernel,
    tree: &Tree,
    id: &str,
    options: &MarkdownOptions,
) -> Result<String, Refusal> {
    let mut nodes = section(tree, id);
    links_to_references(&mut nodes);
    let footnotes = options.references == References::Footnotes;
    let anchors = match &options.files {
        Some(files) if footnotes => files.targets.clone(),
        _ => Vec::new(),
    };
    let mut own: HashSet<String> = nodes.iter().flat_map(crate::edit::ids).collect();
    own.extend((id == tree.id()).then(|| id.to_owned()));
    fill_embeds(kernel, &mut nodes, options.quote_embeds, 0)?;
    kernel.store.read(|db| database::fill(db, &mut nodes))?;
    let mut notes = Vec::new();
    let mut shown = Vec::new();
    if footnotes && options.files.is_none() {
        kernel.store.read(|db| collect(db, tree, tree.id(), &own, &mut notes, 0))?;
        shown = kernel.store.read(|db| footnote_blocks(db, &notes, &own))?;
    }
    let mut used: HashSet<usize> = HashSet::new();
    for node in &mut nodes {
        node.walk_mut(&mut |n| {
            for spans in n.texts_mut() {
                refer(spans, options, &own, &notes, &mut used);
            }
        });
    }
    if options.lift_headings && id != tree.id() {
        lift(&mut nodes, if options.title { 2 } else { 1 });
    }
    if let Some(path) = tree.root.attrs.get("title-img").and_then(title_image) {
        nodes.insert(0, paragraph(&format!("![image]({path})")));
    }
    if options.title {
        let mut title = Node::new(Kind::Heading(1));
        title.spans.push(Span::plain(tree.title()));
        nodes.insert(0, title);
    }
    let mut out = text_of(nodes, options, &anchors, write_plain) + "\n";
    let mut parts = Vec::new();
    let mut pending: Vec<usize> = used.iter().copied().collect();
    // Footnotes that others refer to count as used.
    while let Some(at) = pending.pop() {
        for (_, more) in shown.iter().filter(|(place, _)| *place == at).map(|(p, (_, more))| (p, more)) {
            pending.extend(more.iter().copied().filter(|more| used.insert(*more)));
        }
    }
    for (at, (blocks, _)) in shown {
        if used.contains(&at) {
            let text = text_of(blocks, options, &anchors, write_inside)
                .replace('\n', "\n    ")
                .replace("\n    \n", "\n\n");
            parts.push(format!("[^{}]: {text}\n", at + 1));
        }
    }
    if !parts.is_empty() {
        out += &format!("\n{}", parts.join("\n\n"));
    }
    Ok(out)
}

/// A block, a heading with its section, or the blocks of a document.
fn section(tree: &Tree, id: &str) -> Vec<Node> {
    if tree.id() == id {
        return tree.root.children.clone();
    }
    let node = tree.root.find(id).into_iter();
    node.chain(below_heading(&tree.root, id).unwrap_or_default()).cloned().collect()
}

fn paragraph(text: &str) -> Node {
    let mut node = Node::new(Kind::Paragraph);
    node.spans = crate::markdown::inline::parse(text);
    node
}

fn title_image(style: &str) -> Option<String> {
    let (_, url) = style.split_once("url(")?;
    Some(url.split(')').next()?.trim_matches(['"', '\'', ' ', '/']).to_owned())
}

/// Links to blocks are references with a text of their own.
fn links_to_references(nodes: &mut [Node]) {
    for node in nodes {
        node.walk_mut(&mut |n| {
            for span in n.texts_mut().into_iter().flatten().filter(|span| span.is("a")) {
                if let Some(id) = span.attrs.text("data-href").strip_prefix("siyuan://blocks/") {
                    let id = id.to_owned();
                    span.kind = kind_without(span, "a", "block-ref");
                    span.attrs.set("data-href", "");
                    span.attrs.set("data-title", "");
                    span.attrs.set("data-subtype", "s");
                    span.attrs.set("data-id", &id);
                }
            }
        });
    }
}

/// The kinds of a span with one in the place of another.
fn kind_without(span: &Span, old: &str, new: &str) -> String {
    let kept = span.kind.split(' ').filter(|kind| *kind != old).chain([new]);
    kept.filter(|kind| !kind.is_empty()).collect::<Vec<_>>().join(" ")
}

fn references(node: &Node) -> Vec<(String, String)> {
    let mut found = Vec::new();
    node.walk(&mut |n| {
        let spans = n.texts().into_iter().flatten().filter(|span| span.is("block-ref"));
        found.extend(spans.map(|span| (span.attrs.text("data-id").to_owned(), span.text.clone())));
    });
    found
}

/// The blocks that a document refers to.
pub(super) fn targets_of(tree: &Tree) -> Vec<String> {
    let mut nodes = tree.root.children.clone();
    links_to_references(&mut nodes);
    targets(&nodes)
}

fn targets(nodes: &[Node]) -> Vec<String> {
    nodes.iter().flat_map(references).map(|(id, _)| id).filter(|id| !id.is_empty()).collect()
}

/// Puts the blocks that a statement finds in the place of an embed.
fn fill_embeds(kernel: &Kernel, nodes: &mut Vec<Node>, quote: bool, depth: usize) -> Result<(), Refusal> {
    let mut out = Vec::new();
    for mut node in std::mem::take(nodes) {
        let Kind::Embed(statement) = &node.kind else {
            fill_embeds(kernel, &mut node.children, quote, depth)?;
            out.push(node);
            continue;
        };
        let mut blocks = Vec::new();
        for id in if depth < DEEPEST { ids_of(kernel, statement)? } else { Vec::new() } {
            let tree = kernel.store.read(|db| db.tree_of(&id))?;
            blocks.extend(tree.map(|tree| section(&tree, &id)).into_iter().flatten());
        }
        fill_embeds(kernel, &mut blocks, quote, depth + 1)?;
        blocks.iter_mut().for_each(|block| block.walk_mut(&mut strip));
        if quote && !blocks.is_empty() {
            let mut around = Node::new(Kind::Quote);
            around.children = blocks;
            blocks = vec![around];
        }
        out.extend(blocks);
    }
    *nodes = out;
    Ok(())
}

/// Strips the copy that fills an embed: it has no id, and its lost references become texts of their own.
fn strip(node: &mut Node) {
    node.id.clear();
    for span in node.texts_mut().into_iter().flatten().filter(|span| span.is("block-ref")) {
        if span.attrs.text("data-id").is_empty() {
            span.attrs.set("data-subtype", "s");
        }
    }
}

fn ids_of(kernel: &Kernel, statement: &str) -> Result<Vec<String>, Refusal> {
    let search = Search {
        query: statement.to_owned(),
        method: 2,
        types: Vec::new(),
        paths: Vec::new(),
        order: 0,
        page: 1,
        size: MOST,
    };
    let found = kernel.store.search(&search)?.blocks;
    let ids = found.iter().filter_map(|block| block.get("id").and_then(Value::as_str)).map(str::to_owned);
    Ok(ids.take(usize::try_from(MOST).unwrap_or_default()).collect())
}

/// Every block elsewhere that a block leads to, over any number of steps, in the order in which they are met.
fn collect(
    db: &Db<'_>,
    tree: &Tree,
    id: &str,
    own: &HashSet<String>,
    notes: &mut Vec<Footnote>,
    depth: usize,
) -> Result<(), Refusal> {
    if depth > 4096 {
        return Ok(());
    }
    let mut nodes = section(tree, id);
    links_to_references(&mut nodes);
    for (to, text) in nodes.iter().flat_map(references) {
        if own.contains(&to) || notes.iter().any(|note| note.id == to) {
            continue;
        }
        let Some(target) = db.tree_of(&to)? else { continue };
        let cut: String = text.chars().take(96).collect();
        let text = if cut == text { cut } else { cut + "..." };
        notes.push(Footnote { id: to.clone(), text });
        collect(db, &target, &to, own, notes, depth + 1)?;
    }
    Ok(())
}

/// The blocks of each footnote, and the other footnotes that they name.
type FootnoteBlocks = Vec<(usize, (Vec<Node>, Vec<usize>))>;

fn footnote_blocks(
    db: &Db<'_>,
    notes: &[Footnote],
    own: &HashSet<String>,
) -> Result<FootnoteBlocks, Refusal> {
    let mut out = Vec::new();
    for (at, note) in notes.iter().enumerate() {
        let Some(tree) = db.tree_of(&note.id)? else { continue };
        let mut blocks = section(&tree, &note.id);
        links_to_references(&mut blocks);
        database::fill(db, &mut blocks)?;
        if tree.id() == note.id {
            let mut title = Node::new(Kind::Heading(1));
            note.id.clone_into(&mut title.id);
            title.spans.push(Span::plain(tree.title()));
            blocks.insert(0, title);
        }
        let mut named = Vec::new();
        for block in &mut blocks {
            block.walk_mut(&mut |n| {
                for spans in n.texts_mut() {
                    *spans = std::mem::take(spans)
                        .into_iter()
                        .flat_map(|span| {
                            let id = span.attrs.text("data-id").to_owned();
                            match notes.iter().position(|note| note.id == id).filter(|_| span.is("block-ref"))
                            {
                                Some(to) => {
                                    named.push(to);
                                    let text = notes.get(to).map_or("", |note| note.text.as_str());
                                    vec![Span::plain(text), Span::plain(format!("[^{}]", to + 1))]
                                }
                                None if span.is("block-ref") && own.contains(&id) => {
                                    vec![link(&span, &format!("#{id}"))]
                                }
                                None => vec![span],
                            }
                        })
                        .collect();
                }
            });
        }
        out.push((at, (blocks, named)));
    }
    Ok(out)
}

fn link(span: &Span, to: &str) -> Span {
    let mut new = Span { kind: kind_without(span, "block-ref", "a"), ..Span::plain(span.text.as_str()) };
    new.attrs.set("data-href", to);
    new
}

/// Converts references as the options say.
fn refer(
    spans: &mut Vec<Span>,
    options: &MarkdownOptions,
    own: &HashSet<String>,
    notes: &[Footnote],
    used: &mut HashSet<usize>,
) {
    let mut out = Vec::new();
    for span in std::mem::take(spans) {
        if !span.is("block-ref") {
            out.push(span);
            continue;
        }
        let id = span.attrs.text("data-id").to_owned();
        let text = Span { kind: kind_without(&span, "block-ref", ""), ..Span::plain(span.text.as_str()) };
        match options.references {
            References::Links => out.push(link(&span, &format!("siyuan://blocks/{id}"))),
            References::Texts => out.push(text),
            References::Footnotes if own.contains(&id) => out.push(link(&span, &format!("#{id}"))),
            References::Footnotes => {
                let file = options.files.as_ref().and_then(|files| files.links.get(&id));
                match (file, notes.iter().position(|note| note.id == id)) {
                    (Some(to), _) => out.push(link(&span, to)),
                    (None, Some(at)) => {
                        used.insert(at);
                        out.extend([text, Span::plain(format!("[^{}]", at + 1))]);
                    }
                    (None, None) => out.push(span),
                }
            }
            References::Unchanged => out.push(span),
        }
    }
    *spans = out;
}

/// Gives the first heading a level and moves the others with it.
fn lift(nodes: &mut [Node], level: u8) {
    let first = nodes.iter().find_map(|node| match node.kind {
        Kind::Heading(old) => Some(old),
        _ => None,
    });
    let Some(by) = first.map(|old| i64::from(level) - i64::from(old)) else { return };
    for node in nodes {
        node.walk_mut(&mut |n| {
            if let Kind::Heading(old) = &mut n.kind {
                *old = u8::try_from((i64::from(*old) + by).clamp(1, 6)).unwrap_or(1);
            }
        });
    }
}

#[cfg(test)]
mod tests;
