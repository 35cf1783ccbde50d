//! Compares the gate with the recorded results of a real SiYuan for the same texts (F2, F4, F5).
//!
//! The findings were about text that SiYuan's parser reads and this product does not.
//!
//! `core/tests/incoming/` holds the inputs and, for each text that the gate sends, facts about what SiYuan 3.7.3
//! stored and sent to its windows; for refused texts it holds the facts of the input, which show whether the refusal
//! was justified. `e2e/kernel/incoming.py` writes both.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::tests::{checked, kernel};
use super::*;

const INPUTS: &str = include_str!("../../../tests/incoming/inputs.jsonl");
const RECORDED: &str = include_str!("../../../tests/incoming/recorded.jsonl");

/// The block of the inputs that the caller may read.
pub(super) const READABLE: &str = "20250101000000-readabl";

#[derive(Debug, Deserialize)]
pub(super) struct Input {
    pub(super) text: String,
    #[serde(default)]
    pub(super) harmless: bool,
    /// The text that is replaced.
    pub(super) old: Option<String>,
}

/// SiYuan's result for a text.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Facts {
    pub(super) key: String,
    /// Attributes beyond the frame of every block.
    names: BTreeSet<String>,
    /// Elements that SiYuan never writes itself.
    elements: BTreeSet<String>,
    /// Handlers and addresses that would run.
    runs: BTreeSet<String>,
    /// Ids that blocks took from the text.
    ids: BTreeSet<String>,
    /// Ids that references and embeds point to.
    refs: BTreeSet<String>,
    databases: BTreeSet<String>,
    /// The styles of blocks and words.
    styles: BTreeSet<String>,
    classes: BTreeSet<String>,
    /// Attributes in HTML blocks, with their values.
    html: BTreeSet<String>,
    /// Drawings that SiYuan makes: the language, and the text in the lines below it.
    drawn: BTreeSet<String>,
    /// Notations that SiYuan itself refused.
    refused: BTreeSet<String>,
}

impl Facts {
    /// A finding that the gate should have prevented, if any.
    pub(super) fn beyond(&self, sent: &str, old: &str) -> Option<String> {
        let lists = |text: &str| -> BTreeSet<String> {
            let masked = code::mask(text).text;
            let lists = kramdown::lists(&masked);
            lists.iter().flat_map(|it| it.attributes.iter().map(|(name, _)| name.to_owned())).collect()
        };
        let mut names = lists(sent);
        names.extend(attributes_of_tags(sent));
        // SiYuan's own attributes: the title of a document, the widths of a table, the position of an image.
        names.extend(["title", "style", "type", "colgroup", "data-sb-layout"].map(str::to_owned));
        // A quote in the name of an image is not an attribute, whatever it looks like.
        names.insert("\"".to_owned());
        let protected = lists(old);
        let of_old = ids_of(old);
        let tag = |name: &String| sent.to_ascii_lowercase().contains(&format!("<{name}"));
        let beyond = |kind: &str, found: &BTreeSet<String>, allowed: &dyn Fn(&String) -> bool| {
            found.iter().find(|it| !allowed(it)).map(|it| format!("{kind} {it:?}"))
        };
        beyond("runs", &self.runs, &|_| false)
            .or_else(|| {
                beyond("name", &self.names, &|it| {
                    names.contains(it) && (!is_protected(it) || protected.contains(it))
                })
            })
            .or_else(|| beyond("element", &self.elements, &tag))
            .or_else(|| beyond("id", &self.ids, &|it| of_old.contains(it)))
            .or_else(|| beyond("reference", &self.refs, &|it| it == READABLE || of_old.contains(it)))
            .or_else(|| {
                beyond("style", &self.styles, &|it| style::printed(it).is_some() || old.contains(it.as_str()))
            })
            .or_else(|| beyond("class", &self.classes, &|it| it == "fn__none"))
            .or_else(|| {
                beyond("HTML", &self.html, &|it| {
                    let (name, value) =
                        it.split_once('=').map_or((it.as_str(), None), |(name, value)| (name, Some(value)));
                    tags::is_allowed(&name.to_lowercase(), value, true)
                })
            })
            .or_else(|| {
                beyond("drawing", &self.drawn, &|it| {
                    let (language, code) = it.split_once('\n').unwrap_or_default();
                    folded::folded(code).is_some_and(|it| drawings::is_plain(language, it.trim()))
                })
            })
            .or_else(|| {
                beyond("database", &self.databases, &|it| old.contains("data-av-id") && old.contains(it))
            })
    }
}

