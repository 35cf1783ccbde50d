//! The changes of a draft as frame and bar see them, whichever draft it is: line by line, and step by step.

use crate::state::diff::{Direction, LevelChange, SwitchChange, tally};
use crate::state::levels::LevelDraft;
use crate::state::page::DraftKind;
use crate::state::switches::SwitchDraft;
use leptos::prelude::*;
use puppy_ui_web::words::fill;

use crate::store::Store;

/// The way of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Back,
    Forward,
}

/// One change that is not applied.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) direction: Direction,
    pub(crate) text: String,
    change: Change,
}

#[derive(Debug, Clone)]
enum Change {
    Level(LevelChange),
    Switch(SwitchChange),
}

/// Every change, the wider ones first.
pub(crate) fn lines(store: Store, drafted: DraftKind) -> Vec<Line> {
    let words = store.draft_words;
    match drafted {
        DraftKind::Levels => {
            let line = |change: LevelChange| {
                let [was, is] = [change.was, change.is].map(|it| store.words.level(it));
                let name = store.name(&change.notebook);
                let text = fill(words.from_to, &[("name", &name), ("was", was), ("is", is)]);
                Line { direction: change.direction(), text, change: Change::Level(change) }
            };
            store.levels.with(LevelDraft::changes).into_iter().map(line).collect()
        }
        DraftKind::Switches => {
            let line = |change: SwitchChange| {
                let text = if change.is_on { words.turns_on } else { words.turns_off };
                let text = fill(text, &[("name", &change.name())]);
                Line { direction: change.direction(), text, change: Change::Switch(change) }
            };
            store.switches.with(SwitchDraft::changes).into_iter().map(line).collect()
        }
    }
}

/// The number of changes in each direction, in words.
pub(crate) fn summary(store: Store, drafted: DraftKind) -> String {
    store.draft_words.tally(match drafted {
        DraftKind::Levels => {
            store.levels.with(|draft| tally(draft.changes().iter().map(LevelChange::direction)))
        }
        DraftKind::Switches => {
            store.switches.with(|draft| tally(draft.changes().iter().map(SwitchChange::direction)))
        }
    })
}

/// Takes one change back, as a step.
pub(crate) fn take_back(store: Store, line: &Line) {
    let name = fill(store.draft_words.take_back, &[("what", &line.text)]);
    match &line.change {
        Change::Level(change) => {
            store.edit_levels(|draft| draft.gesture(name, |it| it.undo(&change.notebook)));
        }
        Change::Switch(change) => store.edit_switches(|draft| draft.gesture(name, |it| it.undo(change))),
    }
}

/// Forgets every change, as a step.
pub(crate) fn discard(store: Store, drafted: DraftKind) {
    let name = store.words.discard.to_owned();
    match drafted {
        DraftKind::Levels => store.edit_levels(|draft| draft.discard(name)),
        DraftKind::Switches => store.edit_switches(|draft| draft.discard(name)),
    }
    store.said.set(String::new());
}

/// The name of the gesture that a step is about.
pub(crate) fn next(store: Store, drafted: DraftKind, way: Way) -> Option<String> {
    let name = match (drafted, way) {
        (DraftKind::Levels, Way::Back) => store.levels.with(|it| it.steps().behind().map(str::to_owned)),
        (DraftKind::Levels, Way::Forward) => store.levels.with(|it| it.steps().ahead().map(str::to_owned)),
        (DraftKind::Switches, Way::Back) => store.switches.with(|it| it.steps().behind().map(str::to_owned)),
        (DraftKind::Switches, Way::Forward) => {
            store.switches.with(|it| it.steps().ahead().map(str::to_owned))
        }
    };
    name.filter(|_| !store.readonly)
}

/// Takes a step and says which.
pub(crate) fn step(store: Store, drafted: DraftKind, way: Way) {
    let Some(what) = untrack(|| next(store, drafted, way)) else { return };
    match (drafted, way) {
        (DraftKind::Levels, Way::Back) => store.edit_levels(LevelDraft::back),
        (DraftKind::Levels, Way::Forward) => store.edit_levels(LevelDraft::forward),
        (DraftKind::Switches, Way::Back) => store.edit_switches(SwitchDraft::back),
        (DraftKind::Switches, Way::Forward) => store.edit_switches(SwitchDraft::forward),
    }
    let words = store.draft_words;
    let text = if way == Way::Back { words.taken_back } else { words.made_again };
    store.said.set(fill(text, &[("what", &what)]));
}
