//! Why the panel cannot show or save something, as a person needs to know it.

use puppy_core::kernel::KernelError;

/// The reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// SiYuan does not answer; asking again may help.
    Silent,
    /// SiYuan does not let this page do it.
    Refused,
    /// SiYuan answered that it could not.
    Failed,
    /// A file of ours holds something else than it should: nothing is allowed until it is repaired (B-053).
    Broken,
}

impl From<KernelError> for Trouble {
    fn from(error: KernelError) -> Trouble {
        match error {
            KernelError::Refused | KernelError::TimedOut | KernelError::Broken(_) => Trouble::Silent,
            KernelError::Untrusted(_) | KernelError::Unauthorized | KernelError::Forbidden => {
                Trouble::Refused
            }
            KernelError::TooMany(_)
            | KernelError::Status(_)
            | KernelError::Code(..)
            | KernelError::Indexing
            | KernelError::NoData(_)
            | KernelError::Malformed(_) => Trouble::Failed,
        }
    }
}

/// What a file holds: the default where there is none, a broken file is no default (B-233, B-053).
pub fn content<T: Default>(
    bytes: Option<Vec<u8>>,
    parse: impl FnOnce(&[u8]) -> Option<T>,
) -> Result<T, Trouble> {
    bytes.map_or_else(|| Ok(T::default()), |bytes| parse(&bytes).ok_or(Trouble::Broken))
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppy_core::kernel::Nature;
    use puppy_core::permission::Table;

    /// B-053, B-233.
    #[test]
    fn a_missing_file_is_the_default_and_a_broken_one_is_trouble() {
        assert_eq!(content(None, Table::parse), Ok(Table::default()));
        assert_eq!(content(Some(b"{}".to_vec()), Table::parse), Ok(Table::default()));
        for garbage in ["", "[]", "{\"a\":", r#"{"code":404,"msg":"x","data":null}"#] {
            assert_eq!(content(Some(garbage.into()), Table::parse), Err(Trouble::Broken), "{garbage}");
        }
    }

    #[test]
    fn silence_refusal_and_failure_are_told_apart() {
        assert_eq!(Trouble::from(KernelError::TimedOut), Trouble::Silent);
        assert_eq!(Trouble::from(KernelError::Broken(Nature::Write)), Trouble::Silent);
        assert_eq!(Trouble::from(KernelError::Unauthorized), Trouble::Refused);
        assert_eq!(Trouble::from(KernelError::Status(500)), Trouble::Failed);
    }
}
