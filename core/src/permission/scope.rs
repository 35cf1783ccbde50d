//! What a caller may reach at one moment: levels, what agents may make, the notebooks.
//!
//! An action and the check hold this and nothing else of the policy: no switches, and never the caller's token.

use std::sync::Arc;

use super::{AccessSettings, Grants, Level};
use crate::kernel::api::notebook::Notebook;
use crate::kernel::{Boxed, Kernel, Shared};

/// The levels, settings and notebooks of one moment.
#[derive(Debug, Clone)]
pub struct Scope {
    /// Levels of notebooks.
    pub grants: Grants,
    /// What agents may make.
    pub access: AccessSettings,
    /// Every notebook, hidden ones too: for the check only.
    notebooks: Vec<Notebook>,
}

impl Scope {
    /// The scope of these notebooks.
    pub(crate) fn new(grants: Grants, access: AccessSettings, notebooks: Vec<Notebook>) -> Scope {
        Scope { grants, access, notebooks }
    }

    /// Every notebook as the kernel lists them, hidden ones too: a tidy rule keeps it to the check.
    pub(crate) fn all_notebooks(&self) -> &[Notebook] {
        &self.notebooks
    }

    /// The notebooks a caller may read, in the person's order.
    pub fn visible_notebooks(&self) -> impl Iterator<Item = &Notebook> {
        self.notebooks.iter().filter(|it| self.grants.level_of(&it.id) > Level::None)
    }
}

/// Where the scope of now comes from.
pub trait ScopeSource: Shared {
    /// Reads it anew, whatever is kept.
    fn read_again<'a>(&'a self, kernel: &'a dyn Kernel) -> Boxed<'a, Arc<Scope>>;

    /// Forgets what is kept: something of it was changed.
    fn forget(&self) -> Boxed<'_, ()>;
}
