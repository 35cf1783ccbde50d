//! The difference between two versions of a document, block by block and word by word, within bounds.

use std::ops::Range;

use puppy_core::content::stored::StoredBlock;
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices};

/// The maximum number of changed blocks that are compared.
pub const MOST_BLOCKS: usize = 100;
/// The maximum number of words of a block that are compared; longer ones are shown as removed and added.
const MOST_WORDS: usize = 2_000;
/// The maximum number of characters of an unchanged stretch; the middle of a longer one is left out.
const MOST_SAME: usize = 240;
/// The maximum number of characters of a removed or added stretch.
const MOST_SHOWN: usize = 4_000;
/// Blocks that share less than one in so many of their words are no versions of each other.
const ALIKE: usize = 5;

/// A stretch of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// It is in both.
    Same(String),
    /// It was removed.
    Gone(String),
    /// It was added.
    New(String),
}

/// The changed blocks of a document, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// The stretches of each block.
    pub blocks: Vec<Vec<Piece>>,
    /// The number of changed blocks beyond them.
    pub more: usize,
}

impl Difference {
    /// Compares two versions by the ids of their blocks.
    pub fn of(before: &[StoredBlock], now: &[StoredBlock]) -> Difference {
        let ids = |all: &[StoredBlock]| all.iter().map(|it| it.id.clone()).collect::<Vec<_>>();
        let mut difference = Difference::default();
        for op in capture_diff_slices(Algorithm::Myers, &ids(before), &ids(now)) {
            let (tag, from, to) = op.as_tag_tuple();
            let (from, to) = (before.get(from).unwrap_or_default(), now.get(to).unwrap_or_default());
            match tag {
                // Text that is written anew has new ids, so what stands in the same place is compared.
                DiffTag::Equal | DiffTag::Replace => difference.pairs(from, to),
                DiffTag::Delete => difference.pairs(from, &[]),
                DiffTag::Insert => difference.pairs(&[], to),
            }
        }
        difference
    }

    fn pairs(&mut self, from: &[StoredBlock], to: &[StoredBlock]) {
        for at in 0..from.len().max(to.len()) {
            let text = |all: &'_ [StoredBlock]| all.get(at).map(|it| it.markdown.clone()).unwrap_or_default();
            let (old, new) = (text(from), text(to));
            if old == new {
                continue;
            }
            if self.blocks.len() < MOST_BLOCKS {
                self.blocks.push(pieces(&old, &new));
            } else {
                self.more += 1;
            }
        }
    }
}

/// The stretches of a block.
fn pieces(old: &str, new: &str) -> Vec<Piece> {
    let (before, now) = (words(old), words(new));
    let is_long = before.len().max(now.len()) > MOST_WORDS;
    let ops = if is_long { Vec::new() } else { capture_diff_slices(Algorithm::Myers, &before, &now) };
    if ops.is_empty() || !are_alike(&ops, before.len() + now.len()) {
        let all = [Piece::Gone(shortened(old, MOST_SHOWN)), Piece::New(shortened(new, MOST_SHOWN))];
        return all.into_iter().filter(|it| !it.text().is_empty()).collect();
    }
    let mut pieces = Vec::new();
    for op in ops {
        let (tag, from, to) = op.as_tag_tuple();
        let join = |all: &[&str], range: Range<usize>| all.get(range).unwrap_or_default().concat();
        let (gone, added) = (join(&before, from), join(&now, to));
        if tag == DiffTag::Equal {
            pieces.push(Piece::Same(shortened(&gone, MOST_SAME)));
        } else {
            pieces.extend((!gone.is_empty()).then(|| Piece::Gone(shortened(&gone, MOST_SHOWN))));
            pieces.extend((!added.is_empty()).then(|| Piece::New(shortened(&added, MOST_SHOWN))));
        }
    }
    pieces
}

fn are_alike(ops: &[DiffOp], all: usize) -> bool {
    let same: usize = ops.iter().filter(|it| it.tag() == DiffTag::Equal).map(|it| it.old_range().len()).sum();
    ALIKE * same >= all
}

impl Piece {
    /// Its text.
    pub fn text(&self) -> &str {
        let (Piece::Same(text) | Piece::Gone(text) | Piece::New(text)) = self;
        text
    }
}

