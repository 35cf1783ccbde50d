//! The search over all pages: which names match typed words, and which come first.

/// The typed words of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query(Vec<String>);

impl Query {
    /// The words of a typed text.
    pub fn parse(typed: &str) -> Query {
        Query(typed.split_whitespace().map(str::to_lowercase).collect())
    }

    /// Whether nothing was typed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The rank of a match in a name and its description, from 0 (best) to 2; `None` if a word is missing or none was
    /// typed.
    pub fn rank(&self, name: &str, about: &str) -> Option<u8> {
        let (name, about) = (name.to_lowercase(), about.to_lowercase());
        let is_in_name = |it: &String| name.contains(it.as_str());
        if !self.0.iter().all(|it| is_in_name(it) || about.contains(it.as_str())) {
            return None;
        }
        let [first, ..] = self.0.as_slice() else { return None };
        Some(match (name.starts_with(first.as_str()), self.0.iter().all(is_in_name)) {
            (true, true) => 0,
            (false, true) => 1,
            _ => 2,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_descriptions_and_every_word_counts() {
        let rank = |typed: &str| {
            Query::parse(typed).rank("document.remove", "Deletes documents, with what is below")
        };
        assert_eq!(
            ["doc", " DOC remove", "remove", "deletes", "remove below"].map(rank),
            [Some(0), Some(0), Some(1), Some(2), Some(2)]
        );
        assert_eq!(["", "  ", "remove tags", "zzz"].map(rank), [None; 4]);
        assert_eq!(Query::parse("端口").rank("端口", ""), Some(0));
        assert!(Query::parse(" ").is_empty());
    }
}
