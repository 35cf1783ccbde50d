//! Above the matrix: the filter, and what happens to many rows at once.

use crate::state::matrix::{Chip, Row};
use crate::state::page::Drafted;
use crate::state::preset::Preset;
use puppy_core::permission::Level;
use puppy_ui_parts::el::{El, el};
use puppy_ui_web::words::fill;
use reactive_graph::prelude::*;

use super::matrix::Matrix;
use crate::{parts, picked, presets};

/// The filter, and the choices between rows.
pub(super) fn line(matrix: Matrix) -> El {
    let (store, words) = (matrix.store, matrix.words);
    let chips = Chip::ALL.into_iter().map(|chip| {
        let count = move || {
            matrix.rows.with_value(|rows| {
                store.levels.with(|draft| rows.iter().filter(|row| chip.takes(row, draft)).count())
            })
        };
        parts::toggle("", move || matrix.chip() == chip)
            .attr("data-chip", chip.word())
            .says(move || chip.title(words, count()))
            .click(move || matrix.choose_chip(chip))
    });
    let chips = el("div", "pup-chips").attr("role", "group").attr("aria-label", words.which).all(chips);
    let label = store.words.filter;
    let first = picked::filter(store, matrix.picks, label, matrix.all(), move |text| matrix.find(text));
    el("div", "").put(first).put(chips.class_if("fn__none", move || matrix.all() == 0))
}

/// The levels for many rows, and the presets.
pub(super) fn many(matrix: Matrix) -> El {
    let (store, words) = (matrix.store, matrix.words);
    let what = move || {
        let is_selection = matrix.picks.with(|it| !it.selected.is_empty());
        let text = if is_selection { words.set_selected } else { words.set_shown };
        fill(text, &[("n", &matrix.count().to_string())])
    };
    let button = |level: Option<Level>| {
        let (name, title, hint) = match level {
            Some(level) => (level.word(), store.words.level(level), store.words.level_hint(level)),
            None => ("default", words.default, words.default_hint),
        };
        el("button", "b3-button b3-button--outline b3-button--small pup-plain")
            .attr("type", "button")
            .attr("data-many", name)
            .attr("title", hint)
            .flag("disabled", store.readonly)
            .text(title)
            .has("aria-label", move || matrix.many(level, matrix.count()))
            .click(move || matrix.choose_many(level))
    };
    let none = el("button", "b3-button b3-button--outline b3-button--small pup-plain")
        .attr("type", "button")
        .attr("data-do", "select-none")
        .text(words.select_none)
        .shown_if(move || matrix.picks.with(|it| !it.selected.is_empty()))
        .click(move || matrix.picks.update(|it| it.selected.clear()));
    let buttons = Level::ALL.into_iter().map(Some).chain([None]).map(button);
    el("div", "pup-many")
        .put(el("span", "pup-what").attr("role", "status").says(what))
        .put(el("span", "pup-chips").all(buttons).put(none))
        .put(el("span", "fn__flex-1"))
        .put(choice_of_presets(matrix))
}

fn choice_of_presets(matrix: Matrix) -> El {
    let (store, words) = (matrix.store, matrix.words);
    let now = move || {
        matrix.rows.with_value(|rows| {
            let open = rows.iter().filter(|row| !row.notebook.encrypted).map(|row| row.notebook.id.as_str());
            store.levels.with(|draft| draft.preset(open))
        })
    };
    let fill_in = move |preset: Preset, replaces| {
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
    presets::view(store, Drafted::Levels, words.levels_preset_hint, now, fill_in)
}
