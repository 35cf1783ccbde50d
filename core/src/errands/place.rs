//! The place of an errand, and the spots that a call touches.

use std::collections::BTreeSet;

use crate::permission::StoragePath;

/// The place of an errand.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ErrandPlace {
    /// Notebooks, by id.
    Notebooks(BTreeSet<String>),
    /// Documents with everything below them, by id.
    Documents(BTreeSet<String>),
}

/// A spot that a call touches.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ErrandSpot {
    /// The id of the notebook; empty if it is not known, which no place holds.
    pub notebook: String,
    /// The ids of the document and of those above it, itself last; empty for the notebook as a whole.
    pub path: Vec<String>,
    /// The id of the block in it that the call names; empty for none. It may become a document of the same id.
    pub block: String,
}

impl ErrandPlace {
    /// Whether a spot lies inside.
    pub fn holds(&self, spot: &ErrandSpot) -> bool {
        match self {
            ErrandPlace::Notebooks(ids) => ids.contains(&spot.notebook),
            ErrandPlace::Documents(ids) => spot.path.iter().any(|it| ids.contains(it)),
        }
    }
}

impl ErrandSpot {
    /// A notebook as a whole.
    pub fn notebook(id: &str) -> ErrandSpot {
        ErrandSpot { notebook: id.to_owned(), ..ErrandSpot::default() }
    }

    /// A document at a storage path.
    pub fn document(notebook: &str, storage: &StoragePath) -> ErrandSpot {
        let own = storage.doc().map(|it| it.to_string());
        let path = storage.parents().map(str::to_owned).chain(own).collect();
        ErrandSpot { notebook: notebook.to_owned(), path, ..ErrandSpot::default() }
    }

    /// The id of what it names, the narrowest first; `None` for a notebook.
    pub fn named(&self) -> Option<&String> {
        Some(&self.block).filter(|it| !it.is_empty()).or(self.path.last())
    }
}
