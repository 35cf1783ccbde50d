//! Editor DOM into a tree.

use html5gum::{Token, Tokenizer};

use super::inline::{ZERO_WIDTH, join};
use super::table::{Align, Table};
use super::{Attrs, Kind, ListType, Node, Span, attrs::escape};

/// The depth to which nested elements are read.
const DEEPEST: usize = 150;

/// An element, or a text (its name is empty).
#[derive(Debug, Default)]
struct Element {
    name: String,
    attrs: Attrs,
    text: String,
    children: Vec<Element>,
}

/// The blocks of a piece of editor DOM; text without a block around it becomes a paragraph.
pub(crate) fn read_dom(html: &str) -> Vec<Node> {
    let root = elements(html);
    let mut blocks: Vec<Node> = root.children.iter().filter_map(block).collect();
    if blocks.is_empty() {
        let mut paragraph = Node::new(Kind::Paragraph);
        paragraph.spans = spans_of(&root);
        blocks.push(paragraph);
    }
    blocks
}

fn elements(html: &str) -> Element {
    let mut stack = vec![Element::default()];
    // Closed elements go into the one around them; what is never closed is closed at the end.
    let close = |stack: &mut Vec<Element>| {
        if let (true, Some(done)) = (stack.len() > 1, stack.pop())
            && let Some(parent) = stack.last_mut()
        {
            parent.children.push(done);
        }
    };
    for token in Tokenizer::new(html) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let mut element = Element { name: lossy(&tag.name), ..Element::default() };
                for (name, value) in &tag.attributes {
                    element.attrs.set(&lossy(name), &lossy(value));
                }
                let empty = tag.self_closing
                    || matches!(element.name.as_str(), "br" | "img" | "col" | "hr" | "input");
                stack.push(element);
                if empty || stack.len() > DEEPEST {
                    close(&mut stack);
                }
            }
            Token::EndTag(tag) => {
                let name = lossy(&tag.name);
                if stack.iter().skip(1).any(|open| open.name == name) {
                    while stack.last().is_some_and(|open| open.name != name) {
                        close(&mut stack);
                    }
                    close(&mut stack);
                }
            }
            Token::String(text) => {
                let text = Element { text: lossy(&text), ..Element::default() };
                if let Some(open) = stack.last_mut() {
                    open.children.push(text);
                }
            }
            _ => {}
        }
    }
    while stack.len() > 1 {
        close(&mut stack);
    }
    stack.pop().unwrap_or_default()
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Element {
    fn attr(&self, name: &str) -> &str {
        self.attrs.text(name)
    }

    /// The first element below this one that a test names.
    fn find(&self, test: &dyn Fn(&Element) -> bool) -> Option<&Element> {
        self.children.iter().find_map(|child| if test(child) { Some(child) } else { child.find(test) })
    }

    fn all_text(&self) -> String {
        let below: String = self.children.iter().map(Element::all_text).collect();
        format!("{}{below}", self.text)
    }
}

/// Attributes that say what the element is, not what the block carries.
fn is_structure(name: &str) -> bool {
    name.starts_with("data-")
        || matches!(name, "class" | "contenteditable" | "spellcheck" | "id" | "draggable")
}

fn block(element: &Element) -> Option<Node> {
    let kind = kind(element)?;
    let mut node = Node::new(kind);
    if crate::id::is_node_id(element.attr("data-node-id")) {
        element.attr("data-node-id").clone_into(&mut node.id);
        node.attrs.set("updated", node.id.clone().get(..14).unwrap_or_default());
    }
    for (name, value) in element.attrs.iter().filter(|(name, _)| !is_structure(name)) {
        node.attrs.set(name, value);
    }
    if matches!(node.kind, Kind::Paragraph | Kind::Heading(_)) {
        let text = element.find(&|e| e.attr("contenteditable") == "true");
        node.spans = text.map(spans_of).unwrap_or_default();
    } else if node.kind.is_container() {
        let inside = match node.kind {
            Kind::Callout { .. } => {
                element.find(&|e| e.attr("class") == "callout-content").unwrap_or(element)
            }
            Kind::Tab { .. } => element.find(&|e| e.attr("class") == "tab-item-content").unwrap_or(element),
            _ => element,
        };
        node.children = inside.children.iter().filter_map(block).collect();
    }
    Some(node)
}

