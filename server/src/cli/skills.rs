//! `siyuan-puppy skills export DIR`: the skills as folders (B-018).

use std::fs;
use std::path::Path;

use puppy_core::skills::Skill;

use crate::words::ErrorWords;

/// Writes each skill into a folder of its own, over an older version of it. Other files stay.
///
/// # Errors
/// Returns a sentence for the user if a file cannot be written.
pub(super) fn export(folder: &Path) -> Result<String, String> {
    let mut paths = String::new();
    for skill in Skill::ALL {
        let own = folder.join(skill.name());
        let file = own.join(Skill::FILE);
        let written = fs::create_dir_all(&own).and_then(|()| fs::write(&file, skill.text()));
        written.map_err(|error| ErrorWords::here().no_write(file.display(), error))?;
        paths.push_str(&format!("{}\n", file.display()));
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-018: each skill is a folder of its name with the file that is served; a second export replaces the first.
    #[test]
    fn export_writes_a_folder_for_each_skill() {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("weekly-review");
        fs::create_dir_all(&kept).unwrap();
        fs::write(kept.join("mine.md"), "mine").unwrap();
        for _ in 0..2 {
            assert_eq!(export(folder.path()).unwrap().lines().count(), Skill::ALL.len());
        }
        for skill in Skill::ALL {
            let text = fs::read_to_string(folder.path().join(skill.name()).join("SKILL.md")).unwrap();
            assert_eq!(text, skill.text());
        }
        assert!(kept.join("mine.md").exists());
        let file = kept.join("mine.md");
        assert!(export(&file).unwrap_err().starts_with("cannot write"));
    }
}
