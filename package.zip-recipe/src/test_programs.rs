//! The test programs: built by one call of cargo, and run without it.

use crate::house::House;
use crate::outcome::Outcome;
use crate::process::{capture, tee};
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A program that contains tests.
pub(crate) struct TestProgram {
    /// The package of the program.
    pub(crate) package: String,
    /// The target it is built from: a library, a program or a file of tests.
    pub(crate) name: String,
    manifest: PathBuf,
    program: PathBuf,
}

impl TestProgram {
    /// The command with which `cargo test` would start it.
    pub(crate) fn command(&self, house: &House) -> Command {
        let folder = self.manifest.parent().unwrap_or(&house.root);
        let mut command = house.command(&self.program);
        command.current_dir(folder).env("CARGO", house.cargo().get_program());
        command.env("CARGO_MANIFEST_DIR", folder).env("CARGO_PKG_NAME", &self.package);
        command
    }
}

/// All test programs, built on the first call.
pub(crate) fn built(house: &House) -> Result<&'static [TestProgram]> {
    static BUILT: OnceLock<Vec<TestProgram>> = OnceLock::new();
    if let Some(programs) = BUILT.get() {
        return Ok(programs);
    }
    let programs = build(house, &["--workspace"])?;
    Ok(BUILT.get_or_init(|| programs))
}

/// The test programs of these packages. After a change in core, building those of its dependents takes longer than
/// running the tests.
pub(crate) fn built_of(house: &House, packages: &BTreeSet<&str>) -> Result<Vec<TestProgram>> {
    let choice: Vec<_> = packages.iter().flat_map(|&name| ["--package", name]).collect();
    build(house, &choice)
}

fn build(house: &House, choice: &[&str]) -> Result<Vec<TestProgram>> {
    let mut command = house.cargo();
    command.args(["test", "--locked", "--no-run"]).args(choice);
    let output = capture(command.arg("--message-format=json-render-diagnostics"))?;
    let programs: Vec<_> = output.lines().filter_map(read).collect();
    if programs.is_empty() {
        bail!("cargo built no program with tests");
    }
    Ok(programs)
}

/// Reads a line of cargo's messages; `None` unless it reports a test program.
fn read(line: &str) -> Option<TestProgram> {
    let message: Value = serde_json::from_str(line).ok()?;
    let text = |pointer: &str| message.pointer(pointer)?.as_str();
    if text("/reason")? != "compiler-artifact" || !message.pointer("/profile/test")?.as_bool()? {
        return None;
    }
    let manifest = PathBuf::from(text("/manifest_path")?);
    Some(TestProgram {
        package: package(text("/package_id")?, &manifest)?,
        name: text("/target/name")?.to_owned(),
        program: PathBuf::from(text("/executable")?),
        manifest,
    })
}

/// The package name: `puppy-core` in `path+file:///at/core#puppy-core@0.1.0`, or the folder's in
/// `path+file:///at/demo-kernel#0.1.0`.
fn package(id: &str, manifest: &Path) -> Option<String> {
    let (_, named) = id.rsplit_once('#')?;
    match named.split_once('@') {
        Some((name, _)) => Some(name.to_owned()),
        None => Some(manifest.parent()?.file_name()?.to_str()?.to_owned()),
    }
}

/// Runs programs one after the other; a failure does not stop the next one.
pub(crate) fn run(house: &House, programs: &[&TestProgram]) -> Result<Outcome> {
    let mut passes = 0;
    let mut failed = Vec::new();
    for program in programs {
        println!("running {} of {}", program.name, program.package);
        let (status, _) = tee(None, &mut program.command(house), |line| {
            println!("{line}");
            passes += counts(line).map_or(0, |(good, _)| good);
        })
        .with_context(|| format!("the tests {} of {}", program.name, program.package))?;
        if !status.success() {
            failed.push(format!("{} of {}", program.name, program.package));
        }
    }
    if !failed.is_empty() {
        bail!("tests failed in {}; {passes} passed", failed.join(", "));
    }
    Ok(Outcome::Passed(format!("{passes} tests of {} programs", programs.len())))
}

/// The numbers of passed and failed tests in `test result: ok. 3 passed; 1 failed; ...`.
pub(crate) fn counts(line: &str) -> Option<(u64, u64)> {
    let rest = line.strip_prefix("test result: ")?;
    let number = |word: &str| -> Option<u64> {
        rest.split([';', '.']).find_map(|part| part.trim().strip_suffix(word)?.trim().parse().ok())
    };
    Some((number("passed")?, number("failed")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_closing_line_of_a_test_run_is_read() {
        let line = "test result: FAILED. 12 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s";
        assert_eq!(counts(line), Some((12, 1)));
        assert_eq!(counts("test result: ok. 3 passed; 0 failed; 0 ignored"), Some((3, 0)));
        assert_eq!(counts("running 3 tests"), None);
    }

    #[test]
    fn a_program_with_tests_is_read_from_what_cargo_tells() {
        let line = |test: bool, id: &str| {
            json!({
                "reason": "compiler-artifact", "package_id": id, "manifest_path": "/at/demo-kernel/Cargo.toml",
                "target": { "name": "kernel" }, "profile": { "test": test }, "executable": "/at/deps/kernel-1",
            })
            .to_string()
        };
        let program = read(&line(true, "path+file:///at/demo-kernel#0.1.0")).unwrap();
        assert_eq!((program.package.as_str(), program.name.as_str()), ("demo-kernel", "kernel"));
        assert_eq!(program.program, Path::new("/at/deps/kernel-1"));
        let named = read(&line(true, "path+file:///at/demo-kernel#other@0.1.0")).unwrap();
        assert_eq!(named.package, "other");
        assert!(read(&line(false, "path+file:///at/demo-kernel#0.1.0")).is_none());
        assert!(read("   Compiling x").is_none());
    }
}
