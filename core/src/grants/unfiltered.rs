//! Rows as the kernel returned them: from any notebook, and closed until the grants have filtered them.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::{Grants, Level};

/// A value that knows its notebook.
pub trait InNotebook {
    /// The id of the notebook; empty when it is not known, which hides the row.
    fn notebook(&self) -> &str;
}

/// A value that the grants can narrow.
pub trait Filter {
    /// Drops everything in a notebook below read.
    fn filter(self, grants: &Grants) -> Self;

    /// The value that null stands for, if any.
    fn empty() -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

impl<T: InNotebook> Filter for Vec<T> {
    fn filter(mut self, grants: &Grants) -> Self {
        self.retain(|row| grants.level_of(row.notebook()) >= Level::Read);
        self
    }

    /// Go serializes a list as null if it was never filled.
    fn empty() -> Option<Self> {
        Some(Vec::new())
    }
}

/// A reply that only the grants turn into output (B-055).
#[derive(Debug)]
pub struct Unfiltered<T>(T);

impl<'de, T: Filter + Deserialize<'de>> Deserialize<'de> for Unfiltered<T> {
    fn deserialize<D: Deserializer<'de>>(reply: D) -> Result<Self, D::Error> {
        let reply = Option::<T>::deserialize(reply)?.or_else(T::empty);
        reply.map(Unfiltered).ok_or_else(|| D::Error::custom("null"))
    }
}

impl<T: Filter> Unfiltered<T> {
    /// The part that the caller may see.
    pub fn visible(self, grants: &Grants) -> T {
        self.0.filter(grants)
    }
}

impl<T> Unfiltered<T> {
    /// Everything: the rows of a caller's own statement, which names nothing but views of what the caller may see.
    /// Its columns are the caller's, so no row tells its notebook.
    pub(crate) fn of_views(self) -> T {
        self.0
    }

    /// Everything, for the person whose notes they are.
    pub(crate) fn for_the_person(self) -> T {
        self.0
    }

    /// Everything, for the permission check itself.
    pub(crate) fn for_the_check(self) -> T {
        self.0
    }
}
