//! Rules for script, styles and modules: what the host can run, and that it loads nothing from elsewhere.

use super::Findings;
use super::host::STYLES;
use crate::archive::Package;

/// The scripts that people wrote, by name: not those that belong to modules of wasm.
pub(super) fn scripts(package: &Package) -> impl Iterator<Item = (&str, &str)> {
    let is_ours = |name: &str| {
        let is_part = ["desktop/", "page/"].iter().any(|folder| name.starts_with(folder));
        name == "index.js" || (is_part && name.ends_with(".js"))
    };
    let names = package.files.names().filter(move |name| is_ours(name));
    names.map(|name| (name, package.files.text(name)))
}

/// The host runs index.js as the body of a function: there is no module, and the class must be one of the host's.
pub(super) fn script_is_one_that_the_host_runs(package: &Package) -> Findings {
    let Some(bytes) = package.files.get("index.js") else { return Findings::new() };
    let Ok(script) = std::str::from_utf8(bytes) else { return vec!["index.js is not UTF-8".to_owned()] };
    let mut found = Findings::new();
    let starts = |word: &str| script.lines().any(|line| line.starts_with(word));
    if starts("import ") || starts("import{") {
        found.push("index.js has an `import`, which only modules may have".to_owned());
    }
    if starts("export ") {
        found.push("index.js has an `export`, which only modules may have".to_owned());
    }
    if script.contains("import.meta") {
        found.push("index.js has `import.meta`, which only modules may have".to_owned());
    }
    if !script.contains("module.exports = class") {
        found.push("index.js sets no class as module.exports".to_owned());
    } else if !script.contains("extends siyuan.Plugin") {
        found.push("the class in index.js does not extend SiYuan's Plugin".to_owned());
    }
    found
}

/// Styles stand in a `<style>` element of SiYuan's page, so relative addresses lead nowhere.
pub(super) fn styles_load_nothing(package: &Package) -> Findings {
    STYLES.into_iter().flat_map(|name| loaded_by(package, name)).collect()
}

fn loaded_by(package: &Package, name: &str) -> Findings {
    let styles = package.files.text(name);
    let mut found = Findings::new();
    for (at, mark) in styles.match_indices("url(") {
        let address = styles[at + mark.len()..].trim_start_matches(['"', '\'', ' ']);
        if !address.starts_with("data:") && !address.starts_with('#') {
            let end = address.find([')', '"', '\'']).unwrap_or(address.len());
            found.push(format!("{name} loads {}", &address[..end]));
        }
    }
    if styles.contains("@import") {
        found.push(format!("{name} has an @import"));
    }
    found
}

/// The page's modules, with the scripts that load them.
pub(super) fn modules_are_wasm(package: &Package) -> Findings {
    let mut found = Findings::new();
    for (name, bytes) in package.files.iter() {
        if name.ends_with(".wasm") && !bytes.starts_with(b"\0asm\x01\0\0\0") {
            found.push(format!("{name} is no wasm module"));
        }
        if name.ends_with(".js") && bytes.is_empty() {
            found.push(format!("{name} is empty"));
        }
    }
    found
}
