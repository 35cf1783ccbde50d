//! The place of a target: its notebook, its document, and for some targets several of them.

use std::collections::BTreeMap;

use super::Level;
use crate::id::{AvId, DocId, NotebookId};

/// A document's path of ids inside its notebook: `/a.sy`, `/a/b.sy`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StoragePath(String);

impl StoragePath {
    /// Accepts a path from the kernel; `None` unless it ends in `.sy` after an id.
    pub fn parse(text: &str) -> Option<StoragePath> {
        StoragePath(text.to_owned()).doc().map(|_| StoragePath(text.to_owned()))
    }

    /// The path, with `.sy`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id of the document at the path: the last segment.
    pub fn doc(&self) -> Option<DocId> {
        DocId::parse(self.0.rsplit('/').next()?.strip_suffix(".sy")?)
    }

    /// The prefix of the paths of its children: without `.sy`, with a final `/`.
    pub fn below(&self) -> String {
        format!("{}/", self.0.strip_suffix(".sy").unwrap_or(&self.0))
    }

    /// The documents above it, the nearest last.
    pub fn parents(&self) -> impl Iterator<Item = &str> {
        let parents = self.0.rsplit_once('/').map_or("", |(parents, _)| parents);
        parents.split('/').filter(|id| !id.is_empty())
    }

    /// Its depth in its notebook; 1 at the top.
    pub fn depth(&self) -> usize {
        self.0.matches('/').count()
    }
}

/// A resolved target: where it lies and what may be done there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The notebook.
    pub notebook: NotebookId,
    /// Its name.
    pub notebook_name: String,
    /// The level that the grants allow there.
    pub level: Level,
    /// The document; for a block, the one that contains it; absent for a notebook and for a free path.
    pub doc: Option<DocId>,
    /// The document's storage path, where resolving it revealed the path.
    pub storage: Option<StoragePath>,
    /// The parent of a document that would be created here; only for a path that leads to nothing.
    pub above: Option<ParentPlace>,
}

/// The parent of a document that does not exist yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParentPlace {
    /// The hpath, without a final slash; empty at the top of a notebook.
    pub hpath: String,
    /// The parent document, where the path names it by its id or it is a notebook's own.
    pub doc: Option<DocId>,
}

/// The places of a target: one, or every place that shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Where {
    places: Vec<Place>,
    database: Option<AvId>,
    rows: BTreeMap<String, NotebookId>,
    /// Whether there are rows whose blocks the caller may not read.
    hides_rows: bool,
}

impl Where {
    /// Several places of one target.
    pub(super) fn at(places: Vec<Place>) -> Where {
        Where { places, ..Where::default() }
    }

    /// A database: its carriers, and the notebooks of the blocks that are its rows.
    pub(super) fn database(id: AvId, carriers: Vec<Place>, rows: BTreeMap<String, NotebookId>) -> Where {
        Where { places: carriers, database: Some(id), rows, hides_rows: false }
    }

    /// The places that the caller may read, at least one.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The database itself, also where the caller named a block that shows it.
    pub fn av(&self) -> Option<&AvId> {
        self.database.as_ref()
    }

    /// The notebook of a block that is a row; `None` for a block that the caller may not read and for one that is
    /// gone.
    pub fn row(&self, block: &str) -> Option<&NotebookId> {
        self.rows.get(block)
    }

    /// The notebooks of the blocks that are rows and that the caller may read.
    pub(crate) fn known_rows(&self) -> impl Iterator<Item = &str> {
        self.rows.values().map(NotebookId::as_str)
    }

    /// The notebooks of all blocks that are rows, for a change that the kernel also writes on these blocks; `None` if
    /// the caller may not read one of them.
    pub fn all_rows(&self) -> Option<impl Iterator<Item = &str>> {
        (!self.hides_rows).then(|| self.rows.values().map(NotebookId::as_str))
    }

    /// Whether the caller may read it anywhere.
    pub(super) fn is_readable(&self) -> bool {
        self.places.iter().any(|it| it.level > Level::None)
    }

    /// Drops the places that the caller may not read.
    pub(crate) fn readable(mut self, level: impl Fn(&NotebookId) -> Level) -> Where {
        self.places.retain(|it| it.level > Level::None);
        let before = self.rows.len();
        self.rows.retain(|_, notebook| level(notebook) > Level::None);
        self.hides_rows |= self.rows.len() < before;
        self
    }
}

impl From<Place> for Where {
    fn from(place: Place) -> Where {
        Where::at(vec![place])
    }
}
