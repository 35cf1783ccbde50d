//! References of a Markdown text: which blocks it points to, and where an anchor is missing.

use crate::id::is_node_id;

/// One reference.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reference<'a> {
    /// The block it points to.
    pub(super) id: &'a str,
    /// Where its anchor belongs, if it has none.
    pub(super) anchor_at: Option<usize>,
}

/// Every reference of a text (code blanked out), in order of place for each form.
pub(super) fn references(masked: &str) -> Vec<Reference<'_>> {
    let mut found = Vec::new();
    let mut rest = masked;
    while let Some(at) = rest.find("((") {
        rest = rest.get(at..).unwrap_or_default().trim_start_matches('(');
        let inside = rest.trim_start_matches(is_gap);
        let Some(id) = id_at(inside) else { continue };
        let after = inside.get(id.len()..).unwrap_or_default();
        let bare = after.trim_start_matches(is_gap).starts_with("))");
        found.push(Reference { id, anchor_at: bare.then_some(masked.len() - after.len()) });
        rest = after;
    }
    for form in ["siyuan://blocks/", "data-id"] {
        for (at, _) in masked.match_indices(form) {
            let rest = masked.get(at + form.len()..).unwrap_or_default();
            let rest = rest.trim_start_matches(|it| is_gap(it) || "=\"'".contains(it));
            found.extend(id_at(rest).map(|id| Reference { id, anchor_at: None }));
        }
    }
    found
}

fn is_gap(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{200b}'
}

fn id_at(text: &str) -> Option<&str> {
    text.get(..22).filter(|it| is_node_id(it))
}

/// A block's text as an anchor: one short line without what would end the anchor.
pub(super) fn anchor(text: &str) -> String {
    const MOST: usize = 64;
    let plain: String = text
        .chars()
        .map(|it| match it {
            '\'' | '"' => '’',
            '<' | '>' | '{' | '}' | '(' | ')' | '`' | '\\' => ' ',
            it if it.is_whitespace() || it.is_control() => ' ',
            it => it,
        })
        .filter(|it| *it != '\u{200b}')
        .collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default().trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "20250101000000-aaaaaaa";

    #[test]
    fn every_form_is_found() {
        let bare = format!("x (({A})) y");
        assert_eq!(references(&bare), [Reference { id: A, anchor_at: Some(26) }]);
        for text in [
            format!("(({A} 'anchor'))"),
            format!("!(( {A} \"fixed\"))"),
            format!("[x](siyuan://blocks/{A}?focus=1)"),
            format!("<span data-type=\"block-ref\" data-id=\"{A}\">x</span>"),
            format!("<span data-id = '{A}'>"),
        ] {
            assert_eq!(references(&text), [Reference { id: A, anchor_at: None }], "{text}");
        }
        assert_eq!(references(&format!("((({A})))")).len(), 1);
        assert_eq!(references("((not an id)) (( siyuan://blocks/ data-id="), []);
    }

    #[test]
    fn an_anchor_cannot_end_itself() {
        assert_eq!(anchor("it's (the\n\"end\")) <b>"), "it’s the ’end’ b");
        assert_eq!(anchor(&"x".repeat(99)).chars().count(), 65);
        assert_eq!(anchor(" \u{200b} "), "");
    }
}
