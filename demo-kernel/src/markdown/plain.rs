//! The tree as plain text, for the index, and what is counted of it.

use super::inline::ZERO_WIDTH;
use super::{Kind, Node, Span};

/// What a text leaves out or takes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Take {
    /// Where links and images lead, too, as the index has it.
    Targets,
    /// Only what is seen, as references show it.
    Seen,
}

/// The text of a block and all below it, without zero-width blanks.
pub(crate) fn content(node: &Node, take: Take) -> String {
    roomy(node, take).replace(ZERO_WIDTH, "")
}

/// The same with the blanks that the kernel counts in.
pub(crate) fn roomy(node: &Node, take: Take) -> String {
    if node.kind == Kind::Document {
        return node.attrs.get("title").unwrap_or("Untitled").to_owned();
    }
    let mut out = String::new();
    let mut after_blank = false;
    node.walk(&mut |n| {
        if n.kind.is_container() {
            if !after_blank {
                out.push(' ');
                after_blank = true;
            }
            if let Kind::Callout { name, icon, title } = &n.kind {
                out += &format!("{name} {icon} {title} ");
            }
            return;
        }
        after_blank = false;
        match &n.kind {
            Kind::Table(table) => {
                for cell in table.rows.iter().flatten() {
                    if !out.is_empty() {
                        out.push(' ');
                    }
                    out += &spans(cell, take);
                }
            }
            Kind::Code { text, .. } | Kind::Math(text) | Kind::Html(text) => out += text,
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
            let targets = if span.is("img") { ["data-src", "title"] } else { ["data-title", "data-href"] };
            let found = targets.iter().filter_map(|name| span.attrs.get(name));
            found.for_each(|target| part += &format!(" {target}"));
        }
        out += &part;
        if ["code", "tag", "kbd"].iter().any(|kind| span.is(kind)) {
            out.push(ZERO_WIDTH);
        }
    }
    out
}

/// What `getTreeStat` and its kin count.
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
    node.walk(&mut |n| {
        stat.blocks += usize::from(n.kind != Kind::Document);
        let text = match &n.kind {
            Kind::Code { text, .. } | Kind::Math(text) => text.clone(),
            _ => n.texts().into_iter().map(|cell| counted(cell)).collect::<Vec<_>>().join(" "),
        };
        let (runes, words) = count_words(&text);
        stat.runes += runes;
        stat.words += words;
        for span in n.texts().into_iter().flatten() {
            stat.links += usize::from(span.is("a"));
            stat.images += usize::from(span.is("img"));
            stat.refs += usize::from(span.is("block-ref"));
        }
    });
    stat
}

/// The text of spans that counts: no formulas, of images both texts, and the blanks around code and tags.
fn counted(spans: &[Span]) -> String {
    let mut out = String::new();
    for (at, span) in spans.iter().enumerate() {
        let room = ["code", "tag", "kbd"].iter().any(|kind| span.is(kind));
        if room && at == 0 {
            out.push(ZERO_WIDTH);
        }
        if !span.is("inline-math") {
            out += &span.text;
        }
        if span.is("img") {
            out += span.attrs.text("title");
        }
        if room {
            out.push(ZERO_WIDTH);
        }
    }
    out
}

/// Characters but blanks, and words: runs of ASCII between blanks, and every other character.
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
