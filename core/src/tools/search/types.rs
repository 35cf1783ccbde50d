//! Types of blocks: this product's words, the kernel's search keys and its node types.

use serde_json::{Map, Value};

use crate::prelude::*;

/// A type of block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum BlockType {
    /// A document, by its title.
    Doc,
    /// A heading.
    Heading,
    /// A paragraph.
    Paragraph,
    /// A whole list.
    List,
    /// One item of a list.
    ListItem,
    /// Code.
    Code,
    /// A formula.
    Math,
    /// A table.
    Table,
    /// A quote.
    Quote,
    /// A super block.
    Super,
    /// HTML.
    Html,
    /// A query embed.
    Embed,
    /// A database.
    Database,
    /// A sound.
    Audio,
    /// A film.
    Video,
    /// A frame.
    Iframe,
    /// A widget.
    Widget,
    /// A callout.
    Callout,
}

/// Word, search key and node type, in the order of the enum.
const NAMES: [(BlockType, &str, &str); 18] = [
    (BlockType::Doc, "document", "NodeDocument"),
    (BlockType::Heading, "heading", "NodeHeading"),
    (BlockType::Paragraph, "paragraph", "NodeParagraph"),
    (BlockType::List, "list", "NodeList"),
    (BlockType::ListItem, "listItem", "NodeListItem"),
    (BlockType::Code, "codeBlock", "NodeCodeBlock"),
    (BlockType::Math, "mathBlock", "NodeMathBlock"),
    (BlockType::Table, "table", "NodeTable"),
    (BlockType::Quote, "blockquote", "NodeBlockquote"),
    (BlockType::Super, "superBlock", "NodeSuperBlock"),
    (BlockType::Html, "htmlBlock", "NodeHTMLBlock"),
    (BlockType::Embed, "embedBlock", "NodeBlockQueryEmbed"),
    (BlockType::Database, "databaseBlock", "NodeAttributeView"),
    (BlockType::Audio, "audioBlock", "NodeAudio"),
    (BlockType::Video, "videoBlock", "NodeVideo"),
    (BlockType::Iframe, "iframeBlock", "NodeIFrame"),
    (BlockType::Widget, "widgetBlock", "NodeWidget"),
    (BlockType::Callout, "callout", "NodeCallout"),
];

/// The search keys of the blocks that SiYuan 3.8 added, and whether each is searched where a person has not set it.
/// Older versions pass over keys that they do not know.
const NEWER: [(&str, bool); 5] =
    [("tabs", true), ("tabItem", true), ("mindmap", true), ("mindmapItem", false), ("customBlock", true)];

impl BlockType {
    /// The type of a node; `None` for nodes that are not searched.
    pub(super) fn of_node(node: &str) -> Option<BlockType> {
        NAMES.iter().find(|(_, _, it)| *it == node).map(|(kind, ..)| *kind)
    }

    /// Whether its indexed text shows rows or results from any notebook (K19).
    pub(super) fn shows_elsewhere(self) -> bool {
        matches!(self, BlockType::Embed | BlockType::Database)
    }

    /// Whether it contains other blocks, whose text the index repeats as its own.
    pub(super) fn holds_others(self) -> bool {
        use BlockType::{Callout, List, ListItem, Quote, Super};
        matches!(self, List | ListItem | Quote | Super | Callout)
    }

    fn key(self) -> &'static str {
        NAMES.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, key, _)| key)
    }
}

/// The kernel's `types` for these types.
pub(super) fn keys(types: impl IntoIterator<Item = BlockType>) -> Vec<&'static str> {
    types.into_iter().map(BlockType::key).collect()
}

/// The newer keys among a person's default types, from the search settings. No argument names them: their text is that
/// of the blocks in them, but for titles.
pub(super) fn newer(settings: &Map<String, Value>) -> impl Iterator<Item = &'static str> + '_ {
    let is_on = |key: &str, default| settings.get(key).and_then(Value::as_bool).unwrap_or(default);
    NEWER.iter().filter(move |(key, default)| is_on(key, *default)).map(|(key, _)| *key)
}

/// The types that a person searches by default, from the search settings; a type without a setting is among them.
pub(super) fn defaults(settings: &Map<String, Value>) -> impl Iterator<Item = BlockType> + '_ {
    let is_on = |key: &str| settings.get(key).and_then(Value::as_bool).unwrap_or(true);
    NAMES.iter().filter(move |(_, key, _)| is_on(key)).map(|(kind, ..)| *kind)
}
