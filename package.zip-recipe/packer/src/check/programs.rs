//! Rules for the sidecars: each is what the manifest says, runs where the manifest says, and is in the package or comes
//! from the release.

use super::{Expectations, Findings};
use crate::archive::Package;
use crate::program::{self, PLATFORMS};
use crate::sidecars::{self, Download, Sidecar, Sidecars};
use anyhow::{Context as _, Result, bail};
use std::collections::BTreeSet;

/// B-320: the wanted platforms and no others, each whole, small enough and for its platform.
pub(super) fn sidecars_are_those_of_the_manifest(package: &Package, wanted: &Expectations) -> Findings {
    let sidecars = match Sidecars::of(&package.files) {
        Ok(sidecars) => sidecars,
        Err(error) => return vec![format!("{error:#}")],
    };
    let mut found = Findings::new();
    for (platform, sidecar) in &sidecars.platforms {
        if !PLATFORMS.contains(&platform.as_str()) {
            found.push(format!("the manifest names the platform {platform}, which is none of ours"));
            continue;
        }
        let program = match source(package, wanted, &sidecars.version, sidecar, &mut found) {
            Ok(Some(program)) => program,
            Ok(None) => continue,
            Err(error) => {
                found.push(format!("{platform}: {error:#}"));
                continue;
            }
        };
        match program::platform(&program) {
            Some(other) if other == platform => found.extend(strange_libraries(platform, &program)),
            other => {
                found.push(format!(
                    "the sidecar for {platform} is a program for {}",
                    other.unwrap_or("nothing of ours")
                ));
            }
        }
    }
    let inside = sidecars.platforms.values().filter(|it| it.download.is_none());
    let named: BTreeSet<String> = inside.map(|it| format!("{}{}", sidecars::FOLDER, it.file)).collect();
    let is_packed = |name: &&str| name.starts_with(sidecars::FOLDER) && name.ends_with(sidecars::PACKED);
    let stray = package.files.names().filter(is_packed).filter(|name| !named.contains(*name));
    let why = if wanted.light { "belongs into the release only" } else { "is not in the manifest" };
    found.extend(stray.map(|name| format!("{name} {why}")));
    if wanted.platforms.is_empty() {
        return found;
    }
    let missing = wanted.platforms.iter().filter(|it| !sidecars.platforms.contains_key(*it));
    found.extend(missing.map(|it| format!("there is no sidecar for {it}")));
    let more = sidecars.platforms.keys().filter(|it| !wanted.platforms.contains(it));
    found.extend(more.map(|it| format!("a sidecar for {it} was not asked for")));
    found
}

/// The program of a sidecar: in the package, or among the files of the release; `None` where those are not at hand.
fn source(
    package: &Package,
    wanted: &Expectations,
    version: &str,
    sidecar: &Sidecar,
    found: &mut Findings,
) -> Result<Option<Vec<u8>>> {
    let file = &sidecar.file;
    let Some(download) = &sidecar.download else {
        if wanted.light {
            found.push(format!("the manifest names no download of {file}"));
            return Ok(None);
        }
        return sidecar.program(&package.files).map(Some);
    };
    if !wanted.light {
        found.push(format!("the manifest names a download of {file}, which belongs into the package"));
    }
    found.extend(strange_download(version, file, download));
    let Some(downloads) = &wanted.downloads else { return Ok(None) };
    let packed = downloads.get(file).with_context(|| format!("{file} is not in the release"))?;
    if packed.len() as u64 != download.size || sidecars::sha256(packed) != download.sha256 {
        bail!("{file} of the release is not the file that the manifest names");
    }
    sidecar.unpacked(packed).map(Some)
}

/// Findings about a download that the page would refuse, or that leads elsewhere.
fn strange_download(version: &str, file: &str, download: &Download) -> Findings {
    let mut found = Findings::new();
    let url = sidecars::address(version, file);
    if download.url != url {
        found.push(format!("{file} is downloaded from {}, not from {url}", download.url));
    }
    let is_hash = download.sha256.len() == 64
        && download.sha256.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c));
    if !is_hash || download.size == 0 {
        found.push(format!("the manifest names no hash or no size of the download of {file}"));
    }
    found
}

/// Findings about libraries that a sidecar for a Mac loads and that not every Mac has.
fn strange_libraries(platform: &str, program: &[u8]) -> Findings {
    if !platform.starts_with("darwin-") {
        return Findings::new();
    }
    let Some(libraries) = program::mac_libraries(program) else {
        return vec![format!("the sidecar for {platform} has a torn list of libraries")];
    };
    let strange = libraries.iter().filter(|it| !program::MAC_LIBRARIES.contains(&it.as_str()));
    strange
        .map(|it| format!("the sidecar for {platform} loads {it}, which we do not know of every Mac"))
        .collect()
}

#[cfg(test)]
#[path = "programs_tests.rs"]
mod tests;
