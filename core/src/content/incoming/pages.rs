//! Links to pages among the assets: a click on one would run it in SiYuan's window.

use std::collections::BTreeSet;

use super::active::decodings;
use crate::content::web_page::is_page;

/// The paths of pages that a folded text links to.
#[derive(Debug, Clone, Default)]
pub(super) struct Pages(BTreeSet<String>);

impl Pages {
    /// Collects them from a text whose code is blanked out. Uploads leave only these letters in the names of files.
    pub(super) fn of(folded: &str) -> Pages {
        // Browsers skip these inside an address, and take one slash for the other.
        let address: String = folded.chars().filter(|it| !matches!(it, '\t' | '\n' | '\r' | '\0')).collect();
        let is_kept = |it: char| it.is_alphanumeric() || "-_.,+@/".contains(it);
        let mut found = BTreeSet::new();
        for text in decodings(address.replace('\\', "/")) {
            for part in text.split("assets/").skip(1) {
                let path = part.split(|it| !is_kept(it)).next().unwrap_or_default();
                // SiYuan drops a slash at the end of a path before it looks for the file.
                if path.split('/').any(is_page) {
                    found.insert(path.to_owned());
                }
            }
        }
        Pages(found)
    }

    /// Whether there is a page here that is not there.
    pub(super) fn is_beyond(&self, before: &Pages) -> bool {
        !self.0.is_subset(&before.0)
    }
}
