//! Rules for the READMEs, which the marketplace and SiYuan show.

use super::Findings;
use crate::archive::Package;
use crate::links;

/// The picture that the marketplace already shows above the README.
const PREVIEW: &str = "preview.png";

/// The marketplace and SiYuan show READMEs at other addresses, where relative links are broken.
pub(super) fn links_are_absolute(package: &Package) -> Findings {
    let of = |name: &'static str| {
        let relative = links::relative(&package.files, name);
        relative.into_iter().map(move |target| format!("{name} links to {target}, which is no whole address"))
    };
    links::READMES.into_iter().flat_map(of).collect()
}

/// A README that contains the preview would show it twice.
pub(super) fn preview_is_not_repeated(package: &Package) -> Findings {
    let repeats = |name: &&&str| package.files.text(name).contains(PREVIEW);
    links::READMES.iter().filter(repeats).map(|name| format!("{name} shows {PREVIEW} once more")).collect()
}