fn kind(element: &Element) -> Option<Kind> {
    let content = || element.attr("data-content").to_owned();
    Some(match element.attr("data-type") {
        "NodeParagraph" => Kind::Paragraph,
        "NodeHeading" => {
            let level = element.attr("data-subtype").trim_start_matches('h').parse().unwrap_or(1);
            Kind::Heading(level.clamp(1, 6))
        }
        "NodeList" => Kind::List(list(element)),
        "NodeMindmap" => Kind::Mindmap(list(element)),
        "NodeTabs" => Kind::Tabs,
        "NodeTabItem" => {
            let title = element.find(&|e| e.attr("class").contains("tab-item-title"));
            Kind::Tab { title: title.map(Element::all_text).unwrap_or_default() }
        }
        "NodeCustomBlock" => Kind::Custom { info: element.attr("data-info").to_owned(), text: content() },
        name @ ("NodeListItem" | "NodeMindmapItem") => {
            let marker = element.attr("data-marker");
            let marker = if element.attr("data-subtype") == "o" { marker } else { "-" };
            let done = element.attr("class").contains("protyle-task--done");
            let task = match element.attrs.get("data-task").and_then(|mark| mark.chars().next()) {
                None if done => Some('X'),
                other => other,
            };
            let task = task.or_else(|| (element.attr("data-subtype") == "t").then_some(' '));
            let marker = marker.to_owned();
            if name == "NodeListItem" {
                Kind::Item { marker, task }
            } else {
                Kind::MindmapItem { marker, task }
            }
        }
        "NodeBlockquote" => Kind::Quote,
        "NodeCallout" => {
            let text = |class: &str| element.find(&|e| e.attr("class") == class).map(Element::all_text);
            Kind::Callout {
                name: element.attr("data-subtype").to_owned(),
                icon: text("callout-icon").unwrap_or_default(),
                title: text("callout-title").unwrap_or_default(),
            }
        }
        "NodeSuperBlock" => Kind::Super { layout: element.attr("data-sb-layout").to_owned() },
        "NodeTable" => Kind::Table(table(element)),
        "NodeCodeBlock" => {
            let info = element.find(&|e| e.attr("class").contains("protyle-action__language"));
            let text = element.find(&|e| e.attr("contenteditable") == "true");
            Kind::Code {
                info: info.map(Element::all_text).unwrap_or_default(),
                text: text.map(Element::all_text).unwrap_or_default().replace(ZERO_WIDTH, ""),
            }
        }
        "NodeMathBlock" => Kind::Math(content()),
        "NodeHTMLBlock" => {
            let inner =
                element.find(&|e| e.name == "protyle-html").map(|e| e.attr("data-content").to_owned());
            Kind::Html(inner.unwrap_or_else(content))
        }
        "NodeIFrame" | "NodeVideo" | "NodeAudio" => {
            let inner = element.find(&|e| ["iframe", "video", "audio"].contains(&e.name.as_str()))?;
            let attrs: String =
                inner.attrs.iter().map(|(name, value)| format!(" {name}=\"{}\"", escape(value))).collect();
            Kind::Media { name: inner.name.clone(), text: format!("<{0}{attrs}></{0}>", inner.name) }
        }
        "NodeThematicBreak" => Kind::Break,
        "NodeBlockQueryEmbed" => Kind::Embed(content()),
        "NodeAttributeView" => Kind::Database {
            av: element.attr("data-av-id").to_owned(),
            view: element.attr("data-av-type").to_owned(),
        },
        _ => return None,
    })
}

fn list(element: &Element) -> ListType {
    match element.attr("data-subtype") {
        "o" => ListType::Ordered,
        "t" => ListType::Task,
        _ => ListType::Bullet,
    }
}

fn table(element: &Element) -> Table {
    let mut table = Table::default();
    rows(element, &mut table);
    table
}

fn rows(element: &Element, table: &mut Table) {
    for child in &element.children {
        if child.name != "tr" {
            rows(child, table);
            continue;
        }
        let cells: Vec<&Element> =
            child.children.iter().filter(|c| matches!(c.name.as_str(), "td" | "th")).collect();
        if table.rows.is_empty() {
            table.aligns = cells.iter().map(|cell| align(cell.attr("align"))).collect();
        }
        table.rows.push(cells.iter().map(|cell| spans_of(cell)).collect());
    }
}

fn align(name: &str) -> Align {
    match name {
        "left" => Align::Left,
        "center" => Align::Center,
        "right" => Align::Right,
        _ => Align::None,
    }
}

fn spans_of(element: &Element) -> Vec<Span> {
    let mut spans = Vec::new();
    element.children.iter().for_each(|child| inline(child, "", &Attrs::default(), &mut spans));
    spans
}

fn inline(element: &Element, kinds: &str, attrs: &Attrs, spans: &mut Vec<Span>) {
    if element.name.is_empty() {
        let text = element.text.replace(ZERO_WIDTH, "");
        if !text.is_empty() {
            join(spans, Span { kind: kinds.to_owned(), text, attrs: attrs.clone() });
        }
        return;
    }
    let kind = match element.name.as_str() {
        "br" => return join(spans, Span { kind: kinds.to_owned(), text: "\n".into(), attrs: attrs.clone() }),
        "span" => element.attr("data-type"),
        "b" => "strong",
        "i" => "em",
        "del" => "s",
        "a" => "a",
        other if ["strong", "em", "u", "s", "mark", "sup", "sub", "kbd", "code"].contains(&other) => other,
        _ => "",
    };
    match kind {
        "img" => {
            let Some(image) = element.find(&|e| e.name == "img") else { return };
            let mut attrs = Attrs::default();
            attrs.set("data-src", image.attrs.get("data-src").unwrap_or(image.attr("src")));
            attrs.set("title", image.attr("title"));
            spans.push(Span { kind: "img".into(), text: image.attr("alt").to_owned(), attrs });
        }
        "inline-math" => spans.push(Span {
            kind: "inline-math".into(),
            text: element.attr("data-content").to_owned(),
            attrs: Attrs::default(),
        }),
        "backslash" => spans.push(Span {
            kind: "backslash".into(),
            text: element.children.iter().skip(1).map(Element::all_text).collect(),
            attrs: Attrs::default(),
        }),
        kind => {
            let both = if kinds.is_empty() || kind.is_empty() {
                format!("{kinds}{kind}")
            } else {
                format!("{kinds} {kind}")
            };
            let mut all = attrs.clone();
            for (name, value) in element.attrs.iter() {
                if (name.starts_with("data-") && name != "data-type") || name == "style" {
                    all.set(name, value);
                }
            }
            if element.name == "a" {
                all.set("data-href", element.attr("href"));
            }
            element.children.iter().for_each(|child| inline(child, &both, &all, spans));
        }
    }
}
