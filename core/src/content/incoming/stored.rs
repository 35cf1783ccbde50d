//! The texts that SiYuan makes of a name, a value or a tooltip when it stores and shows it.

use std::collections::BTreeSet;

use super::active::percent_decoded;
use super::folded::folded;
use super::rows::{ActingTags, LONGEST, MOST, acts, tag_of};

/// SiYuan stores a line break in an attribute as this mark, and reads the mark in every attribute.
const LINE_BREAK: &str = "_esc_newline_";

/// Returns a value as it is and as SiYuan may store and show it.
///
/// SiYuan drops private and unprintable characters, takes U+00A0 for a blank, and decodes character references and then
/// percent codes for a tooltip. The syntax of HTML is ASCII, so a form without any other character stands for all that
/// SiYuan may drop.
pub(super) fn forms(value: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::from([value.to_owned()]);
    let decoded = folded(value).filter(|_| value.contains('&'));
    for text in std::iter::once(value).chain(decoded.as_deref()) {
        let blanks = text.replace('\u{a0}', " ");
        // The kernel drops tabs and line breaks from titles, and keeps them in values.
        for keeps in [char::is_whitespace, |it| it == ' '] {
            let kept = blanks.chars().filter(|it| it.is_ascii() && (it.is_ascii_graphic() || keeps(*it)));
            all.insert(kept.collect::<String>().replace(LINE_BREAK, "\n"));
        }
        all.insert(blanks.replace(LINE_BREAK, "\n"));
    }
    let decoded: Vec<String> =
        all.iter().filter(|it| it.contains('%')).map(|it| percent_decoded(it)).collect();
    all.extend(decoded);
    all
}

/// The tags of a text whose code is blanked out that act once their percent codes are decoded: SiYuan decodes titles and
/// memos, and shows them as HTML in a tooltip.
pub(super) fn encoded_tags(masked: &str) -> ActingTags {
    let mut found = BTreeSet::new();
    let text = folded(masked).filter(|it| it.contains('%')).unwrap_or_default();
    // Tooltips belong to links and to elements; other text is shown as it is.
    let first = ["](", "<"].into_iter().filter_map(|it| text.find(it)).min().unwrap_or(text.len());
    let starts = ["<", "%3c"].into_iter().flat_map(|it| text.match_indices(it)).map(|(at, _)| at);
    let pieces = starts.filter(|at| *at >= first).filter_map(|at| encoded_tag(text.get(at..)?));
    for (judged, piece) in pieces.enumerate() {
        if judged == MOST {
            found.insert(String::new());
            break;
        }
        let decoded = percent_decoded(piece).to_ascii_lowercase();
        found.extend(tag_of(&decoded).filter(|it| acts(it)).map(str::to_owned));
    }
    ActingTags(found)
}

/// Returns the tag at the start of a text, up to its end or the end of the line; `None` if it has no percent codes.
fn encoded_tag(text: &str) -> Option<&str> {
    let near = text.get(..text.floor_char_boundary(LONGEST)).filter(|it| it.contains('%'))?;
    let ends = [near.find(['>', '\n']), near.find("%3e").map(|it| it + 2)];
    let end = ends.into_iter().flatten().min();
    end.map_or(Some(near), |end| near.get(..=end)).filter(|it| it.contains('%'))
}

#[cfg(test)]
mod tests {
    use super::{ActingTags, encoded_tags};

    fn acts(text: &str) -> bool {
        encoded_tags(text).is_beyond(&ActingTags::default())
    }

    /// S18: SiYuan decodes the percent codes of a tooltip and shows the result as HTML.
    #[test]
    fn tag_in_percent_codes_is_found() {
        for text in [
            "[plan](https://e.org \"x%3Cstyle%3E*%7Bbackground:red%7D%3C/style%3E\")",
            "[plan](https://e.org \"x%3cdiv style=position:fixed%3e\")",
            "[plan](https://e.org \"<%73tyle>\")",
            "[plan](https://e.org/%3Cdiv%20style=position:fixed%3E)",
            "<span data-type=\"inline-memo\" data-inline-memo-content=\"&#37;3Cstyle&gt;\">x</span>",
            "<i>a</i> %3C%3Cdiv style=position:fixed%3E",
            &"<%61>".repeat(3_000),
        ] {
            assert!(acts(text), "{}", text.get(..80).unwrap_or(text));
        }
    }

    #[test]
    fn addresses_and_percentages_are_allowed() {
        for text in [
            "100% of <b>them</b>, 5 < 6 %, <3",
            "[a](https://e.org/a%20b?c=%7B1%7D) <https://e.org/%C3%BC>",
            "[a](https://e.org/?q=1%3C2)",
            "a search for %3Cstyle%3E",
            "<span data-type=\"text\" style=\"width: 50%\">x</span>",
        ] {
            assert!(!acts(text), "{text}");
        }
        let before = encoded_tags("[a](https://e.org/%3Cstyle%3E) old");
        assert!(!encoded_tags("[a](https://e.org/%3Cstyle%3E) new").is_beyond(&before));
    }
}
