//! The inside of a block: Markdown and SiYuan's `<span data-type>` into a flat list of spans.
//!
//! `comrak` reads the Markdown. What it does not know, or reads otherwise, is put in its place before or after:
//! block references and formulas are taken out first, tags are found in plain text afterwards.

use std::sync::LazyLock;

use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options, parse_document};
use regex::Regex;

use super::{Attrs, Span, attrs};

/// The kernel puts this around code, tags and images so that the caret finds a place.
pub(crate) const ZERO_WIDTH: char = '\u{200b}';

/// Keeps a line from being read as a heading, list or quote, and its spaces from being lost. It counts as
/// punctuation, so that marks may begin behind it.
const GUARD: char = '\u{1039f}';
/// The first of the characters that stand for block references and formulas while `comrak` reads.
const FIRST_SIGN: u32 = 0xF_0000;
const LAST_SIGN: u32 = 0xF_FFFD;

/// The depth to which nested marks are read.
const DEEPEST: usize = 100;

/// Styles that lose the spaces at their ends.
const TIGHT: [&str; 7] = ["strong", "em", "u", "s", "mark", "sup", "sub"];
/// Emoji by name that the kernel writes with the character for the coloured form.
const COLOURED: &str = "🐶🐱🐭🐰🐻🐼🐟🐦🐕🐈🌍🌎🌏🌕⭐☀☁☔⚡⛄❤☕⚽⚾⌚⌛✂✅✔✉✏❄❗➡⬅⬆⬇";

static REFERENCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"\(\([ \t]*(\d{14}-[0-9a-z]{7})(?:[ \t]+(?:'([^\n]*?)'|"([^\n]*?)"))?[ \t]*\)\)"#).ok()
});
static TAG: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"#([^#\s](?:[^#\n]*[^#\s])?)#").ok());
static SPAN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"([\w-]+)="([^"]*)""#).ok());

static OPTIONS: LazyLock<Options<'static>> = LazyLock::new(|| {
    let mut options = Options::default();
    options.extension.strikethrough = true;
    options.extension.highlight = true;
    options.extension.superscript = true;
    options.extension.subscript = true;
    options.extension.shortcodes = true;
    options.parse.escaped_char_spans = true;
    options
});

/// The spans of a text.
pub(crate) fn parse(text: &str) -> Vec<Span> {
    let text = text.trim_end().replace(ZERO_WIDTH, "");
    if !text.contains(|c: char| c.is_ascii_punctuation()) {
        return if text.is_empty() { Vec::new() } else { vec![Span::plain(text)] };
    }
    let mut reader = Reader::default();
    let text = reader.take_references(&text);
    let guarded = format!("{GUARD}{}", reader.take_formulas(&text).replace('\n', &format!("\n{GUARD}")));
    let arena = Arena::new();
    reader.children(parse_document(&arena, &guarded, &OPTIONS));
    reader.finish()
}

#[derive(Default)]
struct Reader {
    references: Vec<(String, Span)>,
    /// Kinds that are open here, each with its attributes.
    open: Vec<(String, Attrs)>,
    spans: Vec<Span>,
    depth: usize,
}

