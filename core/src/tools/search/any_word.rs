//! The second look of a search for words: blocks that hold any of them, the best first.
//!
//! People name a thing by words that are not all in one block, and write Chinese and Japanese without blanks, so that
//! a whole question counts as one word.

use super::fts;

/// Words that are in every text and say nothing about what is looked for.
const COMMON: [&str; 58] = [
    "about", "all", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could",
    "did", "do", "does", "for", "from", "had", "has", "have", "how", "if", "in", "is", "it", "its", "me",
    "my", "not", "of", "on", "or", "our", "should", "so", "that", "the", "their", "there", "this", "to",
    "us", "was", "we", "were", "what", "when", "where", "which", "who", "why", "will", "with", "you", "your",
];

/// Letters of Chinese and Japanese that only join others.
const PARTICLES: &str = "的了是在和与吗呢吧啊嘛着过得地也都就把被让对从到给为什么怎哪谁几这那有没不我你他她它们个のはがをにでともへやかよねですますした";

/// The maximum number of words and pairs that are looked for.
const MOST: usize = 48;

/// The words of a query, those of a script without blanks cut into overlapping pairs, as a query for any of them.
/// `None` if that would be the same search again.
pub(super) fn any_of(query: &str) -> Option<String> {
    let words = words(query);
    let is_other = words.len() > 1 || words.first().is_some_and(|it| *it != query.trim());
    (is_other && !words.is_empty()).then(|| fts::any_of(words.iter().map(String::as_str)))
}

/// The words that say something, each once.
pub(super) fn words(query: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let letters: Vec<char> = query.chars().collect();
    let same_run = |one: &char, other: &char| kind(*one) == kind(*other);
    for run in letters.chunk_by(same_run) {
        let found: Vec<String> = match run.first().copied().map_or(Kind::Blank, kind) {
            Kind::Blank => Vec::new(),
            Kind::Joined if run.len() == 1 => vec![run.iter().collect()],
            Kind::Joined => run.windows(2).map(|it| it.iter().collect()).collect(),
            Kind::Spaced => vec![stem(&run.iter().collect::<String>()).to_owned()],
        };
        for word in found {
            let says = match word.chars().next().map(kind) {
                Some(Kind::Joined) => !word.chars().all(|it| PARTICLES.contains(it)),
                _ => word.chars().count() > 1 && !COMMON.contains(&word.to_lowercase().as_str()),
            };
            if says && !words.contains(&word) && words.len() < MOST {
                words.push(word);
            }
        }
    }
    words
}

/// An English word without its ending. The kernel finds a word inside longer ones, so that `plant` finds `planted`.
fn stem(word: &str) -> &str {
    const ENDINGS: [(&str, usize); 4] = [("ies", 6), ("ing", 7), ("ed", 6), ("s", 4)];
    let small = word.to_ascii_lowercase();
    let fits = |(ending, least): &&(&str, usize)| {
        small.len() >= *least && small.ends_with(ending) && !small.ends_with("ss")
    };
    let cut = ENDINGS.iter().find(fits).map_or(0, |(ending, _)| ending.len());
    word.get(..word.len() - cut).unwrap_or(word)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Between words.
    Blank,
    /// Of a word that ends with a blank.
    Spaced,
    /// Of a script without blanks between words.
    Joined,
}

fn kind(letter: char) -> Kind {
    match letter {
        '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' => Kind::Joined,
        _ if letter.is_alphanumeric() || matches!(letter, '_' | '-' | '\'') => Kind::Spaced,
        _ => Kind::Blank,
    }
}

#[cfg(test)]
mod tests {
    use super::{any_of, words};

    #[test]
    fn words_that_say_something_are_looked_for() {
        assert_eq!(words("How do I water the mint?"), ["water", "mint"]);
        assert_eq!(words("怎么给薄荷浇水"), ["给薄", "薄荷", "荷浇", "浇水"]);
        assert_eq!(words("Mint 薄荷 tea"), ["Mint", "薄荷", "tea"]);
        assert_eq!(words("mint mint Mint"), ["mint", "Mint"]);
        assert_eq!(words("the of a ?"), Vec::<String>::new());
        assert_eq!(
            words("Watering roses, picked berries; a glass ring"),
            ["Water", "rose", "pick", "berr", "glass", "ring"]
        );
        assert_eq!(words("его книги"), ["его", "книги"]);
        assert_eq!(words(&"薄荷浇水春天".repeat(40)).len(), 6);
    }

    #[test]
    fn the_same_search_is_not_made_again() {
        assert_eq!(any_of("mints").as_deref(), Some("{content name alias memo tag}:(\"mint\")"));
        assert_eq!(any_of("mint"), None);
        assert_eq!(any_of("薄荷"), None);
        assert_eq!(any_of("the"), None);
        let printed = any_of("mint\" OR sage'x");
        assert_eq!(printed.as_deref(), Some("{content name alias memo tag}:(\"mint\" OR \"sage'x\")"));
    }
}
