//! Two lists of hits as one, by rank: a block that stands high in both comes first.

use std::collections::BTreeMap;

use crate::kernel::api::search::Hit;
use crate::sorted::SharedSort as _;

/// The weight of a rank is one part of this and the rank. It makes the first few ranks differ little, so that a block
/// in both lists passes one that is first in a single list.
const FLAT: usize = 60;
/// The parts of a whole. Fractions would depend on rounding, and with them the order.
const WHOLE: usize = 1_000_000_000;

/// The list that a hit is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HitSource {
    Words,
    Meaning,
    Both,
}

impl HitSource {
    /// The word for it in answers.
    pub(super) fn word(self) -> &'static str {
        match self {
            HitSource::Words => "words",
            HitSource::Meaning => "meaning",
            HitSource::Both => "both",
        }
    }
}

/// Each block of the two lists once, the best first. The text of a block in both is that of `words`, which marks the
/// words in it.
pub(super) fn blend(meant: Vec<Hit>, words: Vec<Hit>) -> Vec<(Hit, HitSource)> {
    let mut all: BTreeMap<String, (usize, Hit, HitSource)> = BTreeMap::new();
    let weigh = |at: usize| WHOLE / (FLAT + at + 1);
    for (at, hit) in meant.into_iter().enumerate() {
        all.entry(hit.id.clone()).or_insert((weigh(at), hit, HitSource::Meaning));
    }
    for (at, hit) in words.into_iter().enumerate() {
        match all.get_mut(&hit.id) {
            None => {
                all.insert(hit.id.clone(), (weigh(at), hit, HitSource::Words));
            }
            // The index may contain a block twice.
            Some((_, _, HitSource::Words | HitSource::Both)) => {}
            Some((weight, known, by)) => {
                *weight += weigh(at);
                *known = hit;
                *by = HitSource::Both;
            }
        }
    }
    let mut all: Vec<(usize, Hit, HitSource)> = all.into_values().collect();
    // The order of ids breaks ties.
    all.sort_shared_by_key(|(weight, ..)| std::cmp::Reverse(*weight));
    all.into_iter().map(|(_, hit, by)| (hit, by)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn hits(ids: &[&str], content: &str) -> Vec<Hit> {
        let hit = |id: &&str| serde_json::from_value(json!({ "id": id, "content": content })).unwrap();
        ids.iter().map(hit).collect()
    }

    #[test]
    fn a_block_in_both_lists_comes_before_the_first_of_one() {
        let blended = blend(hits(&["a", "b", "c"], "x"), hits(&["d", "c", "d"], "<mark>x</mark>"));
        let seen: Vec<(&str, &str, &str)> =
            blended.iter().map(|(hit, by)| (hit.id.as_str(), by.word(), hit.content.as_str())).collect();
        let expected = [
            ("c", "both", "<mark>x</mark>"),
            ("a", "meaning", "x"),
            ("d", "words", "<mark>x</mark>"),
            ("b", "meaning", "x"),
        ];
        assert_eq!(seen, expected);
    }
}
