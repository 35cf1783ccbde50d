//! The Chinese of tools and actions, from the files that the panel shows; English is what is declared.

use puppy_core::spec::{ActionSpec, Tool};

use super::{Language, language};

/// The purpose of a tool, in a sentence.
pub(crate) fn purpose(tool: Tool) -> &'static str {
    translated(tool, tool.name(), SUMMARY).unwrap_or_else(|| tool.purpose())
}

/// The effect of an action, in a sentence.
pub(crate) fn summary(spec: &ActionSpec) -> &'static str {
    translated(spec.tool, &spec.path(), SUMMARY).unwrap_or_else(|| spec.summary())
}

/// The danger of an action, in a sentence.
pub(crate) fn danger(spec: &ActionSpec) -> Option<&'static str> {
    let english = spec.danger.sentence()?;
    Some(translated(spec.tool, &spec.path(), DANGER).unwrap_or(english))
}

/// The beginnings of the lines of an entry that hold Chinese.
const SUMMARY: &str = "> ";
const DANGER: &str = "! > ";

/// The line of an entry; `None` unless Chinese is in use.
fn translated(tool: Tool, path: &str, line: &str) -> Option<&'static str> {
    if language() == Language::English {
        return None;
    }
    found(tool, path, line)
}

fn found(tool: Tool, path: &str, line: &str) -> Option<&'static str> {
    let entry = written(tool).split("\n\n").find(|it| it.split_once(' ').is_some_and(|it| it.0 == path))?;
    entry.lines().find_map(|it| it.strip_prefix(line))
}

/// The entries of a tool and its actions. A test of the panel compares them with the declarations.
const fn written(tool: Tool) -> &'static str {
    match tool {
        Tool::Fs => include_str!("../../../plugin-ui/web/src/words/zh/fs.txt"),
        Tool::Notebook => include_str!("../../../plugin-ui/web/src/words/zh/notebook.txt"),
        Tool::Document => include_str!("../../../plugin-ui/web/src/words/zh/document.txt"),
        Tool::Block => include_str!("../../../plugin-ui/web/src/words/zh/block.txt"),
        Tool::Av => include_str!("../../../plugin-ui/web/src/words/zh/av.txt"),
        Tool::File => include_str!("../../../plugin-ui/web/src/words/zh/file.txt"),
        Tool::Search => include_str!("../../../plugin-ui/web/src/words/zh/search.txt"),
        Tool::Tag => include_str!("../../../plugin-ui/web/src/words/zh/tag.txt"),
        Tool::System => include_str!("../../../plugin-ui/web/src/words/zh/system.txt"),
        Tool::Flashcard => include_str!("../../../plugin-ui/web/src/words/zh/flashcard.txt"),
        Tool::Mascot => include_str!("../../../plugin-ui/web/src/words/zh/mascot.txt"),
    }
}

#[cfg(test)]
mod tests {
    use puppy_core::registry::ACTIONS;

    use super::*;

    #[test]
    fn every_tool_and_action_has_a_chinese_sentence() {
        let is_chinese = |it: Option<&str>| it.is_some_and(|it| it.ends_with('。'));
        for tool in Tool::ALL {
            assert!(is_chinese(found(tool, tool.name(), SUMMARY)), "{}", tool.name());
        }
        for spec in ACTIONS {
            let path = spec.path();
            assert!(is_chinese(found(spec.tool, &path, SUMMARY)), "{path}");
            let danger = found(spec.tool, &path, DANGER);
            assert_eq!(is_chinese(danger), spec.danger.sentence().is_some(), "{path}");
        }
    }
}
