//! The targets of a call with their places, and the scope that judged them.

use std::sync::Arc;

use super::{Level, Place, Scope, Target, Where};

/// Every target of a call with its places.
#[derive(Debug, Clone, Default)]
pub struct Places {
    pub(super) found: Vec<(Target, Where)>,
    pub(super) missing: Vec<Target>,
    /// The scope that judged them.
    pub(super) scope: Option<Arc<Scope>>,
}

impl Places {
    /// The place of a target, the first of several; `None` for a missing one of a list.
    pub fn of(&self, target: &Target) -> Option<&Place> {
        self.whole(target)?.places().first()
    }

    /// Like `of`, with all places.
    pub fn whole(&self, target: &Target) -> Option<&Where> {
        self.found.iter().find(|(it, _)| it == target).map(|(_, found)| found)
    }

    /// The scope that judged them: a newer one than the call began with if a notebook was not among the known ones.
    pub(crate) fn scope(&self) -> Option<&Scope> {
        self.scope.as_deref()
    }

    /// The first place that the caller may read, with its target.
    pub(crate) fn first(&self) -> Option<(&Target, &Place)> {
        let each =
            self.found.iter().flat_map(|(target, found)| found.places().iter().map(move |it| (target, it)));
        each.into_iter().find(|(_, place)| place.level > Level::None)
    }

    /// Every target with its places.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&Target, &Where)> {
        self.found.iter().map(|(target, found)| (target, found))
    }

    /// Every place.
    pub fn iter(&self) -> impl Iterator<Item = &Place> {
        self.found.iter().flat_map(|(_, found)| found.places())
    }
}
