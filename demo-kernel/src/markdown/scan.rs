//! The scanner: splits a text into blocks, and assigns attribute lists to the blocks before them.

use super::{Attrs, Kind, Node, attrs, inline, table};
use crate::siyuan::Siyuan;

mod container;
mod newer;

pub(crate) use container::CALLOUTS;

/// The depth to which nested blocks are read; deeper ones stay text.
const DEEPEST: usize = 40;

/// Reads the blocks of Markdown or Kramdown; the attribute list of a whole document is dropped.
pub(crate) fn scan(text: &str) -> Vec<Node> {
    scan_as(Siyuan::V3_7, text)
}

/// Reads the blocks as a version of SiYuan does.
pub(crate) fn scan_as(siyuan: Siyuan, text: &str) -> Vec<Node> {
    let text = text.replace("\r\n", "\n").replace(inline::ZERO_WIDTH, "");
    let lines: Vec<String> = text.split('\n').map(blanks_for_tabs).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    Scanner { depth: 0, newer: siyuan.is_newer() }.blocks(&lines)
}

/// Whether an attribute list outside of code gives a block what is no id: the kernel gives up on such a text.
pub(crate) fn names_a_wrong_id(text: &str) -> bool {
    let mut in_code = false;
    text.lines().map(str::trim).any(|line| {
        in_code ^= line.starts_with("```");
        let list = attrs::read_line(line).filter(|_| !in_code);
        list.is_some_and(|list| list.get("id").is_some_and(|id| !crate::id::is_node_id(id)))
    })
}

/// The tabs that indent a line become spaces; others are text.
fn blanks_for_tabs(line: &str) -> String {
    let text = line.trim_start_matches([' ', '\t']);
    let indent = line.get(..line.len() - text.len()).unwrap_or_default();
    indent.replace('\t', "    ") + text
}

struct Scanner {
    depth: usize,
    /// Whether the kinds of SiYuan 3.8 are read.
    newer: bool,
}

/// A block and its number of lines.
type ParsedBlock = (Node, usize);

impl Scanner {
    fn blocks(&mut self, lines: &[&str]) -> Vec<Node> {
        self.depth += 1;
        let mut blocks: Vec<Node> = Vec::new();
        // Whether an attribute list on this line belongs to the last block.
        let mut open = false;
        let mut rest = lines;
        while let Some((line, after)) = rest.split_first() {
            if line.trim().is_empty() {
                open = false;
                rest = after;
            } else if let Some(list) = attrs::read_line(line) {
                let document = list.get("type") == Some("doc") && self.depth == 1;
                if !open && !document {
                    blocks.push(Node::new(Kind::Paragraph));
                }
                if !document {
                    blocks.last_mut().into_iter().for_each(|block| apply(block, &list));
                }
                open = false;
                rest = after;
            } else {
                let (block, taken) = self.block(rest);
                blocks.push(block);
                open = true;
                rest = rest.get(taken..).unwrap_or_default();
            }
        }
        self.depth -= 1;
        blocks
    }

    /// The block that starts on the first line.
    fn block(&mut self, lines: &[&str]) -> ParsedBlock {
        let line = lines.first().map_or("", |line| line.trim());
        let deep = self.depth > DEEPEST;
        code(lines)
            .or_else(|| math(lines))
            .or_else(|| heading(line))
            .or_else(|| is_break(line).then(|| (Node::new(Kind::Break), 1)))
            .or_else(|| if deep { None } else { self.super_block(lines) })
            .or_else(|| if deep || !self.newer { None } else { self.tabs(lines) })
            .or_else(|| if self.newer { newer::custom(lines) } else { None })
            .or_else(|| embed(lines))
            .or_else(|| if deep { None } else { self.quote(lines) })
            .or_else(|| if deep { None } else { self.list(lines) })
            .or_else(|| read_table(lines))
            .or_else(|| html(lines))
            .unwrap_or_else(|| paragraph(lines, self.depth > 1))
    }
}

