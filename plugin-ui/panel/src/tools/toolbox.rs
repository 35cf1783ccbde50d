//! The signals of the page of tools, and the gestures that its parts have in common.

use crate::state::effective::Effective;
use crate::state::matrix::Picks;
use crate::state::switches::SwitchDraft;
use crate::state::toolbox::{Costs, ToolChip, is_named};
use leptos::prelude::*;
use puppy_core::config::Offer;
use puppy_core::registry::ACTIONS;
use puppy_core::spec::ActionSpec;
use puppy_ui_web::host;
use puppy_ui_web::words::actions;
use puppy_ui_web::words::tools::ToolWords;

use crate::picked;
use crate::store::Store;
use puppy_ui_web::state::trouble::Load;

/// The time until the costs of a changed list are known: a series of clicks is one change.
const COSTS_MS: u64 = 120;

/// The tools, and what a person does with them. Actions have places: those in the registry.
#[derive(Clone, Copy)]
pub(super) struct Toolbox {
    pub(super) store: Store,
    pub(super) words: &'static ToolWords,
    pub(super) picks: RwSignal<Picks>,
    /// The choice of actions, by its place in [`ToolChip::ALL`].
    chip: RwSignal<usize>,
    /// The actions that agents are offered under the drafts.
    pub(super) offer: Memo<Offer>,
    /// The costs of the list; empty until they are known.
    pub(super) costs: RwSignal<Costs>,
    /// Set whenever every tool is opened, or closed.
    pub(super) unfolded: RwSignal<bool>,
}

impl Toolbox {
    pub(super) fn new(store: Store) -> Toolbox {
        let offer = Memo::new(move |_| {
            store.switches.with(|switches| {
                let is_known = store.notebooks_load.get() == Load::Ready;
                store.levels.with(|levels| {
                    store.notebooks.with(|notebooks| {
                        let levels = is_known.then_some((levels, notebooks.as_slice()));
                        Effective::new(levels, switches.now()).offer().clone()
                    })
                })
            })
        });
        let toolbox = Toolbox {
            store,
            words: ToolWords::of(&store.lang()),
            picks: RwSignal::new(Picks::of(ACTIONS.len())),
            chip: RwSignal::new(0),
            offer,
            costs: RwSignal::new(Costs::default()),
            unfolded: RwSignal::new(false),
        };
        toolbox.count_costs();
        toolbox
    }

    /// Renders the list that clients would load, a moment after it has changed.
    fn count_costs(self) {
        let timer = StoredValue::new_local(None);
        Effect::new(move || {
            let offer = self.offer.get();
            let costs = move || {
                self.costs.try_set(Costs::of(&offer));
            };
            timer.set_value(Some(host::later(COSTS_MS, costs)));
        });
    }

    /// The choice of actions.
    pub(super) fn chip(self) -> ToolChip {
        ToolChip::ALL.get(self.chip.get()).copied().unwrap_or_default()
    }

    /// Whether a filter leaves some actions out; their tools are open then.
    pub(super) fn is_filtered(self) -> bool {
        self.chip() != ToolChip::All || self.picks.with(|it| !it.text.is_empty())
    }

    /// Shows the actions that fit a text.
    pub(super) fn find(self, text: String) {
        self.filter(text, self.chip());
    }

    /// Shows the actions that fit a choice.
    pub(super) fn choose_chip(self, chip: ToolChip) {
        self.filter(self.picks.with_untracked(|it| it.text.clone()), chip);
    }

    fn filter(self, text: String, chip: ToolChip) {
        let lang = self.store.lang();
        let is_found = |spec: &ActionSpec| {
            let wording = actions::action(&lang, spec);
            is_named(spec, &text)
                || wording.name.is_some_and(|it| it.contains(&text))
                || wording.summary.contains(&text)
        };
        let shown = self.store.switches.with_untracked(|draft| {
            let is_shown = |(_, spec): &(usize, &&ActionSpec)| is_found(spec) && chip.takes(spec, draft);
            ACTIONS.iter().enumerate().filter(is_shown).map(|(place, _)| place).collect()
        });
        self.chip.set(ToolChip::ALL.into_iter().position(|it| it == chip).unwrap_or_default());
        self.picks.update(|it| {
            it.text = text;
            it.shown = shown;
        });
    }

    /// Shows every action.
    pub(super) fn clear(self) {
        self.filter(String::new(), ToolChip::All);
    }

    /// Escape: it clears the filter, then the selection. False where there is nothing to clear.
    pub(super) fn escape(self) -> bool {
        picked::escape(self.picks, |text| self.find(text))
    }

    /// The actions that a change of many is about: the selected ones, or else the shown ones.
    pub(super) fn targets(self) -> Vec<&'static ActionSpec> {
        let places = self.picks.with(Picks::targets);
        places.into_iter().filter_map(|place| ACTIONS.get(place).copied()).collect()
    }

    /// Changes the switches as one step, and says so.
    pub(super) fn change(self, name: &str, what: impl FnOnce(&mut SwitchDraft)) {
        if self.store.readonly {
            return;
        }
        self.store.edit_switches(|draft| draft.gesture(name.to_owned(), what));
        self.say(name);
    }

    /// Says something, and how many changes wait.
    pub(super) fn say(self, what: &str) {
        let count = self.store.switches.with_untracked(SwitchDraft::len);
        self.store.said.set(format!("{what}. {}", self.store.words.changes(count)));
    }
}
