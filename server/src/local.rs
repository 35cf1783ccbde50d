//! Local files: inside the transfer folder for agents, anywhere for a person who typed the path.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use puppy_core::kernel::{Boxed, LocalError, LocalFiles};

/// The local files that a process may touch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Local {
    /// Those inside the transfer folder. Links are followed as far as they stay inside.
    #[default]
    TransferFolder,
    /// All, from the current folder on: a person typed the path.
    Anywhere,
}

impl Local {
    /// The folder that a path is opened in, and the path inside it.
    fn open(self, folder: &str, path: &Path) -> Result<(Dir, PathBuf), LocalError> {
        let missing = |missing: LocalError| {
            move |error: io::Error| {
                if error.kind() == io::ErrorKind::NotFound { missing } else { LocalError::Refused }
            }
        };
        match self {
            // A relative folder would depend on where the process was started.
            Local::TransferFolder if !Path::new(folder).is_absolute() => Err(LocalError::NoFolder),
            Local::TransferFolder => {
                let dir = Dir::open_ambient_dir(folder, ambient_authority());
                Ok((dir.map_err(missing(LocalError::NoFolder))?, path.to_owned()))
            }
            Local::Anywhere => {
                // The folder is opened as the person named it, links and all.
                let name = path.file_name().ok_or(LocalError::NoFile)?;
                let parent = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let parent = parent.canonicalize().map_err(missing(LocalError::Missing))?;
                let target = parent.join(name);
                let target = target.canonicalize().unwrap_or(target);
                let (Some(parent), Some(name)) = (target.parent(), target.file_name()) else {
                    return Err(LocalError::NoFile);
                };
                let dir = Dir::open_ambient_dir(parent, ambient_authority());
                Ok((dir.map_err(missing(LocalError::Missing))?, PathBuf::from(name)))
            }
        }
    }

    fn read_now(self, folder: &str, path: &str, most: u64) -> Result<Vec<u8>, LocalError> {
        let (dir, path) = self.open(folder, Path::new(path))?;
        // Opening a pipe would wait for its writer.
        let found = dir.metadata(&path).map_err(|error| why(&error))?;
        if !found.is_file() {
            return Err(LocalError::NoFile);
        }
        let file = dir.open(&path).map_err(|error| why(&error))?;
        let mut bytes = Vec::new();
        // The file may grow while it is read.
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| why(&error))?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if length > most { Err(LocalError::TooLarge(length.max(found.len()))) } else { Ok(bytes) }
    }

    fn create_now(self, folder: &str, path: &str, bytes: &[u8]) -> Result<(), LocalError> {
        let (dir, path) = self.open(folder, Path::new(path))?;
        let new = OpenOptions::new().write(true).create_new(true).clone();
        let mut file = dir.open_with(&path, &new).map_err(|error| why(&error))?;
        let written = file.write_all(bytes).and_then(|()| file.sync_all());
        written.map_err(|error| {
            // Half a file would keep the name.
            let _ = dir.remove_file(&path);
            why(&error)
        })
    }
}

/// The reason without the machine's own words, which contain paths.
fn why(error: &io::Error) -> LocalError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => LocalError::Missing,
        io::ErrorKind::AlreadyExists => LocalError::Exists,
        io::ErrorKind::IsADirectory => LocalError::NoFile,
        // The library refuses a path that leads out with an error of its own, which has no code of the machine.
        io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => LocalError::Outside,
        _ => LocalError::Refused,
    }
}

impl LocalFiles for Local {
    fn is_anywhere(&self) -> bool {
        *self == Local::Anywhere
    }

    fn read<'a>(
        &'a self,
        folder: &'a str,
        path: &'a str,
        most: u64,
    ) -> Boxed<'a, Result<Vec<u8>, LocalError>> {
        let (local, folder, path) = (*self, folder.to_owned(), path.to_owned());
        Box::pin(async move { aside(move || local.read_now(&folder, &path, most)).await })
    }

    fn create<'a>(
        &'a self,
        folder: &'a str,
        path: &'a str,
        bytes: Vec<u8>,
    ) -> Boxed<'a, Result<(), LocalError>> {
        let (local, folder, path) = (*self, folder.to_owned(), path.to_owned());
        Box::pin(async move { aside(move || local.create_now(&folder, &path, &bytes)).await })
    }
}

