//! Files that a process was still writing when it ended.

use std::fs;
use std::path::Path;
use std::time::Duration;

/// The age from which an unfinished file counts as abandoned.
const LEFT: Duration = Duration::from_secs(60 * 60);

/// Removes abandoned files of a folder whose names start like this.
pub(crate) fn clear(folder: &Path, prefix: &str) {
    let Ok(all) = fs::read_dir(folder) else { return };
    for file in all.flatten().filter(|it| it.file_name().to_string_lossy().starts_with(prefix)) {
        let age = file.metadata().and_then(|it| it.modified()).ok().and_then(|it| it.elapsed().ok());
        if age.is_some_and(|it| it > LEFT) {
            let _ = fs::remove_file(file.path());
        }
    }
}
