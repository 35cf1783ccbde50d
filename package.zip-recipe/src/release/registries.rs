//! The packages of a release for npm and PyPI, which start the server by one line without the plugin.
//!
//! Both have the program for a platform and nothing that runs during installation. npm's is in a package of its own for
//! each platform, an optional dependency of a launcher: npm installs the one for the machine only.

use super::{NAME, PROGRAM, REPOSITORY, ReleaseInputs, VERSION, manifests, write_json};
use crate::house::House;
use crate::platform::Platform;
use crate::process::run;
use crate::sidecar::{self, DemoKernel};
use crate::{demo, package, papers, prerequisites, trial};
use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// The folder of the launcher and of the README that both registries show.
const LAUNCHER: &str = "package.zip-recipe/launcher";
const README: &str = "README.md";
/// The name of the project on PyPI as names of wheels spell it.
const SPELLED: &str = "siyuan_puppy";
/// The folder of the step of `cargo verify`, below `build/`.
const FOLDER: &str = "quick/lines";

/// The package for npm with the program for a platform.
fn program_package(platform: Platform) -> String {
    format!("@{NAME}/{}", platform.node)
}

/// The part of the description that all packages for npm share.
fn about(name: &str, description: &str) -> Map<String, Value> {
    let all = json!({
        "name": name, "version": VERSION, "description": description, "license": "MIT",
        "homepage": format!("{REPOSITORY}#readme"),
        "repository": { "type": "git", "url": format!("git+{REPOSITORY}.git") },
    });
    all.as_object().cloned().unwrap_or_default()
}

/// The description of the launcher. The registry of MCP servers believes `mcpName` that it is ours.
fn launcher_manifest() -> Value {
    let mut all = about(PROGRAM, manifests::DESCRIPTION);
    let programs = Platform::ALL.iter().map(|it| (program_package(*it), json!(VERSION)));
    all.extend([
        ("mcpName".to_owned(), json!(manifests::registry_name())),
        ("bin".to_owned(), json!({ (PROGRAM): format!("{PROGRAM}.js") })),
        ("engines".to_owned(), json!({ "node": ">=18" })),
        ("optionalDependencies".to_owned(), Value::Object(programs.collect())),
    ]);
    Value::Object(all)
}

/// The description of a package with a program, which npm installs on its platform only.
fn program_manifest(platform: Platform) -> Value {
    let description = format!("The program of {PROGRAM} for {}", platform.node);
    let mut all = about(&program_package(platform), &description);
    let (system, processor) = platform.node.split_once('-').unwrap_or_default();
    all.extend([
        ("os".to_owned(), json!([system])),
        ("cpu".to_owned(), json!([processor])),
        // Package managers that keep packages zipped could not start a program in one.
        ("preferUnplugged".to_owned(), json!(true)),
    ]);
    Value::Object(all)
}

/// The systems on which a wheel can be installed. The programs for Linux need no C library, so every one is named.
fn tags(platform: Platform) -> Result<&'static [&'static str]> {
    Ok(match platform.node {
        "linux-x64" => &["manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"],
        "linux-arm64" => &["manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"],
        "darwin-x64" => &["macosx_11_0_x86_64"],
        "darwin-arm64" => &["macosx_11_0_arm64"],
        "win32-x64" => &["win_amd64"],
        other => bail!("PyPI has no name for {other}"),
    })
}

/// `METADATA` of a wheel, with the README below it.
fn metadata(readme: &str) -> String {
    let description = manifests::DESCRIPTION;
    format!(
        "Metadata-Version: 2.4\nName: {PROGRAM}\nVersion: {VERSION}\nSummary: {description}\n\
         License-Expression: MIT\nLicense-File: LICENSE\nLicense-File: {}\n\
         Project-URL: Homepage, {REPOSITORY}\nProject-URL: Issues, {REPOSITORY}/issues\n\
         Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n{readme}",
        papers::LICENCES
    )
}

