//! The places of a text that the kernel prints into the page verbatim.
//!
//! These are the language of a fence, the kind of a callout, and the tags that become marks. Nothing there may read
//! as more than a word.

use super::active::active;
use super::folded::{folded, without_tags};

/// Elements that load or run something, or change how the page around them is read.
pub(super) const ELEMENTS: [&str; 25] = [
    "applet",
    "base",
    "body",
    "embed",
    "form",
    "frame",
    "frameset",
    "head",
    "html",
    "iframe",
    "link",
    "math",
    "meta",
    "noscript",
    "object",
    "plaintext",
    "portal",
    "script",
    "style",
    "svg",
    "template",
    "textarea",
    "title",
    "use",
    "xmp",
];

/// Elements that become marks in text.
const MARKS: [&str; 13] =
    ["b", "del", "em", "i", "kbd", "mark", "s", "span", "strike", "strong", "sub", "sup", "u"];

/// Attributes with a text value; the kernel escapes these.
const TEXTS: [&str; 8] =
    ["alt", "data-content", "data-href", "data-inline-memo-content", "data-title", "src", "style", "title"];

/// The verbatim place that contains something dangerous, if any.
pub(super) fn raw(masked: &str) -> Option<&'static str> {
    if masked.lines().any(|line| has_odd_language(line) || has_odd_callout(line)) {
        return Some("Markdown whose code blocks name a plain language and whose callouts a plain kind");
    }
    if masked.contains("caretreplacement") {
        return Some("Markdown without the word caretreplacement, which SiYuan takes for the cursor");
    }
    if masked.contains("{</span>") || has_odd_tag(masked) {
        return Some(
            "Markdown whose HTML tags have the form <name attribute=\"value\"> on one line; write &lt; for a bracket that is text",
        );
    }
    paragraphs(masked).any(marks).then_some(
        "Markdown without HTML elements in emphasised text; write elements as code, and {: as \\{:",
    )
}

/// Whether the language of a fence, read up to its first blank, is more than a word.
fn has_odd_language(line: &str) -> bool {
    ['`', '~'].into_iter().any(|mark| {
        let Some(at) = line.find(if mark == '`' { "```" } else { "~~~" }) else { return false };
        // After the last run before the language.
        let info = line.get(at..).unwrap_or_default().trim_start_matches(mark);
        let Some(info) = folded(info) else { return true };
        !info.contains(mark) && info.trim().split(' ').next().unwrap_or_default().contains(['<', '>', '"'])
    })
}

/// The maximum number of bytes of a callout's kind that are read.
const LONGEST_KIND: usize = 200;

/// Whether the kind of a callout, in its brackets, is more than a word.
fn has_odd_callout(line: &str) -> bool {
    line.match_indices("[!").any(|(at, _)| {
        let begins = line.get(..at).is_some_and(|it| it.trim_end().ends_with('>'));
        let rest = line.get(at + 2..).unwrap_or_default();
        let end = || rest.bytes().take(LONGEST_KIND).position(|it| it == b']');
        let odd = |kind: &str| kind.contains(['"', '\'', '<', '>', '&', '=', '`', '\\']);
        begins && end().map_or(rest.len() > LONGEST_KIND, |end| odd(rest.get(..end).unwrap_or_default()))
    })
}

/// Whether a tag that becomes a mark or an image cannot be read to its end, or contains more than its values.
fn has_odd_tag(masked: &str) -> bool {
    let mut rest = masked;
    while let Some((_, after)) = rest.split_once('<') {
        rest = after;
        let name = after.bytes().take_while(|it| it.is_ascii_alphanumeric() || *it == b'-').count();
        let (name, attributes) = after.split_at_checked(name).unwrap_or(("", after));
        if !["span", "img"].iter().any(|it| name.eq_ignore_ascii_case(it)) {
            continue;
        }
        match behind_tag(attributes) {
            Some(behind) => rest = behind,
            None => return true,
        }
    }
    false
}

/// The text after a tag whose attributes all have the one form; the given text starts after the tag's name.
fn behind_tag(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start_matches([' ', '\t']);
        if let Some(behind) = trimmed.strip_prefix('>').or_else(|| trimmed.strip_prefix("/>")) {
            return Some(behind);
        }
        if trimmed.len() == rest.len() {
            return None;
        }
        let length = trimmed.find(|it: char| !it.is_ascii_alphanumeric() && !"-_:.".contains(it))?;
        let (name, after) = trimmed.split_at_checked(length)?;
        let Some(after) = after.strip_prefix('=') else {
            rest = if name.is_empty() { return None } else { after };
            continue;
        };
        let quote = after.chars().next().filter(|it| matches!(it, '"' | '\''))?;
        let (value, behind) = after.get(1..)?.split_once(quote)?;
        if name.is_empty()
            || value.contains('\n')
            || !is_plain_value(&name.to_ascii_lowercase(), value, quote)
        {
            return None;
        }
        rest = behind;
    }
}

