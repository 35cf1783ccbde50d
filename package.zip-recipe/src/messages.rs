//! A rule for the page about troubles: each message that it quotes is one that the code prints.

use crate::tidy::{File, files, none};

const PAGE: &str = "docs/troubleshooting.md";
/// The first words of the page's lines of code that are commands, not messages.
const COMMANDS: [&str; 2] = ["siyuan-puppy", "xattr"];
/// The sign on the page for a value.
const VALUE: char = '…';
/// The sources of messages: the server, core, and the texts of the page.
const SOURCES: [&str; 4] = ["server/src/", "core/src/", "plugin-ui/web/src/words/", "i18n/en.json"];

/// The messages that a page quotes.
fn quoted(page: &str) -> Vec<&str> {
    let code = page.lines().filter_map(|line| line.strip_prefix("    "));
    code.filter(|line| !COMMANDS.iter().any(|it| line.split(' ').next() == Some(it))).collect()
}

/// A line of a source as a person reads it: without escapes, and with the sign for each value.
fn read(line: &str) -> String {
    let mut text = String::new();
    let mut depth = 0_u32;
    for c in line.replace("\\\"", "\"").chars() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    text.push(VALUE);
                }
            }
            _ if depth == 0 => text.push(c),
            _ => {}
        }
    }
    text
}

/// The lines of the sources that may print something.
fn printed(sources: &[File]) -> Vec<String> {
    let is_test = |name: &str| name.ends_with("tests.rs") || name.contains("/testing");
    let ours = |it: &&File| SOURCES.iter().any(|at| it.name.starts_with(at)) && !is_test(&it.name);
    let code = |it: &'_ File| -> Vec<String> {
        let code = it.text.split("\n#[cfg(test)]\nmod tests {\n").next().unwrap_or_default();
        code.lines()
            .filter(|line| !line.trim_start().starts_with("//") && line.contains('"'))
            .map(read)
            .collect()
    };
    sources.iter().filter(ours).flat_map(code).collect()
}

fn unknown<'a>(messages: &[&'a str], printed: &[String]) -> Vec<&'a str> {
    messages.iter().filter(|it| !printed.iter().any(|line| line.contains(**it))).copied().collect()
}

#[test]
fn every_message_in_the_page_about_troubles_is_printed() {
    let sources = files(&[".rs", ".json", ".md"]);
    let page = sources.iter().find(|it| it.name == PAGE).unwrap();
    let messages = quoted(&page.text);
    assert!(messages.len() > 20, "{} messages", messages.len());
    let found: Vec<String> =
        unknown(&messages, &printed(&sources)).into_iter().map(|it| format!("{PAGE}: {it}")).collect();
    none("no code prints these messages; quote the present ones", &found);
}

#[test]
fn messages_that_no_code_prints_are_found() {
    let page =
        "Text.\n\n    siyuan-puppy doctor\n\n    Port … is taken by ….\n    A \"b\" fell.\n    It rained.\n";
    assert_eq!(quoted(page), ["Port … is taken by ….", "A \"b\" fell.", "It rained."]);
    let source = |name: &str, text: &str| File { name: name.into(), text: text.into() };
    let sources = [
        source("server/src/a.rs", "x(\"Port {port} is taken by {}. Stop it.\");\ny(\"A \\\"b\\\" fell.\");"),
        source("server/src/b.rs", "// \"It rained.\"\n#[cfg(test)]\nmod tests {\nz(\"It rained.\");"),
        source("server/src/b/tests.rs", "z(\"It rained.\");"),
        source("e2e/c.rs", "z(\"It rained.\");"),
    ];
    assert_eq!(unknown(&quoted(page), &printed(&sources)), ["It rained."]);
}
