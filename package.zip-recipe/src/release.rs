//! `cargo recipe release`: the package, and from the same programs archives, bundles for desktop apps, the entry for the
//! registry of MCP servers, the list of components and the checksums (B-325, B-326).

use crate::house::House;
use crate::package::{self, Made};
use crate::papers;
use crate::platform::Platform;
use crate::process::{capture, run};
use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The folder of a release, below `build/`.
const FOLDER: &str = "release";
/// The folder that the image of containers is built in, below `build/`.
const IMAGE: &str = "image";
const CONTAINERFILE: &str = "Containerfile";
const SUMS: &str = "SHA256SUMS";
const VERSION: &str = env!("CARGO_PKG_VERSION");
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
const NAME: &str = "siyuan-mcp-puppy";
const PROGRAM: &str = "siyuan-puppy";
/// At most 100 characters, which the registry of MCP servers demands.
const DESCRIPTION: &str = "Let AI agents work in your SiYuan notes, with permissions you set per notebook";

/// Makes every file of a release.
pub(crate) fn make(house: &House) -> Result<()> {
    let Made { package, programs, papers, moment } = package::make(house, package::Extent::Whole)?;
    let folder = house.fresh(FOLDER)?;
    let copy = |from: &Path, name: &str| {
        std::fs::copy(from, folder.join(name)).with_context(|| format!("{name} cannot be copied")).map(drop)
    };
    copy(&package, "package.zip")?;
    copy(&papers.components, papers::COMPONENTS)?;
    let licences = [("LICENSE", house.at("LICENSE")), (papers::LICENCES, papers.licences)];
    for (platform, program) in &programs {
        let leaf = platform.program(PROGRAM);
        let pack = |name: &str, program_name: &str, more: &[(&str, &Path)]| {
            let mut command = package::packer(house)?;
            command.arg("bundle").arg(folder.join(name)).args(["--moment", &moment]);
            command.arg("--program").arg(format!("{program_name}={}", program.display()));
            for (name, file) in
                licences.iter().map(|(name, file)| (*name, file.as_path())).chain(more.iter().copied())
            {
                command.arg("--also").arg(format!("{name}={}", file.display()));
            }
            run(&mut command)
        };
        pack(&archive_name(platform.target), &leaf, &[])?;
        let manifest = house.build("papers/manifest.json");
        write_json(&manifest, &bundle(*platform))?;
        let more = [("manifest.json", manifest.as_path()), ("icon.png", &house.at("icon.png"))];
        pack(&bundle_name(*platform), &format!("server/{leaf}"), &more)?;
    }
    image(house, &programs)?;
    let sums = sums(house, &folder)?;
    write_json(&folder.join("server.json"), &server(&sums))?;
    std::fs::write(folder.join(SUMS), self::sums(house, &folder)?)
        .context("the checksums cannot be written")?;
    println!("{}", house.show(&folder));
    Ok(())
}

/// The folder for the image of containers: the recipe, and the programs of Linux under the names that it copies.
fn image(house: &House, programs: &[(Platform, PathBuf)]) -> Result<()> {
    let folder = house.fresh(IMAGE)?;
    std::fs::copy(house.at("container").join(CONTAINERFILE), folder.join(CONTAINERFILE))
        .context("the recipe of the image cannot be copied")?;
    for (platform, program) in programs {
        if let Some(processor) = processor(*platform) {
            std::fs::copy(program, folder.join(format!("{PROGRAM}-{processor}")))
                .context("a program cannot be copied for the image")?;
        }
    }
    Ok(())
}

/// The processor as builders of images call it; `None` where containers do not run the program.
fn processor(platform: Platform) -> Option<&'static str> {
    match platform.node {
        "linux-x64" => Some("amd64"),
        "linux-arm64" => Some("arm64"),
        _ => None,
    }
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

fn bundle_name(platform: Platform) -> String {
    format!("{NAME}-{}.mcpb", platform.node)
}

