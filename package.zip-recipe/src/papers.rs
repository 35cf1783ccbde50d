//! The papers of a release: the licences of everything that is compiled in, and the list of components (B-325).

mod components;
mod licences;

use crate::house::House;
use crate::platform::Platform;
use anyhow::{Context as _, Result};
use components::Components;
use std::path::PathBuf;

/// The name in the package.
pub(crate) const LICENCES: &str = "THIRD-PARTY-LICENSES.txt";
/// The list of components, as CycloneDX.
pub(crate) const COMPONENTS: &str = "siyuan-mcp-puppy.cdx.json";
/// The certificates in the image for containers: data, which carries a licence like code.
const ROOTS: &str = "webpki-root-certs";
/// The packages of the page's modules.
const PROGRAMS: [&str; 5] =
    ["puppy-ui-puppy", "puppy-ui-panel", "puppy-ui-playground", "puppy-ui-agents", "puppy-ui-actions"];
/// The target of the page's modules.
const PAGE: &str = "wasm32-unknown-unknown";

/// The files that were written.
pub(crate) struct Papers {
    pub(crate) licences: PathBuf,
    pub(crate) components: PathBuf,
}

/// Writes both for what is compiled in on some platforms and in the page, and for the image for containers.
pub(crate) fn write(house: &House, platforms: &[Platform]) -> Result<Papers> {
    let mut components = Components::default();
    for platform in platforms {
        components.add(house, "puppy-server", platform.target)?;
    }
    for name in PROGRAMS.into_iter().chain([ROOTS]) {
        components.add(house, name, PAGE)?;
    }
    let folder = house.build("papers");
    std::fs::create_dir_all(&folder).context("cannot create a folder below build/")?;
    let papers = Papers { licences: folder.join(LICENCES), components: folder.join(COMPONENTS) };
    let texts = licences::texts(&components)?;
    std::fs::write(&papers.licences, texts).context("the licences cannot be written")?;
    let mut list = serde_json::to_string_pretty(&components.cyclonedx())?;
    list.push('\n');
    std::fs::write(&papers.components, list).context("the list of components cannot be written")?;
    Ok(papers)
}
