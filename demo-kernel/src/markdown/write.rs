//! The tree as Markdown and Kramdown.

use super::inline::ZERO_WIDTH;
use super::table::{Align, Table};
use super::{CALLOUTS, Kind, Node, Span, attrs, inline};

/// The style in which a tree is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Markdown without attribute lists, as in the index and in lists of children.
    Plain,
    /// Markdown with attribute lists.
    Kramdown,
    /// As above, with `<span data-type>` for styles.
    Textmark,
}

/// One block with its children; a document is its blocks and its own attribute list.
pub(crate) fn write(node: &Node, style: Style) -> String {
    one(node, style, false)
}

/// As above, as Markdown inside an item or quote.
pub(crate) fn write_inside(node: &Node) -> String {
    block(node, Style::Plain, true)
}

/// The same inside an item or quote or not.
fn one(node: &Node, style: Style, nested: bool) -> String {
    let mut out = block(node, style, nested);
    // An item has its attribute list on its first line instead.
    let on_the_first_line = match node.kind {
        Kind::Item { .. } | Kind::MindmapItem { .. } => true,
        Kind::Tab { .. } => style == Style::Textmark,
        _ => false,
    };
    if style != Style::Plain && !on_the_first_line {
        if !out.is_empty() {
            out.push_str(if node.kind == Kind::Document { "\n\n" } else { "\n" });
        }
        out += &attribute_list(node);
    }
    out
}

fn children(node: &Node, style: Style, nested: bool, between: &str) -> String {
    let parts: Vec<String> = node.children.iter().map(|n| one(n, style, nested)).collect();
    parts.join(between)
}

fn block(node: &Node, style: Style, nested: bool) -> String {
    match &node.kind {
        Kind::Document => children(node, style, nested, "\n\n"),
        Kind::Heading(level) => {
            let text = format!("{} {}", "#".repeat(usize::from(*level)), spans(&node.spans, style));
            if style == Style::Plain { text.trim_end().to_owned() } else { text }
        }
        Kind::Paragraph => {
            let text = spans(&node.spans, style);
            // A text without any mark loses the spaces at its ends.
            let trimmed = style == Style::Plain && node.spans.iter().all(|span| span.kind.is_empty());
            if trimmed { text.trim().to_owned() } else { text }
        }
        // The kernel prints a mind map as the list that it looks like.
        Kind::List(_) | Kind::Mindmap(_) => children(node, style, nested, "\n"),
        Kind::Item { marker, task } | Kind::MindmapItem { marker, task } => item(node, marker, *task, style),
        Kind::Quote => quoted(&children(node, style, true, "\n\n"), style != Style::Plain || nested),
        Kind::Callout { name, icon, title } => {
            let text =
                format!("{}\n{}", callout_head(name, icon, title), children(node, style, true, "\n\n"));
            quoted(&text, style != Style::Plain || nested)
        }
        Kind::Super { layout } => {
            format!("{{{{{{{layout}\n{}\n\n}}}}}}", children(node, style, nested, "\n\n"))
        }
        Kind::Tabs if style == Style::Textmark => tabs(node, nested),
        Kind::Tab { title } if style == Style::Textmark => {
            let head = format!("@tab {title}\n{}", attribute_list(node));
            format!("{head}\n\n{}", children(node, style, nested, "\n\n"))
        }
        // For reading, tabs are flattened: each title is a line of text.
        Kind::Tabs => children(node, style, nested, "\n\n"),
        Kind::Tab { title } => {
            let title = if title.is_empty() { String::new() } else { format!("{title}\n\n") };
            title + &children(node, style, nested, "\n\n")
        }
        Kind::Custom { info, text } => format!(";;;{info}\n{text};;;"),
        Kind::Table(table) => write_table(table, style),
        Kind::Code { info, text } => code(info, text),
        Kind::Math(text) => format!("$$\n{text}\n$$"),
        Kind::Html(text) if style != Style::Plain && text.starts_with("<div ") => format!("<div>\n{text}"),
        Kind::Html(text) => text.clone(),
        Kind::Media { text, .. } => format!("{text}{}", if style == Style::Plain { "" } else { "\n" }),
        Kind::Break => "---".into(),
        Kind::Embed(text) => format!("{{{{{text}}}}}"),
        Kind::Database { av, view } => {
            format!("<div data-type=\"NodeAttributeView\" data-av-id=\"{av}\" data-av-type=\"{view}\"></div>")
        }
    }
}

/// A group of tabs between colons, more of them than around any group inside.
fn tabs(node: &Node, nested: bool) -> String {
    let colons = ":".repeat(2 + depth_of_tabs(node));
    format!("{colons} tabs\n{}\n{colons}", children(node, Style::Textmark, nested, "\n\n"))
}

