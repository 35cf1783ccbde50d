//! The crates that are compiled into the programs, without those that only run at build time.

use crate::house::House;
use crate::process::capture;
use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A crate of others.
pub(super) struct Component {
    pub(super) name: String,
    version: String,
    /// An expression of SPDX; empty where the crate names none.
    pub(super) licence: String,
    pub(super) folder: PathBuf,
    /// SHA-256 of the crate's file, from Cargo.lock.
    checksum: Option<String>,
    /// The identifiers of the components that it is compiled with.
    needs: BTreeSet<String>,
}

/// Components by name and version.
#[derive(Default)]
pub(super) struct Components(BTreeMap<String, Component>);

impl Components {
    /// Adds what one of our packages is made of on a target.
    pub(super) fn add(&mut self, house: &House, package: &str, target: &str) -> Result<()> {
        let output = capture(house.cargo().args([
            "metadata",
            "--locked",
            "--format-version",
            "1",
            "--filter-platform",
            target,
        ]))?;
        let metadata: Value = serde_json::from_str(&output).context("cargo metadata answers no JSON")?;
        let lock = std::fs::read_to_string(house.at("Cargo.lock")).context("Cargo.lock cannot be read")?;
        self.read(&metadata, package, &checksums(&lock))
    }

    fn read(&mut self, metadata: &Value, package: &str, checksums: &BTreeMap<String, String>) -> Result<()> {
        let list =
            |value: &Value, key: &str| value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        let packages: BTreeMap<String, Value> =
            list(metadata, "packages").into_iter().filter_map(|it| Some((text(&it, "id")?, it))).collect();
        let nodes: BTreeMap<String, Value> = list(metadata.get("resolve").unwrap_or(&Value::Null), "nodes")
            .into_iter()
            .filter_map(|it| Some((text(&it, "id")?, it)))
            .collect();
        let start = packages.iter().find(|(_, it)| text(it, "name").as_deref() == Some(package));
        let (start, _) = start.with_context(|| format!("cargo metadata does not name {package}"))?;
        let mut open = vec![start.clone()];
        let mut seen = BTreeSet::from([start.clone()]);
        while let Some(id) = open.pop() {
            let node = nodes.get(&id).context("cargo metadata resolves not every package")?;
            let needs: Vec<String> = list(node, "deps")
                .iter()
                .filter(|it| {
                    list(it, "dep_kinds").iter().any(|kind| kind.get("kind").is_none_or(Value::is_null))
                })
                .filter_map(|it| text(it, "pkg"))
                .filter(|id| packages.get(id).is_some_and(|it| !is_macro(it)))
                .collect();
            let crates = needs.iter().filter_map(|it| packages.get(it)).filter_map(key);
            let crates: BTreeSet<String> = crates.collect();
            if let Some(package) = packages.get(&id)
                && let Some(key) = key(package)
            {
                let checksum = checksums.get(&key).cloned();
                let known = self.0.entry(key).or_insert_with(|| Component::of(package, checksum));
                known.needs.extend(crates);
            }
            open.extend(needs.into_iter().filter(|it| seen.insert(it.clone())));
        }
        Ok(())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Component)> {
        self.0.iter().map(|(key, it)| (key.as_str(), it))
    }

    /// The list in the form of CycloneDX. It names no time and no number of its own, so it is the same each time.
    pub(super) fn cyclonedx(&self) -> Value {
        let own = json!({
            "type": "application", "bom-ref": "siyuan-mcp-puppy", "name": "siyuan-mcp-puppy",
            "version": env!("CARGO_PKG_VERSION"), "licenses": [{ "license": { "id": "MIT" } }],
            "externalReferences": [{ "type": "vcs", "url": env!("CARGO_PKG_REPOSITORY") }],
        });
        let components: Vec<Value> = self.0.values().map(Component::cyclonedx).collect();
        let needs = |key: &str, needs: Vec<String>| json!({ "ref": key, "dependsOn": needs });
        let mut dependencies =
            vec![needs("siyuan-mcp-puppy", self.0.values().map(Component::purl).collect())];
        dependencies.extend(self.0.values().map(|it| {
            let purls = it.needs.iter().filter_map(|key| self.0.get(key)).map(Component::purl);
            needs(&it.purl(), purls.collect())
        }));
        json!({
            "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
            "metadata": { "component": own }, "components": components, "dependencies": dependencies,
        })
    }
}

impl Component {
    fn of(package: &Value, checksum: Option<String>) -> Self {
        let manifest = PathBuf::from(text(package, "manifest_path").unwrap_or_default());
        Self {
            name: text(package, "name").unwrap_or_default(),
            version: text(package, "version").unwrap_or_default(),
            // Old crates separate their licences by a slash.
            licence: text(package, "license").unwrap_or_default().replace('/', " OR "),
            folder: manifest.parent().map(PathBuf::from).unwrap_or_default(),
            checksum,
            needs: BTreeSet::new(),
        }
    }

