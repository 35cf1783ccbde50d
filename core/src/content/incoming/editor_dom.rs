//! Judges text in the form in which SiYuan stores it: as the blocks of its editor, which it made of checked Markdown.
//!
//! SiYuan's parser has the last word on Markdown. Here that word is known, so this lock needs no guess: each element and
//! each attribute must be SiYuan's own or one that agents may write, and the rest must have stood in the replaced blocks.

mod elements;
mod frame;

use std::collections::{BTreeMap, BTreeSet};

use self::elements::{Element, elements};
use super::active::active;
use super::addresses::Addresses;
use super::drawings::{self, DRAWN};
use super::embeds;
use super::folded::folded;
use super::ids::named;
use super::pages::Pages;
use super::rows::ActingTags;
use super::tags::{self, UnsafeMarkup};
use super::{is_protected, lists, stored, style, would_run_in_value};

/// Attributes with an address.
const ADDRESSES: [&str; 6] = ["data-href", "data-id", "data-src", "href", "poster", "src"];

/// The ids that new blocks may have and refer to.
#[derive(Debug, Clone, Default)]
pub struct AllowedIds {
    /// New ids for blocks, each for one.
    pub fresh: BTreeSet<String>,
    /// Blocks that the caller may read.
    pub references: BTreeSet<String>,
}

/// The parts of editor DOM that an agent may not write, each with the number of times it occurs.
#[derive(Debug, Default)]
struct Findings(BTreeMap<String, usize>);

impl Findings {
    fn of(dom: &str, allowed: &AllowedIds) -> Option<Findings> {
        let mut found = Findings::default();
        let mut used = BTreeSet::new();
        for element in elements(dom)? {
            found.add_element(&element, allowed);
            if let Some(id) = element.attributes.get("data-node-id")
                && !(allowed.fresh.contains(id) && used.insert(id.clone()))
            {
                found.add(format!("{BLOCK}{id}"));
            }
        }
        Some(found)
    }

    fn add(&mut self, what: String) {
        *self.0.entry(what).or_default() += 1;
    }

    fn add_element(&mut self, element: &Element, allowed: &AllowedIds) {
        let kind = element.value("data-type");
        if kind == "NodeAttributeView" || element.attributes.contains_key("data-av-id") {
            return self.add(format!("{DATABASE}{}", element.value("data-av-id")));
        }
        if !frame::ELEMENTS.contains(&element.name.as_str()) {
            let attributes = element.attributes.iter().map(|(name, value)| format!(" {name}={value}"));
            return self.add(format!("<{}{}>", element.name, attributes.collect::<String>()));
        }
        if kind == "NodeBlockQueryEmbed" {
            let statement = element.value("data-content");
            if embeds::fault(statement).is_some() {
                self.add(format!("{EMBED}{statement}"));
            }
            self.add_references(statement, allowed);
        }
        for (name, value) in &element.attributes {
            if name == "data-node-id" || (name == "data-content" && kind == "NodeBlockQueryEmbed") {
                continue;
            }
            if is_protected(name) && name != "updated" {
                self.add(format!("{name}={value} of {}", element.block));
            } else if !is_plain(element, name, value) {
                self.add(format!("{name}={value}"));
            }
            if ADDRESSES.contains(&name.as_str()) {
                self.add_references(value, allowed);
            }
        }
    }

    fn add_references(&mut self, text: &str, allowed: &AllowedIds) {
        for id in named(text).into_iter().filter(|it| !allowed.references.contains(it)) {
            self.add(format!("a reference to {id}"));
        }
    }

    /// One that is not there, or of those that must not be doubled occurs more often than there.
    fn beyond(&self, before: &Findings) -> Option<&str> {
        let is_counted = |what: &str| [BLOCK, DATABASE, EMBED].iter().any(|it| what.starts_with(it));
        let is_beyond = |(what, count): &(&String, &usize)| match before.0.get(*what) {
            Some(times) => is_counted(what) && times < *count,
            None => true,
        };
        self.0.iter().find(is_beyond).map(|(what, _)| what.as_str())
    }
}