/// `WHEEL` of a wheel.
fn wheel_file(tags: &[&str]) -> String {
    let lines: String = tags.iter().map(|tag| format!("Tag: py3-none-{tag}\n")).collect();
    format!("Wheel-Version: 1.0\nGenerator: {NAME} ({VERSION})\nRoot-Is-Purelib: false\n{lines}")
}

impl ReleaseInputs<'_> {
    /// The launcher for npm.
    pub(super) fn launcher(&self) -> Result<PathBuf> {
        let manifest = self.paper("npm-launcher.json", &launcher_manifest())?;
        let of_launcher = |leaf: &str| self.house.at(LAUNCHER).join(leaf);
        let script = (format!("package/{PROGRAM}.js"), of_launcher(&format!("{PROGRAM}.js")));
        let also =
            [("package/package.json".into(), manifest), ("package/README.md".into(), of_launcher(README))];
        self.packed("tarball", &format!("{PROGRAM}-{VERSION}.tgz"), "package/", &[script], &also)
    }

    /// The package for npm with a program.
    pub(super) fn program(&self, platform: Platform, program: &Path) -> Result<PathBuf> {
        let manifest = self.paper("npm-program.json", &program_manifest(platform))?;
        let program = (format!("package/bin/{}", platform.program(PROGRAM)), program.to_owned());
        let readme = self.house.at(LAUNCHER).join(README);
        let also = [("package/package.json".into(), manifest), ("package/README.md".into(), readme)];
        let name = format!("{NAME}-{}-{VERSION}.tgz", platform.node);
        self.packed("tarball", &name, "package/", &[program], &also)
    }

    /// The wheel with a program.
    pub(super) fn wheel(&self, platform: Platform, program: &Path) -> Result<PathBuf> {
        let tags = tags(platform)?;
        let readme = std::fs::read_to_string(self.house.at(LAUNCHER).join(README))
            .context("the README of the packages cannot be read")?;
        let text = |leaf: &str, text: String| -> Result<(String, PathBuf)> {
            let file = self.house.build("papers").join(leaf);
            std::fs::write(&file, text).with_context(|| format!("{leaf} cannot be written"))?;
            Ok((format!("{SPELLED}-{VERSION}.dist-info/{leaf}"), file))
        };
        let also = [text("METADATA", metadata(&readme))?, text("WHEEL", wheel_file(tags))?];
        let leaf = platform.program(PROGRAM);
        let program = (format!("{SPELLED}-{VERSION}.data/scripts/{leaf}"), program.to_owned());
        let name = format!("{SPELLED}-{VERSION}-py3-none-{}.whl", tags.join("."));
        let licences = format!("{SPELLED}-{VERSION}.dist-info/licenses/");
        self.packed("wheel", &name, &licences, &[program], &also)
    }

    fn paper(&self, leaf: &str, value: &Value) -> Result<PathBuf> {
        let file = self.house.build("papers").join(leaf);
        write_json(&file, value)?;
        Ok(file)
    }
}