fn is_plain_value(name: &str, value: &str, quote: char) -> bool {
    if name == "data-type" {
        return quote == '"' && value.bytes().all(|it| it.is_ascii_lowercase() || b" -".contains(&it));
    }
    let text = TEXTS.contains(&name) || name.starts_with("custom-");
    text || folded(value).is_some_and(|it| !it.contains(['"', '<', '>']))
}

/// Whether a mark contains something dangerous that is printed, or read again, without its references and tags.
fn marks(masked: &str) -> bool {
    let low = masked.to_ascii_lowercase();
    let tags = low.split('<').skip(1).filter_map(name_of);
    let tags: Vec<&str> = tags.filter(|it| MARKS.binary_search(it).is_ok()).collect();
    let raw = tags.iter().any(|it| matches!(*it, "u" | "span"));
    if tags.is_empty() && !low.contains(['*', '_', '~', '=', '^', '#']) {
        return false;
    }
    let (Some(text), Some(joined)) = (folded(masked), folded(&without_tags(masked))) else { return true };
    let elements = |text: &str| text.split('<').skip(1).filter(|it| is_element(it)).count();
    let lists = |text: &str| text.matches("{:").count();
    let read_again = !tags.is_empty()
        && (lists(&joined) > lists(&without_tags(&low))
            || active(&joined).is_some()
            || (raw && text.contains("<<")));
    let loads = |text: &str| {
        text.split('<').skip(1).filter_map(name_of).any(|it| ELEMENTS.binary_search(&it).is_ok())
    };
    read_again
        || elements(&text) > elements(&low)
        || elements(&joined) > elements(&low)
        || (raw && (loads(&text) || loads(&joined)))
}

/// Whether a tag, without its bracket, does more than a bracketed word would.
fn is_element(tag: &str) -> bool {
    let name = name_of(tag).unwrap_or_default();
    let attributes = tag.get(name.len()..).and_then(|it| it.split('>').next()).unwrap_or_default();
    let has_attributes =
        attributes.starts_with(|it: char| it.is_whitespace() || it == '/') && attributes.contains('=');
    ELEMENTS.binary_search(&name).is_ok() || (!name.is_empty() && has_attributes)
}

/// The pieces of a text between blank lines.
fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut length = 0;
        for line in rest.split_inclusive('\n') {
            length += line.len();
            if line.trim().is_empty() {
                break;
            }
        }
        let (paragraph, behind) = rest.split_at_checked(length).filter(|_| length > 0)?;
        rest = behind;
        Some(paragraph)
    })
}

fn name_of(tag: &str) -> Option<&str> {
    tag.get(..tag.bytes().take_while(u8::is_ascii_alphanumeric).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_printed_raw_must_be_words() {
        for text in [
            "```&lt;img/src=x&gt;",
            "- ~~~<b>",
            "> [!x\" a=\"b]",
            "- > [!x&quot;]",
            "`<span data-type=\"x\">` {</span>: a='1'}",
            "<span data-type='x'>",
            "<span data-type=\"block-ref\" data-id='x\" y=\"z'>",
            "<img width='&quot; a=&quot;' src=x>",
            "<span data-type=\"text\"",
            "<SPAN\nx>",
            "<u>&lt;iframe src=x&gt;</u>",
            "<span data-type=\"strong mark\">&amp;lt;SCRIPT</span>",
            "a <caretreplacement>",
            "**&lt;meta http-equiv=refresh content=0&gt;**",
            "<em>&lt;base href=x&gt;</em>",
            "<s>&lt;img src=x on&lt;/b&gt;error=y&gt;</s>",
            "<u><</span>iframe src=x></u>",
            "<u>&lt;img src=x on</b>error=y&gt;</u>",
            "<sup>**x**&#123;: onclick='y'}</sup>",
        ] {
            assert!(raw(text).is_some(), "{text}");
        }
    }

    #[test]
    fn ordinary_text_is_not_changed() {
        for text in [
            "```rust",
            "~~~ text",
            "```c++ title=\"a<b\"",
            "> [!NOTE] a <b> \"title\"",
            "> [!重要] x",
            "a [!x\"] b",
            "a ```<b>``` c",
            "<span data-type=\"text\" style='a: \"b\"'>x &lt;T&gt;</span>",
            "<img src=\"a\" alt=\"it's\" width=\"50%\" />",
            "1 < 2 <spanner> <b class=x>",
            "<u>x</u> <b>y</b>",
            "&lt;iframe&gt; and a < b",
            "<b>List&lt;T&gt;</b>",
        ] {
            assert_eq!(raw(text), None, "{text}");
        }
    }

    #[test]
    fn element_names_are_sorted() {
        assert!(ELEMENTS.is_sorted() && MARKS.is_sorted());
    }
}
