//! The keys of the matrix. Arrows move and never change a level; digits change the row or the selection.

use crate::state::matrix::{COLUMNS, led, next_named};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use puppy_core::permission::Level;
use puppy_ui_web::host;
use puppy_ui_web::host::dom;

use super::grid::{self, Grid};
use super::matrix::Matrix;

/// A key in the grid; true where it is handled.
pub(super) fn in_grid(grid: Grid, event: &KeyboardEvent) -> bool {
    let matrix = grid.matrix;
    let Some((place, column)) = grid.active() else { return false };
    let shown = matrix.picks.with_untracked(|it| it.shown.clone());
    let Some(at) = shown.iter().position(|it| *it == place) else { return false };
    let (key, ctrl) = (event.key(), event.ctrl_key() || event.meta_key());
    if let Some((row, column)) = led(&key, ctrl, (at, column), (shown.len(), COLUMNS)) {
        let Some(to) = shown.get(row).copied() else { return false };
        if event.shift_key() && row != at {
            matrix.picks.update(|it| {
                it.select(place, true);
                it.select(to, true);
            });
        }
        grid.focus((to, column));
        return true;
    }
    if ctrl && key.eq_ignore_ascii_case("a") {
        matrix.picks.update(|it| it.selected.all(&shown));
        return true;
    }
    if ctrl || event.alt_key() {
        return false;
    }
    match key.as_str() {
        digit @ ("0" | "1" | "2" | "3" | "4") => {
            let level = digit.parse::<usize>().ok().and_then(grid::level_of);
            choose(matrix, place, level);
        }
        "/" => dom::focus_anywhere(FILTER),
        character if character.chars().count() == 1 && character.chars().all(char::is_alphabetic) => {
            let named = |rows: &Vec<_>| next_named(rows, &shown, at, &host::plain(character));
            let Some(to) = matrix.rows.with_value(named).and_then(|it| shown.get(it).copied()) else {
                return false;
            };
            grid.focus((to, column));
        }
        _ => return false,
    }
    true
}

/// The field of the filter.
const FILTER: &str = ".pup-panel [data-do=filter]";

fn choose(matrix: Matrix, place: usize, level: Option<Level>) {
    if matrix.picks.with_untracked(|it| it.selected.is_empty()) {
        matrix.choose(place, level);
    } else {
        matrix.choose_many(level);
    }
}
