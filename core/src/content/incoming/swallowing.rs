//! Markup that swallows what stands behind it: in a name that SiYuan shows as HTML, that is the markup of the page.

use super::folded::readings;
use super::tags;

/// Elements whose content a browser reads as text, leaves out or shows in another way.
const ELEMENTS: [&str; 19] = [
    "audio",
    "canvas",
    "frameset",
    "iframe",
    "math",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "plaintext",
    "script",
    "select",
    "style",
    "svg",
    "template",
    "textarea",
    "title",
    "video",
    "xmp",
];

/// Whether a text begins an element, a comment or a quoted attribute that the text behind it continues.
pub(super) fn swallows(text: &str) -> bool {
    let may = text.contains(['<', '&']);
    may && readings(text).iter().any(|it| begins_one(it) || tags::leaves_a_quote_open(it))
}

/// Whether such an element or comment begins in a text in lower case, at whatever position.
fn begins_one(text: &str) -> bool {
    text.split('<').skip(1).any(|rest| {
        if let Some(rest) = rest.strip_prefix(['!', '?']) {
            return rest.starts_with(|it: char| it.is_ascii_lowercase() || "-[".contains(it));
        }
        let end = rest.find(|it: char| !it.is_ascii_alphanumeric()).unwrap_or(rest.len());
        rest.get(..end).is_some_and(|name| ELEMENTS.contains(&name))
    })
}
