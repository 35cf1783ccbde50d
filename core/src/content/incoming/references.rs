//! References without an anchor: the position and the text of the missing anchor.

use std::collections::BTreeSet;

use super::folded::{folded, without_tags};
use crate::id::is_node_id;

/// A reference without an anchor.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BareReference<'a> {
    /// The block it points to.
    pub(super) id: &'a str,
    /// The position for its anchor.
    pub(super) at: usize,
}

/// Every reference without an anchor in a text (code blanked out).
pub(super) fn bare(masked: &str) -> Vec<BareReference<'_>> {
    let mut found = Vec::new();
    let mut rest = masked;
    while let Some(at) = rest.find("((") {
        rest = rest.get(at..).unwrap_or_default().trim_start_matches('(');
        let inside = rest.trim_start_matches(is_gap);
        let Some(id) = id_at(inside) else { continue };
        rest = inside.get(id.len()..).unwrap_or_default();
        if rest.trim_start_matches(is_gap).starts_with("))") {
            found.push(BareReference { id, at: masked.len() - rest.len() });
        }
    }
    found
}

/// Whether an anchor contains a tag: the kernel prints anchors verbatim.
pub(super) fn has_tag_in_anchor(text: &str) -> bool {
    const FAR: usize = 512;
    text.match_indices("((").any(|(at, _)| {
        let rest = text.get(at + 2..).unwrap_or_default().trim_start_matches(is_gap);
        let Some(anchor) = id_at(rest).and_then(|id| rest.get(id.len()..)) else { return false };
        let end = anchor.char_indices().nth(FAR).map_or(anchor.len(), |(at, _)| at);
        let anchor = anchor.get(..end).unwrap_or_default();
        let anchor = anchor.split_once("))").map_or(anchor, |(anchor, _)| anchor);
        anchor
            .split('<')
            .skip(1)
            .any(|it| it.starts_with(|it: char| it.is_ascii_alphabetic() || "/!?".contains(it)))
    })
}

/// The references of a text (code blanked out) whose anchors follow their targets: the id of each, or its tag.
pub(super) fn following(masked: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for text in [folded(masked), folded(&without_tags(masked))].into_iter().flatten() {
        let mut rest = text.as_str();
        while let Some(at) = rest.find("((") {
            rest = rest.get(at..).unwrap_or_default().trim_start_matches('(');
            let inside = rest.trim_start_matches(is_gap);
            let Some(id) = id_at(inside) else { continue };
            rest = inside.get(id.len()..).unwrap_or_default();
            let anchor = rest.trim_start_matches(is_gap).strip_prefix('"').and_then(|it| it.split_once('"'));
            // An empty anchor follows too.
            if anchor.is_none_or(|(anchor, _)| anchor.chars().all(is_gap)) {
                found.insert(id.to_owned());
            }
        }
        let tags = text.split('<').skip(1).map(|it| it.split_once('>').unwrap_or((it, "")));
        let is_fixed = |tag: &str, anchor: &str| {
            // The kernel reads the first of several.
            tag.matches("data-subtype").count() == 1
                && tag.contains("data-subtype=\"s\"")
                && !anchor.chars().all(is_gap)
        };
        let follow = tags.filter(|(tag, anchor)| tag.contains("block-ref") && !is_fixed(tag, anchor));
        found.extend(follow.map(|(tag, _)| tag.to_owned()));
    }
    found
}

fn is_gap(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{200b}'
}

fn id_at(text: &str) -> Option<&str> {
    text.get(..22).filter(|it| is_node_id(it))
}

/// A block's text as an anchor: one short line without characters that would end the anchor.
pub(super) fn anchor(text: &str) -> String {
    const MOST: usize = 64;
    let plain: String = text
        .chars()
        .map(|it| match it {
            '\'' | '"' => '’',
            '<' | '>' | '{' | '}' | '(' | ')' | '`' | '\\' | '&' => ' ',
            it if it.is_whitespace() || it.is_control() => ' ',
            it => it,
        })
        .filter(|it| !super::folded::is_dropped(*it))
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
    fn references_without_an_anchor_are_found() {
        let text = format!("x (({A})) y");
        assert_eq!(bare(&text), [BareReference { id: A, at: 26 }]);
        for text in [format!("((({A})))"), format!("!(( {A}\n))")] {
            assert_eq!(bare(&text).len(), 1, "{text}");
        }
        for text in
            [format!("(({A} 'anchor'))"), "((not an id)) (( ".to_owned(), format!("[x](siyuan://blocks/{A})")]
        {
            assert_eq!(bare(&text), [], "{text}");
        }
    }

    #[test]
    fn anchor_text_cannot_close_its_reference() {
        assert_eq!(anchor("it's (the\n\"end\")) <b> &lt;"), "it’s the ’end’ b lt;");
        assert_eq!(anchor(&"x".repeat(99)).chars().count(), 65);
        assert_eq!(anchor(" \u{200b} "), "");
    }

    /// S16: the target's text may become the name of a row later.
    #[test]
    fn references_that_follow_are_found() {
        for text in [
            format!("x (({A} 'x')) y"),
            format!("(({A}))"),
            format!("((( {A}\n'x')))"),
            format!("(<b></b>({A} 'x'))"),
            format!("&#40;({A} 'x'))"),
            format!("(({A} \"x\")) (({A} 'x'))"),
            format!("<span data-type=\"strong block-ref\" data-subtype=\"d\" data-id=\"{A}\">x</span>"),
            format!("<span data-type=block-ref data-id={A}>x</span>"),
            format!("**(({A} \"\"))**"),
            format!("(({A} \" \u{2038}&nbsp;\"))"),
            format!(
                "<span data-type=\"block-ref\" data-subtype=\"d\" data-subtype=\"s\" data-id=\"{A}\">x</span>"
            ),
            format!("<span data-type=\"block-ref\" data-subtype=\"s\" data-id=\"{A}\"></span>"),
        ] {
            assert!(!following(&text).is_empty(), "{text}");
        }
        for text in [
            format!("x (({A} \"it's 'x'\")) [x](siyuan://blocks/{A}) {A}"),
            format!("<span data-type=\"block-ref\" data-subtype=\"s\" data-id=\"{A}\">x</span>"),
            "f((x)) ((not an id 'x'))".to_owned(),
        ] {
            assert!(following(&text).is_empty(), "{text}");
        }
    }

    #[test]
    fn anchor_text_contains_no_tag() {
        assert!(has_tag_in_anchor(&format!("(({A} 'a<b>c'))")));
        assert!(!has_tag_in_anchor(&format!("(({A} 'a < b')) <b>c</b>")));
    }
}
