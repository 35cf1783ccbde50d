//! Files of the machine that the sidecar runs on. Core does not touch them; the program that embeds it does.

use super::{Boxed, Shared};

/// The reason why a local file was not read or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LocalError {
    /// The transfer folder does not exist.
    NoFolder,
    /// There is no such file or folder.
    Missing,
    /// The path leads out of the transfer folder.
    Outside,
    /// It is a folder, a pipe or a device.
    NoFile,
    /// There is a file of that name.
    Exists,
    /// It is larger than allowed; its bytes.
    TooLarge(u64),
    /// The machine refused.
    Refused,
}

/// The files of a machine.
pub trait LocalFiles: Shared {
    /// Whether every path may be named, because a person typed it; otherwise only those inside the transfer folder.
    fn is_anywhere(&self) -> bool;

    /// Reads a file of at most `most` bytes. A path is taken from `folder`, and links may not lead out of it.
    fn read<'a>(
        &'a self,
        folder: &'a str,
        path: &'a str,
        most: u64,
    ) -> Boxed<'a, Result<Vec<u8>, LocalError>>;

    /// Writes a new file; one that exists is kept.
    fn create<'a>(
        &'a self,
        folder: &'a str,
        path: &'a str,
        bytes: Vec<u8>,
    ) -> Boxed<'a, Result<(), LocalError>>;
}
