//! What an action touches, as its arguments name it and as it was found.

use super::Level;
use crate::args::Many;
use crate::id::{AvId, BlockId, DocId, NotebookId, NotebookRef};
use crate::path::WorkspacePath;

/// A thing a person can grant or refuse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Every notebook the action would touch.
    Workspace,
    /// One notebook.
    Notebook(NotebookRef),
    /// One document.
    Doc(DocId),
    /// One block.
    Block(BlockId),
    /// One database.
    Av(AvId),
    /// What lies at a workspace path, or would lie there.
    Path(WorkspacePath),
}

/// A target and the level it must grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// The target.
    pub target: Target,
    /// The level.
    pub level: Level,
    /// One of a list: a reader goes on without those that are missing.
    pub listed: bool,
}

/// A type whose values name targets.
///
/// Compile errors need not list every such type: `do_not_recommend` on each keeps them short.
#[diagnostic::on_unimplemented(
    message = "`{Self}` names nothing a person can grant or refuse",
    label = "`#[needs(...)]` belongs on a target: an id, a notebook or a workspace path"
)]
pub trait Targets {
    /// Adds each target at this level.
    fn add_needs(&self, level: Level, out: &mut Vec<Need>);
}

macro_rules! targets {
    ($($ty:ident => $target:ident),*) => {$(
        #[diagnostic::do_not_recommend]
        impl Targets for $ty {
            fn add_needs(&self, level: Level, out: &mut Vec<Need>) {
                out.push(Need { target: Target::from(self), level, listed: false });
            }
        }
        impl From<&$ty> for Target {
            fn from(it: &$ty) -> Target {
                Target::$target(it.clone())
            }
        }
    )*};
}
targets!(NotebookRef => Notebook, DocId => Doc, BlockId => Block, AvId => Av);

impl From<&WorkspacePath> for Target {
    fn from(path: &WorkspacePath) -> Target {
        if path.is_root() { Target::Workspace } else { Target::Path(path.clone()) }
    }
}

#[diagnostic::do_not_recommend]
impl Targets for WorkspacePath {
    fn add_needs(&self, level: Level, out: &mut Vec<Need>) {
        out.push(Need { target: Target::from(self), level, listed: false });
    }
}

impl<T: Targets> Targets for Option<T> {
    fn add_needs(&self, level: Level, out: &mut Vec<Need>) {
        if let Some(it) = self {
            it.add_needs(level, out);
        }
    }
}

impl<T: Targets, const MIN: usize, const MAX: usize> Targets for Many<T, MIN, MAX> {
    fn add_needs(&self, level: Level, out: &mut Vec<Need>) {
        let from = out.len();
        for it in self.as_slice() {
            it.add_needs(level, out);
        }
        for need in out.iter_mut().skip(from) {
            need.listed = true;
        }
    }
}

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

/// Every target of a call with its place.
#[derive(Debug, Clone, Default)]
pub struct Places {
    pub(super) found: Vec<(Target, Place)>,
    pub(super) missing: Vec<Target>,
}

impl Places {
    /// The place of a target; `None` for one of a list that is missing.
    pub fn of(&self, target: &Target) -> Option<&Place> {
        self.found.iter().find(|(it, _)| it == target).map(|(_, place)| place)
    }

    /// Every place.
    pub fn iter(&self) -> impl Iterator<Item = &Place> {
        self.found.iter().map(|(_, place)| place)
    }
}
