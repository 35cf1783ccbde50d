//! The types of blocks: the names of nodes, and the short types of SQL and child lists.

use crate::index::{RowCondition, in_list, not_in};

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
pub fn leaves() -> RowCondition {
    not_in("b.type", KINDS.iter().filter(|(.., holds)| *holds).map(|(_, short, _)| *short))
}

/// The condition for containers `b` with a title of their own, which no block inside them has.
pub fn titled() -> RowCondition {
    in_list("b.type", TITLED)
}

/// The short types of these containers.
const TITLED: [&str; 2] = ["callout", "tab"];

/// The title of such a container, the first line of its Markdown; empty where it is the text of the first block inside.
pub fn title<'r>(kind: &str, markdown: &'r str, first_block: &str) -> Option<&'r str> {
    let line = markdown.lines().next().unwrap_or_default();
    let is_text = first_block.lines().next().is_some_and(|it| it == line);
    TITLED.contains(&kind).then(|| if is_text { "" } else { line.trim_start_matches(['>', ' ']) })
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
    fn titles_are_first_lines_that_no_block_inside_has() {
        assert_eq!(title("callout", "> [!TIP] Shade\n> Ferns", "Ferns"), Some("[!TIP] Shade"));
        assert_eq!(title("tab", "Spring\n\nsow peas", "sow peas"), Some("Spring"));
        assert_eq!(title("tab", "sow peas\nand beans", "sow peas\nand beans"), Some(""));
        assert_eq!(title("p", "Spring", ""), None);
    }

    #[test]
    fn blocks_beyond_markdown_hold_others() {
        let beyond = KINDS.iter().filter(|(node, ..)| is_beyond_markdown(node));
        let (short, holds): (Vec<&str>, Vec<bool>) = beyond.map(|(_, short, holds)| (*short, *holds)).unzip();
        assert_eq!((short.as_slice(), holds), (&BEYOND_MARKDOWN[..], vec![true; 4]));
    }
}