const BLOCK: &str = "a block of the id ";
const DATABASE: &str = "the database ";
const EMBED: &str = "the embed ";

/// Judges editor DOM that replaces other editor DOM, which is empty for new text. The error names the part that may not
/// be written.
pub fn judge(dom: &str, before: &str, allowed: &AllowedIds) -> Result<(), String> {
    let Some(found) = Findings::of(dom, allowed) else { return Err("an element without its end".to_owned()) };
    // Of a block that a parser may read in two ways, nothing counts.
    let before = Findings::of(before, &AllowedIds::default()).unwrap_or_default();
    match found.beyond(&before) {
        None => Ok(()),
        Some(what) => Err(what.to_owned()),
    }
}

/// Whether an attribute may be written by an agent.
fn is_plain(element: &Element, name: &str, value: &str) -> bool {
    let kind = element.value("data-type");
    if let Some(is_frame) = frame::is_frame(&element.name, name, value)
        && (is_frame || name != "style")
    {
        return is_frame;
    }
    match name {
        "style" => style::printed(value).is_some(),
        "data-subtype" => is_subtype(element, value),
        "data-content" => match (element.name.as_str(), kind) {
            ("protyle-html", _) => is_plain_html(value),
            (_, "NodeCodeBlock") => draws_only(element.value("data-subtype"), value),
            (_, "NodeMathBlock") => !drawings::formula_acts(value),
            ("span", kind) => kind.split(' ').any(|it| it == "inline-math") && !drawings::formula_acts(value),
            _ => false,
        },
        _ if ADDRESSES.contains(&name) => is_plain_address(name, value),
        "alt" | "aria-label" | "data-inline-memo-content" | "title" => !would_run_in_value(value),
        _ if ["audio", "video"].contains(&element.name.as_str()) => {
            tags::is_allowed(name, Some(value), true) && !would_run_in_value(value)
        }
        _ => lists::may_be_set(name, value),
    }
}

/// Whether a block or a mark may be of this sort: SiYuan draws some of them.
fn is_subtype(element: &Element, value: &str) -> bool {
    match element.value("data-type") {
        "NodeCallout" => value.bytes().all(|it| it.is_ascii_uppercase()),
        "NodeCodeBlock" => DRAWN.contains(&value) && draws_only(value, element.value("data-content")),
        "NodeHTMLBlock" => value == "block",
        "NodeHeading" => ["h1", "h2", "h3", "h4", "h5", "h6"].contains(&value),
        "NodeList" | "NodeListItem" => ["u", "o", "t"].contains(&value),
        "NodeMathBlock" => value == "math",
        kind if element.name == "span" => {
            let has = |mark: &str| kind.split(' ').any(|it| it == mark);
            (has("block-ref") && ["d", "s"].contains(&value)) || (has("inline-math") && value == "math")
        }
        _ => false,
    }
}

fn draws_only(language: &str, code: &str) -> bool {
    folded(code).is_some_and(|it| drawings::is_plain(language, it.trim()))
}

/// Whether the content of an HTML block does not change the page.
fn is_plain_html(html: &str) -> bool {
    UnsafeMarkup::of(html).is_empty() && is_plain_text(html)
}

/// Whether an address only leads to the web, to notes and to assets. SiYuan puts some between the quotes of an attribute.
fn is_plain_address(name: &str, value: &str) -> bool {
    let escaped = value.replace('&', "&amp;").replace('"', "&quot;");
    !value.contains('"') && is_plain_text(&format!("<a {name}=\"{escaped}\">"))
}

fn is_plain_text(html: &str) -> bool {
    let Some(text) = folded(html) else { return false };
    active(&text).is_none()
        && Addresses::of(html).beyond(&Addresses::default()).is_none()
        && !Pages::of(&text).is_beyond(&Pages::default())
        && !stored::encoded_tags(html).is_beyond(&ActingTags::default())
}

#[cfg(test)]
#[path = "editor_dom_tests.rs"]
mod tests;
