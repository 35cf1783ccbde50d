//! Block trees: read from Markdown and editor DOM, written as Markdown, Kramdown and editor DOM.
//!
//! [`scan()`] splits a text into blocks and attribute lists; the inside of each goes through [`inline`] to
//! `comrak`. Everything is written from one tree of [`Node`]s, whose text is a list of [`Span`]s.

use serde::{Deserialize, Serialize};

pub(crate) mod attrs;
pub(crate) mod dom;
mod dom_read;
pub(crate) mod inline;
pub(crate) mod plain;
mod scan;
pub(crate) mod sy;
mod table;
pub(crate) mod write;

#[cfg(test)]
mod tests;

pub(crate) use attrs::Attrs;
pub(crate) use dom_read::read_dom;
pub(crate) use scan::{CALLOUTS, names_a_wrong_id, scan, scan_as};
pub(crate) use table::Table;

/// A block with its children.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Node {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    /// The attribute list, without the id.
    #[serde(default, skip_serializing_if = "Attrs::is_empty")]
    pub(crate) attrs: Attrs,
    /// The text of a paragraph or heading.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) spans: Vec<Span>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) children: Vec<Node>,
}

/// The kind of a block, with the data that only this kind has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Kind {
    Document,
    Heading(u8),
    Paragraph,
    List(ListType),
    /// `marker` is `-` or `1.`; it is empty for an item that the kernel wrapped around a block.
    Item {
        marker: String,
        task: Option<char>,
    },
    Quote,
    Callout {
        name: String,
        icon: String,
        title: String,
    },
    Super {
        layout: String,
    },
    Table(Table),
    Code {
        info: String,
        text: String,
    },
    Math(String),
    Html(String),
    /// A frame, video or audio: its element, as it was given.
    Media {
        name: String,
        text: String,
    },
    Break,
    Embed(String),
    Database {
        av: String,
        view: String,
    },
    /// From here on kinds that SiYuan has since 3.8.
    Tabs,
    Tab {
        title: String,
    },
    Mindmap(ListType),
    MindmapItem {
        marker: String,
        task: Option<char>,
    },
    /// A block that a plugin draws.
    Custom {
        info: String,
        text: String,
    },
}

/// The three kinds of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ListType {
    Bullet,
    Ordered,
    Task,
}

/// A run of text of one style: plain when `kind` is empty, else the kernel's names (`strong em`, `block-ref`).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Span {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) kind: String,
    pub(crate) text: String,
    /// `data-*` attributes and the like, by name.
    #[serde(default, skip_serializing_if = "Attrs::is_empty")]
    pub(crate) attrs: Attrs,
}

impl Span {
    pub(crate) fn plain(text: impl Into<String>) -> Span {
        Span { text: text.into(), ..Span::default() }
    }

    /// Whether this kind is one of its kinds.
    pub(crate) fn is(&self, kind: &str) -> bool {
        self.kind.split(' ').any(|k| k == kind)
    }
}

impl ListType {
    /// The letter of `subtype`.
    pub(crate) fn letter(self) -> &'static str {
        match self {
            ListType::Bullet => "u",
            ListType::Ordered => "o",
            ListType::Task => "t",
        }
    }
}

impl Kind {
    /// The node's name in the kernel.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Kind::Document => "NodeDocument",
            Kind::Heading(_) => "NodeHeading",
            Kind::Paragraph => "NodeParagraph",
            Kind::List(_) => "NodeList",
            Kind::Item { .. } => "NodeListItem",
            Kind::Quote => "NodeBlockquote",
            Kind::Callout { .. } => "NodeCallout",
            Kind::Super { .. } => "NodeSuperBlock",
            Kind::Table(_) => "NodeTable",
            Kind::Code { .. } => "NodeCodeBlock",
            Kind::Math(_) => "NodeMathBlock",
            Kind::Html(_) => "NodeHTMLBlock",
            Kind::Media { name, .. } => match name.as_str() {
                "iframe" => "NodeIFrame",
                "video" => "NodeVideo",
                _ => "NodeAudio",
            },
            Kind::Break => "NodeThematicBreak",
            Kind::Embed(_) => "NodeBlockQueryEmbed",
            Kind::Database { .. } => "NodeAttributeView",
            Kind::Tabs => "NodeTabs",
            Kind::Tab { .. } => "NodeTabItem",
            Kind::Mindmap(_) => "NodeMindmap",
            Kind::MindmapItem { .. } => "NodeMindmapItem",
            Kind::Custom { .. } => "NodeCustomBlock",
        }
    }

    /// The short type of rows and lists.
    pub(crate) fn short(&self) -> &str {
        match self {
            Kind::Document => "d",
            Kind::Heading(_) => "h",
            Kind::Paragraph => "p",
            Kind::List(_) => "l",
            Kind::Item { .. } => "i",
            Kind::Quote => "b",
            Kind::Callout { .. } => "callout",
            Kind::Super { .. } => "s",
            Kind::Table(_) => "t",
            Kind::Code { .. } => "c",
            Kind::Math(_) => "m",
            Kind::Html(_) => "html",
            Kind::Media { name, .. } => name,
            Kind::Break => "tb",
            Kind::Embed(_) => "query_embed",
            Kind::Database { .. } => "av",
            Kind::Tabs => "tabs",
            Kind::Tab { .. } => "tab",
            Kind::Mindmap(_) => "mindmap",
            Kind::MindmapItem { .. } => "mindmap_item",
            Kind::Custom { .. } => "custom",
        }
    }

    /// Whether blocks may lie in it.
    pub(crate) fn is_container(&self) -> bool {
        matches!(
            self,
            Kind::Document
                | Kind::List(_)
                | Kind::Item { .. }
                | Kind::Quote
                | Kind::Callout { .. }
                | Kind::Super { .. }
                | Kind::Tabs
                | Kind::Tab { .. }
                | Kind::Mindmap(_)
                | Kind::MindmapItem { .. }
        )
    }
}

