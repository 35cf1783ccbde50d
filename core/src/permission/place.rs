//! Where a target was found: its notebook, its document, and for some targets several of them.

use std::collections::BTreeMap;

use super::{Level, Target};
use crate::id::{AvId, DocId, NotebookId};

/// The path of ids of a document inside its notebook: `/a.sy`, `/a/b.sy`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoragePath(String);

impl StoragePath {
    /// Takes a path as the kernel gives it; `None` unless it ends in `.sy` after an id.
    pub fn parse(text: &str) -> Option<StoragePath> {
        StoragePath(text.to_owned()).doc().map(|_| StoragePath(text.to_owned()))
    }

    /// The path, with `.sy`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The document it is the path of: the last segment.
    pub fn doc(&self) -> Option<DocId> {
        DocId::parse(self.0.rsplit('/').next()?.strip_suffix(".sy")?)
    }

    /// The path below which its children lie: without `.sy`, with `/`.
    pub fn below(&self) -> String {
        format!("{}/", self.0.strip_suffix(".sy").unwrap_or(&self.0))
    }

    /// The documents it lies below, the nearest last.
    pub fn parents(&self) -> impl Iterator<Item = &str> {
        let parents = self.0.rsplit_once('/').map_or("", |(parents, _)| parents);
        parents.split('/').filter(|id| !id.is_empty())
    }

    /// How many documents deep it lies in its notebook.
    pub fn depth(&self) -> usize {
        self.0.matches('/').count()
    }
}

/// A target as it was found: where it lies and what may be done there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The notebook.
    pub notebook: NotebookId,
    /// Its name.
    pub notebook_name: String,
    /// What the grants allow there.
    pub level: Level,
    /// The document (for a block: the one it stands in); absent for a notebook and for a free path.
    pub doc: Option<DocId>,
    /// The document's storage path, where finding it told.
    pub storage: Option<StoragePath>,
    /// Below what a document would be made here; only where a path leads to nothing.
    pub above: Option<Above>,
}

/// What a document that is not there yet would lie below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Above {
    /// The hpath, without a slash at its end; empty at the top of a notebook.
    pub hpath: String,
    /// The document itself, where the path names it by its id or is a notebook's.
    pub doc: Option<DocId>,
}

/// Where a target lies: at one place, or at every place that shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Where {
    places: Vec<Place>,
    database: Option<AvId>,
    rows: BTreeMap<String, NotebookId>,
}

impl Where {
    /// Several places of one thing.
    pub(super) fn at(places: Vec<Place>) -> Where {
        Where { places, ..Where::default() }
    }

    /// A database: its carriers, and the notebooks of the blocks that are its rows.
    pub(super) fn database(id: AvId, carriers: Vec<Place>, rows: BTreeMap<String, NotebookId>) -> Where {
        Where { places: carriers, database: Some(id), rows }
    }

    /// Its places that the caller may read, at least one.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The database itself, which the caller may have named by a block that shows it.
    pub fn av(&self) -> Option<&AvId> {
        self.database.as_ref()
    }

    /// The notebook of a block that is a row; `None` for one the caller may not read and for one that is gone.
    pub fn row(&self, block: &str) -> Option<&NotebookId> {
        self.rows.get(block)
    }

    /// Whether the caller may read it anywhere.
    pub(super) fn is_readable(&self) -> bool {
        self.places.iter().any(|it| it.level > Level::None)
    }

    /// Without what the caller may not read.
    pub(crate) fn readable(mut self, level: impl Fn(&NotebookId) -> Level) -> Where {
        self.places.retain(|it| it.level > Level::None);
        self.rows.retain(|_, notebook| level(notebook) > Level::None);
        self
    }
}

impl From<Place> for Where {
    fn from(place: Place) -> Where {
        Where::at(vec![place])
    }
}

/// Every target of a call with its places.
#[derive(Debug, Clone, Default)]
pub struct Places {
    pub(super) found: Vec<(Target, Where)>,
    pub(super) missing: Vec<Target>,
}

impl Places {
    /// The place of a target, the first of several; `None` for one of a list that is missing.
    pub fn of(&self, target: &Target) -> Option<&Place> {
        self.whole(target)?.places.first()
    }

    /// As `of`, with all of its places.
    pub fn whole(&self, target: &Target) -> Option<&Where> {
        self.found.iter().find(|(it, _)| it == target).map(|(_, found)| found)
    }

    /// Every place.
    pub fn iter(&self) -> impl Iterator<Item = &Place> {
        self.found.iter().flat_map(|(_, found)| &found.places)
    }
}
