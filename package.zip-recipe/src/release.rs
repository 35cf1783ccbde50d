//! `cargo recipe release`: the packages, and from the same programs archives, bundles for desktop apps, packages for npm and
//! PyPI, the entry for the registry of MCP servers, the list of components and the checksums (B-325, B-326).

pub(crate) mod image;
mod manifests;
mod notes;
pub(crate) mod registries;

use crate::house::House;
use crate::package::{self, BuiltPackage};
use crate::papers::{self, Papers};
use crate::platform::Platform;
use crate::prerequisites;
use crate::process::{capture, run};
use crate::sidecar;
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The folder of a release, below `build/`.
const FOLDER: &str = "release";
/// The notes of a release, below `build/`: no file of the release, but the text above its files.
const NOTES: &str = "release-notes.md";
const SUMS: &str = "SHA256SUMS";
const VERSION: &str = env!("CARGO_PKG_VERSION");
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
const NAME: &str = "siyuan-mcp-puppy";
const PROGRAM: &str = "siyuan-puppy";
/// The icon of bundles: directories ask for 512 × 512. `e2e/support/icon.mjs` draws it.
const ICON: &str = "package.zip-recipe/icon-512.png";
/// The validator of bundles, in `node_modules`.
const VALIDATOR: &str = "@anthropic-ai/mcpb/dist/cli/cli.js";

/// Reads the arguments of `cargo recipe release`: the tag of a release, or nothing for a trial.
pub(crate) fn parse(arguments: &[String]) -> Result<Option<&str>> {
    match arguments {
        [] => Ok(None),
        [flag, tag] if flag == "--tag" => Ok(Some(tag)),
        _ => bail!("`cargo recipe release` takes --tag TAG or nothing"),
    }
}

/// Makes every file of a release. With its tag, the texts must be those of a release, too.
pub(crate) fn make(house: &House, tag: Option<&str>) -> Result<()> {
    // Checks that need no build come first: the builds take minutes.
    let notes = notes::of(house, tag)?;
    let (made, light) = package::make_both(house)?;
    let folder = house.fresh(FOLDER)?;
    let copy = |from: &Path, name: &str| {
        std::fs::copy(from, folder.join(name)).with_context(|| format!("{name} cannot be copied")).map(drop)
    };
    copy(&light.package, package::PACKAGE)?;
    copy(&made.package, package::FULL)?;
    for entry in std::fs::read_dir(&light.downloads).context("the packed programs cannot be listed")? {
        let file = entry.context("the packed programs cannot be listed")?.path();
        let name = file.file_name().and_then(|it| it.to_str()).context("a name is not UTF-8")?;
        copy(&file, name)?;
    }
    copy(&made.papers.components, papers::COMPONENTS)?;
    let shipping = ReleaseInputs::new(house, &folder, &made.papers, &made.moment);
    for (platform, program) in &made.programs {
        shipping.archive(*platform, program)?;
        shipping.bundle(*platform, program)?;
        shipping.program(*platform, program)?;
        shipping.wheel(*platform, program)?;
    }
    shipping.launcher()?;
    shipping.image(&made.programs)?;
    let sums = sums(house, &folder)?;
    write_json(&folder.join("server.json"), &manifests::server(&sums))?;
    std::fs::write(folder.join(SUMS), self::sums(house, &folder)?)
        .context("the checksums cannot be written")?;
    std::fs::write(house.build(NOTES), notes).context("the notes cannot be written")?;
    println!("{}", house.show(&folder));
    Ok(())
}

/// A part of the step `package` of `cargo verify`: bundles this machine's program, and lets the format's own validator
/// judge the bundle.
pub(crate) fn verify(house: &House, made: &BuiltPackage) -> Result<()> {
    let modules = prerequisites::node_modules(house, "e2e")?;
    let folder = house.fresh("quick/release")?;
    for (platform, program) in &made.programs {
        let bundle =
            ReleaseInputs::new(house, &folder, &made.papers, &made.moment).bundle(*platform, program)?;
        let unpacked = house.fresh("quick/bundle")?;
        unpack(house, &bundle, &unpacked)?;
        sidecar::existing(unpacked.join(bundled_name(*platform)))?;
        let mut validator = house.command("node");
        validator.arg(modules.join(VALIDATOR)).arg("validate").arg(unpacked.join("manifest.json"));
        run(&mut validator).context("the bundle is not as its validator wants it")?;
    }
    Ok(())
}

