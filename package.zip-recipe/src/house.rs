//! The folders of a command (repository, target, build), and the way it calls cargo again.

use crate::platform::Platform;
use crate::process::capture;
use crate::surroundings::Surroundings;
use anyhow::{Context as _, Result, bail};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders that every command works in.
pub(crate) struct House {
    /// The repository.
    pub(crate) root: PathBuf,
    /// Cargo's target folder, wherever the user has put it.
    pub(crate) target: PathBuf,
    /// The environment of all processes that the commands start.
    pub(crate) surroundings: Surroundings,
}

impl House {
    /// Asks cargo, so that `CARGO_TARGET_DIR` and cargo's own configuration are respected.
    pub(crate) fn find() -> Result<Self> {
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
            .unwrap_or_else(|| OsString::from(env!("CARGO_MANIFEST_DIR")));
        let root =
            Path::new(&manifest).parent().context("the recipe lies outside a repository")?.to_path_buf();
        let output = cargo_in(&root)
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .output()
            .context("cargo does not start")?;
        if !output.status.success() {
            bail!("cargo metadata failed:\n{}", String::from_utf8_lossy(&output.stderr).trim());
        }
        let metadata: serde_json::Value =
            serde_json::from_slice(&output.stdout).context("cargo metadata answers no JSON")?;
        let target = metadata
            .get("target_directory")
            .and_then(serde_json::Value::as_str)
            .context("cargo metadata names no target folder")?;
        Ok(Self { target: PathBuf::from(target), root, surroundings: Surroundings::default() })
    }

    /// A nested cargo, the same one that started the recipe, working in the repository.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = cargo_in(&self.root);
        self.surroundings.compiling(&mut command);
        command
    }

    /// A nested cargo that builds what is shipped; see [`House::as_shipped`].
    pub(crate) fn shipping_cargo(&self) -> Command {
        let mut command = self.cargo();
        let mut flags = packed_relocations();
        flags.extend(Platform::here().into_iter().flat_map(Platform::smaller));
        self.as_shipped(&mut command, &flags);
        command
    }

    /// Programs contain the paths of their sources, for messages. These are shortened, so that the same sources give
    /// the same bytes in any folder, and nobody's folders are shipped. Flags of cargo's configuration are left out.
    pub(crate) fn as_shipped(&self, cargo: &mut Command, more: &[String]) {
        let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| std::env::home_dir().map(|it| it.join(".cargo")));
        // Build scripts write to the target folder, which may be outside the repository.
        let target = Some(&self.target).filter(|it| !it.starts_with(&self.root));
        let folders = [
            (home.as_ref(), "/cargo"),
            (Some(&self.root), "/siyuan-mcp-puppy"),
            (target, "/siyuan-mcp-puppy/target"),
        ];
        let mut flags: Vec<String> = folders
            .into_iter()
            .filter_map(|(folder, name)| Some(format!("--remap-path-prefix={}={name}", folder?.display())))
            .collect();
        flags.extend_from_slice(more);
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    }

    /// A nested cargo that builds for the page. A target folder is locked while cargo builds in it, so the page has
    /// one of its own: what builds for this machine need not wait. Only some macros are compiled for both.
    pub(crate) fn page_cargo(&self) -> Command {
        let mut command = self.cargo();
        command.env("CARGO_TARGET_DIR", self.page_target());
        command
    }

    /// The target folder of [`House::page_cargo`].
    pub(crate) fn page_target(&self) -> PathBuf {
        self.target.join("page")
    }

    /// A program that is run, not compiled; it sees the clock of this run.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        self.surroundings.running(&mut command);
        command
    }

    /// A path below the repository.
    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// A path below `build/`, which git ignores.
    pub(crate) fn build(&self, path: &str) -> PathBuf {
        self.root.join("build").join(path)
    }

    /// A built program, by profile folder (`debug`, `release`).
    pub(crate) fn program(&self, profile: &str, name: &str) -> PathBuf {
        self.target.join(profile).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// The path for a person: relative to the repository where possible.
    pub(crate) fn show(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }

    /// An empty folder below `build/`.
    pub(crate) fn fresh(&self, path: &str) -> Result<PathBuf> {
        let folder = self.build(path);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).with_context(|| format!("cannot empty build/{path}"))?;
        }
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot create build/{path}"))?;
        Ok(folder)
    }
}

/// `cargo run` passes the path of its cargo to its child; a recipe started by hand uses the one it was built with.
fn cargo_in(root: &Path) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from(env!("CARGO")));
    let mut command = Command::new(cargo);
    command.current_dir(root);
    command
}

/// The flag that packs the addresses a loader has to adjust, 0.37 MB of the server, where this machine's loader reads
/// them: that of glibc 2.36 or newer. The programs of a release for Linux are static and have none.
fn packed_relocations() -> Vec<String> {
    let said = capture(Command::new("getconf").arg("GNU_LIBC_VERSION")).unwrap_or_default();
    let flag = "-Clink-arg=-Wl,-z,pack-relative-relocs".to_owned();
    if reads_packed(&said) { vec![flag] } else { Vec::new() }
}

/// Whether a C library, as getconf names it, reads packed relocations.
fn reads_packed(library: &str) -> bool {
    let version = library.trim().strip_prefix("glibc ").and_then(|it| it.split_once('.'));
    let parsed = version.and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
    parsed.is_some_and(|it: (u32, u32)| it >= (2, 36))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_library_that_reads_packed_relocations_gets_them() {
        let read = ["glibc 2.36\n", "glibc 2.41", "glibc 3.0"];
        assert!(read.into_iter().all(reads_packed));
        assert!(!["glibc 2.35", "glibc 2.4", "musl 1.2.5", "glibc", ""].into_iter().any(reads_packed));
    }

    /// B-325: the same sources give the same bytes wherever they and their target folder lie.
    #[test]
    fn no_folder_of_this_machine_is_shipped() {
        let flags = |target: &str| {
            let house = House {
                root: PathBuf::from("/home/me/puppy"),
                target: PathBuf::from(target),
                surroundings: Surroundings::default(),
            };
            let mut cargo = Command::new("cargo");
            house.as_shipped(&mut cargo, &[]);
            let (_, flags) = cargo.get_envs().find(|(name, _)| *name == "CARGO_ENCODED_RUSTFLAGS").unwrap();
            flags.unwrap().to_str().unwrap().to_owned()
        };
        let root = "--remap-path-prefix=/home/me/puppy=/siyuan-mcp-puppy";
        assert!(flags("/home/me/puppy/target").ends_with(root));
        let elsewhere = flags("/var/cache/target");
        let last = "\u{1f}--remap-path-prefix=/var/cache/target=/siyuan-mcp-puppy/target";
        assert!(elsewhere.contains(root) && elsewhere.ends_with(last), "{elsewhere}");
        assert!(elsewhere.contains("=/cargo\u{1f}"), "{elsewhere}");
    }
}