impl Reader {
    /// Replaces every block reference with a placeholder character.
    fn take_references(&mut self, text: &str) -> String {
        let Some(reference) = REFERENCE.as_ref() else { return text.to_owned() };
        let replace = |found: &regex::Captures<'_>| {
            let part = |at: usize| found.get(at).map(|m| m.as_str());
            let source = part(0).unwrap_or_default().to_owned();
            let Some(sign) = self.free_sign() else { return source };
            let subtype = if part(3).is_some() { "s" } else { "d" };
            // Without a text the kernel shows the id.
            let anchor = part(2).or(part(3)).or(part(1)).unwrap_or_default();
            self.references.push((source, reference_span(part(1).unwrap_or_default(), subtype, anchor)));
            sign.to_string()
        };
        reference.replace_all(text, replace).into_owned()
    }

    fn free_sign(&self) -> Option<char> {
        let sign = FIRST_SIGN.checked_add(u32::try_from(self.references.len()).ok()?)?;
        char::from_u32(sign).filter(|_| sign <= LAST_SIGN)
    }

    /// Replaces every formula with a placeholder character: the text between two `$` of one line, outside code.
    fn take_formulas(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(['\\', '`', '$']) {
            let (before, from) = rest.split_at(at);
            out += before;
            let formula = from.strip_prefix('$').and_then(|after| after.split_once('$'));
            let formula = formula.map(|(inside, _)| inside).filter(|t| !t.is_empty() && !t.contains('\n'));
            let taken = match (formula, self.free_sign()) {
                (Some(inside), Some(sign)) => {
                    let kind = "inline-math".to_owned();
                    let text = self.restore(inside);
                    let source = format!("${text}$");
                    self.references.push((source, Span { kind, text, attrs: Attrs::default() }));
                    out.push(sign);
                    inside.len() + 2
                }
                _ => {
                    let taken = unread(from);
                    out += from.get(..taken).unwrap_or_default();
                    taken
                }
            };
            rest = from.get(taken..).unwrap_or_default();
        }
        out + rest
    }

    /// The source of the references in a text that is not read for them, such as code.
    fn restore(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            match self.reference(c) {
                Some((source, _)) => out += source,
                None if c == GUARD => {}
                None => out.push(c),
            }
        }
        out
    }

    fn reference(&self, sign: char) -> Option<&(String, Span)> {
        let at = u32::from(sign).checked_sub(FIRST_SIGN)?;
        self.references.get(usize::try_from(at).ok()?)
    }

    fn children<'a>(&mut self, node: &'a AstNode<'a>) {
        // No real text nests this deep; deeper marks are dropped to protect the stack.
        if self.depth < DEEPEST {
            self.depth += 1;
            node.children().for_each(|child| self.node(child));
            self.depth -= 1;
        }
    }

    fn node<'a>(&mut self, node: &'a AstNode<'a>) {
        let value = node.data.borrow().value.clone();
        match value {
            NodeValue::Text(text) => self.text(&text),
            NodeValue::SoftBreak | NodeValue::LineBreak => self.text("\n"),
            NodeValue::ShortCode(code) => {
                let plain = code.emoji.trim_end_matches('\u{fe0f}');
                let coloured = if COLOURED.contains(plain) { "\u{fe0f}" } else { "" };
                self.text(&format!("{plain}{coloured}"));
            }
            NodeValue::Code(code) => self.leaf("code", &code.literal),
            NodeValue::HtmlInline(tag) => self.tag(&tag),
            NodeValue::Emph => self.within("em", node),
            NodeValue::Strong => self.within("strong", node),
            NodeValue::Strikethrough => self.within("s", node),
            NodeValue::Highlight => self.within("mark", node),
            NodeValue::Superscript => self.within("sup", node),
            NodeValue::Subscript => self.within("sub", node),
            NodeValue::Escaped => self.within("backslash", node),
            NodeValue::Link(link) if node.first_child().is_none() => {
                self.text(&format!("[]({})", self.restore(&link.url)));
            }
            NodeValue::Link(link) => {
                let mut attrs = Attrs::default();
                attrs.set("data-href", &self.restore(&link.url));
                attrs.set("data-title", &self.restore(&link.title));
                self.open.push(("a".into(), attrs));
                self.children(node);
                self.open.pop();
            }
            NodeValue::Image(link) => {
                let mut attrs = Attrs::default();
                attrs.set("data-src", &self.restore(&link.url));
                attrs.set("title", &self.restore(&link.title));
                let mut alt = Reader { references: self.references.clone(), ..Reader::default() };
                alt.children(node);
                let text = alt.finish().into_iter().map(|span| span.text).collect();
                self.spans.push(Span { kind: "img".into(), text, attrs });
            }
            _ => self.children(node),
        }
    }

    fn within<'a>(&mut self, kind: &str, node: &'a AstNode<'a>) {
        self.open.push((kind.to_owned(), Attrs::default()));
        self.children(node);
        self.open.pop();
    }

    fn leaf(&mut self, kind: &str, text: &str) {
        self.open.push((kind.to_owned(), Attrs::default()));
        let text = self.restore(text);
        self.push(text);
        self.open.pop();
    }

    /// An HTML tag: the few that have a style in SiYuan open or close it, others are text.
    fn tag(&mut self, tag: &str) {
        let name = tag.trim_matches(['<', '>', '/', ' ']).split([' ', '\n']).next().unwrap_or_default();
        let name = name.to_ascii_lowercase();
        let kind = match name.as_str() {
            "u" | "kbd" | "sub" | "sup" | "mark" | "s" | "em" | "strong" => name.as_str(),
            "span" if tag.starts_with("</") || tag.contains("data-type=") => name.as_str(),
            "b" => "strong",
            "i" => "em",
            "del" | "strike" => "s",
            "br" => return self.text("\n"),
            _ => return self.text(tag),
        };
        if tag.starts_with("</") {
            let closes = |open: &(String, Attrs)| {
                open.0 == kind || (kind == "span" && open.1.get("data-type").is_some())
            };
            let Some(at) = self.open.iter().rposition(closes) else { return self.text(tag) };
            let (_, attrs) = self.open.remove(at);
            // A formula's text is in its attribute; its tags are empty.
            if attrs.text("data-type") == "inline-math" {
                let text = attrs.text("data-content").to_owned();
                self.spans.push(Span { kind: "inline-math".into(), text, attrs: Attrs::default() });
            }
            return;
        }
        let mut attrs = Attrs::default();
        if kind == "span" {
            for found in SPAN.iter().flat_map(|pattern| pattern.captures_iter(tag)) {
                let part = |at: usize| found.get(at).map_or("", |m| m.as_str());
                attrs.set(part(1), &attrs::unescape(&self.restore(part(2))));
            }
        }
        let kind = if kind == "span" { attrs.text("data-type").to_owned() } else { kind.to_owned() };
        self.open.push((kind, attrs));
    }

    /// Plain text: an attribute list for the span before it, references, tags, and the rest.
    fn text(&mut self, text: &str) {
        let text = text.replace(GUARD, "").replace('\u{a0}', " ");
        let mut text = text.as_str();
        if let Some((given, taken)) = attrs::read(text)
            && let Some(last) = self.spans.last_mut().filter(|span| !span.kind.is_empty())
        {
            given.iter().for_each(|(name, value)| last.attrs.set(name, value));
            text = text.get(taken..).unwrap_or_default();
        }
        let mut plain = String::new();
        for c in text.chars() {
            if let Some((_, span)) = self.reference(c).cloned() {
                self.tags(&std::mem::take(&mut plain));
                self.open.push((span.kind, span.attrs));
                self.push(span.text);
                self.open.pop();
            } else {
                plain.push(c);
            }
        }
        self.tags(&plain);
    }

    fn tags(&mut self, text: &str) {
        // Code that is written as an element holds its text as it is.
        let inside = self.open.iter().any(|(kind, _)| {
            matches!(kind.as_str(), "a" | "backslash" | "tag") || kind.split(' ').any(|it| it == "code")
        });
        let Some(pattern) = TAG.as_ref().filter(|_| !inside) else { return self.push(text.to_owned()) };
        let mut from = 0;
        for found in pattern.captures_iter(text) {
            let (Some(whole), Some(name)) = (found.get(0), found.get(1)) else { continue };
            if whole.start() == from && self.spans.last().is_some_and(|last| last.is("tag")) {
                self.push(" ".into());
            }
            self.push(text.get(from..whole.start()).unwrap_or_default().to_owned());
            self.open.push(("tag".into(), Attrs::default()));
            self.push(name.as_str().to_owned());
            self.open.pop();
            from = whole.end();
        }
        self.push(text.get(from..).unwrap_or_default().to_owned());
    }

    /// A span with the open styles; it is joined with the previous one if both have the same.
    fn push(&mut self, text: String) {
        let anchored = self.open.iter().any(|(kind, _)| kind == "block-ref");
        if text.is_empty() && !anchored {
            return;
        }
        let mut kinds: Vec<&str> = Vec::new();
        for kind in self.open.iter().flat_map(|(kind, _)| kind.split(' ')) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let in_span = self.open.iter().any(|(_, attrs)| attrs.get("data-type").is_some());
        let mut attrs = Attrs::default();
        for (name, value) in self.open.iter().flat_map(|(_, attrs)| attrs.iter()) {
            if name != "data-type" {
                attrs.set(name, value);
            }
        }
        let text = if in_span { attrs::unescape(&text) } else { text };
        let tight = !kinds.is_empty() && kinds.iter().all(|kind| TIGHT.contains(kind));
        // A line that breaks inside a mark is one with the next.
        let text = if tight { text.replace('\n', "") } else { text };
        let kind = kinds.join(" ");
        if !tight {
            return join(&mut self.spans, Span { kind, text, attrs });
        }
        let inside = text.trim();
        let (before, after) = match text.find(inside).filter(|_| !inside.is_empty()) {
            Some(at) => (text.get(..at), text.get(at + inside.len()..)),
            None => (Some(text.as_str()), None),
        };
        let blanks = |blanks: Option<&str>, spans: &mut Vec<Span>| {
            blanks.filter(|b| !b.is_empty()).into_iter().for_each(|b| join(spans, Span::plain(b)));
        };
        blanks(before, &mut self.spans);
        if !inside.is_empty() {
            join(&mut self.spans, Span { kind, text: inside.to_owned(), attrs });
        }
        blanks(after, &mut self.spans);
    }

    fn finish(self) -> Vec<Span> {
        self.spans
    }
}

