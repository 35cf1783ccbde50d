//! Rules for the sidecars: each is what the manifest says, and runs where the manifest says.

use super::{Expectations, Findings};
use crate::archive::Package;
use crate::program::{self, PLATFORMS};
use crate::sidecars::{self, Sidecars};
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
        let program = match sidecar.program(&package.files) {
            Ok(program) => program,
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
    let named: BTreeSet<String> =
        sidecars.platforms.values().map(|it| format!("{}{}", sidecars::FOLDER, it.file)).collect();
    let packed =
        package.files.names().filter(|name| name.starts_with(sidecars::FOLDER) && name.ends_with(".br"));
    found.extend(
        packed.filter(|name| !named.contains(*name)).map(|name| format!("{name} is not in the manifest")),
    );
    if wanted.platforms.is_empty() {
        return found;
    }
    let missing = wanted.platforms.iter().filter(|it| !sidecars.platforms.contains_key(*it));
    found.extend(missing.map(|it| format!("there is no sidecar for {it}")));
    let more = sidecars.platforms.keys().filter(|it| !wanted.platforms.contains(it));
    found.extend(more.map(|it| format!("a sidecar for {it} was not asked for")));
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
