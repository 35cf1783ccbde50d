//! Rules for `plugin.json`, as the marketplace and the kernel read it.

use super::{Expectations, Findings};
use crate::archive::Package;
use crate::plugin::NAME;
use crate::sidecars::Sidecars;
use semver::Version;
use serde_json::{Map, Value};

/// The keys that the marketplace knows; it refuses others.
const KEYS: [&str; 14] = [
    "author",
    "backends",
    "description",
    "disabledInPublish",
    "displayName",
    "frontends",
    "funding",
    "kernels",
    "keywords",
    "minAppVersion",
    "name",
    "readme",
    "url",
    "version",
];
/// The languages, each under its present and its former name; hosts from before 3.7 know the former only.
const LANGUAGES: [(&str, &str); 2] = [("en", "en_US"), ("zh-CN", "zh_CN")];
/// The backends and frontends that a plugin may name, in the kernel's words.
const BACKENDS: [&str; 8] = ["all", "windows", "linux", "darwin", "docker", "android", "ios", "harmony"];
const FRONTENDS: [&str; 6] =
    ["all", "desktop", "desktop-window", "mobile", "browser-desktop", "browser-mobile"];

fn plugin(package: &Package) -> Map<String, Value> {
    package.files.json("plugin.json").as_object().cloned().unwrap_or_default()
}

fn text<'a>(plugin: &'a Map<String, Value>, key: &str) -> &'a str {
    plugin.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A key that the marketplace does not know stops the listing.
pub(super) fn keys_are_known(package: &Package) -> Findings {
    if package.files.get("plugin.json").is_some() && !package.files.json("plugin.json").is_object() {
        return vec!["plugin.json is no object of JSON".to_owned()];
    }
    let plugin = plugin(package);
    let unknown = plugin.keys().filter(|key| !KEYS.contains(&key.as_str()));
    unknown
        .map(|key| format!("plugin.json has the key `{key}`, which the marketplace does not know"))
        .collect()
}

/// The name is the folder of installation and never changes; the address is that of the repository.
pub(super) fn identity_is_ours(package: &Package) -> Findings {
    let plugin = plugin(package);
    let mut found = Findings::new();
    if text(&plugin, "name") != NAME {
        found.push(format!("`name` in plugin.json must stay {NAME}"));
    }
    let repository = env!("CARGO_PKG_REPOSITORY");
    let owner = repository.rsplit('/').nth(1).unwrap_or_default();
    let author = text(&plugin, "author").trim();
    if author.is_empty() {
        found.push("`author` in plugin.json is empty".to_owned());
    } else if author != owner {
        found.push(format!("`author` in plugin.json must be {owner}, the owner of the repository"));
    }
    if !text(&plugin, "url").eq_ignore_ascii_case(repository) {
        found.push(format!("`url` in plugin.json must be {repository}"));
    }
    if plugin.get("disabledInPublish") != Some(&Value::Bool(true)) {
        found.push(
            "`disabledInPublish` in plugin.json must be true: readers of a published space need no agent"
                .into(),
        );
    }
    found
}

/// The marketplace is SiYuan's, so its name tells nothing there; what is empty is to be left out.
pub(super) fn names_are_not_the_hosts(package: &Package) -> Findings {
    let plugin = plugin(package);
    let names_host = |it: &str| ["siyuan", "思源"].iter().any(|name| it.to_lowercase().contains(name));
    let texts = |key: &str| -> Vec<String> {
        let value = plugin.get(key);
        let of_list = value.and_then(Value::as_array).into_iter().flatten();
        let of_object = value.and_then(Value::as_object).into_iter().flat_map(Map::values);
        of_list.chain(of_object).filter_map(|it| it.as_str().map(str::to_owned)).collect()
    };
    let named =
        ["displayName", "keywords"].into_iter().filter(|key| texts(key).iter().any(|it| names_host(it)));
    let mut found: Findings = named
        .map(|key| format!("`{key}` in plugin.json names SiYuan, which the marketplace refuses"))
        .collect();
    if plugin.get("funding").and_then(Value::as_object).is_some_and(Map::is_empty) {
        found.push("`funding` in plugin.json is empty: leave it out".to_owned());
    }
    found
}

