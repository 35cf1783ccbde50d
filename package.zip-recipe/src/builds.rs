//! What the steps run, built before they do: in all of them by one selection, so that nothing is compiled twice.

use crate::house::House;
use crate::process::run;
use crate::{sidecar, test_programs, wasm};
use anyhow::Result;

/// Something that a step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    /// Programs of the workspace, for development.
    Programs(&'static [&'static str]),
    /// The programs that hold the tests.
    Tests,
    /// The sidecar as it ships.
    Sidecar,
    /// The plugin as it ships.
    Plugin,
    /// The plugin of the demo.
    DemoPlugin,
}

/// Builds what is not there yet.
pub(crate) fn make(house: &House, builds: &[Build]) -> Result<()> {
    for build in builds {
        match build {
            Build::Programs(names) => programs(house, names)?,
            Build::Tests => {
                test_programs::built(house)?;
            }
            Build::Sidecar => drop(sidecar::build_release(house)?),
            Build::Plugin => drop(wasm::build(house)?),
            Build::DemoPlugin => drop(wasm::build_quickly(house)?),
        }
    }
    Ok(())
}

/// Builds programs for development, as `cargo test` would build them.
///
/// Cargo gives a dependency the features that the selected packages want of it, and those that their tests want
/// only when tests, benchmarks or examples are selected too. So the whole workspace is selected whatever is
/// built, with its examples: there are none, and nothing more is compiled.
pub(crate) fn programs(house: &House, names: &[&str]) -> Result<()> {
    let mut command = house.cargo();
    command.args(["build", "--locked", "--workspace", "--examples"]);
    for name in names {
        command.args(["--bin", name]);
    }
    run(&mut command)
}
