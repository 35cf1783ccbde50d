//! The order of hits by relevance, from these hits alone: BM25 over their own texts.

use super::excerpt::plain;
use crate::kernel::api::search::Hit;
use crate::sorted::SharedSort as _;

/// The usual constants of BM25: how soon repetition stops counting, and how much length does.
const REPETITION: f64 = 1.2;
const LENGTH: f64 = 0.75;
/// The weight of a word that stands inside another one, and of one in the titles above the block.
const INSIDE: f64 = 0.5;
const ABOVE: f64 = 0.5;

/// Sorts hits by how well they hold the words, documents of that very title first. Equal ones keep their order.
pub(super) fn rank(hits: &mut Vec<Hit>, words: &[String]) {
    let words: Vec<String> = words.iter().map(|it| it.to_lowercase()).collect();
    let title = words.join(" ");
    let flat: Vec<Vec<&Hit>> = hits
        .iter()
        .map(|hit| hit.children.as_ref().map_or_else(|| vec![hit], |children| children.iter().collect()))
        .collect();
    let texts: Vec<Vec<WordCounts>> =
        flat.iter().map(|group| group.iter().map(|hit| WordCounts::of(hit, &words)).collect()).collect();
    let all: Vec<&WordCounts> = texts.iter().flatten().collect();
    let number = real(all.len());
    let average = all.iter().map(|it| it.length).sum::<f64>() / number.max(1.0);
    let rarity: Vec<f64> = (0..words.len())
        .map(|at| {
            let holding = real(all.iter().filter(|it| it.counts.get(at).is_some_and(|n| *n > 0.0)).count());
            ((number - holding + 0.5) / (holding + 0.5)).ln_1p()
        })
        .collect();
    let best = |group: &Vec<WordCounts>| {
        let scores = group.iter().map(|it| (it.text == title, it.score(&rarity, average)));
        scores.max_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)))
    };
    let scores: Vec<(bool, f64)> = texts.iter().map(|group| best(group).unwrap_or_default()).collect();
    let mut ranked: Vec<((bool, f64), Hit)> = scores.into_iter().zip(std::mem::take(hits)).collect();
    ranked.sort_shared_by(|(one, _), (other, _)| other.0.cmp(&one.0).then(other.1.total_cmp(&one.1)));
    hits.extend(ranked.into_iter().map(|(_, hit)| hit));
}

/// The words in the text of a hit.
struct WordCounts {
    text: String,
    length: f64,
    /// For each word.
    counts: Vec<f64>,
}

impl WordCounts {
    fn of(hit: &Hit, words: &[String]) -> WordCounts {
        let text = plain(&hit.content).to_lowercase();
        let others =
            [&hit.name, &hit.alias, &hit.memo, &hit.tag].map(|it| plain(it).to_lowercase()).join(" ");
        let above = plain(&hit.hpath).to_lowercase();
        let count = |word: &String| {
            let is_above = if above.contains(word) { ABOVE } else { 0.0 };
            occurrences(&text, word) + occurrences(&others, word) + is_above
        };
        let counts = words.iter().map(count).collect();
        WordCounts { length: real(text.chars().count()), text, counts }
    }

    fn score(&self, rarity: &[f64], average: f64) -> f64 {
        let long = REPETITION * (1.0 - LENGTH + LENGTH * self.length / average.max(1.0));
        let each = self.counts.iter().zip(rarity);
        each.map(|(n, rarity)| rarity * n * (REPETITION + 1.0) / (n + long)).sum()
    }
}

/// The number of times that a word occurs; less of one inside another word.
fn occurrences(text: &str, word: &str) -> f64 {
    if word.is_empty() {
        return 0.0;
    }
    let is_letter = |it: Option<char>| it.is_some_and(|it| it.is_ascii_alphanumeric());
    let each = text.match_indices(word).map(|(at, _)| {
        let before = text.get(..at).and_then(|it| it.chars().next_back());
        let inside = is_letter(before) && is_letter(word.chars().next());
        if inside { INSIDE } else { 1.0 }
    });
    each.sum()
}

fn real(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn order(contents: &[&str], words: &[&str]) -> Vec<String> {
        let hit =
            |content: &&str| serde_json::from_value(json!({ "id": content, "content": content })).unwrap();
        let mut hits: Vec<Hit> = contents.iter().map(hit).collect();
        let words: Vec<String> = words.iter().map(|it| (*it).to_owned()).collect();
        rank(&mut hits, &words);
        hits.into_iter().map(|hit| hit.id).collect()
    }

    #[test]
    fn rare_words_short_texts_and_titles_come_first() {
        assert_eq!(
            order(&["mint here", "mint there", "rare here"], &["mint", "rare"]),
            ["rare here", "mint here", "mint there"]
        );
        assert_eq!(
            order(&["mint and much more of it", "a mint"], &["mint"]),
            ["a mint", "mint and much more of it"]
        );
        assert_eq!(order(&["mint tea mint tea", "Mint Tea"], &["mint", "tea"])[0], "Mint Tea");
        assert_eq!(order(&["peppermint", "the mint x"], &["mint"])[0], "the mint x");
        assert_eq!(order(&["每天", "薄荷 每天"], &["薄荷", "每天"])[0], "薄荷 每天");
        assert_eq!(order(&["b", "a"], &[]), ["b", "a"]);
    }

    #[test]
    fn words_in_the_titles_above_count_too() {
        let hit = |id: &str, hpath: &str| {
            serde_json::from_value(json!({ "id": id, "content": "sow in pots", "hPath": hpath })).unwrap()
        };
        let mut hits: Vec<Hit> = vec![hit("chard", "/Plants/Chard"), hit("beans", "/Plants/Runner beans")];
        rank(&mut hits, &["sow".to_owned(), "bean".to_owned()]);
        assert_eq!(hits.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), ["beans", "chard"]);
    }
}
