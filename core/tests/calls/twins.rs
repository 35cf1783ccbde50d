//! Twin workspaces: one with a full closed notebook, one with an empty one; no caller can tell them apart.
//!
//! A case is a few writes and then some reads, each one of the registry's actions, a resource, a prompt or a
//! completion; between them a person may work in the closed notebook. Both twins get the same case. The answers must
//! be the same, after the same requests, and the content of the closed notebook must be unchanged (B-055).
//!
//! A case that fails is printed as JSON; put it into `cases.rs`. To run more cases, or others:
//! `PROPTEST_CASES=20000 PROPTEST_RNG_SEED=7 cargo test -p puppy-core --test calls twins`.

mod cases;
mod pools;
mod steps;
mod twin;

use std::cell::RefCell;
use std::collections::BTreeMap;

use demo_kernel::Siyuan;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestError, TestRunner};
use puppy_core::permission::Level;
use puppy_core::registry::ACTIONS;
use puppy_core::spec::{Access, ActionSpec, Effect, Kind, Tool};
use serde_json::{Value, json};

use crate::privacy::Picks;
use steps::{Part, next};
use twin::Twins;

/// With this many cases, which is proptest's own default, each action must have succeeded at least once.
const ENOUGH: u32 = 256;
/// The reads that follow the writes of a case.
const READS: usize = 3;

fn config() -> ProptestConfig {
    let given = ProptestConfig::default();
    let rng_seed = match given.rng_seed {
        // The cases are the same everywhere, so that no change fails by chance.
        RngSeed::Random => RngSeed::Fixed(11),
        asked @ RngSeed::Fixed(_) => asked,
    };
    // A finding becomes a case with a name and a sentence, not a line of numbers.
    ProptestConfig { rng_seed, failure_persistence: None, max_shrink_iters: 200, ..given }
}

/// The number of times that each kind of step ran, and the number of times without an error.
type Count = BTreeMap<String, (usize, usize)>;

/// Runs a case. Its steps are built one after another, because later ones use ids from earlier answers; names stand
/// for ids.
fn run(siyuan: Siyuan, writes: &[Vec<u16>], reads: &[Vec<u16>], count: &mut Count) -> Result<(), String> {
    let mut twins = Twins::of(siyuan);
    let parts = writes.iter().map(|it| (Part::Write, it)).chain(reads.iter().map(|it| (Part::Read, it)));
    let mut steps: Vec<Value> = Vec::new();
    for (part, picks) in parts {
        let step = next(part, &twins, &mut Picks { all: picks.clone(), at: 0 });
        steps.push(serde_json::from_str(&twins.unfill(&step.to_string())).unwrap());
        let done = twins.step(&step).map_err(|why| format!("{why}\nThe case:\n{:#}", json!(steps)))?;
        let (taken, good) = count.entry(step["call"].as_str().unwrap_or("beside").to_owned()).or_default();
        *taken += 1;
        *good += usize::from(done);
    }
    Ok(())
}

/// Runs each example of an action in twins of its own; returns whether any of them succeeded.
fn run_examples(siyuan: Siyuan, spec: &ActionSpec) -> Result<bool, String> {
    let mut succeeded = false;
    for at in 0..spec.examples.len() {
        let mut twins = Twins::of(siyuan);
        let arguments = twins.example(spec, &mut Picks { all: vec![u16::try_from(at).unwrap()], at: 0 });
        succeeded |= twins.step(&json!({ "call": spec.path(), "arguments": arguments }))?;
    }
    Ok(succeeded)
}

fn picks() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 32)
}

/// Whether an action changes what belongs to every notebook, so that nobody may call it while one is closed.
fn is_about_all_notebooks(spec: &ActionSpec) -> bool {
    let is_asset = |kind: Kind| match kind {
        Kind::List { item, .. } => *item == Kind::Asset,
        kind => kind == Kind::Asset,
    };
    let of_files = spec.tool == Tool::File && spec.access == Access::Workspace(Level::Delete);
    of_files || (spec.worst != Effect::Read && spec.params().any(|param| is_asset(param.kind)))
}

/// Runs cases on a version of SiYuan.
fn run_cases(siyuan: Siyuan, number: u32) -> Count {
    let cases = (prop::collection::vec(picks(), 1..=3), prop::collection::vec(picks(), READS));
    let count = RefCell::new(Count::new());
    let config = ProptestConfig { cases: number, ..config() };
    let found = TestRunner::new(config).run(&cases, |(writes, reads)| {
        run(siyuan, &writes, &reads, &mut count.borrow_mut()).map_err(TestCaseError::fail)
    });
    if let Err(TestError::Fail(why, _)) = &found {
        panic!("{why}");
    }
    assert_eq!(found, Ok(()));
    count.into_inner()
}

/// The actions that succeeded neither in a case nor with one of their examples: a case that is only refused proves
/// nothing. Left out are gifts without coins, actions that nobody may call while a notebook is closed, settings, which
/// have a case of their own, and those that send something to a service nobody set up.
fn never_done(siyuan: Siyuan, count: &Count) -> Vec<String> {
    let has_case = |it: &ActionSpec| ["notebook.set_conf", "notebook.set_permission"].contains(&&*it.path());
    let sends_out = |it: &ActionSpec| it.effect == Effect::External;
    let proved = |it: &ActionSpec| {
        it.tool == Tool::Mascot || is_about_all_notebooks(it) || has_case(it) || sends_out(it)
    };
    let done = |spec: &ActionSpec| {
        count.get(&spec.path()).is_some_and(|(_, good)| *good > 0) || run_examples(siyuan, spec).unwrap()
    };
    ACTIONS.iter().filter(|it| !proved(it) && !done(it)).map(|it| it.path()).collect()
}

/// B-055 on SiYuan 3.8, which refuses more requests and has more kinds of blocks. The rules are the same, so fewer
/// cases do.
#[test]
fn closed_notebook_content_does_not_affect_calls_of_the_newer_siyuan() {
    let count = run_cases(Siyuan::V3_8, config().cases.div_ceil(8));
    let never = never_done(Siyuan::V3_8, &count);
    assert!(never.is_empty(), "never done: {never:?} {count:?}");
}

/// The answers are the same whether the closed notebook is full or empty, after the same requests (B-055).
#[test]
fn closed_notebook_content_does_not_affect_call_sequences() {
    let count = run_cases(Siyuan::V3_7, config().cases);
    let never = never_done(Siyuan::V3_7, &count);
    assert!(config().cases < ENOUGH || never.is_empty(), "never done: {never:?} {count:?}");
}
