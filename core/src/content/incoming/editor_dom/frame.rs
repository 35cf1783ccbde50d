//! SiYuan's own frame around the text of blocks: the elements, classes and values that it writes whatever the text says.

/// Elements of blocks that agents may write.
pub(super) const ELEMENTS: [&str; 17] = [
    "audio",
    "br",
    "col",
    "colgroup",
    "div",
    "img",
    "protyle-html",
    "span",
    "svg",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "use",
    "video",
];

/// Kinds of blocks that agents may write.
const BLOCKS: [&str; 16] = [
    "NodeAudio",
    "NodeBlockQueryEmbed",
    "NodeBlockquote",
    "NodeCallout",
    "NodeCodeBlock",
    "NodeGitConflict",
    "NodeHTMLBlock",
    "NodeHeading",
    "NodeList",
    "NodeListItem",
    "NodeMathBlock",
    "NodeParagraph",
    "NodeSuperBlock",
    "NodeTable",
    "NodeThematicBreak",
    "NodeVideo",
];

/// Marks of text. Several may stand together.
const MARKS: [&str; 17] = [
    "a",
    "backslash",
    "block-ref",
    "code",
    "em",
    "img",
    "inline-math",
    "inline-memo",
    "kbd",
    "mark",
    "s",
    "strong",
    "sub",
    "sup",
    "tag",
    "text",
    "u",
];

const CLASSES: &[&str] = &[
    "",
    "ariaLabel protyle-icon protyle-icon--first protyle-action__copy",
    "ariaLabel protyle-icon protyle-icon--first protyle-action__edit",
    "ariaLabel protyle-icon protyle-icon--last protyle-action__menu",
    "ariaLabel protyle-icon protyle-action__menu protyle-icon--last",
    "bq",
    "callout",
    "callout-content",
    "callout-icon",
    "callout-info",
    "callout-title",
    "code-block",
    "emoji",
    "fn__flex-1",
    "fn__none",
    "fn__none protyle-util",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hljs",
    "hr",
    "iframe",
    "iframe-content",
    "img",
    "img__net",
    "li",
    "li protyle-task--done",
    "list",
    "p",
    "protyle-action",
    "protyle-action protyle-action--order",
    "protyle-action protyle-action--task",
    "protyle-action protyle-icons",
    "protyle-action--first protyle-action__language",
    "protyle-action__drag",
    "protyle-action__table",
    "protyle-action__title",
    "protyle-attr",
    "protyle-attr--alias",
    "protyle-attr--bookmark",
    "protyle-attr--memo ariaLabel",
    "protyle-attr--name",
    "protyle-icon protyle-icon--only",
    "protyle-icons",
    "render-node",
    "sb",
    "svg",
    "table",
    "table__resize",
    "table__select",
];

/// Whether an attribute with this value belongs to the frame; `None` for a name that the frame does not have.
pub(super) fn is_frame(element: &str, name: &str, value: &str) -> Option<bool> {
    let digits = || !value.is_empty() && value.bytes().all(|it| it.is_ascii_digit());
    Some(match name {
        "align" => ["left", "center", "right"].contains(&value),
        "class" => CLASSES.contains(&value),
        "colspan" | "data-node-index" | "rowspan" | "updated" => digits(),
        "contenteditable" | "draggable" | "spellcheck" => ["true", "false"].contains(&value),
        "data-marker" => value.bytes().all(|it| it.is_ascii_digit() || b".)*+-".contains(&it)),
        "data-position" => ["4north", "north", "4south", "south"].contains(&value),
        "data-sb-layout" => ["row", "col"].contains(&value),
        "data-task" => value.chars().count() == 1,
        "data-type" if element == "span" => {
            !value.is_empty() && value.split(' ').all(|it| MARKS.contains(&it))
        }
        "data-type" => element == "div" && BLOCKS.contains(&value),
        "loading" => value == "lazy",
        "spin" => value == "1",
        "style" if ["", "position: absolute", "flex: 1"].contains(&value) => true,
        "xlink:href" => {
            let icon = value.strip_prefix("#icon").unwrap_or_default();
            element == "use" && !icon.is_empty() && icon.bytes().all(|it| it.is_ascii_alphanumeric())
        }
        _ => return None,
    })
}
