//! Builds the programs that the steps run, all with the same selection, so that nothing is compiled twice.

use crate::house::House;
use crate::process::{Guard, run_beside, with_what_is_left};
use crate::{package, sidecar, test_programs, wasm};
use anyhow::Result;
use std::process::{Command, Stdio};

/// A build that a step needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    /// Programs of the workspace, in the development profile.
    Programs(&'static [&'static str]),
    Tests,
    /// The sidecar as it is released.
    Sidecar,
    /// The plugin as it is released.
    Plugin,
    /// The sidecar and the page's modules as they are released: side by side, for each ends with one thread.
    Released,
    /// The package for this machine, unpacked.
    Package,
}

/// Builds whatever has not been built yet.
pub(crate) fn make(house: &House, builds: &[Build]) -> Result<()> {
    for build in builds {
        match build {
            Build::Programs(names) => sidecar::build_debug(house, names)?,
            Build::Tests => {
                test_programs::built(house)?;
            }
            Build::Sidecar => drop(sidecar::build_release(house)?),
            Build::Plugin => drop(wasm::build(house)?),
            Build::Released => run_beside(released(house)?, |name| println!("compiled {name}"))?,
            Build::Package => {
                make(house, &[Build::Plugin, Build::Sidecar, Build::Programs(&[package::PACKER])])?;
                package::make_quickly(house)?;
            }
        }
    }
    Ok(())
}

fn released(house: &House) -> Result<[(&'static str, Command); 2]> {
    Ok([("the sidecar", sidecar::release_build(house)), ("the page's modules", wasm::released_build(house)?)])
}

/// Begins [`Build::Released`] with what other processes leave of the processor, and tells nothing: whoever needs the
/// build waits for it, for cargo locks its folders, and hears of an error. It is ended with what is returned.
pub(crate) fn begin_released(house: &House) -> Result<Vec<Guard>> {
    let quiet = |(_, command)| {
        let mut command = with_what_is_left(&command);
        Guard::start(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()))
    };
    released(house)?.into_iter().map(quiet).collect()
}
