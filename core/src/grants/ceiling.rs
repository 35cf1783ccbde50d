//! The ceiling of an agent: no level of a notebook exceeds it.

use std::collections::BTreeSet;

use super::Level;

/// The highest rights of an agent, and the notebooks in which it has any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ceiling {
    /// The highest level.
    pub level: Level,
    /// The ids of the notebooks that exist for the agent; `None` for all.
    pub notebooks: Option<BTreeSet<String>>,
}

impl Default for Ceiling {
    fn default() -> Ceiling {
        Ceiling::OPEN
    }
}

impl Ceiling {
    /// The ceiling that lowers nothing.
    pub const OPEN: Ceiling = Ceiling { level: Level::Delete, notebooks: None };
    /// The ceiling under which nothing exists.
    pub const CLOSED: Ceiling = Ceiling { level: Level::None, notebooks: None };

    /// The highest level in a notebook.
    pub fn in_notebook(&self, notebook: &str) -> Level {
        match &self.notebooks {
            Some(chosen) if !chosen.contains(notebook) => Level::None,
            _ => self.level,
        }
    }

    /// The highest level in a notebook that does not exist yet.
    pub fn in_new_notebook(&self) -> Level {
        if self.notebooks.is_some() { Level::None } else { self.level }
    }

    /// Whether it may hide a notebook.
    pub fn hides_any(&self) -> bool {
        self.level == Level::None || self.notebooks.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ceiling_reaches_chosen_notebooks_only() {
        let all = Ceiling { level: Level::Write, notebooks: None };
        let chosen = Ceiling { notebooks: Some(BTreeSet::from(["a".to_owned()])), ..all.clone() };
        let levels = |it: &Ceiling| [it.in_notebook("a"), it.in_notebook("b"), it.in_new_notebook()];
        assert_eq!(levels(&all), [Level::Write; 3]);
        assert_eq!(levels(&chosen), [Level::Write, Level::None, Level::None]);
        assert_eq!(levels(&Ceiling::CLOSED), [Level::None; 3]);
        assert_eq!(levels(&Ceiling::default()), [Level::Delete; 3]);
        assert_eq!([&all, &chosen, &Ceiling::CLOSED].map(Ceiling::hides_any), [false, true, true]);
    }
}
