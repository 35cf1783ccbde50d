//! The attributes of HTML tags, as far as they could style, place or open something in SiYuan's window.
//!
//! Each position at which a tag may begin is read as a browser reads it, at every depth of character references: what
//! comes before it is never taken as the reason that it is none.

use std::collections::BTreeSet;

use super::folded::{readings, without_tags};
use crate::content::style;

/// The number of bytes that are read for each byte of a text, before its open brackets count as too many.
const MOST_READ: usize = 64;

/// Elements that load a style, open over the page or contain a page of their own. SiYuan's kernel serves the pages of
/// others under its own origin (`/api/network/proxy`), and any page in a frame can go there.
const ELEMENTS: [&str; 10] = [
    "applet",
    "dialog",
    "fencedframe",
    "frame",
    "frameset",
    "iframe",
    "link",
    "portal",
    "protyle-html",
    "webview",
];

/// Attributes that act with or without a value.
const ACTING: [&str; 20] = [
    "accesskey",
    "allow",
    "allowfullscreen",
    "autofocus",
    "closedby",
    "command",
    "commandfor",
    "contenteditable",
    "draggable",
    "exportparts",
    "inert",
    "interestfor",
    "is",
    "mozallowfullscreen",
    "part",
    "popover",
    "slot",
    "tabindex",
    "webkitallowfullscreen",
    "anchor",
];

/// Attributes that may have a value, besides `data-`, `aria-`, `custom-` and `xmlns`.
const PLAIN: [&str; 143] = [
    "abbr",
    "align",
    "alt",
    "autoplay",
    "axis",
    "begin",
    "bgcolor",
    "border",
    "cellpadding",
    "cellspacing",
    "char",
    "charoff",
    "charset",
    "checked",
    "cite",
    "clear",
    "clip-path",
    "clip-rule",
    "color",
    "cols",
    "colspan",
    "compact",
    "content",
    "controls",
    "controlslist",
    "coords",
    "crossorigin",
    "cx",
    "cy",
    "d",
    "datetime",
    "decoding",
    "dir",
    "disabled",
    "display",
    "displaystyle",
    "dominant-baseline",
    "download",
    "dur",
    "dx",
    "dy",
    "encoding",
    "face",
    "fetchpriority",
    "fill",
    "fill-opacity",
    "fill-rule",
    "font-family",
    "font-size",
    "font-style",
    "font-weight",
    "for",
    "fr",
    "frame",
    "frameborder",
    "framespacing",
    "gradienttransform",
    "gradientunits",
    "headers",
    "height",
    "high",
    "href",
    "hreflang",
    "hspace",
    "kind",
    "label",
    "lang",
    "linethickness",
    "loading",
    "loop",
    "low",
    "marginheight",
    "marginwidth",
    "marker-end",
    "marker-mid",
    "marker-start",
    "mathvariant",
    "max",
    "maxlength",
    "media",
    "min",
    "muted",
    "name",
    "noshade",
    "nowrap",
    "offset",
    "opacity",
    "open",
    "optimum",
    "orient",
    "placeholder",
    "playsinline",
    "points",
    "poster",
    "preload",
    "preserveaspectratio",
    "r",
    "referrerpolicy",
    "refx",
    "refy",
    "rel",
    "repeatcount",
    "reversed",
    "role",
    "rows",
    "rowspan",
    "rules",
    "rx",
    "ry",
    "sandbox",
    "scope",
    "scrolling",
    "shape",
    "size",
    "sizes",
    "span",
    "src",
    "srclang",
    "start",
    "stop-color",
    "stop-opacity",
    "stroke",
    "stroke-width",
    "summary",
    "target",
    "text-anchor",
    "title",
    "transform",
    "type",
    "usemap",
    "valign",
    "value",
    "values",
    "version",
    "viewbox",
    "vspace",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
];

/// More of them, with names that are prefixes of families.
const FAMILIES: [&str; 7] = ["data-", "aria-", "custom-", "xmlns", "xlink:", "xml:", "stroke-"];

/// The attributes and elements of a text that are not allowed, each as its name and its folded text.
#[derive(Debug, Clone, Default)]
pub(super) struct UnsafeMarkup(BTreeSet<(String, String)>);

