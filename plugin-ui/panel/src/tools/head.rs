//! Above the tools: what the list costs, the filter, and what happens to many switches at once.

use crate::state::page::Drafted;
use crate::state::preset::Preset;
use crate::state::switches::SwitchDraft;
use crate::state::toolbox::{MOST_BYTES, ToolChip};
use puppy_core::registry::ACTIONS;
use puppy_ui_parts::el::{El, el};
use puppy_ui_web::words::fill;
use reactive_graph::prelude::*;

use super::toolbox::Toolbox;
use crate::parts::{self, space};
use crate::{picked, presets};

/// What the list costs that clients load.
pub(super) fn costs(toolbox: Toolbox) -> El {
    let words = toolbox.words;
    let told = move || {
        toolbox.costs.with(|costs| {
            if costs.tools.is_empty() && costs.all.bytes == 0 {
                return toolbox.store.words.loading.to_owned();
            }
            let offered = toolbox.offer.with(|offer| ACTIONS.iter().filter(|spec| offer.has(spec)).count());
            let numbers = [costs.tools.len(), offered, ACTIONS.len(), costs.all.bytes, costs.all.tokens];
            let [tools, n, all, bytes, tokens] = &numbers.map(|it| it.to_string());
            let values = [("tools", tools), ("n", n), ("all", all), ("bytes", bytes), ("tokens", tokens)];
            fill(words.list, &values.map(|(key, value)| (key, value.as_str())))
        })
    };
    let most = MOST_BYTES.to_string();
    let bytes = move || toolbox.costs.with(|it| it.all.bytes).to_string();
    let meter = el("meter", "pup-meter").attr("min", "0").attr("max", &most).has("value", bytes);
    let meter = meter.attr("aria-labelledby", "pup-costs");
    let text = el("div", "config-name").attr("id", "pup-costs").attr("role", "status").says(told);
    let names =
        el("div", "fn__flex-1").put(text).put(parts::hint(&fill(words.list_hint, &[("most", &most)])));
    let row = el("div", "fn__flex b3-label config-item config-wrap").attr("data-name", "costs");
    parts::card().put(row.put(names).put(space()).put(meter))
}

/// The filter, and the choices between actions.
pub(super) fn filter(toolbox: Toolbox) -> El {
    let words = toolbox.words;
    let chips = ToolChip::ALL.into_iter().map(|chip| {
        let count = move || {
            toolbox.store.switches.with(|draft| ACTIONS.iter().filter(|it| chip.takes(it, draft)).count())
        };
        parts::toggle("", move || toolbox.chip() == chip)
            .attr("data-chip", chip.word())
            .says(move || chip.title(words, count()))
            .click(move || toolbox.choose_chip(chip))
    });
    let chips = el("div", "pup-chips").attr("role", "group").attr("aria-label", words.which).all(chips);
    let folds = [("unfold", words.unfold, true), ("fold", words.fold, false)];
    let folds =
        folds.into_iter().map(|(name, title, is)| plain(name, title).click(move || toolbox.unfolded.set(is)));
    let (store, find) = (toolbox.store, move |text| toolbox.find(text));
    let first = picked::filter(store, toolbox.picks, words.filter, ACTIONS.len(), find);
    let second = el("div", "pup-many").put(chips).put(el("span", "fn__flex-1"));
    el("div", "pup-head-lines").put(first).put(second.put(el("span", "pup-chips").all(folds)))
}

fn plain(name: &str, title: &str) -> El {
    let button = el("button", "b3-button b3-button--outline b3-button--small pup-plain");
    button.attr("type", "button").attr("data-do", name).text(title)
}

/// The switches of many actions, and the presets.
pub(super) fn many(toolbox: Toolbox) -> El {
    let (store, words) = (toolbox.store, toolbox.words);
    let count = move || toolbox.targets().len().to_string();
    let what = move || {
        let is_selection = toolbox.picks.with(|it| !it.selected.is_empty());
        let text = if is_selection { words.switch_selected } else { words.switch_shown };
        fill(text, &[("n", &count())])
    };
    let button = |name: &'static str, title: &'static str, text: &'static str, what: Many| {
        let step = move || fill(text, &[("n", &count())]);
        plain(name, title).flag("disabled", store.readonly).has("aria-label", step).click(move || {
            let targets = toolbox.targets();
            if !targets.is_empty() {
                toolbox.change(&step(), |draft| what.apply(draft, &targets));
            }
        })
    };
    let none = plain("select-none", store.draft_words.select_none)
        .shown_if(move || toolbox.picks.with(|it| !it.selected.is_empty()))
        .click(move || toolbox.picks.update(|it| it.selected.clear()));
    let buttons = el("span", "pup-chips")
        .put(button("many-on", words.turn_on, words.many_on, Many::Switch(true)))
        .put(button("many-off", words.turn_off, words.many_off, Many::Switch(false)))
        .put(button("many-default", store.draft_words.default, words.many_default, Many::Default))
        .put(none);
    el("div", "pup-many")
        .put(el("span", "pup-what").attr("role", "status").says(what))
        .put(buttons)
        .put(el("span", "fn__flex-1"))
        .put(choice_of_presets(toolbox))
}

/// A change of many switches.
#[derive(Clone, Copy)]
enum Many {
    Switch(bool),
    Default,
}

impl Many {
    fn apply(self, draft: &mut SwitchDraft, targets: &[&'static puppy_core::spec::ActionSpec]) {
        match self {
            Many::Switch(on) => draft.set_actions(targets.iter().copied(), on),
            Many::Default => draft.reset(targets.iter().copied()),
        }
    }
}

fn choice_of_presets(toolbox: Toolbox) -> El {
    let (store, words) = (toolbox.store, toolbox.store.draft_words);
    let now = move || store.switches.with(SwitchDraft::preset);
    let fill_in = move |preset: Preset, replaces| {
        let name = preset.title(words).to_owned();
        store.edit_switches(|draft| draft.fill(name.clone(), preset, replaces));
        toolbox.say(&name);
    };
    presets::view(store, Drafted::Switches, toolbox.words.preset_hint, now, fill_in)
}
