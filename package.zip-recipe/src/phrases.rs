//! Phrases that read like a translation, which documents and the texts of panel, command line and doctor must not contain.

use crate::tidy::{File, files, none};

/// A phrase, and words to use instead.
const PHRASES: [(&str, &str); 23] = [
    ("mend", "fix, repair"),
    ("mends", "fixes, repairs"),
    ("mended", "fixed, repaired"),
    ("heeds", "follows"),
    ("is told", "is notified of, receives"),
    ("are told", "are notified of, receive"),
    ("told of", "notified of"),
    ("tells of", "reports"),
    ("holds in", "applies in"),
    ("holds for", "applies to"),
    ("by itself", "automatically, on its own"),
    ("a yes", "approval"),
    ("that cannot be", "unavailable, or name the fault"),
    ("by hand", "manually"),
    ("at once", "immediately"),
    ("anew", "again"),
    ("nobody", "name the party"),
    ("somebody", "name the party"),
    ("whoever", "name the party"),
    ("torn", "damaged"),
    ("gives way to", "yields to, is overridden by"),
    ("switched on", "turned on"),
    ("switched off", "turned off"),
];

/// Whether a page is one that users read and nobody generates.
fn is_page(name: &str) -> bool {
    let is_doc = name.strip_prefix("docs/").is_some_and(|it| !it.contains('/') && it.ends_with(".md"));
    is_doc || ["README.md", "SECURITY.md"].contains(&name)
}

/// Whether a file has texts of the panel, the command line or `doctor`.
fn is_words(name: &str) -> bool {
    let files = ["plugin-ui/web/src/words", "server/src/cli", "server/src/doctor", "server/src/words"];
    let rest = files.iter().find_map(|it| name.strip_prefix(it));
    rest.is_some_and(|it| it == ".rs" || it.starts_with('/'))
}

/// The prose of each line: a page without its code, or the string literals of a declaration without its tests.
fn prose(file: &File) -> Vec<String> {
    let pieces = |line: &str, mark: char, first: usize| -> String {
        line.split(mark).skip(first).step_by(2).collect::<Vec<_>>().join(" ")
    };
    if is_page(&file.name) {
        let of = |line: &str| if line.starts_with("    ") { String::new() } else { pieces(line, '`', 0) };
        return file.text.lines().map(of).collect();
    }
    let code = file.text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
    let of = |line: &str| {
        let is_comment = line.trim_start().starts_with("//");
        if is_comment { String::new() } else { pieces(&line.replace("\\\"", "'"), '"', 1) }
    };
    code.map(of).collect()
}

/// Whether a text contains a phrase as whole words, in any case.
fn has(text: &str, phrase: &str) -> bool {
    let text = text.to_lowercase();
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + phrase.len()..]);
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}

fn found(file: &File) -> Vec<String> {
    let of = |(number, line): (usize, &String)| -> Vec<String> {
        let hits = PHRASES.iter().filter(|(phrase, _)| has(line, phrase));
        hits.map(|(it, instead)| format!("{}:{}: \"{it}\": {instead}", file.name, number + 1)).collect()
    };
    prose(file).iter().enumerate().flat_map(of).collect()
}

#[test]
fn texts_for_users_do_not_read_translated() {
    let all = files(&[".md", ".rs"]);
    let texts: Vec<&File> = all.iter().filter(|it| is_page(&it.name) || is_words(&it.name)).collect();
    assert!(texts.len() > 30, "{} files", texts.len());
    none("write these as prose of a native speaker", &texts.into_iter().flat_map(found).collect::<Vec<_>>());
}

#[test]
fn phrases_are_found_as_whole_words_outside_code() {
    let file = |name: &str, text: &str| File { name: name.into(), text: text.into() };
    let page = file("docs/a.md", "It MENDS itself, as amended.\n\n    mend\n`mend` a commended yes");
    assert_eq!(found(&page), ["docs/a.md:1: \"mends\": fixes, repairs"]);
    let words = file(
        "plugin-ui/web/src/words/a.rs",
        "/// Said by hand.\na: \"It \\\"holds\\\" in\", \"\";\nb: \"at once\", \"b\";\n#[cfg(test)]\n\"mend\"",
    );
    assert_eq!(found(&words), ["plugin-ui/web/src/words/a.rs:3: \"at once\": immediately"]);
    assert!(is_words("server/src/doctor.rs") && is_words("server/src/cli/install/report.rs"));
    assert!(!is_words("server/src/doctors.rs") && !is_words("server/src/gate/words.rs"));
}
