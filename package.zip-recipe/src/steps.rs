//! The steps of `cargo verify`, in the order in which they run: cheap ones first.

use crate::house::House;
use crate::process::{run, tee};
use crate::sidecar::{self, DemoKernel};
use crate::toolchain::{self, Part};
use crate::{budget, core_rules, demo, prerequisites, wasm};
use anyhow::{Context as _, Result, bail};
use std::process::Command;
use std::time::Duration;

/// What talks to servers may hang when one of them is wrong; nothing of it takes this long otherwise.
const LONGEST: Duration = Duration::from_secs(12 * 60);

/// One step: its name on the command line, a sentence, and what it does.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    pub(crate) run: fn(&House) -> Result<Outcome>,
    /// What of another time, zone and language it can be given.
    pub(crate) shift: Shift,
}

/// How far a step runs in another time and place.
#[derive(Clone, Copy)]
pub(crate) enum Shift {
    /// It runs by any clock.
    Whole,
    /// In other zones and languages only, and why.
    Place(&'static str),
    /// Nothing could change how it ends, and why.
    Nothing(&'static str),
}

/// How a step ended when nothing was wrong.
pub(crate) enum Outcome {
    /// All that it checks holds; a few words for the table.
    Passed(String),
    /// What it checks could not be looked at, and why.
    NotChecked(String),
}

const fn step(name: &'static str, what: &'static str, run: fn(&House) -> Result<Outcome>) -> Step {
    Step { name, what, run, shift: Shift::Whole }
}

impl Step {
    const fn shifted(self, shift: Shift) -> Self {
        Self { shift, ..self }
    }
}

/// All steps.
pub(crate) const STEPS: &[Step] = &[
    step("fmt", "formatting of all Rust", fmt).shifted(Shift::Nothing("it reads sources")),
    step("clippy", "lints of everything, native", clippy).shifted(Shift::Nothing("it compiles")),
    step("clippy-wasm", "lints of core and page, wasm32", clippy_wasm).shifted(Shift::Nothing("it compiles")),
    step("core", "core builds for wasm32 and depends on no runtime, clock, network or UI", core)
        .shifted(Shift::Nothing("it compiles")),
    step("test", "unit, property, contract, golden, compile-fail and tidy tests", test),
    step("deny", "bans, licences and sources of dependencies", deny)
        .shifted(Shift::Nothing("it reads the list of dependencies")),
    step("advisories", "known vulnerabilities of dependencies, where their database can be had", advisories)
        .shifted(Shift::Nothing(
            "it compares dependencies with a list that changes by the day, at the true time",
        )),
    step("replay", "what the real kernel answered, asked of the demo kernel", replay),
    step("wasm", "the page's modules, assembled and within their size", wasm_sizes)
        .shifted(Shift::Nothing("it compiles")),
    step("release", "the sidecar as it ships", release)
        .shifted(Shift::Nothing("it compiles; `clients` and `budgets` run what it made")),
    step("clients", "independent MCP clients against the sidecar, stdio and HTTP", clients),
    step("conformance", "the public conformance suite, both revisions, and the MCP Inspector", conformance),
    step("browser", "panel and puppy in a real Chromium", browser)
        .shifted(Shift::Place("a Chromium that libfaketime shows another clock hangs in its own waits")),
    step("demo", "the demo, once", demo_once),
    step("budgets", "kernel requests, bytes and start time against their budgets", budget::check),
];

fn passed(note: &str) -> Result<Outcome> {
    Ok(Outcome::Passed(note.to_owned()))
}

fn fmt(house: &House) -> Result<Outcome> {
    toolchain::need(house, &[Part::Rustfmt])?;
    run(house.cargo().args(["fmt", "--all", "--check"])).context("run `cargo fmt --all`")?;
    passed("")
}

fn clippy(house: &House) -> Result<Outcome> {
    toolchain::need(house, &[Part::Clippy])?;
    run(house.cargo().args([
        "clippy",
        "--locked",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--",
        "-D",
        "warnings",
    ]))?;
    passed("")
}

fn clippy_wasm(house: &House) -> Result<Outcome> {
    toolchain::need(house, &[Part::Clippy, Part::Wasm])?;
    run(house.cargo().args(["clippy", "--locked", "--target", "wasm32-unknown-unknown"]).args([
        "-p",
        "puppy-core",
        "-p",
        "puppy-plugin-ui",
        "--",
        "-D",
        "warnings",
    ]))?;
    passed("")
}

fn core(house: &House) -> Result<Outcome> {
    toolchain::need(house, &[Part::Wasm])?;
    run(house.cargo().args(["build", "--locked", "--target", "wasm32-unknown-unknown", "-p", "puppy-core"]))?;
    let count = core_rules::check(house)?;
    println!("core depends on {count} crates, none of them forbidden");
    passed(&format!("{count} crates below core"))
}

fn test(house: &House) -> Result<Outcome> {
    let (mut passes, mut failures) = (0, 0);
    let (status, _) = tee(
        None,
        house.cargo_that_runs().args(["test", "--locked", "--workspace", "--no-fail-fast"]),
        |line| {
            println!("{line}");
            if let Some((good, bad)) = counts(line) {
                passes += good;
                failures += bad;
            }
        },
    )?;
    if !status.success() {
        bail!("{failures} tests failed, or something did not compile; {passes} passed");
    }
    passed(&format!("{passes} tests"))
}

/// The numbers in `test result: ok. 3 passed; 1 failed; ...`.
fn counts(line: &str) -> Option<(u64, u64)> {
    let rest = line.strip_prefix("test result: ")?;
    let number = |word: &str| -> Option<u64> {
        rest.split([';', '.']).find_map(|part| part.trim().strip_suffix(word)?.trim().parse().ok())
    };
    Some((number("passed")?, number("failed")?))
}

fn deny(house: &House) -> Result<Outcome> {
    let program = prerequisites::cargo_deny(house)?;
    run(Command::new(program)
        .args(["--workspace", "--locked", "check", "bans", "licenses", "sources"])
        .current_dir(&house.root))?;
    passed("")
}

fn advisories(house: &House) -> Result<Outcome> {
    let program = prerequisites::cargo_deny(house)?;
    let mut fetch = Command::new(&program);
    fetch.args(["--workspace", "--locked", "fetch", "db"]).current_dir(&house.root);
    // Git must not wait for a password when the database cannot be reached.
    fetch.env("GIT_TERMINAL_PROMPT", "0").stderr(std::process::Stdio::null());
    if let Err(error) = run(&mut fetch) {
        if crate::process::interrupted() {
            return Err(error);
        }
        return Ok(Outcome::NotChecked("the advisory database cannot be reached from here".into()));
    }
    run(Command::new(program)
        .args(["--workspace", "--locked", "check", "--disable-fetch", "advisories"])
        .current_dir(&house.root))?;
    passed("")
}

/// Once with editor DOM compared by its blocks, once to the letter; each wants a kernel with nothing in it.
fn replay(house: &House) -> Result<Outcome> {
    let python = prerequisites::python()?;
    sidecar::build_debug(house, &["demo-kernel"])?;
    let mut last = String::new();
    for how in [&["--loose-dom"][..], &[]] {
        let workspace = house.fresh("verify/replay")?;
        let kernel = DemoKernel::empty(house, "debug", &workspace)?;
        let mut command = house.command(python);
        command.arg(house.at("e2e/kernel/replay.py")).args(["--url", kernel.url(), "--fast"]).args(how);
        let (status, _) = tee(
            Some(LONGEST),
            command.arg(house.at("e2e/kernel/scenarios")).current_dir(&house.root),
            |line| {
                println!("{line}");
                line.clone_into(&mut last);
            },
        )?;
        if !status.success() {
            bail!("the demo kernel answers differently from the recorded one: {last}");
        }
        run(house.command(python).arg(house.at("e2e/kernel/skipped.py")).args(["--url", kernel.url()]))?;
    }
    passed(&last)
}

fn wasm_sizes(house: &House) -> Result<Outcome> {
    let sizes = wasm::build(house)?;
    passed(&sizes)
}

fn release(house: &House) -> Result<Outcome> {
    sidecar::build_release(house)?;
    passed("")
}

fn clients(house: &House) -> Result<Outcome> {
    let packages = prerequisites::python_client(house)?;
    let python = prerequisites::python()?;
    npm_tests(house, "clients", |npm| npm.env("PYTHON", python).env("PYTHON_CLIENT_DIR", packages))
}

fn conformance(house: &House) -> Result<Outcome> {
    run(house.cargo().args(["build", "--locked", "-p", "puppy-server", "--features", "conformance"]))?;
    let fixtures = sidecar::existing(house.program("debug", "siyuan-puppy"))?;
    npm_tests(house, "conformance", |npm| npm.env("CONFORMANCE_BIN", fixtures))
}

fn browser(house: &House) -> Result<Outcome> {
    wasm::build(house)?;
    run(house.cargo().args(["build", "--locked", "-p", "puppy-plugin-ui", "--bin", "puppy"]))?;
    let sheet = sidecar::existing(house.program("debug", "puppy"))?;
    npm_tests(house, "browser", |npm| npm.env("PUPPY_SHEET_BIN", sheet))
}

/// Runs a script of `e2e/package.json` against the release sidecar and the demo kernel.
fn npm_tests(
    house: &House,
    script: &str,
    more: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<Outcome> {
    prerequisites::node_modules(house, "e2e")?;
    let puppy = sidecar::build_release(house)?;
    let kernel = sidecar::build_debug(house, &["demo-kernel"])?
        .join(format!("demo-kernel{}", std::env::consts::EXE_SUFFIX));
    let mut summary = Vec::new();
    let mut command = house.command(prerequisites::NPM);
    command.args(["run", "--silent", script]).current_dir(house.at("e2e"));
    command.env("SIYUAN_PUPPY_BIN", puppy).env("DEMO_KERNEL_BIN", kernel);
    command.env("PLUGIN_DIR", house.build("plugin")).env("BUILD_DIR", house.build(""));
    more(&mut command);
    let (status, _) = tee(Some(LONGEST), &mut command, |line| {
        println!("{line}");
        let plain = line.trim_start_matches(['ℹ', '#', ' ']);
        if ["pass ", "fail ", "skipped ", "conformance "].iter().any(|word| plain.starts_with(word)) {
            summary.push(plain.to_owned());
        }
    })?;
    if !status.success() {
        bail!("`npm run {script}` failed: {}", summary.join(", "));
    }
    passed(&summary.join(", "))
}

fn demo_once(house: &House) -> Result<Outcome> {
    demo::run(house, &demo::Options { once: true, fast: true, open: false })?;
    passed("")
}

#[cfg(test)]
mod tests {
    use super::counts;

    #[test]
    fn the_closing_line_of_a_test_run_is_read() {
        let line = "test result: FAILED. 12 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s";
        assert_eq!(counts(line), Some((12, 1)));
        assert_eq!(counts("test result: ok. 3 passed; 0 failed; 0 ignored"), Some((3, 0)));
        assert_eq!(counts("running 3 tests"), None);
    }
}
