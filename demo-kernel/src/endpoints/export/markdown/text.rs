//! Blocks as the text of an export: without what only SiYuan knows.

use super::MarkdownOptions;
use crate::markdown::write::{Style, write};
use crate::markdown::{Kind, Node, Span, attrs};

/// Placeholders for what the writer would remove or read as Markdown: a zero-width space, and the start and
/// end of a tag.
const BLANK: char = '\u{e001}';
const OPEN: char = '\u{e002}';
const CLOSE: char = '\u{e003}';
/// Stands before spaces at the start of a paragraph, which stay.
const KEEP: &str = "\u{e004}";

pub(super) fn write_plain(node: &Node) -> String {
    write(node, Style::Plain)
}

/// Blocks as text, without what only SiYuan knows.
pub(super) fn text_of(
    mut nodes: Vec<Node>,
    options: &MarkdownOptions,
    anchors: &[String],
    write: fn(&Node) -> String,
) -> String {
    flatten(&mut nodes);
    nodes.iter_mut().for_each(|node| anchor(node, anchors));
    let mut root = Node::new(Kind::Document);
    for node in &mut nodes {
        node.walk_mut(&mut |n| prepare(n, options));
    }
    root.children = nodes;
    write(&root).replace(BLANK, "\u{200b}").replace(OPEN, "<").replace(CLOSE, ">").replace(KEEP, "")
}

/// Super blocks are gone, what lay in them stays.
fn flatten(nodes: &mut Vec<Node>) {
    *nodes = std::mem::take(nodes)
        .into_iter()
        .flat_map(|mut node| {
            flatten(&mut node.children);
            if matches!(node.kind, Kind::Super { .. }) { node.children } else { vec![node] }
        })
        .collect();
}

/// Puts an anchor before the text of every block that is referred to.
fn anchor(node: &mut Node, anchors: &[String]) {
    if anchors.contains(&node.id) {
        let id = node.id.clone();
        let mut leaf = &mut *node;
        while leaf.kind.is_container() && !leaf.children.is_empty() {
            leaf = match leaf.children.first_mut() {
                Some(child) => child,
                None => return,
            };
        }
        let tag = format!("{OPEN}span id=\"{id}\" style=\"display: none;\"{CLOSE}{OPEN}/span{CLOSE}");
        leaf.spans.insert(0, Span::plain(tag));
    }
    node.children.iter_mut().for_each(|child| anchor(child, anchors));
}

fn prepare(node: &mut Node, options: &MarkdownOptions) {
    let in_table = matches!(node.kind, Kind::Table(_));
    if node.kind == Kind::Paragraph && node.spans.is_empty() {
        node.spans.push(Span::plain("\u{200d}"));
    }
    // Other programs know one character for a done task.
    if let Kind::Item { task: Some(mark), .. } = &mut node.kind
        && *mark != ' '
    {
        *mark = 'X';
    }
    if let (Kind::Paragraph, Some(first)) = (&node.kind, node.spans.first_mut()) {
        first.text.insert_str(0, if first.text.starts_with(' ') { KEEP } else { "" });
    }
    for spans in node.texts_mut() {
        let last = spans.len().saturating_sub(1);
        let mut out = Vec::new();
        for (at, mut span) in std::mem::take(spans).into_iter().enumerate() {
            if span.kind.is_empty() && !in_table {
                span.text = span.text.replace('\n', "  \n");
            }
            span.attrs.set("style", "");
            span.attrs.set("parent-style", "");
            let room = at < last && (span.is("tag") || span.is("kbd"));
            if span.is("img") && options.image_tags {
                span = Span::plain(image_tag(&span));
            }
            out.push(span);
            if room {
                out.push(Span::plain(BLANK.to_string()));
            }
        }
        *spans = out;
    }
}

fn image_tag(image: &Span) -> String {
    let mut out = format!("{OPEN}img alt=\"{}\"", attrs::escape(&image.text));
    for (name, attr) in [("src", "data-src"), ("title", "title")] {
        if let Some(value) = image.attrs.get(attr) {
            out += &format!(" {name}=\"{}\"", attrs::escape(value));
        }
    }
    out + " /" + &CLOSE.to_string()
}