impl Node {
    /// A new block with an id and a time of its own.
    pub(crate) fn new(kind: Kind) -> Node {
        let id = crate::id::new_id();
        let mut attrs = Attrs::default();
        attrs.set("updated", id.get(..14).unwrap_or_default());
        Node { id, kind, attrs, spans: Vec::new(), children: Vec::new() }
    }

    /// `subtype` of rows and lists.
    pub(crate) fn subtype(&self) -> String {
        match &self.kind {
            Kind::Heading(level) => format!("h{level}"),
            Kind::List(list) | Kind::Mindmap(list) => list.letter().into(),
            Kind::Item { task: Some(_), .. } | Kind::MindmapItem { task: Some(_), .. } => "t".into(),
            Kind::Item { marker, .. } | Kind::MindmapItem { marker, .. }
                if marker.starts_with(|c: char| c.is_ascii_digit()) =>
            {
                "o".into()
            }
            Kind::Item { .. } | Kind::MindmapItem { .. } => "u".into(),
            Kind::Callout { name, .. } => name.clone(),
            _ => String::new(),
        }
    }

    /// Calls `f` for this node and all below it, parents first.
    pub(crate) fn walk<'n>(&'n self, f: &mut impl FnMut(&'n Node)) {
        f(self);
        for child in &self.children {
            child.walk(f);
        }
    }

    /// As `walk`, with mutable nodes.
    pub(crate) fn walk_mut(&mut self, f: &mut impl FnMut(&mut Node)) {
        f(self);
        for child in &mut self.children {
            child.walk_mut(f);
        }
    }

    pub(crate) fn find(&self, id: &str) -> Option<&Node> {
        if self.id == id {
            return Some(self);
        }
        self.children.iter().find_map(|child| child.find(id))
    }

    pub(crate) fn find_mut(&mut self, id: &str) -> Option<&mut Node> {
        if self.id == id {
            return Some(self);
        }
        self.children.iter_mut().find_map(|child| child.find_mut(id))
    }

    /// The parent of a node, and the index in it.
    pub(crate) fn parent_of(&self, id: &str) -> Option<(&Node, usize)> {
        if let Some(at) = self.children.iter().position(|child| child.id == id) {
            return Some((self, at));
        }
        self.children.iter().find_map(|child| child.parent_of(id))
    }

    pub(crate) fn parent_of_mut(&mut self, id: &str) -> Option<(&mut Node, usize)> {
        if let Some(at) = self.children.iter().position(|child| child.id == id) {
            return Some((self, at));
        }
        self.children.iter_mut().find_map(|child| child.parent_of_mut(id))
    }

    /// The first block inside that is no container; none in an empty container.
    pub(crate) fn first_leaf(&self) -> Option<&Node> {
        let first = self.children.first()?;
        if first.kind.is_container() { first.first_leaf() } else { Some(first) }
    }

    /// Whether this block refers to others.
    pub(crate) fn refers(&self) -> bool {
        let is_reference = |span: &Span| span.is("block-ref");
        matches!(self.kind, Kind::Embed(_)) || self.texts().into_iter().flatten().any(is_reference)
    }

    /// The address that a video, audio or frame plays.
    pub(crate) fn source(&self) -> Option<&str> {
        let Kind::Media { text, .. } = &self.kind else { return None };
        text.split_once("src=\"")?.1.split('"').next()
    }

    /// All lists of spans in this block, not in those below it.
    pub(crate) fn texts_mut(&mut self) -> Vec<&mut Vec<Span>> {
        match &mut self.kind {
            Kind::Table(table) => table.rows.iter_mut().flatten().collect(),
            _ => vec![&mut self.spans],
        }
    }

    pub(crate) fn texts(&self) -> Vec<&Vec<Span>> {
        match &self.kind {
            Kind::Table(table) => table.rows.iter().flatten().collect(),
            _ => vec![&self.spans],
        }
    }
}
