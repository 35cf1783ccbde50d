//! Databases of a text: they may only stay.

use std::collections::BTreeMap;

/// The lines of a folded text that may show a database, with the number of times each occurs.
#[derive(Debug, Clone, Default)]
pub(super) struct Databases(BTreeMap<String, usize>);

impl Databases {
    /// Collects the lines of a folded text.
    pub(super) fn of(folded: &str) -> Databases {
        let mut found = BTreeMap::new();
        // Without a tag, no element could show a database.
        if folded.contains('<') {
            let shows = |line: &&str| {
                ["data-av-id", "data-av-type", "nodeattributeview"].iter().any(|it| line.contains(it))
            };
            for line in folded.lines().filter(shows) {
                *found.entry(line.trim().to_owned()).or_default() += 1;
            }
        }
        Databases(found)
    }

    /// A line that occurs more often here than in `before`.
    pub(super) fn beyond(&self, before: &Databases) -> Option<&str> {
        self.0
            .iter()
            .find(|(line, count)| before.0.get(*line).is_none_or(|before| before < count))
            .map(|(line, _)| line.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn database_block_stays_but_is_not_duplicated() {
        let one = Databases::of("<div data-type=\"nodeattributeview\" data-av-id=\"x\"></div>");
        let two = Databases::of(
            "<div data-type=\"nodeattributeview\" data-av-id=\"x\"></div>\n<div data-type=\"nodeattributeview\" data-av-id=\"x\"></div>",
        );
        assert!(one.beyond(&one).is_none() && one.beyond(&two).is_none() && two.beyond(&one).is_some());
        assert!(Databases::of("the attribute data-av-id").beyond(&Databases::default()).is_none());
    }
}