/// The manifest of a bundle. Each is for one platform: the format tells systems apart, but no processors.
fn bundle(platform: Platform) -> Value {
    let program = format!("server/{}", platform.program(PROGRAM));
    let system = platform.node.split('-').next().unwrap_or_default();
    json!({
        "manifest_version": "0.3", "name": NAME, "display_name": "MCP Puppy for SiYuan", "version": VERSION,
        "description": DESCRIPTION, "license": "MIT", "icon": "icon.png",
        "author": { "name": NAME, "url": REPOSITORY },
        "repository": { "type": "git", "url": REPOSITORY }, "homepage": REPOSITORY,
        "server": { "type": "binary", "entry_point": program, "mcp_config": {
            "command": format!("${{__dirname}}/{program}"), "args": ["stdio"],
            "env": { "SIYUAN_TOKEN": "${user_config.token}" },
        } },
        "tools_generated": true, "prompts_generated": true,
        "compatibility": { "platforms": [system] },
        "user_config": { "token": {
            "type": "string", "title": "API token of SiYuan", "description": "In SiYuan: Settings, About, API token",
            "sensitive": true, "required": true,
        } },
    })
}

/// The entry for the registry: the bundles of this release with their checksums.
fn server(sums: &str) -> Value {
    let packages: Vec<Value> = sums
        .lines()
        .filter_map(|line| line.split_once("  "))
        .filter(|(_, name)| name.ends_with(".mcpb"))
        .map(|(sum, name)| {
            json!({
                "registryType": "mcpb", "version": VERSION, "fileSha256": sum, "transport": { "type": "stdio" },
                "identifier": format!("{REPOSITORY}/releases/download/v{VERSION}/{name}"),
                "environmentVariables": [{
                    "name": "SIYUAN_TOKEN", "description": "API token of SiYuan: Settings, About",
                    "isRequired": true, "isSecret": true,
                }],
            })
        })
        .collect();
    json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": format!("io.github.{NAME}/{NAME}"), "title": "MCP Puppy for SiYuan", "description": DESCRIPTION,
        "version": VERSION, "repository": { "url": REPOSITORY, "source": "github" }, "packages": packages,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-326.
    #[test]
    fn bundles_start_the_program_that_is_in_them() {
        for platform in Platform::ALL {
            let manifest = bundle(platform);
            let program = format!("server/{}", platform.program("siyuan-puppy"));
            assert_eq!(manifest["server"]["entry_point"], program);
            assert_eq!(manifest["server"]["mcp_config"]["command"], format!("${{__dirname}}/{program}"));
            assert!(platform.node.starts_with(manifest["compatibility"]["platforms"][0].as_str().unwrap()));
            assert_eq!(manifest["user_config"]["token"]["sensitive"], true);
        }
    }

    /// B-326.
    #[test]
    fn the_image_copies_the_programs_of_linux() {
        let processors: Vec<_> = Platform::ALL.into_iter().filter_map(processor).collect();
        assert_eq!(processors, ["amd64", "arm64"]);
        let house = House::find().unwrap();
        let recipe = std::fs::read_to_string(house.at("container").join(CONTAINERFILE)).unwrap();
        assert!(recipe.contains(&format!("COPY --chmod=0755 {PROGRAM}-$TARGETARCH ")), "{recipe}");
        assert!(recipe.contains("\nUSER 65532\n") && recipe.contains("\nHEALTHCHECK "), "{recipe}");
        assert!(!recipe.contains("\nRUN "), "an image for another processor would need an emulator");
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

    #[test]
    fn the_registry_is_told_of_bundles_with_their_sums() {
        let entry =
            server("aa  package.zip\nbb  siyuan-mcp-puppy-win32-x64.mcpb\ncc  siyuan-puppy-win32-x64\n");
        assert!(entry["description"].as_str().unwrap().len() <= 100);
        let [only] = entry["packages"].as_array().unwrap().as_slice() else { panic!("{entry}") };
        assert_eq!(only["fileSha256"], "bb");
        let address = format!("/releases/download/v{VERSION}/siyuan-mcp-puppy-win32-x64.mcpb");
        assert!(only["identifier"].as_str().unwrap().ends_with(&address));
    }
}
