//! The page of notebooks and levels: one value a row, a draft until Apply (B-064).

mod effective;
mod filter;
mod grid;
mod keys;
mod made;
mod matrix;
mod row;

use std::collections::BTreeSet;

use puppy_ui_parts::el::{El, el};
use puppy_ui_web::words::fill;
use reactive_graph::prelude::*;

use self::matrix::Matrix;
use crate::state::page::{Drafted, PanelPage};
use crate::store::Store;
use crate::{frame, parts};

pub(crate) fn page(store: Store) -> El {
    let broken = store.words.broken_table;
    frame::frame(store, PanelPage::Permissions, Drafted::Levels, store.notebooks_load, broken, content)
}

fn content(store: Store) -> El {
    let (words, more) = (store.words, store.draft_words);
    let matrix = Matrix::new(store);
    let (grid, body) = grid::view(matrix);
    let own = body.clone();
    let body = body.keys(move |event| keys::in_grid(grid, &own, event));
    let empty = (matrix.all() == 0).then(|| el("div", "pup-empty").text(words.no_notebooks));
    let all = parts::button("show-all", more.show_all).click(move || matrix.clear());
    let none = el("div", "pup-empty").put(el("span", "").text(more.none_shown)).put(parts::space()).put(all);
    let none = none.shown_if(move || matrix.all() > 0 && matrix.picks.with(|it| it.shown.is_empty()));
    let card = parts::card().put(body).all(empty).put(none).put(unknown(matrix));
    let group = parts::group(words.notebooks)
        .put(el("div", "pup-hint b3-label__text").text(words.notebooks_hint))
        .put(made::view(store))
        .put(filter::line(matrix))
        .put(filter::many(matrix))
        .put(card)
        .put(el("div", "pup-hint pup-keys b3-label__text").text(more.keys));
    let page = el("div", "").put(group).put(effective::view(store));
    page.keys(move |event| frame::escape(event, || matrix.escape()))
}

/// The ids of the table that no notebook has.
fn unknown(matrix: Matrix) -> El {
    let (store, words) = (matrix.store, matrix.words);
    let unknown = move || {
        store.notebooks.with(|notebooks| {
            let mut ids = BTreeSet::new();
            for notebook in notebooks {
                ids.insert(notebook.id.as_str());
            }
            store.levels.with(|draft| draft.unknown(&ids))
        })
    };
    let text = move || fill(words.unknown, &[("n", &unknown().len().to_string())]);
    let forget = parts::button("forget-unknown", words.forget).flag("disabled", store.readonly);
    let forget = forget.click(move || {
        let ids = unknown();
        let name = fill(words.forgotten, &[("n", &ids.len().to_string())]);
        store.edit_levels(|draft| draft.gesture(name.clone(), |it| ids.iter().for_each(|id| it.unlist(id))));
        matrix.say(&name);
    });
    let foot = el("div", "pup-foot fn__flex");
    let foot = foot.put(el("span", "fn__flex-1 b3-label__text").says(text)).put(parts::space()).put(forget);
    foot.shown_if(move || !unknown().is_empty())
}
