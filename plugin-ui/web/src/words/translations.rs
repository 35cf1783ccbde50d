//! Tools and actions in Chinese, each beside the English that it was made from; the files in `zh/` are written by hand.
//!
//! An entry is its path and its name, `<` the English and `>` the Chinese summary, and the same after `!` for the
//! sentence that a person approves.
//!
//! A tool or an action without an entry for its present English is shown in English. A release needs every entry, which
//! the check of a package proves.

use std::collections::BTreeMap;

use puppy_core::find::actions_of;
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

    /// The English that it translates.
    fn english(&self) -> (&'static str, Option<&'static str>) {
        (self.summary.english, self.danger.as_ref().map(|it| it.english))
    }

    fn line(&self) -> String {
        let texts = [Some(self.path), Some(self.name), Some(self.summary.chinese)];
        let danger = self.danger.as_ref().map(|it| it.chinese);
        texts.into_iter().chain([danger]).flatten().collect::<Vec<_>>().join("\t")
    }
}

/// The English of tools and actions by path, as it is declared or as it was translated.
type English = BTreeMap<String, (&'static str, Option<&'static str>)>;

/// The declared English.
fn declared() -> English {
    let of = |tool: Tool| actions_of(tool).map(|it| (it.path(), (it.summary(), it.danger.sentence())));
    let tools = Tool::ALL.into_iter().map(|it| (it.name().to_owned(), (it.purpose(), None)));
    tools.chain(Tool::ALL.into_iter().flat_map(of)).collect()
}

/// A line for each tool and action: its path, then the Chinese name, summary and danger if its English is translated.
pub(super) fn lines() -> Vec<String> {
    lines_of(declared(), entries().flatten())
}

fn lines_of(declared: English, entries: impl Iterator<Item = Entry>) -> Vec<String> {
    let entries: BTreeMap<&str, Entry> = entries.map(|it| (it.path, it)).collect();
    let line = |(path, english): (String, _)| match entries.get(path.as_str()) {
        Some(it) if it.english() == english => it.line(),
        _ => path,
    };
    declared.into_iter().map(line).collect()
}

/// Every entry; `None` stands for one that has another form.
fn entries() -> impl Iterator<Item = Option<Entry>> {
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
    use std::collections::BTreeSet;

    #[test]
    fn each_translation_is_that_of_one_tool_or_action() {
        let (declared, mut translated) = (declared(), BTreeSet::new());
        for (at, entry) in entries().enumerate() {
            let it = entry.unwrap_or_else(|| panic!("entry {at} has another form"));
            assert!(declared.contains_key(it.path), "no action is called {}", it.path);
            assert!(translated.insert(it.path), "{} stands there twice", it.path);
        }
    }

    /// The check of a package finds lines without a translation.
    #[test]
    fn line_without_a_translation_of_its_present_english_is_the_path_alone() {
        let declared = || {
            let english = |path: &str, summary| (path.to_owned(), (summary, Some("Removes it.")));
            English::from([english("tag.new", "A new one."), english("tag.remove", "Remove a tag.")])
        };
        let entry = "tag.remove 删除标签\n< Remove a tag.\n> 删除标签。\n! < Removes it.\n! > 将删除它。";
        let lines = |entry: &'static str| lines_of(declared(), Entry::parse(entry).into_iter());
        assert_eq!(lines(entry), ["tag.new", "tag.remove\t删除标签\t删除标签。\t将删除它。"]);
        let of_old_english =
            "tag.remove 删除标签\n< Remove tags.\n> 删除标签。\n! < Removes it.\n! > 将删除它。";
        assert_eq!(lines(of_old_english), ["tag.new", "tag.remove"]);
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