fn depth_of_tabs(node: &Node) -> usize {
    let below = node.children.iter().map(depth_of_tabs).max().unwrap_or_default();
    below + usize::from(node.kind == Kind::Tabs)
}

/// The first line of a callout; an icon and title that are usual for its name are left out.
fn callout_head(name: &str, icon: &str, title: &str) -> String {
    let usual = CALLOUTS.contains(&(name, icon, title));
    let shown = format!("{icon} {}", spans(&inline::parse(title), Style::Textmark));
    let shown = if usual || shown.trim().is_empty() { String::new() } else { format!(" {shown}") };
    format!("[!{name}]{shown}")
}

/// The attribute list of a block, without what is only shown.
fn attribute_list(node: &Node) -> String {
    let mut attrs = node.attrs.clone();
    attrs.set("av-names", "");
    attrs.write(&node.id)
}

fn item(node: &Node, marker: &str, task: Option<char>, style: Style) -> String {
    let inside = children(node, style, true, "\n\n");
    let empty = node.children.first().is_some_and(|n| n.kind == Kind::Paragraph && n.spans.is_empty());
    let inside = if empty && style != Style::Plain { format!("\n{inside}") } else { inside };
    // The kernel's own items have no marker; it prints one, but indents by only one space.
    let indent = " ".repeat(marker.len() + 1);
    let mut out = format!("{} ", if marker.is_empty() { "-" } else { marker });
    if style != Style::Plain {
        out += &attribute_list(node);
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
    if inside.is_empty() { out.trim_end().to_owned() } else { out }
}

/// Every line behind a `>`; an empty one closes what is not outermost.
fn quoted(text: &str, close: bool) -> String {
    let mark = |line: &str| {
        let gap = if line.is_empty() || line.starts_with('>') { "" } else { " " };
        format!(">{gap}{line}")
    };
    let lines: Vec<String> = text.split('\n').map(mark).collect();
    lines.join("\n") + if close { "\n>" } else { "" }
}

fn code(info: &str, text: &str) -> String {
    let ticks = |line: &str| line.len() - line.trim_start_matches('`').len();
    let longest = text.lines().map(ticks).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{info}\n{text}{end}{fence}")
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
    let dashes = |colons: usize| "-".repeat(width.saturating_sub(colons).max(1));
    match align {
        Align::None => format!(" {}", dashes(0)),
        Align::Left => format!(" :{}", dashes(1)),
        Align::Center => format!(" :{}: ", dashes(2)),
        Align::Right => format!(" {}: ", dashes(1)),
    }
}

/// The width of a cell as the kernel counts it: plain text (characters beyond ASCII twice), text and target of images,
/// the zero-width spaces around code and the like, and two for the cell; marked text counts nothing.
fn width(cell: &[Span]) -> usize {
    let shown = |text: &str| text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum::<usize>();
    let mut width = 2;
    for (at, span) in cell.iter().enumerate() {
        let first = at == 0 && wants_room(span);
        let behind = wants_room(span) && (!span.is("img") || at + 1 == cell.len());
        width += 2 * (usize::from(first) + usize::from(behind));
        width += match span.kind.as_str() {
            // A bar is kept as an escape with its parts, which are counted as well.
            "" => shown(&span.text) + 4 * span.text.matches('|').count(),
            "img" => shown(&span.text) + shown(span.attrs.text("data-src")) + 4,
            _ => 0,
        };
    }
    width
}

/// Whether the kernel puts a zero-width space behind a span, and before it at the start.
pub(crate) fn wants_room(span: &Span) -> bool {
    ["code", "tag", "kbd", "img"].iter().any(|kind| span.is(kind))
}

/// Marks that open before and close behind their text.
const MARKS: [(&str, &str, &str); 9] = [
    ("strong", "**", "**"),
    ("em", "*", "*"),
    ("u", "<u>", "</u>"),
    ("s", "~~", "~~"),
    ("mark", "==", "=="),
    ("sup", "<sup>", "</sup>"),
    ("sub", "<sub>", "</sub>"),
    ("kbd", "<kbd>", "</kbd>"),
    ("tag", "#", "#"),
];

fn mark(kind: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    MARKS.iter().find(|(name, _, _)| *name == kind)
}

/// The text of spans.
pub(crate) fn spans(spans: &[Span], style: Style) -> String {
    let mut out = String::new();
    let last = spans.iter().rposition(|span| !span.kind.is_empty());
    for (at, span) in spans.iter().enumerate() {
        let next = spans.get(at + 1);
        // Textmark shows the space around code and the like, Kramdown not at the two ends, Markdown never.
        let room = wants_room(span) && (!span.is("img") || next.is_none());
        if wants_room(span) && at == 0 && style == Style::Textmark {
            out.push(ZERO_WIDTH);
        }
        out += &match style {
            Style::Textmark => textmark(span),
            _ => marked(span, next),
        };
        if let Some(look) = span.attrs.get("style").filter(|_| !span.is("img")) {
            out += &format!("{{: style=\"{}\"}}", attrs::escape(look));
        }
        let inside = last.is_some_and(|last| at < last);
        if room && (style == Style::Textmark || (style == Style::Kramdown && inside)) {
            out.push(ZERO_WIDTH);
        } else if style == Style::Kramdown && is_mark(span) && next.is_some_and(is_mark) {
            // Characters that would meet are kept apart.
            out.push(ZERO_WIDTH);
        }
    }
    if style == Style::Plain { out.replace(ZERO_WIDTH, "") } else { out }
}

fn is_mark(span: &Span) -> bool {
    !span.kind.is_empty() && !span.is("img") && !span.is("backslash")
}

/// The Markdown of a span that is the same in every style.
fn alike(span: &Span) -> Option<String> {
    if span.kind.is_empty() {
        return Some(span.text.clone());
    }
    if span.is("img") {
        return Some(image(span));
    }
    span.is("backslash").then(|| format!("\\{}", span.text))
}

/// A span as Markdown, with the characters of all its styles.
fn marked(span: &Span, next: Option<&Span>) -> String {
    let attr = |name: &str| span.attrs.text(name);
    if let Some(text) = alike(span) {
        return text;
    }
    if is_foreign(span) {
        return textmark(span);
    }
    let ticks = if span.text.contains('`') { "``" } else { "`" };
    let pad = if span.text.contains('`') { " " } else { "" };
    let text = if span.is("code") {
        let inner = format!("{ticks}{pad}{}{pad}{ticks}", span.text);
        let alone = span.kind.split(' ').all(|kind| matches!(kind, "code" | "a"));
        if alone { inner } else { format!("{ZERO_WIDTH}{inner}{ZERO_WIDTH}") }
    } else {
        attrs::escape(&span.text)
    };
    let quote = if attr("data-subtype") == "s" { '"' } else { '\'' };
    let mut out = match () {
        () if span.is("inline-math") => format!("${}$", span.text),
        () if span.is("block-ref") => format!("(({} {quote}{}{quote}))", attr("data-id"), span.text),
        () if span.is("a") => format!("[{text}]({})", destination(attr("data-href"), attr("data-title"))),
        () if span.is("inline-memo") => memo(&span.text, attr("data-inline-memo-content")),
        () => text,
    };
    for kind in span.kind.rsplit(' ') {
        out = mark(kind).map_or_else(|| out.clone(), |m| format!("{}{out}{}", m.1, m.2));
    }
    // Markdown needs a space where a mark would be between a letter and a punctuation mark.
    let bold = ["strong", "em", "s"].iter().any(|kind| span.is(kind));
    if bold && !span.is("inline-math") && !["a", "block-ref", "inline-memo"].iter().any(|kind| span.is(kind))
    {
        if starts_oddly(span.text.chars().next()) {
            out.insert(0, ' ');
        }
        if next.is_some_and(|next| !is_mark(next)) && starts_oddly(span.text.chars().next_back()) {
            out.push(' ');
        }
    }
    out
}

fn starts_oddly(c: Option<char>) -> bool {
    c.is_some_and(|c| !c.is_alphanumeric())
}

/// A note on a text, as the kernel writes it where there is no other way.
fn memo(text: &str, note: &str) -> String {
    match (note, text.chars().next_back()) {
        ("", _) => text.to_owned(),
        (_, Some(c)) if super::plain::is_cjk(c) => format!("{text}<sup>（{note}）</sup>"),
        _ => format!("{text}<sup>({note})</sup>"),
    }
}

/// Whether only the textmark form can say what this span is.
fn is_foreign(span: &Span) -> bool {
    let known = |kind: &str| {
        mark(kind).is_some() || matches!(kind, "code" | "a" | "block-ref" | "inline-math" | "inline-memo")
    };
    !span.kind.split(' ').filter(|kind| *kind != "text").any(known)
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

fn textmark(span: &Span) -> String {
    if let Some(text) = alike(span) {
        return text;
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
    // Only a span with no other look shows its style here; all show it behind.
    let shown = |name: &str| name != "style" || span.kind == "text";
    for (name, value) in span.attrs.iter().filter(|(name, _)| shown(name)) {
        out += &format!(" {name}=\"{}\"", attrs::escape(value));
    }
    let text = span.text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    out + ">" + &text + "</span>"
}
