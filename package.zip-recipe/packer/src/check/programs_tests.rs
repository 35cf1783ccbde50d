//! Tests of the light package: broken ones are found, and what it lets the page download is what the release has.

use super::*;
use crate::check::check;
use crate::sidecars::lighten;
use crate::{archive, plugin::Files, sample};

/// The light package of the sample and its downloads, both after a change.
fn found(change: impl FnOnce(&mut Package, &mut Files)) -> String {
    let mut package = sample::package();
    let mut downloads = lighten(&mut package.files).unwrap();
    change(&mut package, &mut downloads);
    let downloads = Some(downloads);
    check(&package, &Expectations { light: true, downloads, ..Expectations::default() }).join("\n")
}

/// As [`found`], after a text of the manifest was replaced.
fn replaced(old: &str, new: &str) -> String {
    found(|package, _| {
        let text = package.files.text(sidecars::MANIFEST);
        assert!(text.contains(old), "{old} is not in {text}");
        let text = text.replace(old, new);
        package.files.put(sidecars::MANIFEST, text.into_bytes());
    })
}

/// A broken package has one finding, with these words.
#[track_caller]
fn says(found: &str, words: &str) {
    assert!(found.contains(words), "expected `{words}`, found:\n{found}");
    assert_eq!(found.lines().count(), 1, "{found}");
}

const FILE: &str = "siyuan-puppy-linux-x64.br";

#[test]
fn a_light_package_and_its_downloads_are_good() {
    assert_eq!(found(|_, _| {}), "");
    let mut package = sample::package();
    lighten(&mut package.files).unwrap();
    let alone = Expectations { light: true, ..Expectations::default() };
    assert_eq!(check(&package, &alone), Findings::new(), "without the files of the release");
}

#[test]
fn programs_in_a_light_package_are_found() {
    let path = format!("{}{FILE}", sidecars::FOLDER);
    let inside = found(|package, downloads| {
        package.files.put(&path, downloads.get(FILE).unwrap().to_vec());
    });
    says(&inside, "belongs into the release only");
    let full = Expectations { light: true, ..Expectations::default() };
    let full = check(&sample::package(), &full).join("\n");
    assert!(full.contains("names no download of siyuan-puppy-linux-x64.br"), "{full}");
}

/// Each kind of package is checked as itself only.
#[test]
fn a_light_package_is_no_full_one() {
    let mut package = sample::package();
    lighten(&mut package.files).unwrap();
    let found = check(&package, &Expectations::default()).join("\n");
    says(&found, "which belongs into the package");
}

#[test]
fn a_light_package_that_is_too_large_is_found() {
    assert_eq!(found(|package, _| package.size = 4_000_000), "");
    says(&found(|package, _| package.size = 4_000_001), "at most 4000000");
}

#[test]
fn platforms_without_a_download_are_found() {
    let mut package = sample::package();
    lighten(&mut package.files).unwrap();
    let platforms = ["linux-x64", "win32-x64"].map(str::to_owned).to_vec();
    let wanted = Expectations { light: true, platforms, ..Expectations::default() };
    says(&check(&package, &wanted).join("\n"), "no sidecar for win32-x64");
}

#[test]
fn addresses_elsewhere_are_found() {
    let here = env!("CARGO_PKG_REPOSITORY");
    let address = sidecars::address(env!("CARGO_PKG_VERSION"), FILE);
    for other in [
        address.replace("https://", "http://"),
        address.replace(here, "https://example.org/puppy"),
        address.replace("linux-x64", "linux-arm64"),
        address.replace("/v", "/w"),
    ] {
        assert_ne!(address, other);
        says(&replaced(&address, &other), "is downloaded from");
    }
}

#[test]
fn downloads_that_are_not_those_of_the_release_are_found() {
    says(&found(|_, downloads| drop(downloads.take(FILE))), "is not in the release");
    says(
        &found(|_, downloads| downloads.put(FILE, b"other".to_vec())),
        "is not the file that the manifest names",
    );
    let program = sidecars::sha256(&sample::program("linux-x64"));
    says(&replaced(&program, &sidecars::sha256(b"other")), "is not the program that the manifest names");
    // A packed program for another machine, with the hashes that the manifest names.
    let foreign = found(|package, downloads| {
        let mut other = sample::package();
        let text = other.files.text(sidecars::MANIFEST).replace("linux-x64\"", "linux-arm64\"");
        other.files.put(sidecars::MANIFEST, text.into_bytes());
        *downloads = lighten(&mut other.files).unwrap();
        package.files = other.files;
    });
    says(&foreign, "the sidecar for linux-arm64 is a program for linux-x64");
}

#[test]
fn a_download_without_hash_or_size_is_found() {
    for (key, value) in [("sha256", serde_json::json!("")), ("size", serde_json::json!(0))] {
        let mut package = sample::package();
        lighten(&mut package.files).unwrap();
        let mut manifest = package.files.json(sidecars::MANIFEST);
        manifest["platforms"]["linux-x64"]["download"][key] = value;
        package.files.put(sidecars::MANIFEST, manifest.to_string().into_bytes());
        let wanted = Expectations { light: true, ..Expectations::default() };
        says(&check(&package, &wanted).join("\n"), "no hash or no size");
    }
}

/// The archive of the light package has the files of the full one but its programs.
#[test]
fn only_the_programs_are_left_out() {
    let full = sample::package();
    let mut light = full.files.clone();
    lighten(&mut light).unwrap();
    let packed = archive::read(&archive::write(&light, 1_790_000_000, &[]).unwrap()).unwrap();
    let left: Vec<&str> = full.files.names().filter(|name| packed.files.get(name).is_none()).collect();
    assert_eq!(left, [format!("{}{FILE}", sidecars::FOLDER)]);
    let mut same = packed.files.iter().filter(|(name, _)| *name != sidecars::MANIFEST);
    assert!(same.all(|(name, bytes)| full.files.get(name) == Some(bytes)));
}