/// Gives a block an attribute list; its id where it has the form of one.
fn apply(block: &mut Node, list: &Attrs) {
    for (name, value) in list.iter() {
        match name {
            "id" if crate::id::is_node_id(value) => {
                value.clone_into(&mut block.id);
                if list.get("updated").is_none() {
                    block.attrs.set("updated", value.get(..14).unwrap_or_default());
                }
            }
            "id" => {}
            _ => block.attrs.set(name, value),
        }
    }
}

fn code(lines: &[&str]) -> Option<ParsedBlock> {
    let (first, after) = lines.split_first()?;
    let line = first.trim_start();
    let sign = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.chars().take_while(|c| *c == sign).count();
    let info = line.get(length..)?.trim();
    if length < 3 || info.contains('`') {
        return None;
    }
    let indent = first.len() - line.len();
    let closes = |line: &&str| {
        let line = line.trim();
        line.len() >= length && line.chars().all(|c| c == sign)
    };
    let end = after.iter().position(closes).unwrap_or(after.len());
    let mut text = String::new();
    for line in after.get(..end)? {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        let line = line.get(spaces.min(indent)..).unwrap_or_default();
        // A line that would end the block is joined to an invisible character.
        text += if line.starts_with("```") { "\u{200d}" } else { "" };
        text += line;
        text.push('\n');
    }
    let info = info.split(' ').next().unwrap_or_default();
    let node = Node::new(Kind::Code { info: info.to_owned(), text });
    Some((node, (end + 2).min(lines.len())))
}

fn math(lines: &[&str]) -> Option<ParsedBlock> {
    let (first, after) = lines.split_first()?;
    let start = first.trim().strip_prefix("$$")?;
    if let Some(text) = start.strip_suffix("$$").filter(|text| !text.is_empty()) {
        return Some((Node::new(Kind::Math(text.trim().to_owned())), 1));
    }
    let end = after.iter().position(|line| line.trim().ends_with("$$")).unwrap_or(after.len());
    let mut text: Vec<&str> = vec![start];
    text.extend(after.get(..end)?);
    text.extend(after.get(end).map(|last| last.trim_end().trim_end_matches("$$")));
    let node = Node::new(Kind::Math(text.join("\n").trim_matches('\n').to_owned()));
    Some((node, (end + 2).min(lines.len())))
}

fn heading(line: &str) -> Option<ParsedBlock> {
    let level = line.chars().take_while(|c| *c == '#').count();
    let text = line.get(level..)?;
    if level == 0 || level > 6 || !(text.is_empty() || text.starts_with(' ')) {
        return None;
    }
    let text = text.trim();
    // Trailing `#` characters close the heading, but only after a space: `# C#` keeps its last one.
    let bare = text.trim_end_matches('#');
    let text = if bare.is_empty() || bare.ends_with(' ') { bare.trim_end() } else { text };
    let mut node = Node::new(Kind::Heading(u8::try_from(level).unwrap_or(6)));
    node.spans = inline::parse(text);
    Some((node, 1))
}

fn is_break(line: &str) -> bool {
    let sign = line.chars().next().filter(|c| matches!(c, '-' | '*' | '_'));
    let bare = |sign| line.chars().all(|c| c == sign || c == ' ');
    sign.is_some_and(|sign| bare(sign) && line.chars().filter(|c| *c == sign).count() >= 3)
}

fn embed(lines: &[&str]) -> Option<ParsedBlock> {
    let first = lines.first()?.trim();
    if !first.starts_with("{{") || first.starts_with("{{{") {
        return None;
    }
    let text = first.strip_prefix("{{")?.strip_suffix("}}")?.trim().to_owned();
    Some((Node::new(Kind::Embed(text)), 1))
}

