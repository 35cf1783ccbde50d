//! Two of these programs that change a settings file take turns.

use std::fs::{self, File, TryLockError};
use std::time::{Duration, Instant};

use crate::folders;
use crate::words::FileWords;

/// The longest wait for another one of these programs; a change takes a moment.
const PATIENCE: Duration = Duration::from_secs(5);
/// The interval at which it is looked for.
const EVERY: Duration = Duration::from_millis(20);

/// Waits until no other of these programs changes such a file, and holds the others back while the result lives. Without
/// a folder for the lock there is no waiting.
///
/// # Errors
/// Returns a sentence for the user if another one does not end.
pub(crate) fn turn() -> Result<Option<File>, String> {
    let file = folders::data().and_then(|folder| {
        fs::create_dir_all(&folder).ok()?;
        File::create(folder.join("config.lock")).ok()
    });
    let Some(file) = file else { return Ok(None) };
    let end = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            // Some file systems know no locks.
            Err(TryLockError::Error(_)) => return Ok(None),
            Err(TryLockError::WouldBlock) if Instant::now() < end => std::thread::sleep(EVERY),
            Err(TryLockError::WouldBlock) => {
                return Err(FileWords::here().not_in_turn().to_owned());
            }
        }
    }
}
