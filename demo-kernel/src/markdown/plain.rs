//! The tree as plain text, for the index, and what is counted of it.

use super::inline::{self, ZERO_WIDTH};
use super::{Kind, Node, Span};

/// The parts that a plain text leaves out or includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Take {
    /// Also the targets of links and images, as in the index.
    Targets,
    /// Only what is seen, as references show it.
    Seen,
}

/// Code that the page shows as a drawing.
const DRAWN: [&str; 7] = ["mermaid", "echarts", "abc", "graphviz", "flowchart", "mindmap", "plantuml"];

/// The text of a block and all below it, without zero-width spaces.
pub(crate) fn content(node: &Node, take: Take) -> String {
    roomy(node, take).replace(ZERO_WIDTH, "")
}

/// The same with the spaces that the kernel counts in.
pub(crate) fn roomy(node: &Node, take: Take) -> String {
    if node.kind == Kind::Document {
        return node.attrs.text("title").to_owned();
    }
    let mut out = String::new();
    let mut after_blank = false;
    node.walk(&mut |n| {
        if n.kind.is_container() {
            out += if after_blank { "" } else { " " };
            // Quotes and super blocks have a character of their own behind that space.
            after_blank = !matches!(n.kind, Kind::Quote | Kind::Super { .. });
            if let Kind::Callout { name, icon, title } = &n.kind {
                let title: String = inline::parse(title).into_iter().map(|span| span.text).collect();
                let shown = [name.as_str(), icon, &title];
                shown.iter().filter(|part| !part.is_empty()).for_each(|part| out += &format!("{part} "));
            }
            if let Kind::Tab { title } = &n.kind {
                let title: String = inline::parse(title).into_iter().map(|span| span.text).collect();
                out += &format!("{title} ");
            }
            return;
        }
        after_blank = false;
        match &n.kind {
            Kind::Table(table) => {
                for cell in table.rows.iter().flatten().filter(|cell| !cell.is_empty()) {
                    if !out.is_empty() {
                        out.push(' ');
                    }
                    out += &spans(cell, take);
                }
            }
            Kind::Code { info, text } if DRAWN.contains(&info.trim()) => out += text.trim_end_matches('\n'),
            Kind::Code { text, .. } | Kind::Math(text) | Kind::Html(text) | Kind::Custom { text, .. } => {
                out += text;
            }
            Kind::Media { name, .. } if name != "iframe" => {
                out += &format!("{} ", n.source().unwrap_or_default());
            }
            _ => out += &spans(&n.spans, take),
        }
    });
    out
}

fn spans(spans: &[Span], take: Take) -> String {
    let mut out = String::new();
    for span in spans {
        let mut part = span.text.clone();
        if span.is("tag") {
            part = format!("#{part}#");
        }
        if take == Take::Targets {
            if span.is("img") {
                part += &format!(" {} {}", span.attrs.text("data-src"), span.attrs.text("title"));
            }
            let targets = ["data-title", "data-href", "data-inline-memo-content"];
            for (name, target) in targets.iter().filter_map(|name| Some((name, span.attrs.get(name)?))) {
                part += if name.contains("memo") { "" } else { " " };
                part += target;
            }
        }
        out += &part;
        if ["code", "tag", "kbd"].iter().any(|kind| span.is(kind)) {
            out.push(ZERO_WIDTH);
        }
    }
    out
}

/// The counts of `getTreeStat` and its kin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) runes: usize,
    pub(crate) words: usize,
    pub(crate) links: usize,
    pub(crate) images: usize,
    pub(crate) refs: usize,
    pub(crate) blocks: usize,
}

/// Counts a block and all below it.
pub(crate) fn stat(node: &Node) -> Stat {
    let mut stat = Stat::default();
    let mut text = String::new();
    node.walk(&mut |n| {
        stat.blocks += usize::from(n.kind != Kind::Document);
        match &n.kind {
            Kind::Code { text: inside, .. } | Kind::Math(inside) => text += inside,
            _ => n.texts().into_iter().for_each(|cell| text += &counted(cell)),
        }
        text.push(' ');
        for span in n.texts().into_iter().flatten() {
            stat.links += usize::from(span.is("a"));
            stat.images += usize::from(span.is("img"));
            stat.refs += usize::from(span.is("block-ref"));
        }
    });
    (stat.runes, stat.words) = count_words(&text);
    stat
}

/// The text of spans that counts, with the zero-width spaces that the kernel has around code, tags and images.
fn counted(spans: &[Span]) -> String {
    let mut out = String::new();
    for (at, span) in spans.iter().enumerate() {
        let room = ["code", "tag", "kbd"].iter().any(|kind| span.is(kind));
        if (room || span.is("img")) && at == 0 {
            out.push(ZERO_WIDTH);
        }
        out += &span.text;
        if room || (span.is("img") && at + 1 == spans.len()) {
            out.push(ZERO_WIDTH);
        }
    }
    out
}

/// Characters except spaces, and words: runs of ASCII between spaces, and every other character.
pub(crate) fn count_words(text: &str) -> (usize, usize) {
    let runes = text.chars().filter(|c| !c.is_whitespace()).count();
    let (mut words, mut inside) = (0, false);
    for c in text.chars() {
        words += usize::from(!(c.is_whitespace() || c.is_ascii() && inside));
        inside = c.is_ascii() && !c.is_whitespace();
    }
    (runes, words)
}

/// Whether a character is a word of its own.
pub(crate) fn is_cjk(c: char) -> bool {
    matches!(u32::from(c), 0x2E80..=0x9FFF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0xFF00..=0xFFEF | 0x20000..=0x3FFFF)
}
