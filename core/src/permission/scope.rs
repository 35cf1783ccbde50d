//! The reach of a caller at one moment: levels, settings about what agents create, notebooks.
//!
//! Actions and the permission check hold this part of the policy and nothing else: no switches, and never the
//! caller's token.

use std::sync::Arc;

use super::{AccessSettings, Ceiling, Closed, Grants, Level};
use crate::agents::{Agents, Identity};
use crate::id::resembles_id;
use crate::kernel::api::notebook::Notebook;
use crate::kernel::{Boxed, Kernel, Shared};

/// The levels, settings and notebooks of one moment.
#[derive(Debug, Clone)]
pub struct Scope {
    /// Levels of notebooks.
    pub grants: Grants,
    /// The settings about what agents create.
    pub access: AccessSettings,
    /// Every notebook, hidden ones included; for the permission check only.
    notebooks: Vec<Notebook>,
    /// The agents, or the reason why they cannot be read.
    agents: Result<Agents, Closed>,
    /// The scope that a ceiling has lowered to this one.
    whole: Option<Arc<Scope>>,
}

impl Scope {
    /// The scope of these notebooks.
    pub fn new(grants: Grants, access: AccessSettings, notebooks: Vec<Notebook>) -> Scope {
        Scope { grants, access, notebooks, agents: Ok(Agents::default()), whole: None }
    }

    /// The same with the agents that a person has named.
    #[must_use]
    pub fn with_agents(self, agents: Result<Agents, Closed>) -> Scope {
        Scope { agents, ..self }
    }

    /// The agents that a person has named, or the reason why they cannot be read.
    pub fn agents(&self) -> Result<&Agents, &Closed> {
        self.agents.as_ref()
    }

    /// The reach of one caller on a day such as `2026-12-31`. While the agents are unknown, no agent reaches anything.
    #[must_use]
    pub fn under(self: &Arc<Scope>, identity: &Identity, today: &str) -> Arc<Scope> {
        let ceiling = match (identity, &self.agents) {
            (Identity::Person, _) => Ceiling::OPEN,
            (_, Ok(agents)) => agents.ceiling(identity, today),
            (_, Err(_)) => Ceiling::CLOSED,
        };
        if ceiling == self.grants.ceiling {
            return self.clone();
        }
        let new_notebook = self.access.new_notebook_level().min(ceiling.in_new_notebook());
        let access =
            AccessSettings { new_notebook_level: new_notebook.word().to_owned(), ..self.access.clone() };
        let grants = Grants { ceiling, ..self.grants.clone() };
        Arc::new(Scope { grants, access, whole: Some(self.clone()), ..Scope::clone(self) })
    }

    /// The scope before any ceiling.
    pub(crate) fn whole(self: &Arc<Scope>) -> &Arc<Scope> {
        self.whole.as_ref().unwrap_or(self)
    }

    /// Every notebook as the kernel lists them, hidden ones included; a tidy rule restricts its use to the check.
    pub(crate) fn all_notebooks(&self) -> &[Notebook] {
        &self.notebooks
    }

    /// The highest level of any notebook; `None` also where there is no notebook, so that nobody can tell that there are
    /// closed ones.
    pub fn highest_level(&self) -> Level {
        self.notebooks.iter().map(|it| self.grants.level_of(&it.id)).max().unwrap_or(Level::None)
    }

    /// The number of notebooks of each level, in the order of [`Level::ALL`]. For the person whose notes they are; a
    /// caller must not learn that there are closed ones.
    pub fn counts(&self) -> [usize; 4] {
        let of = |level| self.notebooks.iter().filter(|it| self.grants.level_of(&it.id) == level).count();
        Level::ALL.map(of)
    }

    /// The notebooks that a caller may read, in the person's order.
    pub fn visible_notebooks(&self) -> impl Iterator<Item = &Notebook> {
        self.notebooks.iter().filter(|it| self.grants.level_of(&it.id) > Level::None)
    }

    /// The word for a notebook that finds it again: its name, or its id where the name would not.
    pub(crate) fn word(&self, notebook: &Notebook) -> String {
        let is_shared = self.visible_notebooks().filter(|it| it.name == notebook.name).count() > 1;
        let is_name = !is_shared && !resembles_id(&notebook.name) && !notebook.name.contains('/');
        if is_name { notebook.name.clone() } else { notebook.id.clone() }
    }

    /// Every notebook, the visible ones in this order and the hidden ones in their places. For the kernel alone, whose
    /// order has to name them all.
    pub(crate) fn in_whole_order<'a>(&'a self, visible: &[&'a str]) -> Vec<&'a str> {
        let mut visible = visible.iter().copied();
        let is_hidden = |id: &str| self.grants.level_of(id) == Level::None;
        let place = |it: &'a Notebook| if is_hidden(&it.id) { Some(it.id.as_str()) } else { visible.next() };
        self.notebooks.iter().filter_map(place).collect()
    }
}

/// The source of the current scope.
pub trait ScopeSource: Shared {
    /// Reads the scope again, whatever is cached, unless the caller itself has just read this one.
    fn read_again<'a>(&'a self, kernel: &'a dyn Kernel, than: &'a Arc<Scope>) -> Boxed<'a, Arc<Scope>>;

    /// Drops the cache, because part of the scope has changed.
    fn forget(&self) -> Boxed<'_, ()>;
}
