//! Compares accepted templates with the recorded results of a real SiYuan.
//!
//! `core/tests/templates/` holds generated templates and, for each that is accepted, the text that SiYuan 3.7.3 makes
//! of it for a document whose title and name try everything. `e2e/kernel/templates.py` writes both.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::plain::behind_marks;
use super::*;
use crate::content::incoming::ReplacedContent;
use crate::content::incoming::tests::{checked, kernel};

const INPUTS: &str = include_str!("../../../tests/templates/inputs.jsonl");
const RECORDED: &str = include_str!("../../../tests/templates/recorded.jsonl");

struct Case {
    text: String,
    settled: PrintedTemplate,
}

impl Case {
    /// The text that SiYuan fills in.
    fn sent(&self) -> String {
        let printed = self.settled.printed();
        with_braces(&pieces(&printed, Marks::File).unwrap(), HOSTILE)
    }
}

fn accepted() -> (usize, Vec<Case>) {
    let kernel = kernel();
    let all: Vec<String> = INPUTS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let count = all.len();
    let settled = all.into_iter().filter_map(|text| {
        let settled = settle(&text, (Marks::File, TemplateUse::Note), "text").ok()?;
        let word = settled.with_word("word");
        let is_kept =
            checked(&kernel, &word, &ReplacedContent::nothing()).is_ok_and(|it| it.markdown == word);
        is_kept.then_some(Case { text, settled })
    });
    (count, settled.collect())
}

fn key(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The characters of a text that no value prints.
fn skeleton(text: &str) -> String {
    text.chars().filter(|it| !it.is_alphanumeric() && !" -.+:,%€£¥/–".contains(*it)).collect()
}

/// The marks of blocks at the start of each line.
fn blocks(text: &str) -> Vec<&str> {
    text.split('\n').map(|line| line.strip_suffix(behind_marks(line)).unwrap_or_default()).collect()
}

#[test]
fn recorded_results_have_the_structure_of_their_templates() {
    let recorded: BTreeMap<String, Option<String>> = RECORDED
        .lines()
        .map(|line| serde_json::from_str::<(String, Option<String>)>(line).unwrap())
        .collect();
    let (inputs, accepted) = accepted();
    let missing = accepted.iter().filter(|it| !recorded.contains_key(&key(&it.sent()))).count();
    assert_eq!(
        missing, 0,
        "what SiYuan makes of {missing} templates is not recorded: start a SiYuan 3.7.3, set SIYUAN_API_URL and SIYUAN_TOKEN, run `python3 e2e/kernel/templates.py record`"
    );
    let kernel = kernel();
    let (mut holes, mut filled_in, mut branching) = (Vec::new(), 0, 0);
    for case in &accepted {
        // SiYuan refuses some: a function with a wrong argument, for example.
        let Some(Some(filled)) = recorded.get(&key(&case.sent())) else { continue };
        filled_in += 1;
        let word = case.settled.with_word("word");
        let same = if case.settled.has_branches() {
            branching += 1;
            let own = skeleton(&word);
            skeleton(filled).chars().all(|it| own.contains(it))
        } else {
            skeleton(filled) == skeleton(&word) && blocks(filled) == blocks(&word)
        };
        let passes = checked(&kernel, filled, &ReplacedContent::nothing());
        if !same || passes.as_ref().is_ok_and(|it| !it.ids_dropped.is_empty()) || passes.is_err() {
            holes.push((&case.text, filled, same, passes.err().map(|it| it.fields)));
        }
    }
    println!(
        "{inputs} templates: {} accepted, {filled_in} filled in, {branching} with branches",
        accepted.len()
    );
    assert!(filled_in > 1_000 && branching > 200, "too few are accepted: {filled_in}, {branching}");
    assert!(holes.is_empty(), "{} holes: {:#?}", holes.len(), holes.iter().take(20).collect::<Vec<_>>());
}

/// `e2e/kernel/templates.py` reads the lines printed here.
#[test]
fn accepted_templates_are_printed() {
    for case in accepted().1 {
        let read = settle(&case.settled.printed(), (Marks::File, TemplateUse::Note), "text").unwrap();
        assert_eq!(read, case.settled, "{}", case.text);
        println!("sent {}", serde_json::to_string(&case.sent()).unwrap());
    }
}
