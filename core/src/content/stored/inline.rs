//! Text inside blocks of a stored document as Markdown.

use super::StoredNode;

/// The marks around a text, by the kind of the mark.
const MARKS: [(&str, &str, &str); 12] = [
    ("strong", "**", "**"),
    ("em", "*", "*"),
    ("s", "~~", "~~"),
    ("mark", "==", "=="),
    ("code", "`", "`"),
    ("tag", "#", "#"),
    ("kbd", "<kbd>", "</kbd>"),
    ("u", "<u>", "</u>"),
    ("sup", "^", "^"),
    ("sub", "~", "~"),
    ("inline-memo", "", ""),
    ("text", "", ""),
];

/// The text of these nodes.
pub(super) fn inline(nodes: &[StoredNode]) -> String {
    nodes.iter().map(one).collect()
}

/// A text without the characters that only give the cursor a place.
pub(super) fn plain(text: &str) -> &str {
    text.trim_matches('\u{200b}')
}

fn one(node: &StoredNode) -> String {
    match node.r#type.as_str() {
        "NodeTextMark" => mark(node),
        "NodeImage" => {
            let part = |kind: &str| node.children.iter().find(|it| it.r#type == kind);
            let data = |kind: &str| part(kind).map(|it| it.data.as_str()).unwrap_or_default();
            format!("![{}]({})", data("NodeLinkText"), data("NodeLinkDest"))
        }
        "NodeSoftLineBreak" | "NodeHardLineBreak" | "NodeBr" => "\n".to_owned(),
        "NodeBackslash" => format!("\\{}", inline(&node.children)),
        // Styles of a text.
        "NodeKramdownSpanIAL" => String::new(),
        _ if node.children.is_empty() => node.data.replace('\u{200b}', ""),
        _ => inline(&node.children),
    }
}

fn mark(node: &StoredNode) -> String {
    let kinds = || node.text_mark_type.split(' ');
    let has = |kind: &str| kinds().any(|it| it == kind);
    if has("inline-math") {
        return format!("${}$", unescaped(&node.text_mark_inline_math_content));
    }
    let mut text = unescaped(&node.text_mark_text_content);
    for kind in kinds() {
        if let Some((_, open, close)) = MARKS.iter().find(|(name, ..)| *name == kind) {
            text = format!("{open}{text}{close}");
        }
    }
    if has("a") {
        return format!("[{text}]({})", unescaped(&node.address));
    }
    if has("block-ref") {
        let quote = if node.reference_kind == "s" { '"' } else { '\'' };
        return format!("(({} {quote}{text}{quote}))", node.reference);
    }
    text
}

/// A text in which the file writes marks of HTML as entities.
pub(super) fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}
