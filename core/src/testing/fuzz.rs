//! Hostile texts for the fuzz targets: fragments of a corpus, mixed, cut, repeated and joined, from a seed.
//!
//! proptest makes them, because it shrinks a text that fails and is a dependency already. A fuzzer that follows
//! coverage would need more: bolero's macros pin a version of `indexmap` that excludes Leptos' own.
//!
//! `PROPTEST_CASES` is the number of texts for each target and `PROPTEST_RNG_SEED` chooses others.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{RngSeed, TestError, TestRunner};

/// The seed, unless the environment names another: a check that fails today fails tomorrow, too.
const SEED: u64 = 1;
/// The number of texts that proptest makes unless the environment says otherwise.
const USUAL: u32 = 256;
/// The maximum number of pieces in a text.
const PIECES: usize = 16;
/// The maximum number of times that a fragment stands in a row within a text.
const IN_A_ROW: usize = 40;
/// The bytes to which every fragment is repeated once, in `cargo test` and when more texts than usual are wanted: work
/// that grows with the square of a text would then take minutes.
const LONG: (usize, usize) = (4_000, 20_000);
/// The characters that mean something to one of the parsers, and some that are more than one byte long.
const LETTERS: &str =
    " \t\n\"'`\\(){}[]<>:;=*#-_~$|&%.,!?/^@0aN\u{0}\u{7f}\u{a0}\u{200b}\u{2028}\u{feff}\u{e000}é小🐾";

/// The fragments of a corpus of one JSON string a line.
pub(crate) fn fragments(corpus: &str) -> Vec<String> {
    corpus.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
}

/// Runs a target: with each fragment, with each one repeated to a long text, and with mixtures of them.
#[track_caller]
pub(crate) fn fuzz(fragments: &[String], target: impl Fn(&str) -> Result<(), TestCaseError>) {
    let is_usual = ProptestConfig::default().cases <= USUAL;
    let long = if is_usual { LONG.0 } else { LONG.1 };
    for fragment in fragments {
        for text in [fragment, &fragment.repeat(long / fragment.len().max(1))] {
            if let Err(error) = target(text) {
                panic!("{error}\nfragment: {fragment:?}, {} bytes", text.len());
            }
        }
    }
    run(mixed(fragments), |text| target(&text));
}

/// Runs a target with seeded values; a failure names the smallest value that fails.
#[track_caller]
pub(crate) fn run<T: Strategy>(values: T, target: impl Fn(T::Value) -> Result<(), TestCaseError>) {
    let given = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let rng_seed = match given.rng_seed {
        RngSeed::Random => RngSeed::Fixed(SEED),
        chosen @ RngSeed::Fixed(_) => chosen,
    };
    let outcome = TestRunner::new(ProptestConfig { rng_seed, ..given }).run(&values, target);
    if let Err(error) = outcome {
        match error {
            TestError::Fail(why, text) => panic!("{why}\ninput: {text:?}"),
            TestError::Abort(why) => panic!("{why}"),
        }
    }
}

/// Texts of up to [`PIECES`] pieces.
pub(crate) fn mixed(fragments: &[String]) -> impl Strategy<Value = String> + use<> {
    let fragment = || select(fragments.to_vec());
    let letters: Vec<char> = LETTERS.chars().collect();
    let piece = prop_oneof![
        12 => fragment(),
        3 => (fragment(), any::<(Index, Index)>()).prop_map(|(text, ends)| part(&text, ends)),
        1 => (fragment(), 2..IN_A_ROW).prop_map(|(text, times)| text.repeat(times)),
        3 => select(letters).prop_map(String::from),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..PIECES).prop_map(|pieces| pieces.concat())
}

/// The part of a text between two of its characters.
fn part(text: &str, (one, other): (Index, Index)) -> String {
    let count = text.chars().count() + 1;
    let (one, other) = (one.index(count), other.index(count));
    text.chars().skip(one.min(other)).take(one.abs_diff(other)).collect()
}
