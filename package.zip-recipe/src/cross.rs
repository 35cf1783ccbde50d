//! Builds the sidecars of all platforms on this machine.

use crate::house::House;
use crate::platform::Platform;
use crate::prerequisites;
use crate::process::{capture, run};
use crate::sidecar;
use anyhow::{Context as _, Result};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Stubs of the frameworks of macOS: the names of the symbols that the sidecar uses, for the linker.
const STUBS: &str = "package.zip-recipe/macos";

/// Builds every platform's sidecar, one after the other: the last step of a build is one thread that wants all memory.
pub(crate) fn build(house: &House) -> Result<Vec<(Platform, PathBuf)>> {
    let tools = prerequisites::zigbuild(house)?;
    targets(house)?;
    let mut programs = Vec::new();
    for platform in Platform::ALL {
        println!("building the sidecar for {}", platform.node);
        let mut command = house.cargo();
        house.as_shipped(&mut command, &flags(house, platform));
        command.args([
            "zigbuild",
            "--locked",
            "--release",
            "-p",
            "puppy-server",
            "--target",
            platform.target,
        ]);
        tools.apply(&mut command)?;
        run(&mut command)?;
        let program =
            house.target.join(platform.target).join("release").join(platform.program("siyuan-puppy"));
        programs.push((platform, sidecar::existing(program)?));
    }
    Ok(programs)
}

/// The linker finds the frameworks of macOS among our stubs.
fn flags(house: &House, platform: Platform) -> Vec<String> {
    if !platform.is_apple() {
        return Vec::new();
    }
    vec!["-C".to_owned(), format!("link-arg=-F{}", house.at(STUBS).display())]
}

/// Adds the standard libraries of the platforms; this needs rustup.
fn targets(house: &House) -> Result<()> {
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "list", "--installed"]).current_dir(&house.root).stderr(Stdio::null());
    let installed = capture(&mut rustup)
        .context("all platforms can be built with rustup only; install Rust from https://rustup.rs")?;
    let missing: Vec<&str> = Platform::ALL
        .iter()
        .map(|it| it.target)
        .filter(|it| !installed.lines().any(|line| line == *it))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("Rust lacks {}, so they are added", missing.join(", "));
    run(Command::new("rustup").args(["target", "add"]).args(&missing).current_dir(&house.root))
        .context("targets could not be added; is static.rust-lang.org reachable?")
}
