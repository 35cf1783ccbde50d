//! The draft of the tool and action switches.

use std::collections::BTreeMap;

use puppy_core::config::Switches;
use puppy_core::find::actions_of;
use puppy_core::registry::ACTIONS;
use puppy_core::spec::{ActionSpec, Danger, Tool};

use puppy_ui_web::state::tri::Tri;

use super::diff::SwitchChange;
use super::preset::Preset;
use super::steps::Steps;

/// The owner of a switch: a tool, or one of its actions.
type Key = (Tool, Option<&'static str>);

/// The switches as read, and a person's changes since.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SwitchDraft {
    base: Switches,
    now: Switches,
    edits: BTreeMap<Key, bool>,
    steps: Steps<Key, bool>,
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

    /// The box of a tool over its actions.
    pub fn tri(&self, tool: Tool) -> Tri {
        let (on, all) = self.count(tool);
        if self.now.tool_switch(tool) { Tri::of(on, all) } else { Tri::Off }
    }

    /// Presses the box of a tool. Off leaves its actions as they are, so that on brings back what was on; from mixed it
    /// switches on those of its actions that are shown.
    pub fn press(&mut self, tool: Tool, is_shown: impl Fn(&ActionSpec) -> bool) {
        match self.tri(tool) {
            Tri::On => self.set_tool(tool, false),
            Tri::Off => self.set_tool(tool, true),
            Tri::Mixed => {
                let off: Vec<_> = actions_of(tool).filter(|spec| !self.now.action_switch(spec)).collect();
                let shown: Vec<_> = off.iter().filter(|spec| is_shown(spec)).collect();
                // If all shown actions are on already, the press turns the tool off instead of doing nothing.
                if shown.is_empty() {
                    self.set_tool(tool, false);
                }
                for spec in shown {
                    self.put((tool, Some(spec.name)), true);
                }
                self.refresh();
            }
        }
    }

    /// Switches some actions. Their tools go on with them: on must mean on.
    pub fn set_actions(&mut self, specs: impl Iterator<Item = &'static ActionSpec>, on: bool) {
        for spec in specs {
            if on {
                self.put((spec.tool, None), true);
            }
            self.put((spec.tool, Some(spec.name)), on);
        }
        self.refresh();
    }

    /// Puts the switches of some actions to where the declarations have them.
    pub fn reset(&mut self, specs: impl Iterator<Item = &'static ActionSpec>) {
        for spec in specs {
            self.put((spec.tool, None), true);
            self.put((spec.tool, Some(spec.name)), spec.default_on);
        }
        self.refresh();
    }

    /// Puts every switch to where it is in other switches, whatever was changed before; the number of those that were
    /// elsewhere. A tool that is on there with all of its actions off stays like that.
    pub fn take(&mut self, wanted: &Switches) -> usize {
        let differing: Vec<Key> =
            keys().filter(|key| value(&self.now, *key) != value(wanted, *key)).collect();
        for key in &differing {
            self.put(*key, value(wanted, *key));
        }
        self.refresh();
        differing.len()
    }

    /// Puts every switch to where a preset has it. Switches that a person has changed before stay, unless those are to
    /// be replaced too; a preset takes the place of the one just before it.
    pub fn fill(&mut self, name: String, preset: Preset, replace: bool) {
        self.fill_in(name, positions(preset).collect(), replace);
    }

    /// Puts every switch to where it is in other switches, under the same rules.
    pub fn fill_with(&mut self, name: String, wanted: &Switches, replace: bool) {
        self.fill_in(name, keys().map(|key| (key, value(wanted, key))).collect(), replace);
    }

    /// Whether every switch is where it is in other switches.
    pub fn has(&self, others: &Switches) -> bool {
        keys().all(|key| value(&self.now, key) == value(others, key))
    }

    fn fill_in(&mut self, name: String, positions: Vec<(Key, bool)>, replace: bool) {
        if self.steps.has_filled() {
            self.back();
        }
        self.step(name, true, |draft| {
            if replace {
                draft.edits.clear();
            }
            for (key, on) in positions {
                if !draft.edits.contains_key(&key) {
                    draft.put(key, on);
                }
            }
            draft.refresh();
        });
    }

    /// The preset whose switches these are.
    pub fn preset(&self) -> Option<Preset> {
        Preset::ALL.into_iter().find(|preset| positions(*preset).all(|(key, on)| value(&self.now, key) == on))
    }

    /// Does something as one step that can be taken back.
    pub fn gesture(&mut self, name: String, what: impl FnOnce(&mut SwitchDraft)) {
        self.step(name, false, what);
    }

    fn step(&mut self, name: String, fills: bool, what: impl FnOnce(&mut SwitchDraft)) {
        let (edits, before) = (self.edits.clone(), self.now.clone());
        what(self);
        let added = self.edits.keys().filter(|key| !edits.contains_key(key));
        let touched = edits.keys().chain(added);
        let changes = touched.map(|key| (*key, value(&before, *key), value(&self.now, *key)));
        self.steps.took(name, fills, changes);
    }

    /// The steps that can be taken back and made again.
    pub fn steps(&self) -> &Steps<Key, bool> {
        &self.steps
    }

    /// Takes the last gesture back, also one that has been applied: that makes a new change.
    pub fn back(&mut self) {
        for (key, on) in self.steps.back() {
            self.put(key, on);
        }
        self.refresh();
    }

    /// Makes the gesture again that was taken back last.
    pub fn forward(&mut self) {
        for (key, on) in self.steps.forward() {
            self.put(key, on);
        }
        self.refresh();
    }

    /// Takes one change back.
    pub fn undo(&mut self, change: &SwitchChange) {
        self.edit((change.tool, change.action), !change.is_on);
    }

    /// Every change: what is switched on first.
    pub fn changes(&self) -> Vec<SwitchChange> {
        let change = |(key, on): (&Key, &bool)| SwitchChange { tool: key.0, action: key.1, is_on: *on };
        let those = |is_on| self.edits.iter().map(change).filter(move |change| change.is_on == is_on);
        those(true).chain(those(false)).collect()
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

    /// Forgets every change, as one step.
    pub fn discard(&mut self, name: String) {
        self.gesture(name, |draft| {
            draft.edits.clear();
            draft.refresh();
        });
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
        self.put(key, on);
        self.refresh();
    }

    /// Like `edit`, for one of many: the switches under this draft are made anew by whoever has put the last.
    fn put(&mut self, key: Key, on: bool) {
        if value(&self.base, key) == on {
            self.edits.remove(&key);
        } else {
            self.edits.insert(key, on);
        }
    }

    fn refresh(&mut self) {
        self.now = self.merge(self.base.clone());
    }
}

/// The positions of the switches in a preset: those of all actions, and on for each tool with an action that is on.
fn positions(preset: Preset) -> impl Iterator<Item = (Key, bool)> {
    let actions = ACTIONS.iter().map(move |spec| ((spec.tool, Some(spec.name)), preset.has(spec)));
    let tools = Tool::ALL.into_iter().filter(move |tool| actions_of(*tool).any(|spec| preset.has(spec)));
    tools.map(|tool| ((tool, None), true)).chain(actions)
}

/// Every switch.
fn keys() -> impl Iterator<Item = Key> {
    let tools =
        Tool::ALL.into_iter().filter(|tool| actions_of(*tool).next().is_some()).map(|tool| (tool, None));
    tools.chain(ACTIONS.iter().map(|spec| (spec.tool, Some(spec.name))))
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
#[path = "switches_tests.rs"]
mod tests;
