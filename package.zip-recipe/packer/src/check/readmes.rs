//! Rules for the READMEs, which the marketplace and SiYuan show.

use super::Findings;
use crate::archive::Package;
use crate::links;

/// A picture or page that is not in the package would be missing where a person looks for it first.
pub(super) fn links_lead_somewhere(package: &Package) -> Findings {
    let of = |name: &'static str| {
        let stranded = links::stranded(&package.files, name);
        stranded
            .into_iter()
            .map(move |target| format!("{name} links to {target}, which is not in the package"))
    };
    links::READMES.into_iter().flat_map(of).collect()
}