/// The words of a text, and what is between them. Languages without spaces have a word for each character.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut last) = (0, None);
    for (at, character) in text.char_indices() {
        let kind = kind(character);
        if last.is_some_and(|it| it != kind || kind == Kind::Alone) {
            words.extend(text.get(start..at));
            start = at;
        }
        last = Some(kind);
    }
    words.extend(text.get(start..).filter(|it| !it.is_empty()));
    words
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letter,
    Space,
    /// A mark, or a letter of a language that is written without spaces.
    Alone,
}

fn kind(character: char) -> Kind {
    match character {
        it if it.is_whitespace() => Kind::Space,
        // From the Thai block on, scripts without spaces prevail; Korean has them.
        '\u{0e00}'..='\u{109f}' | '\u{2e80}'..='\u{abff}' | '\u{f900}'.. => Kind::Alone,
        it if it.is_alphanumeric() => Kind::Letter,
        _ => Kind::Alone,
    }
}

/// The text without its middle, if it is longer than a number of characters.
fn shortened(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let begin: String = text.chars().take(most / 2).collect();
    let end: String = text.chars().skip(length - most / 2).collect();
    format!("{begin} … {end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(all: &[(&str, &str)]) -> Vec<StoredBlock> {
        all.iter()
            .map(|(id, text)| StoredBlock { id: (*id).to_owned(), markdown: (*text).to_owned() })
            .collect()
    }

    fn shown(difference: &Difference) -> Vec<String> {
        let piece = |it: &Piece| match it {
            Piece::Same(text) => text.clone(),
            Piece::Gone(text) => format!("[-{text}-]"),
            Piece::New(text) => format!("{{+{text}+}}"),
        };
        difference.blocks.iter().map(|block| block.iter().map(piece).collect()).collect()
    }

    #[test]
    fn changed_blocks_are_compared_word_by_word() {
        let before = blocks(&[("a", "Mint likes shade and water."), ("b", "Sage"), ("c", "Rue")]);
        let now = blocks(&[("a", "Mint likes sun and water."), ("c", "Rue"), ("d", "Dill")]);
        assert_eq!(
            shown(&Difference::of(&before, &now)),
            ["Mint likes [-shade-]{+sun+} and water.", "[-Sage-]", "{+Dill+}"]
        );
        assert_eq!(Difference::of(&now, &now), Difference::default());
    }

    #[test]
    fn chinese_is_compared_by_characters() {
        let (before, now) = (blocks(&[("a", "薄荷喜欢阴凉的地方")]), blocks(&[("a", "薄荷喜欢向阳的地方")]));
        assert_eq!(shown(&Difference::of(&before, &now)), ["薄荷喜欢[-阴凉-]{+向阳+}的地方"]);
    }

    /// A text that is written anew has new ids.
    #[test]
    fn blocks_in_the_same_place_are_versions_if_they_are_alike() {
        let before = blocks(&[("a", "one two three four"), ("b", "entirely other")]);
        let now = blocks(&[("x", "one two three five"), ("y", "no word of it")]);
        assert_eq!(
            shown(&Difference::of(&before, &now)),
            ["one two three [-four-]{+five+}", "[-entirely other-]{+no word of it+}"]
        );
    }

    #[test]
    fn long_documents_are_bounded() {
        let long = |word: &str| word.repeat(MOST_WORDS + 1);
        let (before, now) = (blocks(&[("a", &long("a "))]), blocks(&[("a", &long("b "))]));
        let difference = Difference::of(&before, &now);
        assert!(difference.blocks.iter().flatten().all(|it| it.text().chars().count() < MOST_SHOWN + 10));
        let many: Vec<StoredBlock> = (0..MOST_BLOCKS + 7)
            .map(|at| StoredBlock { id: at.to_string(), markdown: "new".to_owned() })
            .collect();
        let difference = Difference::of(&[], &many);
        assert_eq!((difference.blocks.len(), difference.more), (MOST_BLOCKS, 7));
        let same = "word ".repeat(200);
        let (before, now) = (blocks(&[("a", &format!("{same}x"))]), blocks(&[("a", &format!("{same}y"))]));
        assert!(shown(&Difference::of(&before, &now)).concat().contains(" … "));
    }

    #[test]
    fn every_character_of_a_text_is_in_its_words() {
        for text in ["", "a", "  a  b ", "a,b\n\nc", "é́ 中文 mixed中 text", "🐶🐶 x"] {
            assert_eq!(words(text).concat(), text);
        }
    }
}
