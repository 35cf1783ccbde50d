//! `cargo recipe bench`: measures the release sidecar with the demo kernel or a given one.

use crate::house::House;
use crate::process::run_within;
use crate::sidecar::{self, DemoKernel};
use anyhow::{Context as _, Result};
use std::time::Duration;

/// Most of this is the time of a release build.
const LONGEST: Duration = Duration::from_secs(60 * 60);

/// Builds, starts a kernel if none is given, and runs the server's benchmark, which prints its tables.
pub(crate) fn run(house: &House) -> Result<()> {
    println!("Building for speed; this takes some minutes.");
    // `cargo bench` builds a sidecar of its own profile in the same place.
    let built = sidecar::build_release(house)?;
    let puppy = house.fresh("bench")?.join(built.file_name().context("the sidecar has no name")?);
    std::fs::copy(built, &puppy).context("the sidecar cannot be copied")?;
    let given = sidecar::given_kernel();
    let kernel = match &given {
        Some(_) => None,
        None => {
            crate::process::run(house.shipping_cargo().args([
                "build",
                "--locked",
                "--release",
                "-p",
                "demo-kernel",
            ]))?;
            Some(DemoKernel::empty(house, "release", &house.fresh("bench/workspace")?)?)
        }
    };
    let url = given.or_else(|| kernel.as_ref().map(|it| it.url().to_owned())).context("no kernel")?;
    println!("against {}\n", if kernel.is_some() { "the demo kernel" } else { "the given kernel" });
    let mut bench = house.cargo();
    bench.args(["bench", "--locked", "-p", "puppy-server", "--bench", "speed"]);
    run_within(LONGEST, bench.env("BENCH_SIDECAR", puppy).env("SIYUAN_API_URL", url))
}
