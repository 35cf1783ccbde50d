//! Rules for pages that exist in English and Chinese: their headings, code, commands, tables and links go together.

use crate::tidy::{File, files, none};

/// The ending of the Chinese page of a pair.
const CHINESE: &str = ".zh-CN.md";
/// The pages that must exist in both languages.
const PAIRS: [&str; 4] = ["README", "docs/clients", "docs/faq", "docs/install"];

/// The facts of a part of a page, from one heading to the next, that both languages must share.
#[derive(Debug, Default, PartialEq)]
struct Part {
    /// The number of `#`.
    level: usize,
    /// Lines of code.
    code: Vec<String>,
    /// Code in sentences, sorted: each language has its own order of words.
    commands: Vec<String>,
    /// The targets of links and pictures, sorted, without language and anchor.
    links: Vec<String>,
    /// The rows of tables and the steps of lists.
    rows: usize,
}

fn parts(text: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = vec![Part::default()];
    for line in text.lines() {
        let level = line.chars().take_while(|it| *it == '#').count();
        if level > 0 {
            parts.push(Part { level, ..Part::default() });
        }
        let Some(part) = parts.last_mut() else { continue };
        if line.starts_with("    ") {
            part.code.push(line.to_owned());
            continue;
        }
        let is_step = line.split_once(". ").is_some_and(|(number, _)| number.parse::<u8>().is_ok());
        let is_question = line.starts_with("**");
        part.rows += usize::from(is_step || is_question || line.starts_with("- ") || line.starts_with('|'));
        part.commands.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        let targets = line.split("](").skip(1).filter_map(|it| Some(it.split_once(')')?.0));
        part.links.extend(targets.map(shared));
    }
    for part in &mut parts {
        part.commands.sort();
        part.links.sort();
    }
    parts
}

/// A target without its language, and without an anchor, which is made of a heading.
fn shared(target: &str) -> String {
    target.split('#').next().unwrap_or_default().replace(".zh-CN.", ".")
}

/// The differences of a pair of pages, by the number and the heading of their parts.
fn differences(name: &str, english: &str, chinese: &str) -> Vec<String> {
    let headings: Vec<&str> = english.lines().filter(|it| it.starts_with('#')).collect();
    let (english, chinese) = (parts(english), parts(chinese));
    if english.len() != chinese.len() {
        return vec![format!("{name}: {} headings in English, {} in Chinese", english.len(), chinese.len())];
    }
    let pairs = english.iter().zip(&chinese).enumerate();
    let differing = pairs.filter(|(_, (one, other))| one != other);
    let heading =
        |at: usize| at.checked_sub(1).and_then(|it| headings.get(it)).copied().unwrap_or("the start");
    differing.map(|(at, (one, other))| format!("{name}, {}:\n{one:#?}\n{other:#?}", heading(at))).collect()
}

#[test]
fn pages_in_two_languages_go_together() {
    let pages = files(&[".md"]);
    let text = |name: &str| pages.iter().find(|it| it.name == name).map(|it| it.text.as_str());
    let mut found = Vec::new();
    for name in PAIRS {
        let (english, chinese) = (format!("{name}.md"), format!("{name}{CHINESE}"));
        let both = text(&english).zip(text(&chinese));
        let (english, chinese) = both.unwrap_or_else(|| panic!("{name} is not there in both languages"));
        assert!(parts(english).len() > 1, "{name} has no headings");
        found.extend(differences(name, english, chinese));
    }
    none("write both languages, or neither", &found);
}

/// A Chinese page that no pair names would not be held to its English one.
#[test]
fn every_chinese_page_is_one_of_a_pair() {
    let is_own =
        |it: &&File| it.name.ends_with(CHINESE) && (!it.name.contains('/') || it.name.starts_with("docs/"));
    let pages = files(&[".md"]);
    let mut names: Vec<&str> =
        pages.iter().filter(is_own).filter_map(|it| it.name.strip_suffix(CHINESE)).collect();
    names.sort_unstable();
    assert_eq!(names, PAIRS);
}

#[test]
fn pages_that_differ_are_found() {
    let english = "# A\n\nSee [b](b.md#part), run `x` and `y`.\n\n    x --now\n\n## C\n\n| 1 |\n";
    let chinese = "# 甲\n\n先 `y` 再 `x`，见[乙](b.zh-CN.md#节)。\n\n    x --now\n\n## 丙\n\n| 一 |\n";
    assert_eq!(differences("a", english, chinese), Vec::<String>::new());
    for (old, new, words) in [
        ("x --now", "x --later", "a, # A"),
        ("`y`", "`z`", "a, # A"),
        ("b.zh-CN.md", "c.md", "a, # A"),
        ("| 一 |", "| 一 |\n| 二 |", "a, ## C"),
        ("## 丙", "### 丙", "a, ## C"),
        ("## 丙", "丙", "3 headings in English, 2 in Chinese"),
    ] {
        let found = differences("a", english, &chinese.replace(old, new));
        assert!(matches!(found.as_slice(), [only] if only.contains(words)), "{old}: {found:?}");
    }
}
