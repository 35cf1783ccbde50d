//! The tags of blocks that are rows of a database: SiYuan names groups of rows with their text, and shows that name as
//! HTML.
//!
//! The kernel removes the markup from the block's text and decodes the rest. A tag in code, after a backslash or written
//! as character references therefore becomes a real tag, and marks between its letters disappear.

use std::collections::BTreeSet;

use super::active::active;
use super::folded::{folded, without_tags};
use super::swallowing::swallows;
use super::tags::UnsafeMarkup;

/// The maximum number of bytes of a tag that is judged. A longer tag counts as acting.
pub(super) const LONGEST: usize = 1_000;
/// The maximum number of different tags that are judged. In a text with more of them, one counts as acting.
pub(super) const MOST: usize = 2_000;
/// Marks that the kernel removes from a text, besides tags and pairs of equals signs.
const MARKS: &str = "`*_~^$#\\";

/// The tags of a text that may act in the name of a group. An empty one means that a tag is too long, or that there are
/// too many.
#[derive(Debug, Clone, Default)]
pub(super) struct ActingTags(pub(super) BTreeSet<String>);

impl ActingTags {
    /// The tags of a Markdown text, its code included.
    pub(super) fn of(markdown: &str) -> ActingTags {
        if !markdown.contains(['<', '&']) {
            return ActingTags::default();
        }
        let mut found = BTreeSet::new();
        let Some(text) = folded(markdown) else {
            found.insert(String::new());
            return ActingTags(found);
        };
        for text in [without_marks(&text), text] {
            let mut judged = BTreeSet::new();
            for tag in text.match_indices('<').filter_map(|(at, _)| tag_of(text.get(at..)?)) {
                if judged.insert(tag) && (tag.is_empty() || judged.len() > MOST) {
                    found.insert(String::new());
                    return ActingTags(found);
                }
            }
            found.extend(judged.into_iter().filter(|it| acts(it)).map(str::to_owned));
        }
        ActingTags(found)
    }

    /// Whether it has a tag that another text lacks.
    pub(super) fn is_beyond(&self, before: &ActingTags) -> bool {
        self.0.contains("") || !self.0.is_subset(&before.0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Returns the text as the kernel stores it for a name: without marks, and without the blanks at the ends of code.
fn without_marks(text: &str) -> String {
    let text = text.replace(" `", "`").replace("` ", "`");
    let text = without_tags(&text).replace("==", "");
    let text: String = text.chars().filter(|it| !MARKS.contains(*it)).collect();
    text.replace("==", "")
}

/// Returns the tag at the start of a text, up to its end or the end of the line: empty if it is too long, `None` if the
/// bracket opens no tag.
pub(super) fn tag_of(text: &str) -> Option<&str> {
    let ends = |it: char| it.is_ascii_whitespace() || "=-<>)".contains(it) || it.is_ascii_digit();
    if text.get(1..).is_none_or(|it| it.is_empty() || it.starts_with(ends)) {
        return None;
    }
    let near = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or(text);
    match near.find(['>', '\n']) {
        Some(end) => near.get(..=end),
        None if near.len() == text.len() => Some(text),
        None => Some(""),
    }
}

/// Whether a tag may do more than format words.
pub(super) fn acts(text: &str) -> bool {
    let rest = text.get(1..).unwrap_or_default();
    let is_name = |it: char| it.is_ascii_alphabetic() || it == '/';
    let Some((inside, _)) = rest.split_once(['>', '\n']).filter(|_| rest.starts_with(is_name)) else {
        return true;
    };
    let tag = text.get(..inside.len() + 2).unwrap_or_default();
    let acts = |tag: &str| active(tag).is_some() || !UnsafeMarkup::of(tag).is_empty();
    !tag.ends_with('>') || has_markup(inside) || swallows(tag) || acts(tag) || acts(&tag.replace('_', ""))
}

/// Whether the inside of a tag may contain markup, which disappears from the text.
fn has_markup(inside: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || " /=:;.,_@?&%+-".contains(it);
    // The kernel keeps quotation marks, so the text between them cannot become an attribute.
    let mut pieces = inside.split('"').enumerate();
    inside.contains(['`', '<', '\\'])
        || pieces.any(|(at, it)| at % 2 == 0 && (it.contains("==") || !it.chars().all(is_plain)))
}

#[cfg(test)]
mod tests {
    use super::ActingTags;

    #[test]
    fn tag_that_acts_in_the_name_of_a_group_is_found() {
        for text in [
            "`<img src=x onerror=y>`",
            "\\<img src=x onerror=y>",
            "&lt;img src=x onerror=y&gt;",
            "`&lt;img src=x onerror=y>`",
            "`<`((20250101000000-blocked 'img src=x onerror=y>'))",
            "`<`**`img`** src=x",
            "<i**mg** src=x on**err**or=y>",
            "<img src=x _onerror_=y>",
            "<img src=x on==err==or=y>",
            "<==im==g src=x o**n**error=y>",
            "<==`img src=x onerror=y`==",
            "` < `img src=x o**n**error=y>",
            "<<b></b>img src=x onerror=y>",
            "<b title=\"a`b\" onclick=y>",
            "`<img src=x `**`onerror=y>`**",
            "`<div style=\"position:fixed\">`",
            "`<iframe src=https://e.org>`",
            "`<iframe src=https://e.org",
            "`<style>`",
            "`<img src=x\nonerror=y>`",
            "<\u{200b}`img src=x onerror=y>`",
            "`<!--`",
            "`<textarea>`",
            "`<iframe>`",
        ] {
            assert!(!ActingTags::of(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn too_long_and_too_many_tags_count_as_new() {
        for text in [format!("<a {}>", "b".repeat(2_000)), (0..3_000).map(|at| format!("<a{at}>")).collect()]
        {
            assert!(ActingTags::of(&text).is_beyond(&ActingTags::of(&text)), "{}", &text[..20]);
        }
        assert!(ActingTags::of(&"<b>".repeat(3_000)).is_empty());
    }

    #[test]
    fn words_of_a_row_are_allowed() {
        for text in [
            "Vec<T> and Map<String, u8>",
            "5 < 6, a <- b, a <= b, <3 and <>",
            "<u>Mint</u> and <kbd>Ctrl</kbd>",
            "<span data-type=\"text\" style=\"color: red\">Basil</span>",
            "see <https://e.org/a?b=c> or <a@e.org>",
            "line<br>line<br/>line",
            "`fn x<T>()`",
        ] {
            assert!(ActingTags::of(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn tags_of_the_replaced_text_may_stay() {
        let before = ActingTags::of("`<img src=x onerror=y>` old");
        assert!(!ActingTags::of("`<img src=x onerror=y>` old").is_beyond(&before));
        assert!(ActingTags::of("`<img src=x onerror=z>` old").is_beyond(&before));
    }
}
