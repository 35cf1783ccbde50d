//! The fuzz targets of core's parsers of hostile text, with more texts than `cargo test` gives them.

use crate::house::House;
use crate::outcome::Outcome;
use crate::process::tee;
use crate::test_programs::{self, TestProgram};
use anyhow::{Context as _, Result, bail};
use std::time::Duration;

/// The texts for each target: about a minute on two cores.
const CASES: u32 = 3_000;
/// The variable with another number of texts, which proptest reads.
const VARIABLE: &str = "PROPTEST_CASES";
/// The deadline of an ordinary run. A target whose work grows with the square of its text exceeds it.
const LONGEST: Duration = Duration::from_secs(10 * 60);
/// The package whose unit tests contain the targets, and the part of their names that no other test has.
const CORE: &str = "puppy-core";
const TARGETS: &str = "::fuzz::";

/// Runs all targets, without a deadline when the environment sets the number of texts.
pub(crate) fn run(house: &House) -> Result<Outcome> {
    let programs = test_programs::built(house)?;
    let is_core = |it: &&TestProgram| it.package == CORE && it.name == CORE.replace('-', "_");
    let core = programs.iter().find(is_core).context("core has no unit tests")?;
    let chosen = std::env::var(VARIABLE).ok();
    let cases = chosen.clone().unwrap_or_else(|| CASES.to_string());
    let mut command = core.command(house);
    command.arg(TARGETS).env(VARIABLE, &cases);
    let mut targets = 0;
    let (status, _) = tee(chosen.is_none().then_some(LONGEST), &mut command, |line| {
        println!("{line}");
        targets += test_programs::counts(line).map_or(0, |(good, _)| good);
    })?;
    if !status.success() {
        bail!("a target failed: its input is above, and belongs into core/tests/fuzz");
    }
    if targets == 0 {
        bail!("no test of core has {TARGETS} in its name");
    }
    Ok(Outcome::Passed(format!("{targets} targets, {cases} texts each")))
}
