//! The types of blocks: the names of nodes, and the short types of SQL and child lists.

use crate::index::{Filter, not_in};

/// Node, short type, and whether it holds other blocks.
const KINDS: [(&str, &str, bool); 24] = [
    ("NodeDocument", "d", true),
    ("NodeHeading", "h", false),
    ("NodeList", "l", true),
    ("NodeListItem", "i", true),
    ("NodeCodeBlock", "c", false),
    ("NodeMathBlock", "m", false),
    ("NodeTable", "t", false),
    ("NodeBlockquote", "b", true),
    ("NodeCallout", "callout", true),
    ("NodeSuperBlock", "s", true),
    ("NodeParagraph", "p", false),
    ("NodeHTMLBlock", "html", false),
    ("NodeBlockQueryEmbed", "query_embed", false),
    ("NodeAttributeView", "av", false),
    ("NodeThematicBreak", "tb", false),
    ("NodeIFrame", "iframe", false),
    ("NodeWidget", "widget", false),
    ("NodeVideo", "video", false),
    ("NodeAudio", "audio", false),
    // Since SiYuan 3.8.
    ("NodeCustomBlock", "custom", false),
    ("NodeTabs", "tabs", true),
    ("NodeTabItem", "tab", true),
    ("NodeMindmap", "mindmap", true),
    ("NodeMindmapItem", "mindmap_item", true),
];

/// The short type of a node; an unknown one keeps its name.
pub fn short_type(node: &str) -> &str {
    KINDS.iter().find(|(name, ..)| *name == node).map_or(node, |(_, short, _)| short)
}

/// Whether a block of this node type holds others.
pub fn holds_blocks(node: &str) -> bool {
    KINDS.iter().any(|(name, _, holds)| *holds && *name == node)
}

/// Whether Markdown does not show a block of this node type as it is: the kernel prints tabs flat and a mind map as a
/// list, and reading that again would make them so.
pub fn is_beyond_markdown(node: &str) -> bool {
    matches!(node, "NodeTabs" | "NodeTabItem" | "NodeMindmap" | "NodeMindmapItem")
}

/// The short types of those blocks.
pub const BEYOND_MARKDOWN: [&str; 4] = ["tabs", "tab", "mindmap", "mindmap_item"];

/// The condition for blocks `b` that hold no others: the text of a container repeats that of a block inside it.
pub fn leaves() -> Filter {
    not_in("b.type", KINDS.iter().filter(|(.., holds)| *holds).map(|(_, short, _)| *short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_types_keep_their_names() {
        assert_eq!(
            ["NodeTabItem", "NodeMindmap", "NodeNew", ""].map(short_type),
            ["tab", "mindmap", "NodeNew", ""]
        );
    }

    #[test]
    fn blocks_beyond_markdown_hold_others() {
        let beyond = KINDS.iter().filter(|(node, ..)| is_beyond_markdown(node));
        let (short, holds): (Vec<&str>, Vec<bool>) = beyond.map(|(_, short, holds)| (*short, *holds)).unzip();
        assert_eq!((short.as_slice(), holds), (&BEYOND_MARKDOWN[..], vec![true; 4]));
    }
}
