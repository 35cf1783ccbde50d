//! The second look of a search for words: blocks that hold any of them, the best first.
//!
//! People name a thing by words that are not all in one block, and write Chinese and Japanese without blanks, so that
//! a whole question counts as one word.

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
/// The maximum length of a word in letters; what is longer is no word that somebody looks for.
const LONGEST: usize = 64;

/// The words of a query, those of a script without blanks cut into overlapping pairs. `None` if to look for any of them
/// would be the same search again.
pub(super) fn others(query: &str) -> Option<Vec<String>> {
    let words = words(query);
    let is_other = words.len() > 1 || words.first().is_some_and(|it| *it != query.trim());
    is_other.then_some(words)
}

/// The words that say something, each once, without their endings.
pub(super) fn words(query: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let letters: Vec<char> = query.chars().collect();
    let same_run = |one: &char, other: &char| kind(*one) == kind(*other);
    for run in letters.chunk_by(same_run) {
        let found: Vec<String> = match run.first().copied().map_or(CharKind::Blank, kind) {
            CharKind::Blank => Vec::new(),
            CharKind::Joined if run.len() == 1 => vec![run.iter().collect()],
            CharKind::Joined => run.windows(2).map(|it| it.iter().collect()).collect(),
            CharKind::Spaced if run.len() > LONGEST => Vec::new(),
            CharKind::Spaced => {
                let word: String = run.iter().collect();
                let is_common = COMMON.contains(&word.to_lowercase().as_str());
                if is_common { Vec::new() } else { vec![stem(&word).to_owned()] }
            }
        };
        for word in found {
            let says = match word.chars().next().map(kind) {
                Some(CharKind::Joined) => !word.chars().all(|it| PARTICLES.contains(it)),
                _ => word.chars().count() > 1,
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
enum CharKind {
    /// Between words.
    Blank,
    /// Of a word that ends with a blank.
    Spaced,
    /// Of a script without blanks between words.
    Joined,
}

fn kind(letter: char) -> CharKind {
    match letter {
        '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' => CharKind::Joined,
        _ if letter.is_alphanumeric() || matches!(letter, '_' | '-' | '\'') => CharKind::Spaced,
        _ => CharKind::Blank,
    }
}

#[cfg(test)]
mod tests {
    use super::{others, words};

    #[test]
    fn words_that_say_something_are_looked_for() {
        assert_eq!(words("How do I water the mint?"), ["water", "mint"]);
        assert_eq!(words("怎么给薄荷浇水"), ["给薄", "薄荷", "荷浇", "浇水"]);
        assert_eq!(words("Mint 薄荷 tea"), ["Mint", "薄荷", "tea"]);
        assert_eq!(words("mint mint Mint"), ["mint", "Mint"]);
        assert_eq!(words("the of a ?"), Vec::<String>::new());
        assert_eq!(words("How does this grow? Was HIS"), ["grow", "HIS"]);
        assert_eq!(
            words("Watering roses, picked berries; a glass ring"),
            ["Water", "rose", "pick", "berr", "glass", "ring"]
        );
        assert_eq!(words("его книги"), ["его", "книги"]);
        assert_eq!(words(&"薄荷浇水春天".repeat(40)).len(), 6);
    }

    /// F10: words are compared with titles and counted in texts.
    #[test]
    fn a_very_long_word_is_none() {
        let long = "x".repeat(64);
        assert_eq!(words(&format!("mint {long}")), ["mint", long.as_str()]);
        assert_eq!(words(&format!("mint {long}x")), ["mint"]);
    }

    #[test]
    fn the_same_search_is_not_made_again() {
        assert_eq!(others("mints").unwrap(), ["mint"]);
        assert_eq!(others("mint"), None);
        assert_eq!(others("薄荷"), None);
        assert_eq!(others("the"), None);
        assert_eq!(others("mint\" OR sage'x").unwrap(), ["mint", "sage'x"]);
    }
}
