//! The tree as Markdown and Kramdown.

use super::inline::ZERO_WIDTH;
use super::table::{Align, Table};
use super::{Kind, Node, Span, attrs};

/// How a tree is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Markdown without attribute lists, as the index and lists of children hold it.
    Plain,
    /// Markdown with attribute lists.
    Kramdown,
    /// The same with `<span data-type>` for what has a look.
    Textmark,
}

/// One block with what lies in it; a document is its blocks and its own attribute list.
pub(crate) fn write(node: &Node, style: Style) -> String {
    let mut out = block(node, style);
    // An item's list stands in its first line.
    if style != Style::Plain && !matches!(node.kind, Kind::Item { .. }) {
        if !out.is_empty() {
            out.push_str(if node.kind == Kind::Document { "\n\n" } else { "\n" });
        }
        out += &node.attrs.write(&node.id);
    }
    out
}

fn children(node: &Node, style: Style, between: &str) -> String {
    let parts: Vec<String> = node.children.iter().map(|n| write(n, style)).collect();
    parts.join(between)
}

fn block(node: &Node, style: Style) -> String {
    match &node.kind {
        Kind::Document => children(node, style, "\n\n"),
        Kind::Heading(level) => {
            let text = spans(&node.spans, style);
            format!("{} {text}", "#".repeat(usize::from(*level))).trim_end().to_owned()
        }
        Kind::Paragraph => {
            let text = spans(&node.spans, style);
            // A text without any mark loses the blanks at its ends.
            let trimmed = style == Style::Plain && node.spans.iter().all(|span| span.kind.is_empty());
            if trimmed { text.trim().to_owned() } else { text }
        }
        Kind::List(_) => children(node, style, "\n"),
        Kind::Item { marker, task } => item(node, marker, *task, style),
        Kind::Quote => quoted(&children(node, style, "\n\n"), style),
        Kind::Callout { name, icon, title } => {
            let head = format!("[!{name}] {icon} {title}");
            quoted(&format!("{}\n{}", head.trim_end(), children(node, style, "\n\n")), style)
        }
        Kind::Super { layout } => format!("{{{{{{{layout}\n{}\n\n}}}}}}", children(node, style, "\n\n")),
        Kind::Table(table) => write_table(table, style),
        Kind::Code { info, text } => code(info, text),
        Kind::Math(text) => format!("$$\n{text}\n$$"),
        Kind::Html(text) => text.clone(),
        Kind::Break => "---".into(),
        Kind::Embed(text) => format!("{{{{{text}}}}}"),
        Kind::Database { av, view } => {
            format!("<div data-type=\"NodeAttributeView\" data-av-id=\"{av}\" data-av-type=\"{view}\"></div>")
        }
    }
}

fn item(node: &Node, marker: &str, task: Option<char>, style: Style) -> String {
    let inside = children(node, style, "\n\n");
    // The kernel's own items have no marker; it prints one but indents by nothing more than a blank.
    let indent = " ".repeat(marker.len() + 1);
    let mut out = format!("{} ", if marker.is_empty() { "-" } else { marker });
    if style != Style::Plain {
        out += &node.attrs.write(&node.id);
    }
    if let Some(mark) = task {
        out += &format!("[{mark}] ");
    }
    for (at, line) in inside.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
            if !line.is_empty() {
                out += &indent;
            }
        }
        out += line;
    }
    out
}

/// Every line behind a `>`; Kramdown closes with an empty one.
fn quoted(text: &str, style: Style) -> String {
    let mark = |line: &str| if line.is_empty() { ">".to_owned() } else { format!("> {line}") };
    let lines: Vec<String> = text.split('\n').map(mark).collect();
    let close = if style == Style::Plain { "" } else { "\n>" };
    lines.join("\n") + close
}

fn code(info: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let text = text.strip_suffix('\n').unwrap_or(text);
    format!("{fence}{info}\n{text}\n{fence}")
}

fn write_table(table: &Table, style: Style) -> String {
    let row = |cells: &Vec<Vec<Span>>| {
        let cells = cells.iter().map(|cell| spans(cell, style).replace('|', "\\|").replace('\n', "<br />"));
        format!("|{}|", cells.collect::<Vec<_>>().join("|"))
    };
    let width = |at: usize| {
        table.rows.iter().filter_map(|row| row.get(at)).map(|cell| width(cell)).max().unwrap_or(0)
    };
    let columns = table.aligns.iter().enumerate().map(|(at, align)| delimiter(*align, width(at)));
    let mut lines: Vec<String> = table.rows.iter().map(row).collect();
    lines.insert(lines.len().min(1), format!("|{}|", columns.collect::<Vec<_>>().join("|")));
    lines.join("\n")
}

fn delimiter(align: Align, width: usize) -> String {
    let dashes = |colons: usize| "-".repeat(width.max(3) - colons);
    match align {
        Align::None => format!(" {}", dashes(0)),
        Align::Left => format!(" :{}", dashes(1)),
        Align::Center => format!(" :{}: ", dashes(2)),
        Align::Right => format!(" {}: ", dashes(1)),
    }
}

/// How wide the kernel takes a cell to be: it counts the signs and the blank around code, but of no other mark.
fn width(cell: &[Span]) -> usize {
    cell.iter().map(|span| span.text.chars().count() + if span.is("code") { 5 } else { 0 }).sum()
}

/// Whether the kernel puts a zero-width blank behind a span, and before it at the start.
fn wants_room(span: &Span) -> bool {
    ["code", "tag", "kbd", "img"].iter().any(|kind| span.is(kind))
}

