//! Every id in a text, in whatever form, and the question which of them are new.
//!
//! The search is for ids and not for forms of references: the kernel's parser decides what a reference is, and it
//! knows more forms than any list here.

use std::collections::BTreeSet;

use super::code::MaskedText;
use super::folded::{folded, without_tags};
use crate::id::is_node_id;
use crate::sorted::IntoSorted as _;

/// The distance in which the brackets around an id are searched.
const FAR: usize = 300;

/// An id in a folded text.
#[derive(Debug, PartialEq, Eq)]
struct IdSpan<'a> {
    id: &'a str,
    /// The text around it, if it is more than a word in a sentence.
    pointing: Option<&'a str>,
}

/// The ids of the previous text.
#[derive(Debug, Clone, Default)]
pub(super) struct PreviousIds {
    pointing: BTreeSet<String>,
    mentioned: BTreeSet<String>,
}

impl PreviousIds {
    /// The ids of a text; an id that an agent put into code does not count outside of code.
    pub(super) fn of(masked: &MaskedText) -> PreviousIds {
        let (outside, text) =
            (folded(&masked.text).unwrap_or_default(), folded(&masked.fenced).unwrap_or_default());
        PreviousIds {
            pointing: found(&outside).into_iter().filter_map(|it| it.pointing.map(str::to_owned)).collect(),
            mentioned: found(&text).into_iter().map(|it| it.id.to_owned()).collect(),
        }
    }

    /// Adds the ids of another text.
    pub(super) fn and(mut self, other: PreviousIds) -> PreviousIds {
        self.pointing.extend(other.pointing);
        self.mentioned.extend(other.mentioned);
        self
    }

    fn has(&self, found: &IdSpan<'_>) -> bool {
        match found.pointing {
            Some(around) => self.pointing.contains(around),
            None => self.mentioned.contains(found.id),
        }
    }

    /// The ids of a text that the previous text did not have in the same form.
    pub(super) fn lacks(&self, masked: &MaskedText) -> BTreeSet<String> {
        let text = folded(&masked.fenced).unwrap_or_default();
        let all = found(&text);
        let whole: BTreeSet<&str> = all.iter().map(|it| it.id).into_set();
        let mut lacking: BTreeSet<String> =
            all.iter().filter(|it| !self.has(it)).map(|it| it.id.to_owned()).into_set();
        let joined = without_tags(&text);
        let raw = folded(&without_tags(&masked.fenced)).unwrap_or_default();
        let parted = found(&joined).into_iter().chain(found(&raw));
        lacking.extend(parted.filter(|it| !whole.contains(it.id)).map(|it| it.id.to_owned()));
        lacking
    }
}

/// The ids that a text names, in whatever form.
pub(super) fn named(text: &str) -> BTreeSet<String> {
    let text = folded(text).unwrap_or_default();
    found(&text).into_iter().map(|it| it.id.to_owned()).into_set()
}

/// The ids that a text names outside of code blocks.
pub(super) fn named_outside(masked: &MaskedText) -> BTreeSet<String> {
    named(&masked.fenced)
}

fn found(text: &str) -> Vec<IdSpan<'_>> {
    let ids = text.match_indices('-').filter_map(|(at, _)| {
        let start = at.checked_sub(14)?;
        let end = at + 8;
        let id = text.get(start..end).filter(|it| is_node_id(it))?;
        let before = text.get(..start)?;
        // Names of files end like this; no form of a reference does.
        let inside_a_name = before.ends_with(|it: char| it.is_ascii_alphanumeric() || "-_".contains(it));
        if inside_a_name || before.ends_with("assets/") {
            return None;
        }
        Some(IdSpan { id, pointing: pointing(text, start, end) })
    });
    ids.collect()
}

/// The text around an id that is the value of something or the target of a link.
fn pointing(text: &str, start: usize, end: usize) -> Option<&str> {
    let (before, after) = (text.get(..start)?, text.get(end..)?);
    before.trim_end().ends_with(['(', '=', '"', '\'', '/']).then(|| {
        let near = before.char_indices().rev().take(FAR).take_while(|(_, it)| *it != '\n');
        let from = near.into_iter().find(|(_, it)| "([{<".contains(*it)).map_or(start, |(at, _)| at);
        let near = after.char_indices().take(FAR).take_while(|(_, it)| *it != '\n');
        let to = near.into_iter().find(|(_, it)| ")]}>".contains(*it)).map_or(end, |(at, _)| end + at);
        text.get(from..to).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::super::code::mask;
    use super::*;

    const A: &str = "20250101000000-aaaaaaa";

    fn lacking(old: &str, new: &str) -> usize {
        PreviousIds::of(&mask(&old.replace("ID", A))).lacks(&mask(&new.replace("ID", A))).len()
    }

    #[test]
    fn id_is_found_in_every_spelling() {
        for text in [
            "((ID 'x'))",
            "!(( ID \"x\"))",
            "[x](siyuan://blocks/ID?focus=1)",
            "[x](SIYUAN://BLOCKS/ID)",
            "<span Data-Id='&#50;0250101000000-aaaaaaa'>",
            "<i x=&#x32;0250101000000-AAAAAAA>",
            "2025\u{200b}0101000000-aaaaaaa",
            "`ID`",
            "{{SELECT * FROM blocks WHERE id='ID'}}",
            "word ID word",
            "`<span data-type=\"x\">` ((2025</span>0101000000-aaaaaaa 'x'))",
            "<strong>((2025</b>0101000000-aaaaaaa 'x'))</strong>",
            "<sup>((2025<!-- > -->0101000000&#45;aaaaaaa 'x'))</sup>",
            "`<span data-type=\"x\">` ((2025</span>{: a=\"1\"}0101000000-aaaaaaa 'x'))",
        ] {
            assert_eq!(lacking("", text), 1, "{text}");
        }
    }

    #[test]
    fn file_names_and_fenced_code_contain_no_ids() {
        for text in
            ["![x](assets/image-ID.png)", "[x](assets/ID.pdf)", "```\n((ID))\n```", "20250101000000-AAAAAA"]
        {
            assert_eq!(lacking("", text), 0, "{text}");
        }
    }

    /// A link copies no text, a reference does: the one does not permit the other.
    #[test]
    fn existing_id_is_allowed_in_the_same_form_only() {
        for form in ["((ID 'x'))", "[x](siyuan://blocks/ID)", "<span data-id=\"ID\">x</span>"] {
            assert_eq!(lacking(&format!("a {form} b"), &format!("c\n\n{form} d")), 0, "{form}");
            assert_eq!(lacking(form, "((ID 'y'))"), 1, "{form}");
        }
        assert_eq!(lacking("ID", "seen: ID"), 0);
        assert_eq!(lacking("ID and `((ID 'x'))`", "((ID 'x'))"), 1);
        assert_eq!(lacking("```\nID\n```", "ID"), 1);
    }
}
