//! Query embeds and databases of a text: an embed may only read, a database may only stay.

use std::collections::BTreeMap;

use super::code::behind_marks;

/// Whether a text (code blanked out) has a query embed that is more than one SELECT.
pub(super) fn has_odd_embed(masked: &str) -> bool {
    masked.lines().any(|line| {
        let statement = behind_marks(line).strip_prefix("{{").map(str::trim_end);
        let open = statement.is_some_and(|it| !it.starts_with('{') && !it.contains("}}"));
        let embed = statement.and_then(|it| it.strip_suffix("}}"));
        open || embed.is_some_and(|it| !is_one_select(it))
    })
}

fn is_one_select(statement: &str) -> bool {
    let statement = statement.trim().trim_end_matches(';').trim_end();
    let mut quote = None;
    let mut several = false;
    for letter in statement.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            None if matches!(letter, '\'' | '"') => quote = Some(letter),
            None => several |= letter == ';',
            Some(_) => {}
        }
    }
    let verb = statement.get(..6).is_some_and(|it| it.eq_ignore_ascii_case("select"));
    verb && !several && statement.get(6..).is_some_and(|it| it.starts_with(char::is_whitespace))
}

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
    fn embed_accepts_one_select_only() {
        for text in [
            "{{//!js return 1}}",
            "> {{DELETE FROM blocks}}",
            "- {{SELECT 1; SELECT 2}}",
            "{{\nnot closed",
            "- {: a=\"1\"}{{DROP x}}",
            "- [ ] {{DROP x}}",
            "{{{DROP x}}",
            "{{ SELECT 1 }} x }}; DROP y}}",
        ] {
            assert!(has_odd_embed(text), "{text}");
        }
        for text in ["{{ SELECT ';' FROM blocks; }}", "a {{ b }} c", "{{{row\na\n\nb\n}}}", "{{ b }} c"] {
            assert!(!has_odd_embed(text), "{text}");
        }
    }

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
