//! What the steps run, built before they do: in all of them by one selection, so that nothing is compiled twice.

use crate::house::House;
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
            Build::Programs(names) => sidecar::build_debug(house, names)?,
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