    fn purl(&self) -> String {
        // The only character of versions that a package URL writes otherwise.
        format!("pkg:cargo/{}@{}", self.name, self.version.replace('+', "%2B"))
    }

    fn cyclonedx(&self) -> Value {
        let licences = (!self.licence.is_empty()).then(|| json!([{ "expression": self.licence }]));
        let hashes = self.checksum.as_ref().map(|it| json!([{ "alg": "SHA-256", "content": it }]));
        let fields = [
            ("type", Some(json!("library"))),
            ("bom-ref", Some(json!(self.purl()))),
            ("name", Some(json!(self.name))),
            ("version", Some(json!(self.version))),
            ("purl", Some(json!(self.purl()))),
            ("licenses", licences),
            ("hashes", hashes),
        ];
        fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
    }
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(str::to_owned)
}

/// Name and version of a crate of others; `None` for ours.
fn key(package: &Value) -> Option<String> {
    text(package, "source")?;
    Some(format!("{} {}", text(package, "name")?, text(package, "version")?))
}

/// Macros run in the compiler; nothing of them is in the program.
fn is_macro(package: &Value) -> bool {
    let targets = package.get("targets").and_then(Value::as_array);
    let kinds = targets.into_iter().flatten().filter_map(|it| it.get("kind")?.as_array());
    kinds.flatten().any(|kind| kind == "proc-macro")
}

/// The checksums of Cargo.lock, by name and version.
fn checksums(lock: &str) -> BTreeMap<String, String> {
    let value = |line: &str, key: &str| {
        Some(line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"')?.to_owned())
    };
    let read = |part: &str| {
        let find = |key: &str| part.lines().find_map(|line| value(line, key));
        Some((format!("{} {}", find("name")?, find("version")?), find("checksum")?))
    };
    lock.split("[[package]]").filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of ours that needs a crate; that needs another, a macro, and one to build with.
    fn sample() -> Value {
        let package = |name: &str, source: Option<&str>, kind: &str| {
            json!({ "id": name, "name": name, "version": "1.0.0", "source": source, "license": "MIT/Apache-2.0",
                "manifest_path": format!("/crates/{name}/Cargo.toml"), "targets": [{ "kind": [kind] }] })
        };
        let needs = |name: &str, kind: Option<&str>| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        json!({
            "packages": [
                package("ours", None, "bin"), package("direct", Some("registry"), "lib"),
                package("deep", Some("registry"), "lib"), package("derive", Some("registry"), "proc-macro"),
                package("below-derive", Some("registry"), "lib"), package("build", Some("registry"), "lib"),
            ],
            "resolve": { "nodes": [
                { "id": "ours", "deps": [needs("direct", None), needs("build", Some("dev"))] },
                { "id": "direct", "deps": [needs("deep", None), needs("derive", None), needs("build", Some("build"))] },
                { "id": "deep", "deps": [] }, { "id": "build", "deps": [] }, { "id": "below-derive", "deps": [] },
                { "id": "derive", "deps": [needs("below-derive", None)] },
            ] },
        })
    }

    /// B-325.
    #[test]
    fn what_is_compiled_in_is_listed_and_nothing_else() {
        let lock = "[[package]]\nname = \"deep\"\nversion = \"1.0.0\"\nchecksum = \"abc\"\n";
        let mut components = Components::default();
        components.read(&sample(), "ours", &checksums(lock)).unwrap();
        let list = components.cyclonedx();
        let names: Vec<_> = components.iter().map(|(key, _)| key).collect();
        assert_eq!(names, ["deep 1.0.0", "direct 1.0.0"]);
        assert_eq!(list["components"][0]["purl"], "pkg:cargo/deep@1.0.0");
        assert_eq!(list["components"][0]["hashes"][0]["content"], "abc");
        assert_eq!(list["components"][1]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(list["dependencies"][2]["dependsOn"], json!(["pkg:cargo/deep@1.0.0"]));
        assert!(components.read(&sample(), "theirs", &BTreeMap::new()).is_err());
    }

    #[test]
    fn every_component_of_the_sidecar_has_a_licence_and_a_checksum() {
        let house = House::find().unwrap();
        let mut components = Components::default();
        components.add(&house, "puppy-server", crate::platform::Platform::here().unwrap().target).unwrap();
        assert!(components.iter().any(|(key, _)| key.starts_with("rmcp ")));
        assert!(!components.iter().any(|(key, _)| key.starts_with("syn ")), "syn only runs in the compiler");
        let bare = components.iter().filter(|(_, it)| it.licence.is_empty() || it.checksum.is_none());
        assert_eq!(bare.map(|(key, _)| key).collect::<Vec<_>>(), Vec::<&str>::new());
    }
}
