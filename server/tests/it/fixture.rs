//! The fixture's workspace. Making it takes half a second, so it is made once for each version of SiYuan.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use demo_kernel::{Content, Demo, Moment, Siyuan};
use tempfile::TempDir;

/// Files by their paths in a workspace.
type Files = Vec<(PathBuf, Vec<u8>)>;

/// Lays the fixture's workspace into a folder.
pub(crate) fn lay(siyuan: Siyuan, workspace: &Path) {
    static OLDER: OnceLock<Files> = OnceLock::new();
    static NEWER: OnceLock<Files> = OnceLock::new();
    let made = match siyuan {
        Siyuan::V3_7 => &OLDER,
        Siyuan::V3_8 => &NEWER,
    };
    for (path, content) in made.get_or_init(|| make(siyuan)) {
        let path = workspace.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
}

fn make(siyuan: Siyuan) -> Files {
    let folder = TempDir::new().unwrap();
    let fixture = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../demo-kernel/fixture"));
    let now = Moment { ms: UNIX_EPOCH.elapsed().unwrap().as_millis() as i64, seed: 1 };
    let kernel = Demo::open_as(siyuan, folder.path(), Content::Fixture(fixture), now).unwrap();
    // The databases are whole only when nobody has them open.
    drop(kernel);
    let mut files = Files::new();
    let mut folders = vec![folder.path().to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let content = std::fs::read(&path).unwrap();
                files.push((path.strip_prefix(folder.path()).unwrap().to_owned(), content));
            }
        }
    }
    files
}
