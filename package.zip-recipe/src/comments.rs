//! Comments that begin with a clause, such as "What a caller may read", instead of a noun phrase or a sentence.

use crate::tidy::{File, files, none};

/// The words that no comment begins with.
const WORDS: [&str; 4] = ["What", "Who", "How", "Where"];

/// The marks that a line of comment begins with, each before a shorter one that it contains.
const MARKS: [&str; 5] = ["///", "//!", "//", "/**", "/*"];

/// The beginning of each comment that shares no line with code: the number of its first line with text, and that text.
/// Lines with the same mark are one comment, so a later line of it may begin with any word.
fn beginnings(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let (mut before, mut is_inside, mut has_begun) = ("", false, false);
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        let opened = MARKS.into_iter().find(|it| line.starts_with(it)).unwrap_or_default();
        let mark = if is_inside { before } else { opened };
        has_begun &= is_inside || (mark == before && !mark.starts_with("/*"));
        is_inside = mark.starts_with("/*") && !line.contains("*/");
        before = mark;
        let words = line.trim_start_matches(['/', '*', '!']).trim_end_matches("*/").trim();
        if !mark.is_empty() && !has_begun && !words.is_empty() {
            has_begun = true;
            found.push((number, words));
        }
    }
    found
}

/// Whether the first word of a text is one of [`WORDS`].
fn is_clause(text: &str) -> bool {
    let first = text.split(|c: char| !c.is_alphanumeric() && c != '_').next();
    first.is_some_and(|it| WORDS.contains(&it))
}

/// The beginnings that are clauses.
fn clauses(text: &str) -> impl Iterator<Item = (usize, &str)> {
    beginnings(text).into_iter().filter(|(_, words)| is_clause(words))
}

fn found(file: &File) -> Vec<String> {
    clauses(&file.text).map(|(number, words)| format!("{}:{number}: {words}", file.name)).collect()
}

#[test]
fn comments_begin_with_a_noun_phrase_or_a_sentence() {
    let all = files(&[".rs", ".js", ".mjs", ".ts"]);
    none("begin these comments with a noun or a verb", &all.iter().flat_map(found).collect::<Vec<_>>());
}

#[test]
fn clauses_are_found_at_the_beginning_of_a_comment() {
    let lines = |text: &str| clauses(text).map(|(number, _)| number).collect::<Vec<usize>>();
    for (text, expected) in [
        ("//! How it works.", 1),
        ("let a = 1;\n    /// What a caller may read.\nlet b = 2;", 2),
        ("//Who calls.", 1),
        ("// Where, and for how long.", 1),
        ("// What's left.", 1),
        ("/// A sentence.\n\n/// Who calls.", 3),
        ("/// A sentence.\n// What follows.", 2),
        ("/** What it shows. */", 1),
        ("/** A sentence. */\n/** How it ends. */", 2),
        ("/**\n * What it shows.\n *\n * @param {A} a\n */", 2),
        ("/**\n * A sentence.\n */\n// Where it stops.", 4),
    ] {
        assert_eq!(lines(text), [expected], "{text}");
    }
    for text in [
        "/// The notebooks that a caller may read.",
        "// what is left",
        "/// Whether it is left.",
        "/// Whatever is left.",
        "/// However it ends.",
        "/// A sentence about a place\n/// Where it stops.",
        "//! A sentence.\n//!\n//! How it ends.",
        "/**\n * A sentence about a place\n * Where it stops.\n */",
        "What();\n* Who;",
        "let a = \"// What\"; // Where it stops.",
        "///\n\n//",
    ] {
        assert!(lines(text).is_empty(), "{text}");
    }
    let file = File { name: "a.rs".into(), text: "// One.\n\n// How two.\n".into() };
    assert_eq!(found(&file), ["a.rs:3: How two."]);
}