/// One version everywhere, that of Cargo.toml, and higher than the one that the marketplace lists.
pub(super) fn versions_agree(package: &Package, wanted: &Expectations) -> Findings {
    let plugin = plugin(package);
    let own = env!("CARGO_PKG_VERSION");
    let mut found = Findings::new();
    let version = text(&plugin, "version");
    match Version::parse(version) {
        Err(_) => found.push(format!("plugin.json names `{version}`, which is no version such as 1.2.3")),
        Ok(_) if version != own => {
            found.push(format!("plugin.json names version {version}, Cargo.toml names {own}"));
        }
        Ok(version) => found.extend(
            wanted
                .listed
                .as_ref()
                .filter(|listed| version <= **listed)
                .map(|listed| format!("version {version} must be higher than the listed {listed}")),
        ),
    }
    if Version::parse(text(&plugin, "minAppVersion")).is_err() {
        found.push("`minAppVersion` in plugin.json is no version such as 3.7.0".to_owned());
    }
    if !package.files.text("index.js").contains(&format!("const VERSION = \"{own}\";")) {
        found.push(format!("index.js does not name version {own}"));
    }
    if Sidecars::of(&package.files).is_ok_and(|sidecars| sidecars.version != own) {
        found.push(format!("sidecar/manifest.json does not name version {own}"));
    }
    found
}

/// Names, descriptions and pages in every language, under the names that older and newer hosts look for.
pub(super) fn languages_are_complete(package: &Package) -> Findings {
    let plugin = plugin(package);
    let mut found = Findings::new();
    for key in ["displayName", "description", "readme"] {
        let texts = plugin.get(key).and_then(Value::as_object).cloned().unwrap_or_default();
        let names = LANGUAGES.iter().flat_map(|&(new, old)| [new, old]).chain(["default"]);
        let lacking: Vec<&str> = names.filter(|name| text(&texts, name).trim().is_empty()).collect();
        if !lacking.is_empty() {
            found.push(format!("`{key}` in plugin.json has no text for {}", lacking.join(", ")));
            continue;
        }
        let unequal = LANGUAGES.iter().filter(|(new, old)| text(&texts, new) != text(&texts, old));
        found.extend(unequal.map(|(new, old)| format!("`{key}` in plugin.json: {new} and {old} differ")));
        if key == "readme" {
            let mut pages: Vec<&str> = texts.values().filter_map(Value::as_str).collect();
            pages.sort_unstable();
            pages.dedup();
            let lost = pages.into_iter().filter(|page| package.files.get(page).is_none());
            found.extend(
                lost.map(|page| format!("`readme` in plugin.json names {page}, which is not in the package")),
            );
        }
    }
    found
}

/// Lists of texts; `all` stands alone, and a misspelt platform would hide the plugin.
pub(super) fn lists_are_lists(package: &Package) -> Findings {
    let plugin = plugin(package);
    let mut found = Findings::new();
    for (key, known) in [
        ("backends", BACKENDS.as_slice()),
        ("frontends", &FRONTENDS),
        ("kernels", &BACKENDS),
        ("keywords", &[]),
    ] {
        let Some(value) = plugin.get(key) else { continue };
        let items: Option<Vec<&str>> =
            value.as_array().and_then(|items| items.iter().map(Value::as_str).collect());
        let Some(items) = items else {
            found.push(format!("`{key}` in plugin.json must be a list of texts"));
            continue;
        };
        if key == "keywords" {
            continue;
        }
        if items.contains(&"all") && items.len() > 1 {
            found.push(format!("`all` stands alone in `{key}` of plugin.json"));
        }
        let unknown = items.iter().filter(|item| !known.contains(item));
        found.extend(
            unknown.map(|item| format!("`{key}` in plugin.json names {item}, which SiYuan does not know")),
        );
    }
    found
}
