//! Tools and actions in Chinese, each beside the English that it was made from; the files in `zh/` are written by hand.
//!
//! An entry is its path and its name, `<` the English and `>` the Chinese summary, and the same after `!` for the
//! sentence that a person approves.

use puppy_core::spec::Tool;

/// A tool or an action.
pub(super) struct Entry {
    pub(super) path: &'static str,
    pub(super) name: &'static str,
    pub(super) summary: Pair,
    pub(super) danger: Option<Pair>,
}

/// A text and what it was made from.
pub(super) struct Pair {
    #[cfg_attr(not(test), allow(dead_code, reason = "a test compares it with the declaration"))]
    pub(super) english: &'static str,
    pub(super) chinese: &'static str,
}

impl Entry {
    fn parse(text: &'static str) -> Option<Entry> {
        let mut lines = text.lines();
        let (path, name) = lines.next()?.split_once(' ')?;
        let summary =
            Pair { english: lines.next()?.strip_prefix("< ")?, chinese: lines.next()?.strip_prefix("> ")? };
        let danger = match lines.next() {
            None => None,
            Some(line) => Some(Pair {
                english: line.strip_prefix("! < ")?,
                chinese: lines.next()?.strip_prefix("! > ")?,
            }),
        };
        lines.next().is_none().then_some(Entry { path, name, summary, danger })
    }
}

/// Every entry; `None` stands for one that has another form.
pub(super) fn entries() -> impl Iterator<Item = Option<Entry>> {
    Tool::ALL.into_iter().flat_map(|tool| written(tool).trim_end().split("\n\n").map(Entry::parse))
}

const fn written(tool: Tool) -> &'static str {
    match tool {
        Tool::Fs => include_str!("zh/fs.txt"),
        Tool::Notebook => include_str!("zh/notebook.txt"),
        Tool::Document => include_str!("zh/document.txt"),
        Tool::Block => include_str!("zh/block.txt"),
        Tool::Av => include_str!("zh/av.txt"),
        Tool::File => include_str!("zh/file.txt"),
        Tool::Search => include_str!("zh/search.txt"),
        Tool::Tag => include_str!("zh/tag.txt"),
        Tool::System => include_str!("zh/system.txt"),
        Tool::Flashcard => include_str!("zh/flashcard.txt"),
        Tool::Mascot => include_str!("zh/mascot.txt"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppy_core::find::actions_of;
    use std::collections::{BTreeMap, BTreeSet};

    /// The English of tools and actions by path, as it is declared or as it was translated.
    type English = BTreeMap<String, (&'static str, Option<&'static str>)>;

    fn declared() -> English {
        let of = |tool: Tool| actions_of(tool).map(|it| (it.path(), (it.summary(), it.danger.sentence())));
        let tools = Tool::ALL.into_iter().map(|it| (it.name().to_owned(), (it.purpose(), None)));
        tools.chain(Tool::ALL.into_iter().flat_map(of)).collect()
    }

    #[test]
    fn every_tool_and_action_has_a_translation_of_its_present_english() {
        let mut translated = English::new();
        for (at, entry) in entries().enumerate() {
            let it = entry.unwrap_or_else(|| panic!("entry {at} has another form"));
            let english = (it.summary.english, it.danger.map(|it| it.english));
            assert!(
                translated.insert(it.path.to_owned(), english).is_none(),
                "{} stands there twice",
                it.path
            );
        }
        let declared = declared();
        for (path, english) in &declared {
            let was = translated.remove(path);
            assert_eq!(was.as_ref(), Some(english), "{path}: translate its present English in words/zh");
        }
        assert!(translated.is_empty(), "no action has these names: {:?}", translated.keys());
    }

    #[test]
    fn translations_are_chinese_with_the_places_of_the_english() {
        let places = |text: &'static str| -> BTreeSet<&str> {
            text.split('{').skip(1).filter_map(|it| it.split_once('}')).map(|it| it.0).collect()
        };
        let is_chinese =
            |text: &str| text.chars().any(|c| c > '\u{2e7f}') && !text.contains(char::is_control);
        let mut names = BTreeSet::new();
        for it in entries().flatten() {
            assert!(is_chinese(it.name), "{}", it.path);
            let tool = it.path.split('.').next().unwrap();
            assert!(names.insert((tool, it.name)), "{}: two are called {}", it.path, it.name);
            for pair in [Some(it.summary), it.danger].into_iter().flatten() {
                assert!(is_chinese(pair.chinese) && pair.chinese.ends_with('。'), "{}", it.path);
                assert_eq!(places(pair.english), places(pair.chinese), "{}", it.path);
            }
        }
    }
}
