//! The tests that the changes since the main branch may break, for `cargo verify --quick`.

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
/// The folder whose files, if they belong to no package, are read only by steps with servers, never by a test.
const OUTSIDE: &str = "e2e/";

/// Runs the tests of the changed packages and of their dependents.
pub(crate) fn run(house: &House) -> Result<Outcome> {
    let (since, files) = changes(house)?;
    if files.is_empty() {
        return Ok(Outcome::Passed(format!("nothing changed since {since}")));
    }
    let packages = Packages::read(house)?;
    let chosen = packages.affected(&files);
    println!("{} files changed since {since}: tests of {}", files.len(), join(&chosen));
    let programs = test_programs::built(house)?;
    let programs: Vec<_> = programs.iter().filter(|it| chosen.contains(it.package.as_str())).collect();
    test_programs::run(house, &programs)
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
    /// The workspace packages that this package needs to build or test.
    needs: Vec<String>,
}

impl Packages {
    fn read(house: &House) -> Result<Self> {
        let told =
            capture(house.cargo().args(["metadata", "--locked", "--no-deps", "--format-version", "1"]))?;
        let metadata: Value = serde_json::from_str(&told).context("cargo metadata answers no JSON")?;
        let packages = metadata.get("packages").and_then(Value::as_array);
        let read = packages.into_iter().flatten().filter_map(|package| Package::read(house, package));
        let packages: Vec<_> = read.collect();
        if packages.is_empty() {
            bail!("cargo metadata names no package");
        }
        Ok(Self(packages))
    }

    /// The names of the packages whose tests a change to these files may break.
    fn affected(&self, files: &[String]) -> BTreeSet<&str> {
        let mut chosen = BTreeSet::from([TIDY]);
        for file in files {
            let homes = self.0.iter().filter(|package| file.starts_with(&package.folder));
            match homes.max_by_key(|package| package.folder.len()) {
                Some(home) => drop(chosen.insert(&home.name)),
                None if file.starts_with(OUTSIDE) => {}
                // Several packages read manifests, pages and styles.
                None => return self.0.iter().map(|package| package.name.as_str()).collect(),
            }
        }
        loop {
            let before = chosen.len();
            for package in &self.0 {
                if package.needs.iter().any(|name| chosen.contains(name.as_str())) {
                    chosen.insert(&package.name);
                }
            }
            if chosen.len() == before {
                return chosen;
            }
        }
    }
}

impl Package {
    fn read(house: &House, package: &Value) -> Option<Self> {
        let manifest = PathBuf::from(package.get("manifest_path")?.as_str()?);
        let folder = manifest.parent()?.strip_prefix(&house.root).ok()?;
        let dependencies = package.get("dependencies")?.as_array()?;
        let needs = dependencies.iter().filter(|it| it.get("path").is_some());
        Some(Self {
            name: package.get("name")?.as_str()?.to_owned(),
            folder: slashes(folder),
            needs: needs.filter_map(|it| it.get("name")?.as_str().map(str::to_owned)).collect(),
        })
    }
}

fn slashes(folder: &Path) -> String {
    folder.iter().map(|part| format!("{}/", part.to_string_lossy())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn affected(files: &[&str]) -> Vec<String> {
        let house = House::find().unwrap();
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        Packages::read(&house).unwrap().affected(&files).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn a_change_asks_for_the_tests_of_its_package_and_of_all_that_depend_on_it() {
        assert_eq!(
            affected(&["server/src/lib.rs"]),
            ["conformance-server", "live-run", TIDY, "puppy-server"]
        );
        let core = affected(&["core/src/lib.rs"]);
        for name in ["puppy-core", "puppy-core-derive", "puppy-server", "puppy-plugin-ui"] {
            assert!(core.contains(&name.to_owned()), "{name} is not among {core:?}");
        }
        assert!(!core.contains(&"demo-kernel".to_owned()), "{core:?}");
        // A package inside another package's folder counts as its own.
        assert!(
            !affected(&["package.zip-recipe/page-binder/src/main.rs"]).contains(&"puppy-core".to_owned())
        );
    }

    #[test]
    fn a_file_of_no_package_asks_for_all_tests_unless_none_reads_it() {
        assert_eq!(affected(&["e2e/clients/http.test.mjs"]), [TIDY]);
        assert_eq!(affected(&["Cargo.lock"]).len(), Packages::read(&House::find().unwrap()).unwrap().0.len());
        assert_eq!(affected(&[]), [TIDY]);
    }
}
