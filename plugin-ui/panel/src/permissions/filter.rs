//! The controls beside the matrix: the filter, the changes of many rows together, and the presets.

use crate::state::matrix::{Chip, Row};
use crate::state::page::DraftKind;
use crate::state::preset::Preset;
use leptos::prelude::*;
use puppy_core::permission::Level;
use puppy_ui_parts::{Button, Choices, PLAIN, Toggle};
use puppy_ui_web::words::fill;

use super::matrix::Matrix;
use crate::picked::Filter;
use crate::presets::PresetChoice;

/// The filter, and the choices between rows.
#[component]
pub(super) fn FilterLine(matrix: Matrix) -> AnyView {
    let (store, words) = (matrix.store, matrix.words);
    let chip = move |chip: Chip| {
        let count = move || {
            matrix.rows.with_value(|rows| {
                store.levels.with(|draft| rows.iter().filter(|row| chip.takes(row, draft)).count())
            })
        };
        view! {
            <Toggle
                text=move || chip.title(words, count())
                is_chosen=move || matrix.chip() == chip
                press=move |_| matrix.choose_chip(chip)
                attr:data-chip=chip.word()
            />
        }
    };
    view! {
        <div>
            <Filter
                store
                picks=matrix.picks
                label=store.words.filter
                all=matrix.all()
                find=move |text| matrix.find(text)
            />
            <Choices class="pup-chips" label=words.which>
                {Chip::ALL.into_iter().map(chip).collect_view()}
            </Choices>
        </div>
    }
    .into_any()
}

/// The levels for the selected rows. Without a selection it is not seen; above the rows it keeps its place, so that they
/// stay where they are.
#[component]
pub(super) fn ManyLine(matrix: Matrix, keeps_place: bool) -> AnyView {
    let (store, words) = (matrix.store, matrix.words);
    let is_selection = move || matrix.picks.with(|it| !it.selected.is_empty());
    let what = move || fill(words.set_selected, &[("n", &matrix.count().to_string())]);
    let button = move |level: Option<Level>| {
        let (name, title, hint) = match level {
            Some(level) => (level.word(), store.words.level(level), store.words.level_hint(level)),
            None => ("default", words.default, words.default_hint),
        };
        view! {
            <Button
                class=PLAIN
                text=title
                label=move || matrix.many(level, matrix.count())
                disabled=store.readonly
                press=move |_| matrix.choose_many(level)
                attr:data-many=name
                attr:title=hint
            />
        }
    };
    view! {
        <div
            class="pup-many"
            class:fn__none=move || !keeps_place && !is_selection()
            class:pup-unseen=move || !is_selection()
        >
            <span class="pup-what" role="status">{what}</span>
            <span class="pup-chips">
                {Level::ALL.into_iter().map(Some).chain([None]).map(button).collect_view()}
                <Button
                    class=PLAIN
                    name="select-none"
                    text=words.select_none
                    press=move |_| matrix.picks.update(|it| it.selected.clear())
                />
            </span>
        </div>
    }
    .into_any()
}

/// The presets of the levels.
#[component]
pub(super) fn LevelPresets(matrix: Matrix) -> AnyView {
    let (store, words) = (matrix.store, matrix.words);
    let now = move || {
        matrix.rows.with_value(|rows| {
            let open = rows.iter().filter(|row| !row.notebook.encrypted).map(|row| row.notebook.id.as_str());
            store.levels.with(|draft| draft.preset(open))
        })
    };
    let fill_in = move |(preset, replaces): (Preset, bool)| {
        let rows: Vec<(String, bool)> = matrix.rows.with_value(|rows| {
            let row = |(place, row): (usize, &Row)| {
                let is_chosen = matrix.picks.with_untracked(|it| it.selected.has(place));
                (!row.notebook.encrypted).then(|| (row.notebook.id.clone(), is_chosen))
            };
            rows.iter().enumerate().filter_map(row).collect()
        });
        let name = preset.title(words).to_owned();
        store.edit_levels(|draft| {
            let rows = rows.iter().map(|(id, is_chosen)| (id.as_str(), *is_chosen));
            draft.fill(name.clone(), preset, rows, replaces);
        });
        matrix.say(&name);
    };
    view! { <PresetChoice drafted=DraftKind::Levels hint=words.levels_preset_hint now fill_in/> }.into_any()
}
