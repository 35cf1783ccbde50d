//! The descriptions of a release for other programs: a bundle's manifest, and an entry for the registry of MCP servers.

use super::{NAME, PROGRAM, REPOSITORY, VERSION, bundled_name};
use crate::platform::Platform;
use serde_json::{Value, json};

/// At most 100 characters, which the registry of MCP servers demands.
pub(super) const DESCRIPTION: &str =
    "Let AI agents work in your SiYuan notes, with permissions you set per notebook";

/// The name of the entry in the registry of MCP servers, which packages repeat as a proof.
pub(super) fn registry_name() -> String {
    format!("io.github.{NAME}/{NAME}")
}

/// The address of a file of this version.
fn page(path: &str) -> String {
    format!("{REPOSITORY}/blob/v{VERSION}/{path}")
}

/// The manifest of a bundle. Each is for one platform: the format tells systems apart, but no processors.
pub(super) fn bundle(platform: Platform) -> Value {
    let program = bundled_name(platform);
    let system = platform.node.split('-').next().unwrap_or_default();
    json!({
        "manifest_version": "0.3", "name": NAME, "display_name": "MCP Puppy for SiYuan", "version": VERSION,
        "description": DESCRIPTION, "license": "MIT", "icon": "icon.png",
        "author": { "name": NAME, "url": REPOSITORY },
        "repository": { "type": "git", "url": REPOSITORY }, "homepage": REPOSITORY,
        "documentation": page("docs/README.md"), "support": format!("{REPOSITORY}/issues"),
        "privacy_policies": [page("docs/privacy.md")], "keywords": ["notes", "siyuan", "permissions"],
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

/// The entry for the registry: the lines of npm and PyPI, the image, and the bundles of this release with their checksums.
pub(super) fn server(sums: &str) -> Value {
    let stdio = json!({ "type": "stdio" });
    let token = json!({
        "name": "SIYUAN_TOKEN", "description": "API token of SiYuan: Settings, About",
        "isRequired": false, "isSecret": true,
    });
    let starts = json!([{ "type": "positional", "value": "stdio" }]);
    let line = |registry: &str, runtime: &str| {
        json!({
            "registryType": registry, "identifier": PROGRAM, "version": VERSION, "runtimeHint": runtime,
            "transport": stdio, "packageArguments": starts, "environmentVariables": [token],
        })
    };
    let address = json!({
        "name": "SIYUAN_API_URL", "isRequired": true,
        "description": "Address of SiYuan as the container reaches it, such as http://siyuan:6806",
    });
    let image = json!({
        "registryType": "oci", "identifier": format!("ghcr.io/{NAME}/{NAME}:{VERSION}"), "runtimeHint": "docker",
        "transport": stdio, "packageArguments": starts, "environmentVariables": [address, token],
    });
    let bundles =
        sums.lines().filter_map(|line| line.split_once("  ")).filter(|(_, name)| name.ends_with(".mcpb"));
    let bundles = bundles.map(|(sum, name)| {
        json!({
            "registryType": "mcpb", "fileSha256": sum, "transport": stdio,
            "identifier": format!("{REPOSITORY}/releases/download/v{VERSION}/{name}"),
            "environmentVariables": [token],
        })
    });
    let packages: Vec<Value> =
        [line("npm", "npx"), line("pypi", "uvx"), image].into_iter().chain(bundles).collect();
    json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": registry_name(), "title": "MCP Puppy for SiYuan", "description": DESCRIPTION,
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

    /// Anthropic's directory refuses a bundle whose manifest or README has no privacy policy.
    #[test]
    fn bundles_name_a_privacy_policy_that_is_there() {
        let house = crate::house::House::find().unwrap();
        let manifest = bundle(Platform::ALL[0]);
        let [policy] = manifest["privacy_policies"].as_array().unwrap().as_slice() else {
            panic!("{manifest}")
        };
        let path = policy.as_str().unwrap().strip_prefix(&page("")).unwrap();
        let text = std::fs::read_to_string(house.at(path)).unwrap();
        for part in ["Data collection", "What is stored", "Sharing and retention", "Contact"] {
            assert!(text.contains(&format!("## {part}\n")), "{part}");
        }
        let readme = std::fs::read_to_string(house.at("README.md")).unwrap();
        assert!(readme.contains("## Privacy policy\n") && readme.contains(&format!("]({path})")), "{readme}");
    }

    /// The registry's rules: those of its schema of 2025-12-11 for the keys that are used here, and those that its
    /// validator adds for bundles, which carry their version in their address alone.
    #[test]
    fn the_registry_is_told_of_bundles_with_their_sums() {
        let sum = "0123456789abcdef".repeat(4);
        let entry = server(&format!(
            "{sum}  package.zip\n{sum}  siyuan-mcp-puppy-win32-x64.mcpb\n{sum}  siyuan-puppy-win32-x64.zip\n"
        ));
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        for key in ["title", "description"] {
            assert!((1..=100).contains(&text(&entry[key]).chars().count()), "{key}");
        }
        let name = text(&entry["name"]);
        let (space, leaf) = name.split_once('/').unwrap();
        let plain = |part: &str, more: &str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
        };
        assert!(plain(space, ".-") && plain(leaf, "._-") && name.len() <= 200, "{name}");
        assert_eq!((&entry["version"], &entry["repository"]["source"]), (&json!(VERSION), &json!("github")));
        let packages = entry["packages"].as_array().unwrap();
        let kinds: Vec<_> = packages.iter().map(|it| text(&it["registryType"])).collect();
        assert_eq!(kinds, ["npm", "pypi", "oci", "mcpb"]);
        let keys = |package: &Value| -> Vec<String> {
            let mut keys: Vec<_> = package.as_object().unwrap().keys().cloned().collect();
            keys.sort_unstable();
            keys
        };
        for line in &packages[..2] {
            assert_eq!((&line["identifier"], &line["version"]), (&json!("siyuan-puppy"), &json!(VERSION)));
            assert_eq!(line["packageArguments"][0]["value"], "stdio");
        }
        // The validator refuses a version of its own beside that in the name of an image.
        assert!(
            !keys(&packages[2])
                .iter()
                .any(|it| ["fileSha256", "registryBaseUrl", "version"].contains(&it.as_str()))
        );
        let only = &packages[3];
        let known = ["environmentVariables", "fileSha256", "identifier", "registryType", "transport"];
        assert_eq!(keys(only), known, "`version` and `registryBaseUrl` are refused");
        assert_eq!((&only["registryType"], &only["fileSha256"]), (&json!("mcpb"), &json!(sum)));
        assert_eq!(only["transport"], json!({ "type": "stdio" }));
        let address = format!("/releases/download/v{VERSION}/siyuan-mcp-puppy-win32-x64.mcpb");
        let identifier = text(&only["identifier"]);
        assert!(
            identifier.starts_with("https://github.com/") && identifier.ends_with(&address),
            "{identifier}"
        );
    }
}
