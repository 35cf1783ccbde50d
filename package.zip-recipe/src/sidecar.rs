//! Builds and starts the two servers: the sidecar and the demo kernel.

use crate::house::House;
use crate::process::{Service, Stream, run};
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds programs for development, as `cargo test` would build them.
///
/// Cargo gives a dependency the features that the selected packages want of it, and those that their tests want
/// only when tests, benchmarks or examples are selected too. So the whole workspace is selected whatever is
/// built, with its examples: there are none, and nothing more is compiled.
pub(crate) fn build_debug(house: &House, names: &[&str]) -> Result<()> {
    run(&mut debug_build(house, names))
}

/// The command of [`build_debug`].
pub(crate) fn debug_build(house: &House, names: &[&str]) -> Command {
    let mut command = house.cargo();
    command.args(["build", "--locked", "--workspace", "--examples"]);
    for name in names {
        command.args(["--bin", name]);
    }
    command
}

/// Builds the release sidecar and returns its path.
pub(crate) fn build_release(house: &House) -> Result<PathBuf> {
    run(&mut release_build(house))?;
    shipped(house)
}

/// The command of [`build_release`].
pub(crate) fn release_build(house: &House) -> Command {
    let mut command = house.shipping_cargo();
    command.args(["build", "--locked", "--release", "-p", "puppy-server"]);
    command
}

/// The release sidecar, built before.
pub(crate) fn shipped(house: &House) -> Result<PathBuf> {
    existing(house.program("release", "siyuan-puppy"))
}

/// The program, or an error if it has not been built.
pub(crate) fn existing(program: PathBuf) -> Result<PathBuf> {
    if !program.is_file() {
        let name = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        bail!("the build made no program named {name}");
    }
    Ok(program)
}

/// The kernel that the user wants to work on, instead of the demo's own.
pub(crate) fn given_kernel() -> Option<String> {
    let url = std::env::var("SIYUAN_API_URL").ok().filter(|url| !url.is_empty())?;
    Some(url.trim_end_matches('/').to_owned())
}

/// A running demo kernel.
pub(crate) struct DemoKernel(Service);

impl DemoKernel {
    /// A kernel without notebooks, as the recordings need it; `profile` is the folder of its build.
    pub(crate) fn empty(house: &House, profile: &str, workspace: &Path) -> Result<Self> {
        Self::start(house, profile, workspace, |command| {
            command.arg("--empty");
        })
    }

    /// A kernel with the demo's notebooks and the stub host page, as a version of SiYuan.
    pub(crate) fn with_fixture(house: &House, workspace: &Path, siyuan: &str) -> Result<Self> {
        Self::start(house, "debug", workspace, |command| {
            command.arg("--fixture").arg(house.at("demo-kernel/fixture"));
            command.arg("--stage").arg(house.at("e2e/stage"));
            command.args(["--siyuan", siyuan]);
        })
    }

    fn start(
        house: &House,
        profile: &str,
        workspace: &Path,
        more: impl FnOnce(&mut Command),
    ) -> Result<Self> {
        let program = existing(house.program(profile, "demo-kernel"))?;
        let mut command = house.command(program);
        command.args(["--port", "0"]).arg("--workspace").arg(workspace).current_dir(&house.root);
        more(&mut command);
        let log = workspace.with_extension("log");
        Ok(Self(Service::start("demo-kernel", &mut command, Stream::Out, &log)?))
    }

    pub(crate) fn url(&self) -> &str {
        &self.0.url
    }

    /// An error when it has ended unexpectedly.
    pub(crate) fn check(&mut self) -> Result<()> {
        self.0.check()
    }
}

/// Starts the sidecar over HTTP on a free port; it ends with us even if we cannot end it.
pub(crate) fn start_http(house: &House, program: &Path, kernel: &str, log: &str) -> Result<Service> {
    let log = house.build(log);
    if let Some(folder) = log.parent() {
        std::fs::create_dir_all(folder).context("cannot create the folder of logs")?;
    }
    let mut command = house.command(program);
    command.args(["http", "--port", "0"]).current_dir(&house.root);
    command.env("SIYUAN_API_URL", kernel).env("SIYUAN_MCP_PARENT_PID", std::process::id().to_string());
    Service::start("siyuan-puppy", &mut command, Stream::Err, &log)
}
