//! The view of an agent under a draft, computed by the rules of core: its levels, its scope, its offer.

use std::collections::BTreeSet;

use puppy_core::config::{Offer, Switches};
use puppy_core::find::actions_of;
use puppy_core::kernel::api::notebook::Notebook;
use puppy_core::permission::{AccessSettings, Level, Scope};
use puppy_core::registry::ACTIONS;
use puppy_core::spec::{ActionSpec, Effect, Tool};

use super::levels::LevelDraft;

/// The view of an agent.
#[derive(Debug, Clone)]
pub struct Effective {
    /// `None` while the levels cannot be read: no action is withheld in lists then, and every call is refused.
    scope: Option<Scope>,
    offer: Offer,
    /// The offer if every notebook had this level, in the order of [`Level::ALL`].
    at: [Offer; 4],
}

/// The numbers of actions that agents can use in a notebook, by effect.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reach {
    /// Those that only read or show.
    pub reads: usize,
    /// Those that change something.
    pub changes: usize,
    /// Those that can delete.
    pub deletes: usize,
}

/// The numbers of a tool's actions, by their availability to agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolReach {
    /// The tool.
    pub tool: Tool,
    /// The actions that agents are offered.
    pub offered: usize,
    /// Those that are on and that no notebook allows.
    pub withheld: usize,
    /// All of them.
    pub all: usize,
}

impl Effective {
    /// The view under these drafts; without levels where those cannot be read.
    pub fn new(levels: Option<(&LevelDraft, &[Notebook])>, switches: &Switches) -> Effective {
        let scope = levels.map(|(draft, notebooks)| {
            let mut locked = BTreeSet::new();
            locked.extend(notebooks.iter().filter(|it| it.encrypted).map(|it| it.id.clone()));
            Scope::new(draft.grants(locked), AccessSettings::default(), notebooks.to_vec())
        });
        let offer = |highest| Offer::new(switches.clone(), highest);
        let highest = scope.as_ref().map(Scope::highest_level);
        Effective { offer: offer(highest), at: Level::ALL.map(|it| offer(Some(it))), scope }
    }

    /// The actions that agents are offered.
    pub fn offer(&self) -> &Offer {
        &self.offer
    }

    /// The number of actions that agents are offered.
    pub fn actions(&self) -> usize {
        ACTIONS.iter().filter(|spec| self.offer.has(spec)).count()
    }

    /// The notebooks that agents see.
    pub fn visible(&self) -> usize {
        self.scope.as_ref().map_or(0, |it| it.visible_notebooks().count())
    }

    /// The names of the notebooks at a level, in the person's order.
    pub fn names_at(&self, level: Level, notebooks: &[Notebook]) -> Vec<String> {
        let Some(scope) = &self.scope else { return Vec::new() };
        let at = notebooks.iter().filter(|it| scope.grants.level_of(&it.id) == level);
        at.map(|it| it.name.clone()).collect()
    }

    /// The actions that work in a notebook of this level, those that need none left out.
    pub fn reach(&self, level: Level) -> Reach {
        let mut reach = Reach::default();
        let [none, ..] = &self.at;
        let Some(here) = self.offer_at(level) else { return reach };
        for spec in ACTIONS.iter().filter(|spec| here.has(spec) && !none.has(spec)) {
            // The worst that an action can do needs a notebook at Write.
            match if level < Level::Write { spec.effect } else { spec.worst } {
                Effect::Read | Effect::Screen => reach.reads += 1,
                Effect::Destructive => reach.deletes += 1,
                Effect::Write | Effect::External => reach.changes += 1,
            }
        }
        reach
    }

    /// Whether a level gives agents nothing that the one below it does not, because the actions for it are off.
    pub fn is_idle(&self, level: Level) -> bool {
        let below = Level::ALL.into_iter().rev().find(|it| *it < level);
        let count = |level| self.offer_at(level).map(|it| ACTIONS.iter().filter(|spec| it.has(spec)).count());
        below.is_some_and(|below| count(below) == count(level))
    }

    /// Whether an action is on although no notebook allows it.
    pub fn withholds(&self, spec: &ActionSpec) -> bool {
        self.offer.withholds(spec)
    }

