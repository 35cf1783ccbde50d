//! `siyuan-puppy man DIR`: a manual page for the program, each tool and each action (B-102).

use std::path::Path;

use super::build;
use crate::words::{self, AnswerWords, ErrorWords, Language};

/// Writes the pages, over those of an older version.
///
/// # Errors
/// Returns a sentence for the user if a page cannot be written.
pub(super) fn write(folder: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| ErrorWords::here().no_folder(folder.display(), error);
    std::fs::create_dir_all(folder).map_err(failed)?;
    // They are typeset word by word, which Chinese is not.
    let language = words::language();
    words::choose(Language::English);
    let pages = build::command();
    words::choose(language);
    clap_mangen::generate_to(pages, folder).map_err(failed)?;
    Ok(AnswerWords::here().wrote_manual(folder.display()) + "\n")
}

#[cfg(test)]
mod tests {
    use super::super::names;
    use super::*;

    /// B-102: there is a page for each action, made of its declaration.
    #[test]
    fn each_action_has_a_page() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path()).unwrap();
        for spec in puppy_core::registry::ACTIONS {
            let name = format!("siyuan-puppy-{}-{}.1", spec.tool.name(), names::hyphens(spec.name));
            let page =
                std::fs::read_to_string(folder.path().join(&name)).unwrap_or_else(|_| panic!("{name}"));
            let first = spec.params().next().map(|it| names::flag(&it)).unwrap_or_default();
            assert!(page.replace("\\-", "-").contains(&first), "{name} lacks {first}");
        }
        assert!(folder.path().join("siyuan-puppy.1").exists());
        assert!(write(&folder.path().join("siyuan-puppy.1")).unwrap_err().starts_with("cannot write"));
    }
}
