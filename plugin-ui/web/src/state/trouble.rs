//! The reasons that the panel cannot show or save something, as a person needs to know them.

use puppy_core::kernel::KernelError;
use puppy_core::permission::Closed;

/// The reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorageTrouble {
    /// SiYuan does not answer; asking again may help.
    Silent,
    /// SiYuan does not let this page do it.
    Refused,
    /// SiYuan answered that it could not.
    Failed,
    /// A file of ours is malformed: nothing is allowed until it is repaired (B-053).
    Broken,
}

/// The progress of reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Load {
    /// It runs.
    Loading,
    /// All is there.
    Ready,
    /// It failed.
    Trouble(StorageTrouble),
}

impl From<KernelError> for StorageTrouble {
    fn from(error: KernelError) -> StorageTrouble {
        match error {
            KernelError::Refused | KernelError::TimedOut | KernelError::Broken(_) => StorageTrouble::Silent,
            KernelError::Untrusted(_) | KernelError::Unauthorized | KernelError::Forbidden => {
                StorageTrouble::Refused
            }
            KernelError::TooMany(_)
            | KernelError::Status(_)
            | KernelError::Code(..)
            | KernelError::Indexing
            | KernelError::NoData(_)
            | KernelError::TooLong(_)
            | KernelError::Malformed(_) => StorageTrouble::Failed,
        }
    }
}

impl From<Closed> for StorageTrouble {
    fn from(closed: Closed) -> StorageTrouble {
        match closed {
            Closed::Kernel(error) => error.into(),
            Closed::Malformed(_) => StorageTrouble::Broken,
        }
    }
}

/// The content of a file: the default where it is missing, trouble where it is broken (B-233, B-053).
pub fn content<T: Default>(
    bytes: Option<Vec<u8>>,
    parse: impl FnOnce(&[u8]) -> Option<T>,
) -> Result<T, StorageTrouble> {
    bytes.map_or_else(|| Ok(T::default()), |bytes| parse(&bytes).ok_or(StorageTrouble::Broken))
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppy_core::kernel::Nature;
    use puppy_core::permission::LevelTable;

    /// B-053, B-233.
    #[test]
    fn missing_file_gives_defaults_and_broken_file_is_an_error() {
        assert_eq!(content(None, LevelTable::parse), Ok(LevelTable::default()));
        assert_eq!(content(Some(b"{}".to_vec()), LevelTable::parse), Ok(LevelTable::default()));
        for garbage in ["", "[]", "{\"a\":", r#"{"code":404,"msg":"x","data":null}"#] {
            assert_eq!(
                content(Some(garbage.into()), LevelTable::parse),
                Err(StorageTrouble::Broken),
                "{garbage}"
            );
        }
    }

    #[test]
    fn silence_refusal_and_failure_are_distinguished() {
        assert_eq!(StorageTrouble::from(KernelError::TimedOut), StorageTrouble::Silent);
        assert_eq!(StorageTrouble::from(KernelError::Broken(Nature::Write)), StorageTrouble::Silent);
        assert_eq!(StorageTrouble::from(KernelError::Unauthorized), StorageTrouble::Refused);
        assert_eq!(StorageTrouble::from(KernelError::Status(500)), StorageTrouble::Failed);
    }
}