    /// Every tool with actions.
    pub fn tools(&self) -> Vec<ToolReach> {
        let count = |tool, is: &dyn Fn(&ActionSpec) -> bool| actions_of(tool).filter(|spec| is(spec)).count();
        let tools = Tool::ALL.into_iter().filter(|tool| actions_of(*tool).next().is_some());
        let reach = |tool| ToolReach {
            tool,
            offered: count(tool, &|spec| self.offer.has(spec)),
            withheld: count(tool, &|spec| self.offer.withholds(spec)),
            all: count(tool, &|_| true),
        };
        tools.map(reach).collect()
    }

    fn offer_at(&self, level: Level) -> Option<&Offer> {
        Level::ALL.into_iter().zip(&self.at).find(|(it, _)| *it == level).map(|(_, offer)| offer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::preset::Preset;
    use crate::state::switches::SwitchDraft;

    const A: &str = "20210808180117-aaaaaaa";
    const B: &str = "20210808180117-bbbbbbb";

    fn notebook(id: &str, name: &str, encrypted: bool) -> Notebook {
        serde_json::from_value(serde_json::json!({ "id": id, "name": name, "encrypted": encrypted })).unwrap()
    }

    fn find(path: &str) -> &'static ActionSpec {
        ACTIONS.iter().copied().find(|spec| spec.path() == path).unwrap()
    }

    /// B-015, B-055, B-064: what a level opens is what core would offer, and what is closed or locked is not seen.
    #[test]
    fn view_of_an_agent_follows_the_draft_before_it_is_applied() {
        let notebooks = [notebook(A, "Garden", false), notebook(B, "Safe", true)];
        let mut draft = LevelDraft::default();
        let on = Switches::default();
        let view = Effective::new(Some((&draft, &notebooks)), &on);
        assert_eq!((view.visible(), view.names_at(Level::Read, &notebooks)), (1, vec!["Garden".to_owned()]));
        assert!(view.withholds(find("fs.write")) && view.offer().has(find("fs.read")));
        assert_eq!((view.reach(Level::Read).changes, view.reach(Level::Read).deletes), (0, 0));
        draft.set(A, Level::Delete);
        draft.set(B, Level::Delete);
        let view = Effective::new(Some((&draft, &notebooks)), &on);
        assert!(view.offer().has(find("document.remove")));
        assert_eq!(view.names_at(Level::None, &notebooks), ["Safe"], "locked stays locked");
        draft.set(A, Level::None);
        let view = Effective::new(Some((&draft, &notebooks)), &on);
        assert_eq!((view.visible(), view.reach(Level::None)), (0, Reach::default()));
        assert!(view.withholds(find("fs.read")) && view.actions() > 0, "some actions need no notebook");
        assert!(Effective::new(None, &on).offer().has(find("document.remove")), "unknown withholds nothing");
    }

    #[test]
    fn a_level_without_actions_for_it_is_idle() {
        let mut switches = SwitchDraft::default();
        let view = |switches: &SwitchDraft| Effective::new(None, switches.now());
        assert!(!view(&switches).is_idle(Level::Write) && view(&switches).reach(Level::Delete).deletes > 0);
        switches.fill(String::new(), Preset::ReadOnly, true);
        assert!(view(&switches).is_idle(Level::Write) && view(&switches).is_idle(Level::Delete));
        assert_eq!(view(&switches).reach(Level::Delete), view(&switches).reach(Level::Read));
        assert!(!view(&switches).is_idle(Level::Read) && !view(&switches).is_idle(Level::None));
    }

    #[test]
    fn tools_tell_what_is_offered_and_what_no_notebook_allows() {
        let draft = LevelDraft::default();
        let notebooks = [notebook(A, "Garden", false)];
        let view = Effective::new(Some((&draft, &notebooks)), &Switches::default());
        let tools = view.tools();
        assert_eq!(tools.iter().map(|it| it.offered).sum::<usize>(), view.actions());
        assert_eq!(tools.iter().map(|it| it.all).sum::<usize>(), ACTIONS.len());
        let fs = tools.iter().find(|it| it.tool == Tool::Fs).unwrap();
        assert_eq!(fs.offered + fs.withheld, fs.all, "all of them are on");
        assert!(fs.offered > 0 && fs.withheld > 0);
    }
}
