//! The steps of `cargo verify` in their order, the cheap ones first.

use crate::builds::{self, Build};
use crate::house::House;
use crate::outcome::Outcome;
use crate::process::{run, tee, tee_until_tidy};
use crate::sidecar::{self, DemoKernel};
use crate::toolchain::{self, Part};
use crate::{
    budget, changed, core_rules, demo, fuzz, habits, package, prerequisites, release, scripts, test_programs,
    wasm,
};
use anyhow::{Context as _, Result, bail};
use std::process::Command;
use std::time::Duration;

/// The deadline of steps that talk to servers: a faulty server may hang, and no such step otherwise takes this long.
const LONGEST: Duration = Duration::from_secs(40 * 60);

/// The time in which a live run removes what it made.
const TIDYING: Duration = Duration::from_secs(60);

/// A step: its name on the command line, a description, and the function that runs it.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    /// The programs that the step runs; they are built before it.
    pub(crate) builds: &'static [Build],
    run: fn(&House) -> Result<Outcome>,
    /// The support for other times, zones and languages.
    pub(crate) shift: Shift,
}

/// The extent to which a step can run at another time and in another place.
#[derive(Clone, Copy)]
pub(crate) enum Shift {
    /// The step runs by any clock.
    Whole,
    /// The function is the part that runs by any clock; the text says why the rest does not.
    Part(fn(&House) -> Result<Outcome>, &'static str),
    /// The step runs in other zones and languages only; holds the reason.
    Place(&'static str),
    /// No shift could change the outcome; holds the reason.
    Nothing(&'static str),
}

const fn step(name: &'static str, what: &'static str, run: fn(&House) -> Result<Outcome>) -> Step {
    Step { name, what, builds: &[], run, shift: Shift::Whole }
}

impl Step {
    const fn with(self, builds: &'static [Build]) -> Self {
        Self { builds, ..self }
    }

    const fn shifted(self, shift: Shift) -> Self {
        Self { shift, ..self }
    }

    /// Builds the programs of the step and runs it.
    pub(crate) fn perform(&self, house: &House) -> Result<Outcome> {
        builds::make(house, self.builds)?;
        (self.run)(house)
    }

    /// Runs the step without building, to the extent that it can be shifted.
    pub(crate) fn perform_shifted(&self, house: &House) -> Result<Outcome> {
        match self.shift {
            Shift::Part(run, _) => run(house),
            _ => (self.run)(house),
        }
    }
}

pub(crate) const STEPS: &[Step] = &[
    FMT,
    SPELLING,
    COMMITS,
    UNUSED,
    SCRIPTS,
    CLIPPY,
    CORE,
    step("test", "unit, property, contract, golden, compile-fail and tidy tests", test)
        .with(&[Build::Tests])
        .shifted(Shift::Part(tests_but_compiling, "its compile-fail tests compile")),
    step("fuzz", "hostile texts for the parsers of core, as many as PROPTEST_CASES says", fuzz::run)
        .with(&[Build::Tests])
        .shifted(Shift::Nothing("`test` runs the same targets with fewer texts")),
    step("deny", "bans, licences and sources of dependencies", deny)
        .shifted(Shift::Nothing("it reads the list of dependencies")),
    step("advisories", "known vulnerabilities of dependencies, where their database can be had", advisories)
        .shifted(Shift::Nothing(
            "it compares dependencies with a list that changes by the day, at the true time",
        )),
    step("replay", "what the real kernel answered, asked of the demo kernel", replay)
        .with(&[Build::Programs(&["demo-kernel"])]),
    step("wasm", "the page's modules, assembled and within their size", wasm_sizes)
        .with(&[Build::Released])
        .shifted(Shift::Nothing("it compiles")),
    step("release", "the sidecar as it ships", shipped)
        .shifted(Shift::Nothing("it compiles; `clients` and `budgets` run what it made")),
    step(
        "package",
        "package.zip for this machine: packed, checked, installed, its sidecar started; its bundle validated",
        packaged,
    )
    .with(&[Build::Package, Build::Programs(&["demo-kernel"])]),
    step(
        "lines",
        "the packages for npm and pip: made, installed from their files, and the server of each line",
        lines,
    )
    .with(&[Build::Sidecar, Build::Programs(&["demo-kernel", package::PACKER])])
    .shifted(Shift::Nothing("npm and pip install files; `clients` runs the same server")),
    step("clients", "independent MCP clients against the sidecar, stdio and HTTP", clients).with(WIRE),
    step("desktop", "the server that SiYuan's desktop page starts, finds again and ends", desktop).with(WIRE),
    step("conformance", "the public conformance suite, both revisions, and the MCP Inspector", conformance)
        .with(&[Build::Sidecar, Build::Programs(&["demo-kernel", CONFORMANCE])]),
    step("browser", "panel and puppy in a real Chromium", browser)
        .with(&[Build::Package, Build::Programs(&["demo-kernel", SHEET])])
        .shifted(Shift::Place("a Chromium that libfaketime shows another clock hangs in its own waits")),
    step("minutes", "a stranger's first minutes: desktop, container, npx; prints the time of each", minutes)
        .with(&[Build::Package, Build::Programs(&["demo-kernel", package::PACKER])])
        .shifted(Shift::Nothing("`desktop`, `clients` and `lines` start the same programs")),
    step("demo", "the demo's agent, once, with the plugin as it ships", demo_once)
        .with(&[Build::Programs(demo::PROGRAMS), Build::Plugin]),
    step("budgets", "kernel requests, bytes and start time against their budgets", budget::check).with(&[
        Build::Sidecar,
        Build::Tests,
        Build::Programs(&["demo-kernel"]),
    ]),
];

/// The steps that `--quick` runs instead.
pub(crate) const QUICK: &[Step] = &[FMT, SPELLING, COMMITS, UNUSED, SCRIPTS, CLIPPY, CORE, CHANGED];

/// The step that `--live` runs instead.
pub(crate) const LIVE: &[Step] = &[step(
    "live",
    "every action's examples on the SiYuan at SIYUAN_API_URL, in a notebook that is removed afterwards",
    live,
)
.with(&[Build::Programs(&["siyuan-puppy", LIVE_RUN])])];

const FMT: Step = step("fmt", "formatting of all Rust", fmt).shifted(Shift::Nothing("it reads sources"));
const SPELLING: Step =
    step("spelling", "spelling of all files", habits::spelling).shifted(Shift::Nothing("it reads sources"));
const COMMITS: Step = step("commits", "the length of the subjects of commits", habits::commits)
    .shifted(Shift::Nothing("it reads the history"));
const UNUSED: Step = step("unused", "dependencies and files that no code uses", habits::unused)
    .shifted(Shift::Nothing("it reads sources"));
const SCRIPTS: Step = step("scripts", "types of the scripts that ship, by TypeScript", scripts::check)
    .shifted(Shift::Nothing("it reads sources"));
const CLIPPY: Step =
    step("clippy", "lints of everything, native", clippy).shifted(Shift::Nothing("it compiles"));
const CORE: Step = step(
    "core",
    "lints of core, page and MCP client on wasm32; core depends on no runtime, clock, network or UI",
    core,
)
.shifted(Shift::Nothing("it compiles"));
const CHANGED: Step =
    step("changed", "the tests of the packages that changed since the main branch", changed::run);

/// The programs of the steps that use the network.
const WIRE: &[Build] = &[Build::Sidecar, Build::Programs(&["demo-kernel"])];
/// The server under test in the public conformance suite.
const CONFORMANCE: &str = "conformance-server";
/// The MCP client of the panel; no module of the page contains it yet.
const MCP_CLIENT: &str = "puppy-mcp-client";
/// The program that makes every declared call on a real SiYuan.
const LIVE_RUN: &str = "live-run";
/// The puppy's program; its native build prints the contact sheet.
const SHEET: &str = "puppy";
/// The folder of the packages that a stranger starts with, below `build/`.
const MINUTES: &str = "quick/minutes";
/// The package and the test program whose tests invoke the compiler.
const COMPILING: (&str, &str) = ("puppy-core-derive", "declaration");

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

fn core(house: &House) -> Result<Outcome> {
    toolchain::need(house, &[Part::Clippy, Part::Wasm])?;
    run(house
        .page_cargo()
        .args(["clippy", "--locked", "--target", "wasm32-unknown-unknown"])
        .args(wasm::page_packages())
        .args(["-p", MCP_CLIENT, "--", "-D", "warnings"]))?;
    let count = core_rules::check(house)?;
    println!("core depends on {count} crates, none of them forbidden");
    passed(&format!("{count} crates below core"))
}

fn test(house: &House) -> Result<Outcome> {
    let (mut passes, mut failures) = (0, 0);
    let (status, _) =
        tee(None, house.cargo().args(["test", "--locked", "--workspace", "--no-fail-fast"]), |line| {
            println!("{line}");
            if let Some((good, bad)) = test_programs::counts(line) {
                passes += good;
                failures += bad;
            }
        })?;
    if !status.success() {
        bail!("{failures} tests failed, or something did not compile; {passes} passed");
    }
    passed(&format!("{passes} tests"))
}

fn tests_but_compiling(house: &House) -> Result<Outcome> {
    let programs = test_programs::built(house)?;
    let chosen: Vec<_> =
        programs.iter().filter(|it| (it.package.as_str(), it.name.as_str()) != COMPILING).collect();
    if chosen.len() + 1 != programs.len() {
        bail!("{} of {} is no longer the program whose tests compile", COMPILING.1, COMPILING.0);
    }
    test_programs::run(house, &chosen)
}

fn deny(house: &House) -> Result<Outcome> {
    let program = prerequisites::tool(house, &prerequisites::DENY)?;
    run(Command::new(program)
        .args(["--workspace", "--locked", "check", "bans", "licenses", "sources"])
        .current_dir(&house.root))?;
    passed("")
}

fn advisories(house: &House) -> Result<Outcome> {
    let program = prerequisites::tool(house, &prerequisites::DENY)?;
    let mut fetch = Command::new(&program);
    fetch.args(["--workspace", "--locked", "fetch", "db"]).current_dir(&house.root);
    // Git must not ask for a password when the database is unreachable.
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

/// Replays once with editor DOM compared block by block and once literally; each run needs an empty kernel.
fn replay(house: &House) -> Result<Outcome> {
    let python = prerequisites::python()?;
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

fn shipped(house: &House) -> Result<Outcome> {
    sidecar::build_release(house)?;
    passed("")
}

fn packaged(house: &House) -> Result<Outcome> {
    let made = package::verify(house)?;
    release::verify(house, &made)?;
    let size = std::fs::metadata(&made.package).context("the package is missing")?.len();
    passed(&format!("{size} bytes for this machine"))
}

fn lines(house: &House) -> Result<Outcome> {
    let tools = release::registries::verify(house)?;
    passed(&format!("{tools} tools by npx, and by pip"))
}

fn clients(house: &House) -> Result<Outcome> {
    let packages = prerequisites::python_client(house)?;
    let python = prerequisites::python()?;
    npm_tests(house, "clients", |npm| npm.env("PYTHON", python).env("PYTHON_CLIENT_DIR", packages))
}

fn desktop(house: &House) -> Result<Outcome> {
    npm_tests(house, "desktop", |npm| npm)
}

fn conformance(house: &House) -> Result<Outcome> {
    let server = sidecar::existing(house.program("debug", CONFORMANCE))?;
    npm_tests(house, "conformance", |npm| npm.env("CONFORMANCE_BIN", server))
}

fn browser(house: &House) -> Result<Outcome> {
    let sheet = sidecar::existing(house.program("debug", SHEET))?;
    npm_tests(house, "browser", |npm| {
        npm.env("PUPPY_SHEET_BIN", sheet).env("PLUGIN_DIR", package::unpacked(house))
    })
}

/// The times are printed, never compared: a busy machine is no fault of the plugin.
fn minutes(house: &House) -> Result<Outcome> {
    let packages = release::registries::npm_packages(house, MINUTES)?;
    npm_tests(house, "minutes", |npm| {
        npm.env("NPM_PACKAGES", packages).env("PLUGIN_DIR", package::unpacked(house))
    })
}

/// Runs a script of `e2e/package.json` against the release sidecar and the demo kernel.
fn npm_tests(
    house: &House,
    script: &str,
    more: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<Outcome> {
    prerequisites::node_modules(house, "e2e")?;
    let puppy = sidecar::shipped(house)?;
    let kernel = sidecar::existing(house.program("debug", "demo-kernel"))?;
    let mut summary = Vec::new();
    let mut command = house.command(prerequisites::NPM);
    command.args(["run", "--silent", script]).current_dir(house.at("e2e"));
    command.env("SIYUAN_PUPPY_BIN", puppy).env("DEMO_KERNEL_BIN", kernel);
    command.env("PLUGIN_DIR", house.build("plugin")).env("BUILD_DIR", house.build(""));
    more(&mut command);
    let (status, _) = tee(Some(LONGEST), &mut command, |line| {
        println!("{line}");
        let plain = line.trim_start_matches(['ℹ', '#', ' ']);
        if ["pass ", "fail ", "skipped ", "conformance ", "took "].iter().any(|word| plain.starts_with(word))
        {
            summary.push(plain.to_owned());
        }
    })?;
    if !status.success() {
        bail!("`npm run {script}` failed: {}", summary.join(", "));
    }
    passed(&summary.join(", "))
}

fn live(house: &House) -> Result<Outcome> {
    let kernel =
        sidecar::given_kernel().context("set SIYUAN_API_URL and SIYUAN_TOKEN to those of a SiYuan")?;
    let program = |name| sidecar::existing(house.program("debug", name));
    let mut command = house.command(program(LIVE_RUN)?);
    command.arg(program("siyuan-puppy")?).env("SIYUAN_API_URL", kernel);
    let mut last = String::new();
    let status = tee_until_tidy(TIDYING, &mut command, |line| {
        println!("{line}");
        line.clone_into(&mut last);
    })?;
    if !status.success() {
        bail!("{}", if last.is_empty() { "the run could not begin" } else { &last });
    }
    passed(&last)
}

fn demo_once(house: &House) -> Result<Outcome> {
    demo::run_built(house)?;
    passed("")
}