/// The table that a paragraph's lines are, or what stands before it. The kernel counts the lines without a bar,
/// wherever they stand, skips as many lines, and wants a head and a line of dashes next.
fn read_table(lines: &[&str]) -> Option<ParsedBlock> {
    let text = lines.get(..text_lines(lines))?;
    let before = text.iter().filter(|line| !line.contains('|')).count();
    let (head, rest) = text.get(before..)?.split_first()?;
    let (dashes, rows) = rest.split_first()?;
    let aligns = table::delimiter(dashes).filter(|aligns| table::cells(head).len() <= aligns.len())?;
    if before > 0 {
        return Some(paragraph_of(text.get(..before)?));
    }
    let mut node = Node::new(Kind::Paragraph);
    // The kernel notes the widths of the columns, empty at first.
    node.attrs.0.push(("colgroup".to_owned(), "|".repeat(aligns.len() - 1)));
    node.kind = Kind::Table(table::read(head, aligns, rows));
    Some((node, text.len()))
}

/// HTML that is a block: `<div>` up to the next empty line, and media on one line.
fn html(lines: &[&str]) -> Option<ParsedBlock> {
    let line = lines.first()?.trim();
    if let Some(&name) =
        MEDIA.iter().find(|name| line.strip_prefix('<').is_some_and(|l| l.starts_with(**name)))
        && line.ends_with('>')
    {
        return Some((Node::new(Kind::Media { name: name.to_owned(), text: line.to_owned() }), 1));
    }
    if !line.strip_prefix("<div")?.starts_with([' ', '>', '/']) && line != "<div" {
        return None;
    }
    let inside = |line: &&&str| !line.trim().is_empty() && attrs::read_line(line).is_none();
    let text: Vec<&str> = lines.iter().take_while(inside).copied().collect();
    let taken = text.len();
    let text = text.join("\n").trim().to_owned();
    let kind = match database(&text) {
        Some(kind) => kind,
        // Kramdown has one more around a `<div>` that has attributes.
        None => match text.strip_prefix("<div>\n").filter(|inside| inside.starts_with("<div ")) {
            Some(inside) => Kind::Html(inside.to_owned()),
            None => Kind::Html(text),
        },
    };
    Some((Node::new(kind), taken))
}

/// Elements that make a block of a kind of their own.
const MEDIA: [&str; 3] = ["iframe", "video", "audio"];

/// The Kramdown of a database block.
fn database(text: &str) -> Option<Kind> {
    if !text.contains("data-type=\"NodeAttributeView\"") {
        return None;
    }
    let value = |name: &str| text.split_once(&format!("{name}=\""))?.1.split('"').next().map(str::to_owned);
    Some(Kind::Database {
        av: value("data-av-id")?,
        view: value("data-av-type").unwrap_or_else(|| "table".into()),
    })
}

/// Whether a line ends the paragraph above it.
fn interrupts(lines: &[&str]) -> bool {
    let Some(line) = lines.first().map(|line| line.trim()) else { return true };
    line.is_empty()
        || attrs::read_line(line).is_some()
        || heading(line).is_some()
        || is_break(line)
        || line.starts_with("{{{")
        || line.starts_with('>')
        || line == "$$"
        || container::interrupts(line)
        || code(&[line]).is_some()
}

/// The number of lines in the paragraph that starts on the first one.
fn text_lines(lines: &[&str]) -> usize {
    1 + (1..lines.len()).take_while(|at| !interrupts(lines.get(*at..).unwrap_or_default())).count()
}

/// Inside other blocks a paragraph loses the spaces it begins with.
fn paragraph(lines: &[&str], nested: bool) -> ParsedBlock {
    let (mut node, taken) = paragraph_of(lines.get(..text_lines(lines)).unwrap_or_default());
    if let Some(first) = node.spans.first_mut().filter(|first| nested && first.kind.is_empty()) {
        first.text = first.text.trim_start().to_owned();
        node.spans.retain(|span| !span.kind.is_empty() || !span.text.is_empty());
    }
    (node, taken)
}

fn paragraph_of(lines: &[&str]) -> ParsedBlock {
    let mut node = Node::new(Kind::Paragraph);
    let lines_in: Vec<&str> = lines.iter().map(|line| line.trim_end_matches(' ')).collect();
    node.spans = inline::parse(&lines_in.join("\n"));
    if node.spans.iter().all(|span| span.kind.is_empty() && span.text.trim().is_empty()) {
        node.spans.clear();
    }
    (node, lines.len())
}
