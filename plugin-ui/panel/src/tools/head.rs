//! The controls above the tools: the cost of the list, the filter, and the changes of many switches together.

use crate::state::page::DraftKind;
use crate::state::preset::Preset;
use crate::state::switches::SwitchDraft;
use crate::state::toolbox::{MOST_BYTES, ToolChip};
use leptos::prelude::*;
use puppy_core::registry::ACTIONS;
use puppy_ui_parts::{Button, Card, Choices, Hint, PLAIN, Space, Toggle};
use puppy_ui_web::words::{fill, grouped};

use super::toolbox::Toolbox;
use crate::picked::Filter;
use crate::presets::PresetChoice;

/// The cost of the tool list that clients load.
#[component]
pub(super) fn Costs(toolbox: Toolbox) -> AnyView {
    let words = toolbox.words;
    let costs = move || {
        toolbox.costs.with(|costs| {
            if costs.tools.is_empty() && costs.all.bytes == 0 {
                return toolbox.store.words.loading.to_owned();
            }
            let offered = toolbox.offer.with(|offer| ACTIONS.iter().filter(|spec| offer.has(spec)).count());
            let numbers = [costs.tools.len(), offered, ACTIONS.len(), costs.all.tokens];
            let [tools, n, all, tokens] = &numbers.map(|it| grouped(&it.to_string()));
            let values = [("tools", tools), ("n", n), ("all", all), ("tokens", tokens)];
            fill(words.list, &values.map(|(key, value)| (key, value.as_str())))
        })
    };
    let most = MOST_BYTES.to_string();
    let bytes = move || toolbox.costs.with(|it| it.all.bytes).to_string();
    let hint = move || {
        let [bytes, most] = [bytes(), MOST_BYTES.to_string()].map(|it| grouped(&it));
        fill(words.list_hint, &[("bytes", &bytes), ("most", &most)])
    };
    view! {
        <Card>
            <div class="fn__flex b3-label config-item config-wrap" data-name="costs">
                <div class="fn__flex-1">
                    <div class="config-name" id="pup-costs" role="status">{costs}</div>
                    <Hint text=hint/>
                </div>
                <Space/>
                <meter class="pup-meter" min="0" max=most value=bytes aria-labelledby="pup-costs"></meter>
            </div>
        </Card>
    }
    .into_any()
}

/// The filter, and the choices between actions.
#[component]
pub(super) fn FilterLines(toolbox: Toolbox) -> AnyView {
    let (store, words) = (toolbox.store, toolbox.words);
    let chip = move |chip: ToolChip| {
        let count =
            move || store.switches.with(|draft| ACTIONS.iter().filter(|it| chip.takes(it, draft)).count());
        view! {
            <Toggle
                text=move || chip.title(words, count())
                is_chosen=move || toolbox.chip() == chip
                press=move |_| toolbox.choose_chip(chip)
                attr:data-chip=chip.word()
            />
        }
    };
    let fold = move |name, text, is| {
        view! { <Button class=PLAIN name text press=move |_| toolbox.unfolded.set(is)/> }
    };
    view! {
        <div class="pup-head-lines">
            <Filter
                store
                picks=toolbox.picks
                label=words.filter
                all=ACTIONS.len()
                find=move |text| toolbox.find(text)
            />
            <div class="pup-many">
                <Choices class="pup-chips" label=words.which>
                    {ToolChip::ALL.into_iter().map(chip).collect_view()}
                </Choices>
                <span class="fn__flex-1"></span>
                <span class="pup-chips">
                    {fold("unfold", words.unfold, true)}
                    {fold("fold", words.fold, false)}
                </span>
            </div>
        </div>
    }
    .into_any()
}

/// The switches of many actions, and the presets.
#[component]
pub(super) fn ManyLine(toolbox: Toolbox) -> AnyView {
    let (store, words) = (toolbox.store, toolbox.words);
    let count = move || toolbox.targets().len().to_string();
    let is_selection = move || toolbox.picks.with(|it| !it.selected.is_empty());
    let what = move || {
        let text = if is_selection() { words.switch_selected } else { words.switch_shown };
        fill(text, &[("n", &count())])
    };
    let button = move |name: &'static str, title: &'static str, text: &'static str, what: Many| {
        let step = move || fill(text, &[("n", &count())]);
        let press = move |_| {
            let targets = toolbox.targets();
            if !targets.is_empty() {
                toolbox.change(&step(), |draft| what.apply(draft, &targets));
            }
        };
        view! { <Button class=PLAIN name text=title label=step disabled=store.readonly press/> }
    };
    view! {
        <div class="pup-many">
            <span class="pup-what" role="status">{what}</span>
            <span class="pup-chips">
                {button("many-on", words.turn_on, words.many_on, Many::Switch(true))}
                {button("many-off", words.turn_off, words.many_off, Many::Switch(false))}
                {button("many-default", store.draft_words.default, words.many_default, Many::Default)}
                <Button
                    class=PLAIN
                    name="select-none"
                    text=store.draft_words.select_none
                    shown=is_selection
                    press=move |_| toolbox.picks.update(|it| it.selected.clear())
                />
            </span>
            <span class="fn__flex-1"></span>
            <SwitchPresets toolbox/>
        </div>
    }
    .into_any()
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

/// The presets of the switches.
#[component]
fn SwitchPresets(toolbox: Toolbox) -> AnyView {
    let (store, words) = (toolbox.store, toolbox.store.draft_words);
    let now = move || store.switches.with(SwitchDraft::preset);
    let fill_in = move |(preset, replaces): (Preset, bool)| {
        let name = preset.title(words).to_owned();
        store.edit_switches(|draft| draft.fill(name.clone(), preset, replaces));
        toolbox.say(&name);
    };
    view! { <PresetChoice drafted=DraftKind::Switches hint=toolbox.words.preset_hint now fill_in/> }
        .into_any()
}
