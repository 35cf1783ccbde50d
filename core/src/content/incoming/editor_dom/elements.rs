//! Editor DOM as an HTML parser reads it: its start tags in order.

use std::collections::BTreeMap;

use html5gum::{Error, Token, Tokenizer};

/// Elements without an end tag.
const VOID: [&str; 13] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];

/// Elements whose content is text to one parser and elements to another. They must be empty.
const RAW: [&str; 11] = [
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
    "script",
    "style",
    "template",
    "textarea",
    "title",
    "xmp",
];

/// An element with the block around it.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: BTreeMap<String, String>,
    /// The id of the innermost block that it is, or is in.
    pub(super) block: String,
}

impl Element {
    /// The value of an attribute; empty where there is none.
    pub(super) fn value(&self, name: &str) -> &str {
        self.attributes.get(name).map(String::as_str).unwrap_or_default()
    }
}

/// The elements of editor DOM; `None` if it is not read in one way only: each element must end where it should, and
/// there is nothing but elements and text.
pub(super) fn elements(dom: &str) -> Option<Vec<Element>> {
    let (mut found, mut open): (Vec<Element>, Vec<(String, String)>) = (Vec::new(), Vec::new());
    for token in Tokenizer::new(dom) {
        let Ok(token) = token;
        let is_raw = open.last().is_some_and(|(name, _)| RAW.contains(&name.as_str()));
        match token {
            Token::StartTag(tag) if !is_raw => {
                let name = text(&tag.name)?;
                let attributes = tag
                    .attributes
                    .iter()
                    .map(|(name, value)| Some((text(name)?, text(value)?)))
                    .collect::<Option<BTreeMap<String, String>>>()?;
                let around = open.last().map(|(_, block)| block.clone()).unwrap_or_default();
                let block = attributes.get("data-node-id").cloned().unwrap_or(around);
                if !VOID.contains(&name.as_str()) {
                    open.push((name.clone(), block.clone()));
                }
                found.push(Element { name, attributes, block });
            }
            Token::EndTag(tag) => {
                let (name, _) = open.pop()?;
                (name == text(&tag.name)?).then_some(())?;
            }
            Token::String(_) if !is_raw => {}
            Token::Error(error) if error.value != Error::DuplicateAttribute => {}
            _ => return None,
        }
    }
    open.is_empty().then_some(found)
}

fn text(bytes: &[u8]) -> Option<String> {
    String::from_utf8(bytes.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::elements;

    #[test]
    fn elements_know_their_block() {
        let dom = "<div data-node-id=\"a\"><div x='&lt;y'><br />t<img></div><div data-node-id=b></div></div>";
        let found = elements(dom).unwrap();
        let short: Vec<(&str, &str, &str)> =
            found.iter().map(|it| (it.name.as_str(), it.value("x"), it.block.as_str())).collect();
        assert_eq!(
            short,
            [("div", "", "a"), ("div", "<y", "a"), ("br", "", "a"), ("img", "", "a"), ("div", "", "b")]
        );
    }

    #[test]
    fn dom_that_may_be_read_in_two_ways_is_none() {
        for dom in [
            "<div>",
            "</div>",
            "<div><span></div></span>",
            "<!-- x -->",
            "<!doctype html>",
            "<div a=\"1\" a=\"2\"></div>",
            "<iframe><b></b></iframe>",
            "<style>x</style>",
        ] {
            assert!(elements(dom).is_none(), "{dom}");
        }
        assert!(elements("<iframe src=\"x\"></iframe>").is_some());
    }
}
