//! Rules for the files of a package: which there are, how they are called, how large they are, and their times.

use super::{Expectations, Findings};
use crate::archive::Package;
use crate::sidecars;
use std::collections::BTreeSet;

/// The files of every package.
pub(super) const FILES: [&str; 48] = [
    "LICENSE",
    "README.md",
    "README.zh-CN.md",
    "THIRD-PARTY-LICENSES.txt",
    "actions.js",
    "actions_bg.wasm",
    "agents.css",
    "agents.js",
    "agents_bg.wasm",
    "desktop/assistant.js",
    "desktop/fetch.js",
    "desktop/keeper.js",
    "desktop/options.js",
    "desktop/place.js",
    "desktop/program.js",
    "desktop/record.js",
    "i18n/en.json",
    "i18n/en_US.json",
    "i18n/zh-CN.json",
    "i18n/zh_CN.json",
    "icon.png",
    "index.css",
    "index.js",
    "page/ai.js",
    "page/channel.js",
    "page/confirm.js",
    "page/hand.js",
    "page/late.js",
    "page/menu.js",
    "page/native.js",
    "page/own.js",
    "page/program.js",
    "page/removal.js",
    "page/screen.js",
    "page/top.js",
    "page/tree.js",
    "page/walk.js",
    "panel.css",
    "panel.js",
    "panel.zh.txt",
    "panel_bg.wasm",
    "playground.css",
    "playground.js",
    "playground_bg.wasm",
    "plugin.json",
    "preview.png",
    "puppy.js",
    "puppy_bg.wasm",
];
/// Bytes of a package with programs for five platforms, and of one without: design and B-320.
const LARGEST: u64 = 25_000_000;
const LARGEST_LIGHT: u64 = 4_000_000;
/// Files that the kernel installs.
const MOST: usize = 10_000;
/// Names that Windows keeps for devices, whatever follows their first dot.
const DEVICES: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];
/// Characters that Windows refuses in names.
const REFUSED: &str = "<>:\"|?*";

/// A file that is not listed here is one that nobody meant to ship.
pub(super) fn files_are_there_and_no_others(package: &Package) -> Findings {
    let present: BTreeSet<&str> = package.files.names().collect();
    let missing = FILES.iter().filter(|name| !present.contains(*name));
    let mut found: Findings = missing.map(|name| format!("{name} is missing")).collect();
    let packed = |name: &str| {
        let leaf = name.strip_prefix(sidecars::FOLDER).unwrap_or_default();
        name == sidecars::MANIFEST || leaf.ends_with(sidecars::PACKED)
    };
    let known = |name: &str| FILES.contains(&name) || packed(name);
    found.extend(
        present
            .into_iter()
            // A file with a name that no system takes has a finding for that.
            .filter(|name| !known(name) && unfit(name).is_none())
            .map(|name| format!("{name} does not belong into the package")),
    );
    found
}

/// Windows, macOS, Linux and the zip format agree on fewer names than any of them takes.
pub(super) fn names_work_on_every_system(package: &Package) -> Findings {
    let mut found = Findings::new();
    let mut seen = BTreeSet::new();
    for name in package.files.names() {
        if let Some(why) = unfit(name) {
            found.push(format!("{name:?}: {why}"));
        } else if !seen.insert(name.to_lowercase()) {
            found.push(format!("{name:?}: two names differ only in case"));
        }
    }
    found
}

/// Why a name does not work everywhere.
fn unfit(name: &str) -> Option<&'static str> {
    if name.contains('\\') {
        return Some("parts of names are separated by `/`");
    }
    name.split('/').find_map(unfit_part)
}

fn unfit_part(part: &str) -> Option<&'static str> {
    let stem = part.split('.').next().unwrap_or_default().to_uppercase();
    let numbered = |device: &str| {
        let number = stem.strip_prefix(device).unwrap_or_default();
        number.len() == 1 && number.chars().all(|c| ('1'..='9').contains(&c))
    };
    if ["", ".", ".."].contains(&part) {
        Some("it leads out of the package or into itself")
    } else if part.starts_with('.') {
        Some("hidden files are not packed")
    } else if part.starts_with(' ') || part.ends_with(' ') {
        Some("Windows takes no space at the start or the end")
    } else if part.ends_with('.') {
        Some("Windows takes no dot at the end")
    } else if part.ends_with(".tmp") {
        Some("temporary files are not packed")
    } else if DEVICES.contains(&stem.as_str()) || NUMBERED_DEVICES.iter().any(|it| numbered(it)) {
        Some("Windows keeps this name for a device")
    } else if !part.chars().all(|c| (' '..='~').contains(&c) && !REFUSED.contains(c)) {
        Some("it has a character that some system refuses")
    } else {
        None
    }
}

/// Our limits for the whole lie below the kernel's of 128 MiB: each device of a person gets every byte.
pub(super) fn sizes_are_within_limits(package: &Package, wanted: &Expectations) -> Findings {
    let mut found = Findings::new();
    let largest = if wanted.light { LARGEST_LIGHT } else { LARGEST };
    if package.size > largest {
        found.push(format!("the package has {} bytes, at most {largest} are allowed", package.size));
    }
    if package.files.len() > MOST {
        found.push(format!(
            "the package has {} files, SiYuan installs at most {MOST} files",
            package.files.len()
        ));
    }
    found
}

/// See [`crate::archive::write`].
pub(super) fn times_are_those_of_the_release(package: &Package) -> Findings {
    match package.moments.as_slice() {
        [Some(moment)] if moment.year() >= 2025 => Findings::new(),
        [_] => {
            vec!["the files do not carry the time of the release, so sync would not see an update".to_owned()]
        }
        _ => vec!["the files carry more than one time".to_owned()],
    }
}