/// Runs what blocks on a thread of its own.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, LocalError> + Send + 'static,
) -> Result<T, LocalError> {
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(LocalError::Refused))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INSIDE: Local = Local::TransferFolder;

    /// A folder `in` with a file, beside a file that is outside.
    fn folders() -> (tempfile::TempDir, String) {
        let all = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(all.path().join("in/sub")).unwrap();
        std::fs::write(all.path().join("in/plan.txt"), "plan").unwrap();
        std::fs::write(all.path().join("secret.txt"), "secret").unwrap();
        let inside = all.path().join("in").to_str().unwrap().to_owned();
        (all, inside)
    }

    #[test]
    fn a_file_inside_is_read_and_written_once() {
        let (_all, inside) = folders();
        assert_eq!(INSIDE.read_now(&inside, "plan.txt", 4), Ok(b"plan".to_vec()));
        assert_eq!(INSIDE.read_now(&inside, "plan.txt", 3), Err(LocalError::TooLarge(4)));
        assert_eq!(INSIDE.read_now(&inside, "none.txt", 9), Err(LocalError::Missing));
        assert_eq!(INSIDE.read_now(&inside, "sub", 9), Err(LocalError::NoFile));
        assert_eq!(INSIDE.create_now(&inside, "sub/new.txt", b"new"), Ok(()));
        assert_eq!(INSIDE.create_now(&inside, "sub/new.txt", b"other"), Err(LocalError::Exists));
        assert_eq!(INSIDE.read_now(&inside, "sub/new.txt", 9), Ok(b"new".to_vec()));
        for folder in ["", "in", &format!("{inside}/none")] {
            assert_eq!(INSIDE.read_now(folder, "plan.txt", 9), Err(LocalError::NoFolder), "{folder}");
        }
    }

    /// Paths and links that lead out of the transfer folder reach nothing there, and nothing is written outside.
    #[cfg(unix)]
    #[test]
    fn no_path_and_no_link_leads_out() {
        use std::os::unix::fs::symlink;

        let (all, inside) = folders();
        let secret = all.path().join("secret.txt");
        symlink(&secret, format!("{inside}/file")).unwrap();
        symlink("../secret.txt", format!("{inside}/near")).unwrap();
        symlink(all.path(), format!("{inside}/folder")).unwrap();
        symlink("..", format!("{inside}/up")).unwrap();
        symlink("loop", format!("{inside}/loop")).unwrap();
        symlink(all.path().join("made.txt"), format!("{inside}/dangling")).unwrap();
        symlink("plan.txt", format!("{inside}/own")).unwrap();
        let absolute = secret.to_str().unwrap();
        for path in [
            absolute,
            "../secret.txt",
            "sub/../../secret.txt",
            "file",
            "near",
            "folder/secret.txt",
            "up/secret.txt",
            "loop",
            "/",
        ] {
            let read = INSIDE.read_now(&inside, path, 99);
            assert!(read.is_err(), "{path}: {read:?}");
            let made = INSIDE.create_now(&inside, path, b"x");
            assert!(made.is_err(), "{path}: {made:?}");
        }
        for path in ["../made.txt", "dangling", "folder/made.txt", "up/made.txt"] {
            assert!(INSIDE.create_now(&inside, path, b"x").is_err(), "{path}");
        }
        assert!(!all.path().join("made.txt").exists());
        assert_eq!(std::fs::read(&secret).unwrap(), b"secret");
        assert_eq!(INSIDE.read_now(&inside, "near", 99), Err(LocalError::Outside));
        // A link that stays inside is followed.
        assert_eq!(INSIDE.read_now(&inside, "own", 9), Ok(b"plan".to_vec()));
    }

    /// A person may name any path; what exists is kept all the same.
    #[test]
    fn a_person_may_name_any_path() {
        let (all, _inside) = folders();
        let secret = all.path().join("secret.txt").to_str().unwrap().to_owned();
        assert_eq!(Local::Anywhere.read_now("", &secret, 9), Ok(b"secret".to_vec()));
        assert_eq!(Local::Anywhere.create_now("", &secret, b"x"), Err(LocalError::Exists));
        let new = all.path().join("in/../new.txt").to_str().unwrap().to_owned();
        assert_eq!(Local::Anywhere.create_now("", &new, b"x"), Ok(()));
        assert_eq!(std::fs::read(all.path().join("new.txt")).unwrap(), b"x");
    }
}