/// Packs the built server for this machine into an empty folder below `build/`.
fn made_here<Made>(
    house: &House,
    folder: &str,
    make: impl FnOnce(&ReleaseInputs<'_>, &Path) -> Result<Made>,
) -> Result<Made> {
    let program = sidecar::shipped(house)?;
    let folder = house.fresh(folder)?;
    let papers = papers::write(house, &[Platform::here()?])?;
    let moment = package::moment(house)?.to_string();
    make(&ReleaseInputs::new(house, &folder, &papers, &moment), &program)
}

/// Makes the packages for npm in a folder below `build/`; returns the folder.
pub(crate) fn npm_packages(house: &House, folder: &str) -> Result<PathBuf> {
    let platform = Platform::here()?;
    made_here(house, folder, |made, program| {
        made.launcher()?;
        made.program(platform, program)
    })?;
    Ok(house.build(folder))
}

/// A step of `cargo verify`: makes the packages of both registries for this machine, installs them from their files into
/// empty folders, without any registry, and talks to the server that each line starts.
pub(crate) fn verify(house: &House) -> Result<usize> {
    prerequisites::node()?;
    let platform = Platform::here()?;
    let (tarballs, wheel) = made_here(house, FOLDER, |made, program| {
        let tarballs = [made.launcher()?, made.program(platform, program)?];
        Ok((tarballs, made.wheel(platform, program)?))
    })?;

    let npm = house.fresh(&format!("{FOLDER}/npm"))?;
    let mut install = house.command(prerequisites::NPM);
    install.args(["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]);
    install.arg("--prefix").arg(&npm).arg("--cache").arg(house.build(FOLDER).join("cache"));
    run(install.args(&tarballs).current_dir(&npm)).context("npm does not install the packages")?;
    let pip = house.fresh(&format!("{FOLDER}/pip"))?;
    prerequisites::pip_from_file(&pip, &wheel)?;

    let workspace = house.fresh(&format!("{FOLDER}/workspace"))?;
    let kernel = DemoKernel::with_fixture(house, &workspace, demo::SEEN)?;
    let by_npx = || {
        let mut npx = house.command(prerequisites::NPX);
        npx.args(["--offline", "--no", "--", PROGRAM]).current_dir(&npm);
        npx
    };
    let by_pip = || house.command(pip.join("bin").join(platform.program(PROGRAM)));
    let tools = trial::talked(by_npx, kernel.url()).context("the line of npx")?;
    if trial::talked(by_pip, kernel.url()).context("the wheel's program")? != tools {
        bail!("both lines start the same server, and list other tools");
    }
    Ok(tools.as_array().map_or(0, Vec::len))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// npm's names for systems and processors are those of Node, with which the launcher asks for the package.
    #[test]
    fn the_launcher_finds_the_package_of_every_platform() {
        let house = House::find().unwrap();
        let script = std::fs::read_to_string(house.at(LAUNCHER).join("siyuan-puppy.js")).unwrap();
        assert!(script.contains("`@siyuan-mcp-puppy/${platform}/bin/${leaf}`"), "{script}");
        let manifest = launcher_manifest();
        let programs = manifest["optionalDependencies"].as_object().unwrap();
        assert_eq!(programs.len(), Platform::ALL.len());
        for platform in Platform::ALL {
            let package = program_manifest(platform);
            assert_eq!(programs[package["name"].as_str().unwrap()], package["version"]);
            let named =
                format!("{}-{}", package["os"][0].as_str().unwrap(), package["cpu"][0].as_str().unwrap());
            assert_eq!(named, platform.node);
        }
        assert_eq!(manifest["bin"]["siyuan-puppy"], "siyuan-puppy.js");
        assert!(manifest.get("scripts").is_none(), "nothing runs during installation");
    }

    /// The registry of MCP servers believes a package that names its entry.
    #[test]
    fn packages_name_their_entry_in_the_registry() {
        let house = House::find().unwrap();
        let readme = std::fs::read_to_string(house.at(LAUNCHER).join(README)).unwrap();
        let name = manifests::registry_name();
        assert_eq!(launcher_manifest()["mcpName"], name.as_str());
        assert!(metadata(&readme).contains(&format!("mcp-name: {name}")), "{readme}");
        assert!(readme.contains("## Privacy policy\n"), "{readme}");
    }

    #[test]
    fn every_platform_has_a_wheel() {
        for platform in Platform::ALL {
            let tags = tags(platform).unwrap();
            let wheel = wheel_file(tags);
            assert_eq!(wheel.matches("Tag: py3-none-").count(), tags.len());
            let arm = tags.iter().all(|it| it.ends_with("arm64") || it.ends_with("aarch64"));
            assert_eq!(arm, platform.node.ends_with("arm64"), "{tags:?}");
        }
        let text = metadata("# Hello\n");
        let (head, body) = text.split_once("\n\n").unwrap();
        assert!(head.lines().all(|line| line.contains(": ")), "{head}");
        assert_eq!(body, "# Hello\n");
    }
}