impl UnsafeMarkup {
    /// Collects them from a text whose code is blanked out.
    pub(super) fn of(masked: &str) -> UnsafeMarkup {
        let mut found = BTreeSet::new();
        if !masked.contains(['<', '&']) {
            return UnsafeMarkup(found);
        }
        // Inside of marks, the parser removes tags and joins the text around them.
        for text in [masked.to_owned(), without_tags(masked)] {
            let lines = text.matches('\n').count();
            for reading in readings(&text) {
                let cuts = reading.matches('\n').count() == lines && !spans_blank_lines(&reading);
                collect(&reading, cuts, &mut found);
            }
        }
        UnsafeMarkup(found)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an element contains a page of its own.
    pub(super) fn has_frame(&self) -> bool {
        let is_frame =
            |name: &str| ["<iframe>", "<frame>", "<fencedframe>", "<portal>", "<webview>"].contains(&name);
        self.0.iter().any(|(name, _)| is_frame(name))
    }

    /// The name of an attribute or element here that is not there.
    pub(super) fn beyond(&self, before: &UnsafeMarkup) -> Option<&str> {
        self.0.iter().find(|it| !before.0.contains(*it)).map(|(name, _)| name.as_str())
    }
}

/// Whether a text may contain raw HTML that a blank line does not end.
fn spans_blank_lines(text: &str) -> bool {
    ["<pre", "<script", "<style", "<textarea", "<!", "<?"].iter().any(|it| text.contains(it))
}

fn collect(text: &str, cuts: bool, found: &mut BTreeSet<(String, String)>) {
    let mut left = text.len().saturating_mul(MOST_READ);
    let mut end = 0;
    for (at, _) in text.match_indices('<') {
        if end <= at {
            end = if cuts { blank_line(text, at) } else { text.len() };
        }
        let Some(rest) =
            text.get(at + 1..end).filter(|it| it.starts_with(|it: char| it.is_ascii_alphabetic()))
        else {
            continue;
        };
        let read = HtmlTag::read(rest);
        left = left.saturating_sub(rest.len() - read.as_ref().map_or(0, |(_, behind)| behind.len()));
        if left == 0 {
            found.insert(("too many open brackets".to_owned(), String::new()));
            return;
        }
        found.extend(read.iter().flat_map(|(tag, _)| tag.refused()));
    }
}

/// The position of the blank line behind a position, or the end.
fn blank_line(text: &str, from: usize) -> usize {
    let mut at = from;
    for line in text.get(from..).unwrap_or_default().split_inclusive('\n') {
        if line.trim_matches([' ', '\t', '\n']).is_empty() {
            return at;
        }
        at += line.len();
    }
    at
}

/// A tag as a browser reads it.
struct HtmlTag<'t> {
    name: &'t str,
    attributes: Vec<(&'t str, Option<&'t str>)>,
}

impl<'t> HtmlTag<'t> {
    /// Reads a tag to its end, from behind its bracket; returns it with the text behind it.
    fn read(text: &'t str) -> Option<(HtmlTag<'t>, &'t str)> {
        let is_blank = |it: char| matches!(it, ' ' | '\t' | '\n' | '\r' | '\u{c}');
        let ends = |it: char| is_blank(it) || it == '/' || it == '>';
        let (name, mut rest) = text.split_at_checked(text.find(ends)?)?;
        let mut attributes = Vec::new();
        loop {
            rest = rest.trim_start_matches(|it| is_blank(it) || it == '/');
            if let Some(behind) = rest.strip_prefix('>') {
                return Some((HtmlTag { name, attributes }, behind));
            }
            // An equals sign at the beginning belongs to the name.
            let first = rest.chars().next()?.len_utf8();
            let length = rest.get(first..)?.find(|it| ends(it) || it == '=')? + first;
            let (attribute, after) = rest.split_at_checked(length)?;
            let Some(after) = after.trim_start_matches(is_blank).strip_prefix('=') else {
                attributes.push((attribute, None));
                rest = after;
                continue;
            };
            let after = after.trim_start_matches(is_blank);
            let (value, behind) = match after.chars().next()? {
                quote @ ('"' | '\'') => after.get(1..)?.split_once(quote)?,
                _ => after.split_at_checked(after.find(|it| is_blank(it) || it == '>')?)?,
            };
            attributes.push((attribute, Some(value)));
            rest = behind;
        }
    }

    /// Its attributes that are not allowed.
    fn refused(&self) -> Vec<(String, String)> {
        let name = self.name.rsplit(':').next().unwrap_or(self.name);
        if name == "style" || (ELEMENTS.contains(&name) && !self.attributes.is_empty()) {
            let text = self.attributes.iter().map(|(name, value)| format!("{name}={value:?} ")).collect();
            return vec![(format!("<{name}>"), text)];
        }
        let is_element = self.name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-');
        let odd = self.attributes.iter().filter(|(name, value)| !is_allowed(name, *value, is_element));
        odd.map(|(name, value)| ((*name).to_owned(), value.unwrap_or_default().to_owned())).collect()
    }
}

/// Whether a text in lower case ends in a quoted value of a tag.
pub(super) fn leaves_a_quote_open(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once('<') {
        if !behind.starts_with(|it: char| it.is_ascii_alphabetic()) {
            rest = behind;
            continue;
        }
        match HtmlTag::read(behind) {
            Some((_, behind)) => rest = behind,
            None => return HtmlTag::read(&format!("{behind}>")).is_none(),
        }
    }
    false
}

