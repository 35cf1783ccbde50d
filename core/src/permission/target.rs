//! Targets: the things that an action touches, as its arguments name them.

use super::Level;
use crate::id::{AssetPath, AvId, BlockId, DocId, NotebookRef};
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
    /// The document at a workspace path, or the free place there.
    Path(WorkspacePath),
    /// One asset; it lies wherever a block refers to it.
    Asset(AssetPath),
}

/// The number of a target's places that must grant the level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The only place there is.
    One,
    /// At least one place: content that several notebooks show is readable where one of them is.
    Any,
    /// All places: a change shows in every one.
    Every,
}

/// A target and the level it must grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// The argument that names it, with its place inside lists and objects: `pieces[0].after`.
    pub param: String,
    /// The target.
    pub target: Target,
    /// The level.
    pub level: Level,
    /// Whether it is one of a list: a reader continues without the missing ones.
    pub listed: bool,
}

impl Need {
    /// A target that an argument names.
    pub fn new(param: impl Into<String>, target: Target, level: Level) -> Need {
        Need { param: param.into(), target, level, listed: false }
    }

    /// The number of places that must grant the level. It follows from target and level, so that no action can choose
    /// a weaker rule.
    pub fn rule(&self) -> Rule {
        match self.target {
            Target::Av(_) | Target::Asset(_) if self.level > Level::Read => Rule::Every,
            Target::Av(_) | Target::Asset(_) => Rule::Any,
            _ => Rule::One,
        }
    }
}

/// A type whose values name targets.
///
/// `do_not_recommend` on each implementation keeps compile errors from listing every such type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` names nothing a person can grant or refuse",
    label = "`#[needs(...)]` belongs on a target: an id, a notebook or a workspace path"
)]
pub trait Targets {
    /// Adds each target at this level; `param` is the argument, with the place inside lists and objects.
    fn add_needs(&self, param: &str, level: Level, out: &mut Vec<Need>);
}

macro_rules! targets {
    ($($ty:ident => $target:ident),*) => {$(
        #[diagnostic::do_not_recommend]
        impl Targets for $ty {
            fn add_needs(&self, param: &str, level: Level, out: &mut Vec<Need>) {
                out.push(Need::new(param, Target::from(self), level));
            }
        }
        impl From<&$ty> for Target {
            fn from(it: &$ty) -> Target {
                Target::$target(it.clone())
            }
        }
    )*};
}
targets!(NotebookRef => Notebook, DocId => Doc, BlockId => Block, AvId => Av, AssetPath => Asset);

impl From<&WorkspacePath> for Target {
    fn from(path: &WorkspacePath) -> Target {
        if path.is_root() { Target::Workspace } else { Target::Path(path.clone()) }
    }
}

#[diagnostic::do_not_recommend]
impl Targets for WorkspacePath {
    fn add_needs(&self, param: &str, level: Level, out: &mut Vec<Need>) {
        out.push(Need::new(param, Target::from(self), level));
    }
}

impl<T: Targets> Targets for Option<T> {
    fn add_needs(&self, param: &str, level: Level, out: &mut Vec<Need>) {
        if let Some(it) = self {
            it.add_needs(param, level, out);
        }
    }
}

impl Target {
    /// The id or name, for messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Target::Workspace => "/".to_owned(),
            Target::Notebook(it) => it.as_str().to_owned(),
            Target::Doc(it) => it.to_string(),
            Target::Block(it) => it.to_string(),
            Target::Av(it) => it.to_string(),
            Target::Path(it) => it.to_string(),
            Target::Asset(it) => it.as_str().to_owned(),
        }
    }
}