pub(super) fn ids_of(text: &str) -> BTreeSet<String> {
    text.match_indices("20250101").filter_map(|(at, _)| text.get(at..at + 22)).map(str::to_owned).collect()
}

/// The names of attributes in tags, as written.
fn attributes_of_tags(text: &str) -> Vec<String> {
    let tags = text.split('<').skip(1).filter_map(|it| it.split('>').next());
    let words = tags.flat_map(|tag| tag.split([' ', '\n', '/']).skip(1));
    words.filter_map(|it| it.split('=').next()).map(str::to_ascii_lowercase).collect()
}

pub(super) struct Case {
    pub(super) input: Input,
    pub(super) sent: Result<String, ToolError>,
}

impl Case {
    /// The text for which the kernel's answer is recorded.
    fn text(&self) -> &str {
        self.sent.as_deref().unwrap_or(&self.input.text)
    }
}

pub(super) fn cases() -> Vec<Case> {
    let kernel = kernel();
    let inputs = INPUTS.lines().map(|line| serde_json::from_str::<Input>(line).unwrap());
    inputs
        .map(|input| {
            let kept = input.old.as_deref().map_or_else(ReplacedContent::nothing, ReplacedContent::of);
            let sent = checked(&kernel, &input.text, &kept).map(|it| it.markdown);
            Case { input, sent }
        })
        .collect()
}

pub(super) fn key(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn recorded_notes_contain_nothing_unchecked() {
    let recorded: BTreeMap<String, Facts> = RECORDED
        .lines()
        .map(|line| serde_json::from_str::<Facts>(line).unwrap())
        .map(|it| (it.key.clone(), it))
        .collect();
    let cases = cases();
    let missing = cases.iter().filter(|it| !recorded.contains_key(&key(it.text()))).count();
    assert_eq!(
        missing, 0,
        "what SiYuan makes of {missing} texts is not recorded: start a SiYuan 3.7.3, set SIYUAN_API_URL and SIYUAN_TOKEN, run `python3 e2e/kernel/incoming.py record`"
    );
    let mut holes = Vec::new();
    let (mut sent, mut deserved, mut harmless, mut harmless_refused) = (0, 0, 0, Vec::new());
    for case in &cases {
        let old = case.input.old.as_deref().unwrap_or_default();
        let beyond = recorded.get(&key(case.text())).and_then(|facts| facts.beyond(case.text(), old));
        harmless += usize::from(case.input.harmless);
        match (&case.sent, beyond) {
            (Ok(text), Some(what)) => holes.push(format!("{what}: {text:?}")),
            (Ok(_), None) => sent += 1,
            (Err(_), Some(_)) => deserved += 1,
            (Err(_), None) => {}
        }
        if let Err(error) = &case.sent
            && case.input.harmless
        {
            harmless_refused.push((&case.input.text, format!("{} {:?}", error.message, error.fields)));
        }
    }
    println!(
        "{} inputs: {sent} sent, {} refused, of these {deserved} with something forbidden in SiYuan's answer; {} of {harmless} harmless ones refused",
        cases.len(),
        cases.len() - sent - holes.len(),
        harmless_refused.len()
    );
    assert!(cases.len() > 3_000 && sent > 1_000 && deserved > 500, "the inputs have become too few");
    assert!(holes.is_empty(), "{} holes:\n{}", holes.len(), holes.join("\n"));
    assert!(harmless_refused.is_empty(), "ordinary Markdown is refused: {harmless_refused:#?}");
}

/// A sent text passes the gate unchanged when it comes back. `e2e/kernel/incoming.py` reads the lines printed here.
#[test]
fn checked_text_passes_the_check_unchanged() {
    let kernel = kernel();
    let mut changed = Vec::new();
    for case in cases() {
        println!("sent {}", serde_json::to_string(case.text()).unwrap());
        let kept = case.input.old.as_deref().map_or_else(ReplacedContent::nothing, ReplacedContent::of);
        if let Ok(text) = &case.sent
            && checked(&kernel, text, &kept).map(|it| it.markdown).as_ref() != Ok(text)
        {
            changed.push(text.clone());
        }
    }
    assert!(changed.is_empty(), "{} changed:\n{changed:#?}", changed.len());
}