/// Whether an attribute may be written. Where the tag has no plain name, it is an address or prose, and only those
/// attributes count that act.
pub(super) fn is_allowed(name: &str, value: Option<&str>, is_element: bool) -> bool {
    let text = value.unwrap_or_default().trim();
    match name {
        "style" => text.is_empty() || style::printed(text).is_some(),
        "class" => text.split_whitespace().all(|it| it == "emoji"),
        "id" => text.is_empty(),
        // SiYuan draws what has another one; references have these.
        "data-subtype" => ["", "d", "s"].contains(&text),
        _ if ACTING.contains(&name) || name.starts_with("popover") || name.starts_with("shadowroot") => false,
        _ => {
            !is_element
                || value.is_none()
                || PLAIN.contains(&name)
                || FAMILIES.iter().any(|it| name.starts_with(it))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn odd(text: &str) -> Option<String> {
        UnsafeMarkup::of(text).beyond(&UnsafeMarkup::default()).map(str::to_owned)
    }

    #[test]
    fn attributes_that_place_or_open_something_are_found() {
        for text in [
            "<div style=\"position:fixed\">x</div>",
            "<div\nstyle = position:fixed>x",
            "<div/style='z-index:9'>",
            "<DIV STYLE=\"Position: Fixed\">",
            "<div style=\"color:red&quot;&quot;;position:fixed\">",
            "<div style=\"color:red&#59;position:fixed\">",
            "<div a=\"b\"style=\"inset:0\">",
            "<div st&#121;le=\"inset:0\">",
            "&lt;div style=\"inset:0\"&gt;",
            "&amp;lt;div style=\"inset:0\"&amp;gt;",
            "<u><div sty</b>le=\"inset:0\"></u>",
            "<span data-type=\"text\" style=\"position:fixed\">x</span>",
            "<img src=\"x\" style=\"margin:-9px\">",
            "<iframe src=\"https://e.org\" style=\"pointer-events:none\"></iframe>",
            "<iframe src=\"https://e.org\" allow=\"fullscreen\"></iframe>",
            "<iframe src=\"https://e.org\" allowfullscreen></iframe>",
            "<b class=\"b3-dialog b3-dialog--open\">x</b>",
            "<b id=\"message\">x</b>",
            "<style>b{}</style>",
            "<svg><style>b{}</style></svg>",
            "<link rel=stylesheet href=x>",
            "<dialog open>x</dialog>",
            "<div popover>x</div>",
            "<button popovertarget=x>y</button>",
            "<button command=show-modal commandfor=x>y</button>",
            "<input autofocus>",
            "<div contenteditable>x</div>",
            "<div accesskey=s>x</div>",
            "<div data-subtype=\"echarts\" data-content=\"x\">",
            "<protyle-html data-content=\"x\">",
            "<div unknown=\"x\">",
            "<pre>\n<div\n\nstyle=\"inset:0\">",
            "<div a&NewLine;&NewLine;style=\"inset:0\">",
            "<x:y style=inset:0>",
            "a < b <c <d style=inset:0>",
            "<!-- <b style=inset:0> -->",
        ] {
            assert!(odd(text).is_some(), "{text}");
        }
        assert!(odd(&"<a ".repeat(20_000)).is_some());
        assert!(odd(&format!("{}>", "<a ".repeat(20_000))).is_some());
    }

    #[test]
    fn plain_tags_and_prose_are_allowed() {
        for text in [
            "<div align=\"center\" style=\"color: red\">x</div>",
            "<span data-type=\"text\" style=\"color: var(--b3-font-color1);\">x</span>",
            "<span data-type=\"block-ref\" data-subtype=\"d\" data-id=\"x\">x</span>",
            "<img src=\"a.png\" alt=\"style = bold\" width=\"50%\" />",
            "<img class=\"emoji\" src=\"x\">",
            "<video controls src=\"assets/a.mp4\"></video>",
            "<details open><summary>x</summary></details>",
            "<svg viewBox=\"0 0 9 9\"><path d=\"M0 0\" fill=\"red\" stroke-width=\"2\"/></svg>",
            "<https://e.org/?a=b> <a@b.c> Vec<Link> Box<Dialog>",
            "for (i = 0; i <n; i++) { style = 1 }\n\n> id = 3",
            "a <b and style = fancy",
            "{: style=\"position:fixed\"}",
            "<table><td colspan=2 valign=top>",
        ] {
            assert_eq!(odd(text), None, "{text}");
        }
    }

    #[test]
    fn a_page_in_a_note_is_found() {
        for text in [
            "<iframe src=\"/api/network/proxy?u=aHR0cDovLzEyNy4wLjAuMQ\"></iframe>",
            "<iframe src=\"https://e.org/\" width=\"640\"></iframe>",
            "<webview src=\"https://e.org/\" nodeintegration></webview>",
        ] {
            assert!(odd(text).is_some(), "{text}");
        }
        let old = UnsafeMarkup::of("<iframe src=\"https://e.org/\"></iframe>");
        assert_eq!(UnsafeMarkup::of("<iframe src='https://e.org/'></iframe> and more").beyond(&old), None);
    }

    #[test]
    fn attribute_of_the_replaced_text_stays() {
        let old = UnsafeMarkup::of("<div class=\"x\" style=\"float:left\">");
        assert_eq!(UnsafeMarkup::of("<p style=\"float:left\" class='x'>").beyond(&old), None);
        assert_eq!(UnsafeMarkup::of("<p style=\"float:right\">").beyond(&old), Some("style"));
    }

    #[test]
    fn attribute_names_are_sorted() {
        assert!(PLAIN.is_sorted());
    }
}
