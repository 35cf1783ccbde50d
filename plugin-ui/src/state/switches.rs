//! The draft of the tool and action switches.

use std::collections::BTreeMap;

use puppy_core::config::Switches;
use puppy_core::find::actions_of;
use puppy_core::registry::ACTIONS;
use puppy_core::spec::{ActionSpec, Danger, Tool};

/// The owner of a switch: a tool, or one of its actions.
type Key = (Tool, Option<&'static str>);

/// The switches as read, and a person's changes since.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SwitchDraft {
    base: Switches,
    now: Switches,
    edits: BTreeMap<Key, bool>,
}

impl SwitchDraft {
    /// Replaces the file's content; changes that are not applied stay.
    pub fn rebase(&mut self, switches: Switches) {
        self.edits.retain(|key, on| value(&switches, *key) != *on);
        self.base = switches;
        self.refresh();
    }

    /// The switches under this draft.
    pub fn now(&self) -> &Switches {
        &self.now
    }

    /// The number of actions of a tool that are on, and the number of all.
    pub fn count(&self, tool: Tool) -> (usize, usize) {
        let on = actions_of(tool).filter(|spec| self.now.action_switch(spec)).count();
        (on, actions_of(tool).count())
    }

    /// The number of actions that agents may call now, and the number of all.
    pub fn in_force(&self) -> (usize, usize) {
        (ACTIONS.iter().filter(|spec| self.base.is_on(spec)).count(), ACTIONS.len())
    }

    /// Switches a tool. If none of its actions is on, its default ones are switched on too: on must mean on (B-232).
    pub fn set_tool(&mut self, tool: Tool, on: bool) {
        self.edit((tool, None), on);
        if on && self.count(tool).0 == 0 {
            let has_default = actions_of(tool).any(|spec| spec.default_on);
            for spec in actions_of(tool).filter(|spec| spec.default_on || !has_default) {
                self.edit((tool, Some(spec.name)), true);
            }
        }
        self.refresh();
    }

    /// Switches an action.
    pub fn set_action(&mut self, spec: &ActionSpec, on: bool) {
        self.edit((spec.tool, Some(spec.name)), on);
        self.refresh();
    }

    /// Whether the switch of a tool or an action was touched.
    pub fn is_changed(&self, tool: Tool, action: Option<&str>) -> bool {
        self.edits.keys().any(|key| key.0 == tool && key.1 == action)
    }

    /// Forgets every change.
    pub fn discard(&mut self) {
        self.edits.clear();
        self.refresh();
    }

    /// Drops the changes that a written draft contains as well.
    pub fn settle(&mut self, written: &SwitchDraft) {
        self.edits.retain(|key, on| written.edits.get(key) != Some(on));
        self.refresh();
    }

    /// The number of changed switches.
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Actions that a person must approve and that become callable with Apply.
    pub fn newly_dangerous(&self) -> Vec<&'static ActionSpec> {
        let is_new = |spec: &&ActionSpec| self.now.is_on(spec) && !self.base.is_on(spec);
        ACTIONS.iter().copied().filter(is_new).filter(|spec| spec.danger != Danger::None).collect()
    }

    /// Merges the draft into the file's present content: the last writer wins per switch, all others are kept (B-235).
    pub fn merge(&self, current: Switches) -> Switches {
        let mut merged = current;
        for ((tool, action), on) in &self.edits {
            match action {
                None => merged.set_tool(*tool, *on),
                Some(action) => merged.set(*tool, action, *on),
            }
        }
        merged
    }

    fn edit(&mut self, key: Key, on: bool) {
        if value(&self.base, key) == on {
            self.edits.remove(&key);
        } else {
            self.edits.insert(key, on);
        }
        self.refresh();
    }

    fn refresh(&mut self) {
        self.now = self.merge(self.base.clone());
    }
}

/// The value of one switch, regardless of the others.
fn value(switches: &Switches, (tool, action): Key) -> bool {
    match action {
        None => switches.tool_switch(tool),
        Some(action) => {
            actions_of(tool).find(|spec| spec.name == action).is_some_and(|spec| switches.action_switch(spec))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(path: &str) -> &'static ActionSpec {
        ACTIONS.iter().copied().find(|spec| spec.path() == path).unwrap()
    }

    #[test]
    fn switching_back_leaves_no_change() {
        let mut draft = SwitchDraft::default();
        draft.set_action(spec("notebook.create"), false);
        assert!(
            !draft.now().is_on(spec("notebook.create")) && draft.is_changed(Tool::Notebook, Some("create"))
        );
        assert_eq!(draft.in_force().0, SwitchDraft::default().in_force().0, "nothing holds before Apply");
        draft.set_action(spec("notebook.create"), true);
        assert!(draft.is_empty());
        draft.set_tool(Tool::Fs, false);
        draft.discard();
        assert!(draft.is_empty() && draft.now().tool_is_on(Tool::Fs));
    }

    /// B-230, B-235: switches of another window and keys of another version stay.
    #[test]
    fn switches_of_two_windows_are_merged() {
        let mut mine = SwitchDraft::default();
        mine.set_tool(Tool::Mascot, false);
        mine.set_action(spec("notebook.create"), false);
        let theirs =
            br#"{"fs":{"enabled":false,"actions":{"of_tomorrow":true}},"mascot":{"enabled":true},"new":7}"#;
        let merged = mine.merge(Switches::parse(theirs).unwrap());
        let written: serde_json::Value = serde_json::from_str(&merged.to_json()).unwrap();
        assert_eq!(written["fs"]["enabled"], false);
        assert_eq!(written["fs"]["actions"]["of_tomorrow"], true);
        assert_eq!(written["mascot"]["enabled"], false);
        assert_eq!(written["notebook"]["actions"]["create"], false);
        assert_eq!(written["new"], 7);
    }

    /// B-232: a tool whose actions are all off is off; switching it on switches actions on.
    #[test]
    fn switching_a_tool_on_switches_actions_on() {
        let mut draft = SwitchDraft::default();
        for spec in actions_of(Tool::Notebook) {
            draft.set_action(spec, false);
        }
        assert!(!draft.now().tool_is_on(Tool::Notebook));
        draft.set_tool(Tool::Notebook, true);
        assert!(draft.now().tool_is_on(Tool::Notebook) && draft.count(Tool::Notebook).0 > 0);
    }

    #[test]
    fn dangerous_actions_that_become_callable_are_named() {
        let Some(spec) = ACTIONS.iter().copied().find(|spec| spec.danger != Danger::None && spec.default_on)
        else {
            return;
        };
        let mut off = Switches::default();
        off.set_tool(spec.tool, false);
        let mut draft = SwitchDraft::default();
        draft.rebase(off);
        assert!(draft.newly_dangerous().is_empty());
        draft.set_tool(spec.tool, true);
        assert!(draft.newly_dangerous().iter().any(|it| it.path() == spec.path()));
    }

    #[test]
    fn changes_already_in_the_file_are_dropped() {
        let mut draft = SwitchDraft::default();
        draft.set_tool(Tool::Fs, false);
        let mut file = Switches::default();
        file.set_tool(Tool::Fs, false);
        draft.rebase(file);
        assert!(draft.is_empty() && !draft.now().tool_is_on(Tool::Fs));
    }
}
