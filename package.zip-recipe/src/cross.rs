//! Builds the sidecars of other platforms on this machine.

use crate::house::House;
use crate::platform::Platform;
use crate::prerequisites;
use crate::process::{capture, run};
use crate::sidecar;
use anyhow::{Context as _, Result, bail};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Stubs of the frameworks of macOS: where they lie there, and the names of the symbols that the sidecar uses. So the
/// system decides which certificates are trusted, as in every other program of a Mac, and no SDK is needed. When the
/// linker misses a symbol, its name is added there.
const STUBS: &str = "package.zip-recipe/macos";
/// The frameworks that the sidecar is linked with, and whether it uses anything of them: sysinfo names IOKit for what
/// is never asked of it. What is not used is not loaded on a Mac, either.
const FRAMEWORKS: [(&str, bool); 3] = [("CoreFoundation", true), ("IOKit", false), ("Security", true)];
/// The oldest macOS that runs the programs: the first for both processors. Zig's own choice would be far newer.
const OLDEST_MACOS: &str = "11.0";
/// Settings without which two builds differ: the linker writes the time into a program for Windows, and derives the id
/// of one for macOS from the folders in the debug information of objects made from C. See [`NO_DEBUG_MAP`] too.
const SAME_BYTES: [(&str, &str); 2] = [("SOURCE_DATE_EPOCH", "0"), ("CFLAGS", "-g0")];

/// Some C objects have debug information all the same, and the linker notes their folders for debuggers. Stripping comes
/// too late: the program's id is derived from them by then.
const NO_DEBUG_MAP: &str = "-Wl,-S";

/// Everything that is needed to build for platforms.
pub(crate) struct Tools(prerequisites::Zigbuild);

impl Tools {
    /// Finds what is missing before anything is compiled, and adds what can be added.
    pub(crate) fn ready(house: &House, platforms: &[Platform]) -> Result<Self> {
        for (name, _) in FRAMEWORKS {
            let stub = stub(house, name);
            if !stub.is_file() && platforms.iter().any(|it| it.is_apple()) {
                bail!("{} is missing, so nothing can be linked for macOS", house.show(&stub));
            }
        }
        targets(house, platforms)?;
        Ok(Self(prerequisites::zigbuild(house)?))
    }
}

/// The stub of a framework, where a linker looks for it.
fn stub(house: &House, name: &str) -> PathBuf {
    house.at(STUBS).join(format!("{name}.framework/{name}.tbd"))
}

/// Builds each platform's sidecar, one after the other: the last step of a build is one thread that wants all memory.
pub(crate) fn build(
    house: &House,
    tools: &Tools,
    platforms: &[Platform],
) -> Result<Vec<(Platform, PathBuf)>> {
    let mut programs = Vec::new();
    for &platform in platforms {
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
        if platform.is_apple() {
            command.env("MACOSX_DEPLOYMENT_TARGET", OLDEST_MACOS);
        }
        command.envs(SAME_BYTES);
        tools.0.apply(&mut command)?;
        run(&mut command)?;
        programs.push((platform, program(house, platform)?));
    }
    Ok(programs)
}

/// The sidecars that [`build`] made.
pub(crate) fn built(house: &House) -> Result<Vec<(Platform, PathBuf)>> {
    let programs = Platform::ALL.map(|platform| Ok((platform, program(house, platform)?)));
    programs.into_iter().collect::<Result<_>>().context("`cargo recipe release` builds all programs")
}

fn program(house: &House, platform: Platform) -> Result<PathBuf> {
    sidecar::existing(
        house.target.join(platform.target).join("release").join(platform.program("siyuan-puppy")),
    )
}

/// The flags of [`Platform::smaller`]. For macOS the linker finds the frameworks among our stubs, and names in the
/// program those that it uses.
fn flags(house: &House, platform: Platform) -> Vec<String> {
    if !platform.is_apple() {
        return platform.smaller();
    }
    let stubs = format!("-F{}", house.at(STUBS).display());
    [stubs.as_str(), "-Wl,-dead_strip_dylibs", NO_DEBUG_MAP]
        .into_iter()
        .map(|it| format!("-Clink-arg={it}"))
        .collect()
}

/// Adds the standard libraries of the platforms; this needs rustup.
fn targets(house: &House, platforms: &[Platform]) -> Result<()> {
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "list", "--installed"]).current_dir(&house.root).stderr(Stdio::null());
    let installed = capture(&mut rustup)
        .context("other platforms can be built with rustup only; install Rust from https://rustup.rs")?;
    let missing: Vec<&str> = platforms
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A stub names its framework's place on a Mac, both processors, and symbols where some are used.
    #[test]
    fn every_framework_has_a_stub_for_both_processors() {
        let house = House::find().unwrap();
        for (name, is_used) in FRAMEWORKS {
            let text = std::fs::read_to_string(stub(&house, name)).unwrap();
            let place = format!("'/System/Library/Frameworks/{name}.framework/Versions/A/{name}'");
            for part in ["--- !tapi-tbd\n", "[ x86_64-macos, arm64-macos ]", &place] {
                assert!(text.contains(part), "{name}: {part}\n{text}");
            }
            assert_eq!(text.contains("symbols:         [ _"), is_used, "{name}: {text}");
        }
        let apple: Vec<_> = Platform::ALL.into_iter().filter(|it| it.is_apple()).collect();
        assert_eq!(apple.len(), 2);
        for platform in apple {
            let flags = flags(&house, platform).concat();
            assert!(flags.contains(STUBS) && flags.contains("-dead_strip_dylibs"), "{flags}");
            assert!(flags.contains(NO_DEBUG_MAP), "two folders give two ids: {flags}");
        }
    }
}
