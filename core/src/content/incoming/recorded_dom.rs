//! Compares the judge of editor DOM with the editor DOM that a real SiYuan made of the recorded inputs.
//!
//! `core/tests/incoming/editor_dom.jsonl` holds SiYuan 3.7.3's answer for each text that the editor may read: for the
//! inputs as they came, and for what the gate sends of them. `e2e/kernel/editor_dom.py` writes it, with the facts that
//! another parser finds in that answer, and fails if the API would store anything else.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::recorded::{Case, Facts, READABLE, cases, ids_of, key};
use super::*;
use crate::content::block_dom;

const RECORDED: &str = include_str!("../../../tests/incoming/editor_dom.jsonl");

#[derive(Debug, Deserialize)]
struct RecordedDom {
    dom: String,
    facts: Facts,
}

fn recorded() -> BTreeMap<String, RecordedDom> {
    let lines = RECORDED.lines().map(|line| serde_json::from_str::<RecordedDom>(line).unwrap());
    lines.map(|it| (it.facts.key.clone(), it)).collect()
}

/// The texts of a case for which SiYuan's answer is recorded: as it came, as it is sent, and the replaced one.
fn texts(case: &Case) -> Vec<&str> {
    let sent = case.sent.as_deref().ok();
    let all = [Some(case.input.text.as_str()), sent, case.input.old.as_deref()];
    // The gate closes the last fence of a text.
    let is_closed = |it: &&str| code::mask(it).closing.is_none();
    all.into_iter().flatten().filter(|it| for_editor(it).is_some()).filter(is_closed).collect()
}

/// The judge's word on SiYuan's answer for a text in this case. New blocks have ids of the day of the recording.
fn judged(dom: &str, case: &Case, all: &BTreeMap<String, RecordedDom>) -> Result<(), String> {
    let old = case.input.old.as_deref().unwrap_or_default();
    let before = all.get(&key(old)).map(|it| it.dom.as_str()).unwrap_or_default();
    let ids = block_dom::blocks(dom).into_iter().map(|it| it.id.to_owned());
    let fresh = ids.filter(|it| !it.starts_with("2025")).collect();
    let references = ids_of(old).into_iter().chain([READABLE.to_owned()]).collect();
    judge(dom, before, &AllowedIds { fresh, references })
}

/// Nothing passes that another parser finds forbidden, and nothing that the gate refuses for such a reason.
#[test]
fn recorded_dom_that_passes_contains_nothing_forbidden() {
    let all = recorded();
    let (mut holes, mut missing) = (Vec::new(), 0);
    let (mut passed, mut deserved, mut strict) = (0, 0, 0);
    for case in &cases() {
        let old = case.input.old.as_deref().unwrap_or_default();
        for text in texts(case) {
            let Some(RecordedDom { dom, facts }) = all.get(&key(text)) else {
                missing += 1;
                continue;
            };
            // An input may name any attribute; the gate lets some of them through.
            match (judged(dom, case, &all), facts.beyond(text, old)) {
                (Ok(()), Some(what)) => holes.push(format!("{what}: {text:?}")),
                (Ok(()), None) => passed += 1,
                (Err(_), Some(_)) => deserved += 1,
                (Err(_), None) => strict += 1,
            }
        }
    }
    assert_eq!(
        missing, 0,
        "what SiYuan makes of {missing} texts is not recorded: start a SiYuan 3.7.3, set SIYUAN_API_URL and SIYUAN_TOKEN, run `python3 e2e/kernel/editor_dom.py record`"
    );
    println!("{passed} passed, {deserved} refused with something forbidden, {strict} without");
    assert!(passed > 2_000 && deserved > 1_000, "the texts have become too few: {passed}, {deserved}");
    assert!(holes.is_empty(), "{} holes:\n{}", holes.len(), holes.join("\n"));
}

/// Almost every ordinary text can go as blocks, and none that the gate sends is then refused.
#[test]
fn ordinary_texts_go_as_blocks() {
    let all = recorded();
    let (mut harmless, mut new, mut refused, mut judged_texts) = (0, 0, Vec::new(), 0);
    for case in &cases() {
        harmless += usize::from(case.input.harmless);
        let Some(text) = case.sent.as_deref().ok().filter(|it| for_editor(it).is_some()) else { continue };
        new += usize::from(case.input.harmless);
        judged_texts += 1;
        if let Some(RecordedDom { dom, .. }) = all.get(&key(text))
            && let Err(what) = judged(dom, case, &all)
        {
            refused.push(format!("{what}: {text:?}"));
        }
    }
    println!("{new} of {harmless} ordinary texts go as blocks; {} of {judged_texts} refused", refused.len());
    assert!(harmless > 700 && new * 100 >= harmless * 95, "{new} of {harmless}");
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}

/// The texts as the editor gets them. `e2e/kernel/editor_dom.py` reads the lines printed here.
#[test]
fn texts_for_the_editor_are_printed() {
    let mut seen = BTreeSet::new();
    for case in &cases() {
        for text in texts(case).into_iter().filter(|it| seen.insert(key(it))) {
            println!("sent {}", serde_json::to_string(&(text, for_editor(text))).unwrap());
        }
    }
    assert!(seen.len() > 4_000, "{}", seen.len());
}
