//! Tools and actions in the words of a person, in the language of the page.

use std::sync::OnceLock;

use puppy_core::spec::{ActionSpec, Tool};

use super::{ACTIONS, chinese};

static LINES: OnceLock<Vec<&str>> = OnceLock::new();

/// A tool or an action in the words of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wording {
    /// Its name for people, next to the one that agents use; actions have none in English.
    pub name: Option<&'static str>,
    /// The purpose of a tool, or the effect of an action, in a sentence.
    pub summary: &'static str,
    /// The sentence that a person approves, with places for numbers and names in braces.
    pub danger: Option<&'static str>,
}

/// An action in the language of a page.
pub fn action(lang: &str, spec: &ActionSpec) -> Wording {
    let english = Wording { name: None, summary: spec.summary(), danger: spec.danger.sentence() };
    translated(lang, &spec.path()).unwrap_or(english)
}

/// A tool in the language of a page.
pub fn tool(lang: &str, tool: Tool) -> Wording {
    let english = Wording { name: Some(tool.label()), summary: tool.purpose(), danger: None };
    translated(lang, tool.name()).unwrap_or(english)
}

/// The name of an action for people, by its path; the path itself for an action of another version.
pub fn title(lang: &str, path: &str) -> String {
    let known = path.split_once('.').and_then(|(tool, name)| Some((Tool::named(tool)?, name)));
    let Some((of, name)) = known else { return path.to_owned() };
    match translated(lang, path).and_then(|it| it.name) {
        Some(title) => title.to_owned(),
        None => format!("{} › {}", tool(lang, of).name.unwrap_or(of.name()), name.replace('_', " ")),
    }
}

/// The Chinese of a tool or an action, where the page is Chinese and it is loaded.
fn translated(lang: &str, path: &str) -> Option<Wording> {
    if chinese::is_chinese(lang) { found(lines(), path) } else { None }
}

/// The texts on the line of a tool or an action; none if the line is its path alone, which has no translation.
fn found(lines: &[&'static str], path: &str) -> Option<Wording> {
    let mut texts = lines.iter().find_map(|it| it.strip_prefix(path)?.strip_prefix('\t'))?.split('\t');
    Some(Wording { name: texts.next(), summary: texts.next()?, danger: texts.next() })
}

fn lines() -> &'static [&'static str] {
    if LINES.get().is_none() {
        let lines = chinese::section(ACTIONS);
        if lines.is_empty() {
            return &[];
        }
        return LINES.get_or_init(|| lines);
    }
    LINES.get().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppy_core::find::action_named;

    #[test]
    fn tools_and_actions_are_told_in_the_language_of_the_page() {
        let named = |name| action_named(Tool::Document, name).unwrap();
        let remove = named("remove");
        let english = action("en", remove);
        assert_eq!((english.name, english.summary), (None, remove.summary()));
        assert_eq!(english.danger, remove.danger.sentence());
        let chinese = action("zh_CN", remove);
        assert_eq!(chinese.name, Some("删除文档"));
        assert!(chinese.summary.contains("文档") && chinese.danger.unwrap().contains("文档历史"));
        assert_eq!(action("zh_CN", named("read")).danger, None);
        assert_eq!(
            tool("en", Tool::Av),
            Wording { name: Some("Databases"), summary: Tool::Av.purpose(), danger: None }
        );
        assert_eq!(tool("zh_CN", Tool::Av).name, Some("数据库"));
    }

    #[test]
    fn action_has_a_title_for_people() {
        assert_eq!(title("en", "document.get_outline"), "Documents › get outline");
        assert_eq!(title("zh_CN", "document.remove"), "删除文档");
        assert_eq!(title("en", "other.thing"), "other.thing");
    }

    /// An action may be new, and its Chinese come later.
    #[test]
    fn action_without_a_translation_is_told_in_english() {
        let lines = [
            "tag.list",
            "tag.list_all\t列出全部\t列出全部标签。",
            "tag.rename\t重命名\t重命名标签。\t将重命名。",
        ];
        assert_eq!(found(&lines, "tag.list"), None);
        assert_eq!(found(&lines, "tag.remove"), None);
        let wording = Wording {
            name: Some("重命名"), summary: "重命名标签。", danger: Some("将重命名。")
        };
        assert_eq!(found(&lines, "tag.rename"), Some(wording));
    }
}
