//! Rows as the kernel gave them: from any notebook, so not to be shown before the grants saw them.

use serde::Deserialize;

use super::{Grants, Level};

/// Something that knows the notebook it lies in.
pub trait InNotebook {
    /// Id of the notebook; empty when it is not known, which hides the row.
    fn notebook(&self) -> &str;
}

/// Something that can be reduced to what the grants allow.
pub trait Filter {
    /// Drops what lies in a notebook below read.
    fn filter(self, grants: &Grants) -> Self;
}

impl<T: InNotebook> Filter for Vec<T> {
    fn filter(mut self, grants: &Grants) -> Self {
        self.retain(|row| grants.level_of(row.notebook()) >= Level::Read);
        self
    }
}

/// A reply that only the grants turn into output (B-055).
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct Unfiltered<T>(T);

impl<T: Filter> Unfiltered<T> {
    /// What the caller may see.
    pub fn visible(self, grants: &Grants) -> T {
        self.0.filter(grants)
    }
}

impl<T> Unfiltered<T> {
    /// Everything, for the permission check itself.
    pub(crate) fn for_the_check(self) -> T {
        self.0
    }
}
