//! The tests of the packages that changed since the main branch, for `cargo verify --quick`.
//!
//! The tests of their dependents take longer than anyone waits for an answer; the whole of `cargo verify` runs those.

use crate::house::House;
use crate::outcome::Outcome;
use crate::process::capture;
use crate::test_programs;
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The names of the main branch, on the remote and locally.
const MAIN: [&str; 2] = ["origin/main", "main"];
/// The package whose tests read the files of all other packages.
const TIDY: &str = "package-zip-recipe";
/// The folders whose files, if they belong to no package, are read by other steps and by no test but those of [`TIDY`].
const OUTSIDE: [&str; 2] = ["e2e/", "types/"];

/// Runs the tests of the changed packages.
pub(crate) fn run(house: &House) -> Result<Outcome> {
    let (since, files) = changes(house)?;
    if files.is_empty() {
        return Ok(Outcome::Passed(format!("nothing changed since {since}")));
    }
    let packages = Packages::read(house)?;
    let chosen = packages.changed(&files);
    println!("{} files changed since {since}: tests of {}", files.len(), join(&chosen));
    let programs = test_programs::built_of(house, &chosen)?;
    test_programs::run(house, &programs.iter().collect::<Vec<_>>())
}

fn join(names: &BTreeSet<&str>) -> String {
    names.iter().copied().collect::<Vec<_>>().join(", ")
}

/// The commit at which this work left the main branch, and the files that differ from it, including new ones.
fn changes(house: &House) -> Result<(String, Vec<String>)> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(&house.root).stderr(std::process::Stdio::null());
        capture(&mut command).context("`git` is needed to know what changed")
    };
    // A clone without such a branch compares with its last commit.
    let since = MAIN.iter().find_map(|main| git(&["merge-base", "HEAD", main]).ok());
    let since = since.map_or_else(|| git(&["rev-parse", "HEAD"]), Ok)?;
    let since = since.trim();
    let mut files = Vec::new();
    for arguments in [
        &["diff", "--name-only", "--no-renames", "-z", since][..],
        &["ls-files", "--others", "--exclude-standard", "-z"],
    ] {
        files.extend(
            git(arguments)?.split('\0').map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned),
        );
    }
    Ok((since.get(..12).unwrap_or(since).to_owned(), files))
}

/// The packages of the workspace.
struct Packages(Vec<Package>);

struct Package {
    name: String,
    /// The folder relative to the repository, with a trailing `/`.
    folder: String,
}

impl Packages {
    fn read(house: &House) -> Result<Self> {
        let output =
            capture(house.cargo().args(["metadata", "--locked", "--no-deps", "--format-version", "1"]))?;
        let metadata: Value = serde_json::from_str(&output).context("cargo metadata answers no JSON")?;
        let packages = metadata.get("packages").and_then(Value::as_array);
        let read = packages.into_iter().flatten().filter_map(|package| Package::read(house, package));
        let packages: Vec<_> = read.collect();
        if packages.is_empty() {
            bail!("cargo metadata names no package");
        }
        Ok(Self(packages))
    }

    /// The names of the packages that these files belong to.
    fn changed(&self, files: &[String]) -> BTreeSet<&str> {
        let mut chosen = BTreeSet::from([TIDY]);
        for file in files {
            let homes = self.0.iter().filter(|package| file.starts_with(&package.folder));
            match homes.max_by_key(|package| package.folder.len()) {
                Some(home) => drop(chosen.insert(&home.name)),
                None if OUTSIDE.iter().any(|folder| file.starts_with(folder)) => {}
                // Several packages read manifests, pages and styles.
                None => return self.0.iter().map(|package| package.name.as_str()).collect(),
            }
        }
        chosen
    }
}

impl Package {
    fn read(house: &House, package: &Value) -> Option<Self> {
        let manifest = PathBuf::from(package.get("manifest_path")?.as_str()?);
        let folder = manifest.parent()?.strip_prefix(&house.root).ok()?;
        Some(Self { name: package.get("name")?.as_str()?.to_owned(), folder: slashes(folder) })
    }
}

fn slashes(folder: &Path) -> String {
    folder.iter().map(|part| format!("{}/", part.to_string_lossy())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(files: &[&str]) -> Vec<String> {
        let house = House::find().unwrap();
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        Packages::read(&house).unwrap().changed(&files).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn a_change_asks_for_the_tests_of_its_package() {
        assert_eq!(changed(&["server/src/lib.rs"]), [TIDY, "puppy-server"]);
        // A package inside another package's folder counts as its own.
        assert_eq!(
            changed(&["core/src/lib.rs", "core/derive/src/lib.rs"]),
            [TIDY, "puppy-core", "puppy-core-derive"]
        );
        assert_eq!(changed(&["package.zip-recipe/page-binder/src/main.rs"]), [TIDY, "page-binder"]);
    }

    #[test]
    fn a_file_of_no_package_asks_for_all_tests_unless_none_reads_it() {
        assert_eq!(changed(&["e2e/clients/http.test.mjs", "types/host.d.ts"]), [TIDY]);
        assert_eq!(changed(&["Cargo.lock"]).len(), Packages::read(&House::find().unwrap()).unwrap().0.len());
        assert_eq!(changed(&[]), [TIDY]);
    }
}