/// The inputs that the archives of a release share.
struct ReleaseInputs<'a> {
    house: &'a House,
    folder: &'a Path,
    /// The files of licences, by their names in an archive.
    licences: [(&'static str, PathBuf); 2],
    moment: &'a str,
}

impl<'a> ReleaseInputs<'a> {
    fn new(house: &'a House, folder: &'a Path, papers: &Papers, moment: &'a str) -> Self {
        let licences = [("LICENSE", house.at("LICENSE")), (papers::LICENCES, papers.licences.clone())];
        Self { house, folder, licences, moment }
    }

    /// A program by itself.
    fn archive(&self, platform: Platform, program: &Path) -> Result<PathBuf> {
        let leaf = platform.program(PROGRAM);
        self.pack(&archive_name(platform.target), &[(leaf, program)], &[])
    }

    /// A program as desktop apps install it.
    fn bundle(&self, platform: Platform, program: &Path) -> Result<PathBuf> {
        let manifest = self.house.build("papers/manifest.json");
        write_json(&manifest, &manifests::bundle(platform))?;
        let more = [("manifest.json", manifest.as_path()), ("icon.png", &self.house.at(ICON))];
        self.pack(&bundle_name(platform), &[(bundled_name(platform), program)], &more)
    }

    /// Packs programs and other files under these names in a zip archive, with the licences.
    fn pack(&self, name: &str, programs: &[(String, &Path)], more: &[(&str, &Path)]) -> Result<PathBuf> {
        let programs: Vec<_> =
            programs.iter().map(|(name, file)| (name.clone(), file.to_path_buf())).collect();
        let more: Vec<_> = more.iter().map(|(name, file)| ((*name).to_owned(), file.to_path_buf())).collect();
        self.packed("bundle", name, "", &programs, &more)
    }

    /// Packs programs and other files in a format of the packer, with the licences in a folder.
    fn packed(
        &self,
        format: &str,
        name: &str,
        licences: &str,
        programs: &[(String, PathBuf)],
        more: &[(String, PathBuf)],
    ) -> Result<PathBuf> {
        let archive = self.folder.join(name);
        let mut command = package::packer(self.house)?;
        command.arg(format).arg(&archive).args(["--moment", self.moment]);
        let of_licences =
            self.licences.iter().map(|(name, file)| (format!("{licences}{name}"), file.clone()));
        let all = more.iter().cloned().chain(of_licences).map(|it| ("--also", it));
        for (option, (name, file)) in programs.iter().cloned().map(|it| ("--program", it)).chain(all) {
            command.arg(option).arg(format!("{name}={}", file.display()));
        }
        run(&mut command)?;
        Ok(archive)
    }
}

fn unpack(house: &House, archive: &Path, folder: &Path) -> Result<()> {
    run(package::packer(house)?.arg("unpack").arg(archive).arg(folder))
}

/// A line a file: SHA-256, two spaces and the name, as `sha256sum --check` reads it.
fn sums(house: &House, folder: &Path) -> Result<String> {
    capture(package::packer(house)?.arg("sums").arg(folder))
}

fn write_json(path: &Path, value: &Value) -> Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}

/// `cargo binstall` looks for these names, which `server/Cargo.toml` tells it.
fn archive_name(target: &str) -> String {
    format!("{PROGRAM}-{target}.zip")
}

/// The name of the program in a bundle.
fn bundled_name(platform: Platform) -> String {
    format!("server/{}", platform.program(PROGRAM))
}

fn bundle_name(platform: Platform) -> String {
    format!("{NAME}-{}.mcpb", platform.node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icon_of_bundles_has_the_size_of_directories() {
        let bytes = std::fs::read(House::find().unwrap().at(ICON)).unwrap();
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!((&bytes[1..4], number(16), number(20)), (b"PNG".as_slice(), 512, 512));
        assert!(bytes.len() < 200_000, "{} bytes", bytes.len());
    }

    /// On every machine of ours, also where Rust names another C library than that of the program.
    #[test]
    fn binstall_finds_the_archives_of_a_release() {
        let house = House::find().unwrap();
        let manifest = std::fs::read_to_string(house.at("server/Cargo.toml")).unwrap();
        let (_, said) = manifest.split_once("[package.metadata.binstall]\n").unwrap();
        let (general, overrides) = said.split_once("[package.metadata.binstall.overrides.").unwrap();
        let address = |name: &str| {
            format!("pkg-url = \"{{ repo }}/releases/download/v{{ version }}/{}\"", archive_name(name))
        };
        assert!(general.contains(&address("{ target }")), "{general}");
        assert!(general.contains("bin-dir = \"{ bin }{ binary-ext }\""), "{general}");
        let others: Vec<_> = overrides.lines().filter(|line| line.starts_with("pkg-url")).collect();
        let targets = Platform::ALL.iter().filter(|it| !it.is_apple()).map(|it| address(it.target));
        assert_eq!(others, targets.collect::<Vec<_>>());
        for host in ["x86_64-unknown-linux-gnu]", "aarch64-unknown-linux-gnu]", "x86_64-pc-windows-msvc]"] {
            assert!(said.contains(host), "{host}");
        }
    }
}
