//! The tags of a document: how its attribute is kept, and what the index makes of it.

use std::sync::LazyLock;

use html5gum::{Token, Tokenizer};
use regex::Regex;

static REFERENCE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("&#?[A-Za-z0-9]+;").ok());

/// A list of tags as it is kept: each once and without blanks around it. What stands for a line break becomes one
/// when the attribute is read.
pub(crate) fn kept(list: &str) -> String {
    let mut tags: Vec<&str> = Vec::new();
    for tag in list.split(',').map(str::trim) {
        if !tag.is_empty() && !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    tags.join(",").replace("_esc_newline_", "\n")
}

/// The tags of the column: character references are decoded once more before the list is parted.
pub(crate) fn indexed(kept: &str) -> Vec<String> {
    let decoded = match REFERENCE.as_ref() {
        Some(pattern) => pattern.replace_all(kept, |found: &regex::Captures<'_>| decoded(&found[0])),
        None => kept.into(),
    };
    decoded.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
}

/// A character reference that is one to its end; others stay as they are.
fn decoded(reference: &str) -> String {
    let text = Tokenizer::new(reference).filter_map(|Ok(token)| match token {
        Token::String(text) => Some(String::from_utf8_lossy(&text).into_owned()),
        _ => None,
    });
    let text: String = text.collect();
    if text.len() > 1 && text.ends_with(';') { reference.to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded with SiYuan 3.7.3: what was set, the attribute, the column without its signs.
    #[test]
    fn tags_are_stored_and_indexed_like_in_the_kernel() {
        for (set, attribute, column) in [
            (" a , b ,a", "a,b", &["a", "b"][..]),
            ("a，b", "a，b", &["a，b"]),
            ("x&comma;p", "x&comma;p", &["x", "p"]),
            ("x&amp;comma;p", "x&amp;comma;p", &["x&comma;p"]),
            ("x&#44;p", "x&#44;p", &["x", "p"]),
            ("x&amp;lt;y", "x&amp;lt;y", &["x&lt;y"]),
            ("R&D", "R&D", &["R&D"]),
            ("R&amp;D", "R&amp;D", &["R&D"]),
            ("x&ampnum;p", "x&ampnum;p", &["x&ampnum;p"]),
            ("p_esc_newline_q", "p\nq", &["p\nq"]),
            ("x&comma;p,x", "x&comma;p,x", &["x", "p", "x"]),
            ("q&quot;q", "q&quot;q", &["q\"q"]),
        ] {
            assert_eq!(kept(set), attribute);
            assert_eq!(indexed(attribute), column, "{set}");
        }
    }
}