/// The number of bytes at the start of a text that are no formula: an escape, code with its fences, or one character.
fn unread(text: &str) -> usize {
    let first = text.chars().next().map_or(1, char::len_utf8);
    let next = text.get(first..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    let ticks = text.len() - text.trim_start_matches('`').len();
    if text.starts_with('\\') {
        return first + next;
    }
    if ticks == 0 {
        return first;
    }
    let mut at = ticks;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('`')) {
        let from = text.get(at + found..).unwrap_or_default();
        let run = from.len() - from.trim_start_matches('`').len();
        at += found + run;
        if run == ticks {
            return at;
        }
    }
    ticks
}

/// Adds a span, or extends the last one if both have the same style.
pub(super) fn join(spans: &mut Vec<Span>, span: Span) {
    match spans.last_mut() {
        Some(last)
            if last.kind == span.kind
                && last.attrs == span.attrs
                && !span.is("tag")
                && !span.is("block-ref") =>
        {
            last.text += &span.text;
        }
        _ => spans.push(span),
    }
}

/// A reference to a block.
pub(crate) fn reference_span(id: &str, subtype: &str, anchor: &str) -> Span {
    let mut attrs = Attrs::default();
    attrs.set("data-subtype", subtype);
    attrs.set("data-id", id);
    Span { kind: "block-ref".into(), text: anchor.to_owned(), attrs }
}