/// Marks that open before and close behind their text.
const MARKS: [(&str, &str, &str); 8] = [
    ("strong", "**", "**"),
    ("em", "*", "*"),
    ("u", "<u>", "</u>"),
    ("s", "~~", "~~"),
    ("mark", "==", "=="),
    ("sup", "<sup>", "</sup>"),
    ("sub", "<sub>", "</sub>"),
    ("kbd", "<kbd>", "</kbd>"),
];

fn mark(kind: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    MARKS.iter().find(|(name, _, _)| *name == kind)
}

/// The text of spans.
pub(crate) fn spans(spans: &[Span], style: Style) -> String {
    let mut out = String::new();
    let last = spans.iter().rposition(|span| !span.kind.is_empty());
    let mut open: Vec<&str> = Vec::new();
    for (at, span) in spans.iter().enumerate() {
        let room = wants_room(span);
        // Textmark shows every such blank, Kramdown none at the two ends, Markdown none at all.
        if room && at == 0 && style == Style::Textmark {
            out.push(ZERO_WIDTH);
        }
        if style == Style::Textmark {
            out += &textmark(span);
        } else {
            let wanted: Vec<&str> = marks_of(span);
            while let Some(kind) =
                open.last().filter(|kind| open.iter().any(|o| !wanted.contains(o)) || !wanted.contains(kind))
            {
                out += mark(kind).map_or("", |m| m.2);
                open.pop();
            }
            for kind in wanted {
                if !open.contains(&kind) {
                    out += mark(kind).map_or("", |m| m.1);
                    open.push(kind);
                }
            }
            out += &leaf(span);
        }
        let inside = last.is_some_and(|last| at < last);
        if room && (style == Style::Textmark || (style == Style::Kramdown && inside)) {
            out.push(ZERO_WIDTH);
        }
    }
    for kind in open.iter().rev() {
        out += mark(kind).map_or("", |m| m.2);
    }
    if style == Style::Plain { out.replace(ZERO_WIDTH, "") } else { out }
}

/// The marks of a span that Markdown has signs for; a span with a style of its own has none.
fn marks_of(span: &Span) -> Vec<&str> {
    if is_foreign(span) {
        Vec::new()
    } else {
        span.kind.split(' ').filter(|kind| mark(kind).is_some()).collect()
    }
}

/// Whether only the textmark form can say what this span is.
fn is_foreign(span: &Span) -> bool {
    let known = |kind: &str| {
        mark(kind).is_some()
            || matches!(kind, "" | "code" | "tag" | "a" | "block-ref" | "inline-math" | "img" | "backslash")
    };
    !span.kind.split(' ').all(known) || (!span.is("img") && span.attrs.get("style").is_some())
}

/// A span without its marks, as Markdown.
fn leaf(span: &Span) -> String {
    let text = span.text.as_str();
    if is_foreign(span) {
        return textmark(span);
    }
    let attr = |name: &str| span.attrs.text(name);
    if span.is("img") {
        return image(span);
    }
    if span.is("inline-math") {
        return format!("${text}$");
    }
    if span.is("block-ref") {
        let quote = if attr("data-subtype") == "s" { '"' } else { '\'' };
        return format!("(({} {quote}{text}{quote}))", attr("data-id"));
    }
    let mut out = if span.is("code") {
        let fence = "`".repeat(if text.contains('`') { 2 } else { 1 });
        let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
        format!("{fence}{pad}{text}{pad}{fence}")
    } else if span.is("backslash") {
        format!("\\{text}")
    } else {
        literal(text)
    };
    if span.is("tag") {
        out = format!("#{out}#");
    }
    if span.is("a") {
        out = format!("[{out}]({})", destination(attr("data-href"), attr("data-title")));
    }
    out
}

fn image(span: &Span) -> String {
    let to = destination(span.attrs.text("data-src"), span.attrs.text("title"));
    let mut out = format!("![{}]({to})", span.text);
    if let Some(style) = span.attrs.get("parent-style").or(span.attrs.get("style")) {
        out += &format!("{{: style=\"{}\"}}", attrs::escape(style));
    }
    out
}

fn destination(to: &str, title: &str) -> String {
    let to = if to.contains([' ', '(', ')']) {
        to.replace(' ', "%20").replace('(', "\\(").replace(')', "\\)")
    } else {
        to.to_owned()
    };
    if title.is_empty() { to } else { format!("{to} \"{}\"", title.replace('"', "&quot;")) }
}

/// Plain text; what would be read as a tag is written as text.
fn literal(text: &str) -> String {
    let tag = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
    if text.match_indices('<').any(|(at, _)| text.get(at + 1..).is_some_and(tag)) {
        return text.replace('<', "&lt;").replace('>', "&gt;");
    }
    text.to_owned()
}

fn textmark(span: &Span) -> String {
    if span.kind.is_empty() {
        return literal(&span.text);
    }
    if span.is("img") {
        return image(span);
    }
    if span.is("backslash") {
        return format!("\\{}", span.text);
    }
    if span.is("inline-math") {
        let content = attrs::escape(&span.text);
        return format!(
            "<span data-type=\"{}\" data-subtype=\"math\" data-content=\"{content}\" contenteditable=\"false\" \
             class=\"render-node\"></span>",
            span.kind
        );
    }
    let mut out = format!("<span data-type=\"{}\"", span.kind);
    for (name, value) in span.attrs.iter() {
        out += &format!(" {name}=\"{}\"", attrs::escape(value));
    }
    let text = span.text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    out + ">" + &text + "</span>"
}
