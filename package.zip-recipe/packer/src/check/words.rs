//! Rules for the texts of the scripts: no language lacks one (B-327), and none is left over. In a release, no action
//! lacks Chinese.

use super::{Expectations, Findings};
use crate::archive::Package;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The language whose keys the others must have.
const FIRST: &str = "i18n/en.json";
/// The other files, and the one that each must equal: hosts from before 3.7 look for the former names.
const OTHERS: [(&str, Option<&str>); 3] = [
    ("i18n/zh-CN.json", None),
    ("i18n/en_US.json", Some(FIRST)),
    ("i18n/zh_CN.json", Some("i18n/zh-CN.json")),
];

/// The panel's Chinese texts: sections with an empty line between them, each below its name.
const CHINESE: &str = "panel.zh.txt";
/// The folder of the translations.
const ENTRIES: &str = "plugin-ui/web/src/words/zh";

/// Every tool and action has Chinese. The line of one without it is its path alone.
pub(super) fn actions_have_chinese(package: &Package, wanted: &Expectations) -> Findings {
    if !wanted.translated {
        return Findings::new();
    }
    let text = package.files.text(CHINESE);
    let Some(actions) = text.split("\n\n").find_map(|it| it.strip_prefix("Actions\n")) else {
        return vec![format!("{CHINESE} has no section `Actions`")];
    };
    let lacking = actions.lines().filter(|it| !it.contains('\t'));
    lacking.map(|path| format!("{path} has no Chinese for its present English: {ENTRIES}")).collect()
}

fn words(package: &Package, file: &str) -> Map<String, Value> {
    package.files.json(file).as_object().cloned().unwrap_or_default()
}

/// Every language has every word.
pub(super) fn languages_have_the_same_words(package: &Package) -> Findings {
    let keys: BTreeSet<String> = words(package, FIRST).keys().cloned().collect();
    let mut found = Findings::new();
    for (file, same) in [(FIRST, None)].into_iter().chain(OTHERS) {
        if package.files.get(file).is_none() {
            continue;
        }
        let words = words(package, file);
        for key in &keys {
            match words.get(key) {
                None => found.push(format!("{file} lacks `{key}`")),
                Some(Value::String(text)) if !text.trim().is_empty() => {}
                Some(_) => found.push(format!("{file} has no text for `{key}`")),
            }
        }
        let more = words.keys().filter(|key| !keys.contains(*key));
        found.extend(more.map(|key| format!("{file} has `{key}`, which {FIRST} lacks")));
        if let Some(same) = same
            && package.files.get(same).is_some_and(|it| Some(it) != package.files.get(file))
        {
            found.push(format!("{file} differs from {same}"));
        }
    }
    found
}

/// A text in the wrong language was forgotten or pasted. The files for former hosts equal these.
pub(super) fn texts_are_of_their_language(package: &Package) -> Findings {
    let is_chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    let mut found = Findings::new();
    for (file, language, due) in [(FIRST, "English", false), (OTHERS[0].0, "Chinese", true)] {
        for (key, text) in words(package, file) {
            if text.as_str().is_some_and(|it| !it.trim().is_empty() && is_chinese(it) != due) {
                found.push(format!("`{key}` in {file} is not {language}"));
            }
        }
    }
    found
}

/// Every word is used, by index.js or by a script that it loads into the page, and every word that is used is there.
pub(super) fn words_are_those_of_the_scripts(package: &Package) -> Findings {
    let mut used = BTreeSet::new();
    let ours = |name: &str| name == "index.js" || (name.starts_with("page/") && name.ends_with(".js"));
    for script in package.files.names().filter(|name| ours(name)).map(|name| package.files.text(name)) {
        for (mark, end) in [("i18n.", None), ("langKey: \"", Some('"'))] {
            for (at, _) in script.match_indices(mark) {
                let rest = &script[at + mark.len()..];
                let stop = |c: char| end.map_or(!c.is_ascii_alphanumeric(), |end| c == end);
                used.insert(rest.split(stop).next().unwrap_or_default().to_owned());
            }
        }
    }
    let words = words(package, FIRST);
    let missing = used.iter().filter(|key| !words.contains_key(*key));
    let mut found: Findings =
        missing.map(|key| format!("a script uses the text `{key}`, which {FIRST} lacks")).collect();
    let idle = words.keys().filter(|key| !used.contains(key.as_str()));
    found.extend(idle.map(|key| format!("{FIRST} has the text `{key}`, which no script uses")));
    found
}
