//! Compares the embeds of a checked text with those that a real SiYuan saw in it (S0).
//!
//! `core/tests/incoming/embeds.jsonl` holds the inputs, and `embeds_recorded.jsonl` the statements that SiYuan 3.7.3
//! stored in its index for each text that the gate sends, or for the input where it refuses. SiYuan's own job runs the
//! statements of the index after it has decoded them. `e2e/kernel/embeds.py` writes both files.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::embeds::Embeds;
use super::recorded::key;
use super::tests::{checked, kernel};
use super::*;
use crate::index::Embed;

const INPUTS: &str = include_str!("../../../tests/incoming/embeds.jsonl");
const RECORDED: &str = include_str!("../../../tests/incoming/embeds_recorded.jsonl");

#[derive(Debug, Deserialize)]
struct Input {
    text: String,
    /// The text that is replaced.
    old: Option<String>,
}

impl Input {
    fn kept(&self) -> ReplacedContent {
        self.old.as_deref().map_or_else(ReplacedContent::nothing, ReplacedContent::of)
    }
}

#[derive(Debug, Deserialize)]
struct Facts {
    key: String,
    /// The embeds of the text, with their braces, as the index stores them.
    embeds: Vec<String>,
}

fn inputs() -> Vec<Input> {
    INPUTS.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Each embed that SiYuan sees in a text that the gate lets through is one that the gate saw there: one statement, equal
/// to our print, in which SiYuan's decoding changes nothing; or one that stood in the replaced text.
#[test]
fn recorded_embeds_are_those_that_the_gate_printed() {
    let recorded: BTreeMap<String, Facts> = RECORDED
        .lines()
        .map(|line| serde_json::from_str::<Facts>(line).unwrap())
        .map(|it| (it.key.clone(), it))
        .collect();
    let kernel = kernel();
    let (mut holes, mut missing) = (Vec::new(), 0);
    let (mut sent, mut seen, mut refused, mut deserved) = (0, 0, 0, 0);
    for input in inputs() {
        let kept = input.kept();
        let gate = checked(&kernel, &input.text, &kept).map(|it| it.markdown);
        let Some(facts) = recorded.get(&key(gate.as_deref().unwrap_or(&input.text))) else {
            missing += 1;
            continue;
        };
        let Ok(text) = gate else {
            refused += 1;
            deserved += usize::from(!facts.embeds.is_empty());
            continue;
        };
        sent += 1;
        let ours = Embeds::of(&text, &code::mask(&text).text);
        for embed in &facts.embeds {
            seen += 1;
            let statement = embed.strip_prefix("{{").and_then(|it| it.strip_suffix("}}")).unwrap_or_default();
            let is_print = Embed::of(statement).is_ok_and(|it| it.as_str() == statement)
                && !statement.contains(['&', ';', '\n'])
                && !statement.contains("_esc_newline_");
            if !ours.has(embed) || !(is_print || kept.embeds.has(embed)) {
                holes.push(format!("{embed:?} in {text:?}"));
            }
        }
    }
    assert_eq!(
        missing, 0,
        "what SiYuan makes of {missing} texts is not recorded: start a SiYuan 3.7.3, set SIYUAN_API_URL and SIYUAN_TOKEN, run `python3 e2e/kernel/embeds.py record`"
    );
    println!("{sent} sent with {seen} embeds, {refused} refused, {deserved} of these with embeds");
    assert!(sent > 400 && seen > 300 && deserved > 500, "{sent} sent, {seen} embeds, {deserved} deserved");
    assert!(holes.is_empty(), "{} holes:\n{}", holes.len(), holes.join("\n"));
}

/// A sent text passes the gate unchanged when it comes back. `e2e/kernel/embeds.py` reads the lines printed here.
#[test]
fn checked_embeds_pass_the_check_unchanged() {
    let kernel = kernel();
    let mut changed = Vec::new();
    for input in inputs() {
        let kept = input.kept();
        let gate = checked(&kernel, &input.text, &kept).map(|it| it.markdown);
        println!("sent {}", serde_json::to_string(gate.as_deref().unwrap_or(&input.text)).unwrap());
        if let Ok(text) = gate
            && checked(&kernel, &text, &kept).map(|it| it.markdown).as_ref() != Ok(&text)
        {
            changed.push(text);
        }
    }
    assert!(changed.is_empty(), "{} changed:\n{changed:#?}", changed.len());
}
