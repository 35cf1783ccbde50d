//! The grid of the matrix: a row a notebook, painted from what has changed since it was painted last.
//!
//! One effect serves all rows, and they are made slice by slice, so that a thousand of them open at once.

use crate::state::effective::Effective;
use crate::state::levels::LevelDraft;
use crate::state::matrix::Row;
use crate::state::switches::SwitchDraft;
use puppy_core::permission::Level;
use puppy_ui_parts::el::{El, Event, attribute_near, check, el, is_shifted, keep_in_step};
use puppy_ui_web::host;
use puppy_ui_web::host::Element;
use puppy_ui_web::host::dom;
use reactive_graph::computed::Memo;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use super::matrix::Matrix;
use super::row::{Look, Models, RowView};

/// The rows that are made at once: more than a screen has.
const FIRST: usize = 40;
/// The rows of a later slice.
const SLICE: usize = 120;

/// The grid of a matrix.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    pub(super) matrix: Matrix,
    views: StoredValue<Vec<RowView>, LocalStorage>,
    models: StoredValue<Models, LocalStorage>,
    /// The number of rows that are made.
    made: RwSignal<usize>,
    /// Whether the levels to write and to delete give agents nothing, because the actions for them are off.
    idle: [Memo<bool>; 2],
}

/// The matrix as a grid, in its element.
pub(super) fn view(matrix: Matrix) -> (Grid, El) {
    let (store, words) = (matrix.store, matrix.words);
    let idle = [Level::Write, Level::Delete].map(|level| {
        let is = move |draft: &SwitchDraft| Effective::new(None, draft.now()).is_idle(level);
        Memo::new(move |_| store.switches.with(is))
    });
    let grid = Grid {
        matrix,
        views: StoredValue::new_local(Vec::new()),
        models: StoredValue::new_local(Models::new(store)),
        made: RwSignal::new(0),
        idle,
    };
    let column = |title: &str| el("span", "").attr("role", "columnheader").text(title);
    let all = el("input", "pup-check").attr("type", "checkbox").attr("aria-label", words.select_all);
    let all = all.attr("data-do", "select-all").flag("disabled", store.readonly);
    let all = all.tri(move || matrix.picks.with(|it| it.selected.tri(&it.shown)));
    let all = all.on("change", move |_| matrix.picks.update(|it| it.selected.press(&it.shown)));
    let levels = Level::ALL
        .into_iter()
        .map(|it| column(store.words.level(it)).attr("title", store.words.level_hint(it)));
    let head = el("div", "pup-head").attr("role", "row").attr("aria-rowindex", "1");
    let head = head.put(el("span", "").attr("role", "columnheader").put(all));
    let head = head.put(column(store.words.notebook)).all(levels);
    let head = head.put(el("span", "").attr("role", "presentation"));
    let body = el("div", "pup-grid").attr("role", "grid").attr("aria-label", store.words.notebooks);
    let body = body.attr("aria-rowcount", &(matrix.all() + 1).to_string()).attr("aria-colcount", "7");
    let body = body.attr("aria-multiselectable", "true").put(head);
    grid.make(&body, FIRST);
    keep_in_step(Box::new(move || grid.paint()));
    grid.make_rest(body.clone());
    grid.reveal(body.clone());
    let body = body.on("click", move |event| grid.clicked(event)).on("focusin", move |event| {
        if let Some(cell) = cell_near(event) {
            matrix.picks.update(|it| it.cursor = Some(cell));
        }
    });
    (grid, body)
}

impl Grid {
    /// Makes rows until there are this many.
    pub(super) fn make(self, body: &El, until: usize) {
        let from = self.views.with_value(Vec::len);
        if from >= until.min(self.matrix.all()) {
            return;
        }
        let made = self.matrix.rows.with_value(|rows| {
            self.models.with_value(|models| {
                let slice = rows.iter().enumerate().skip(from).take(until.saturating_sub(from));
                slice.map(|(at, row)| models.row(self.matrix.store, at, row)).collect::<Vec<_>>()
            })
        });
        let _ = body.clone().all(made.iter().map(|it| it.el.clone()));
        self.views.update_value(|views| views.extend(made));
        self.made.set(self.views.with_value(Vec::len));
    }

    /// Makes the other rows, slice by slice, until the page is left.
    fn make_rest(self, body: El) {
        host::spawn(async move {
            loop {
                host::sleep(0).await;
                let Some(made) = self.made.try_get_untracked() else { return };
                if made >= self.matrix.all() {
                    return;
                }
                self.make(&body, made + SLICE);
            }
        });
    }

    /// Leads to the row that the panel was opened for.
    fn reveal(self, body: El) {
        let wanted = self.matrix.store.wanted.get_untracked();
        let place = |rows: &Vec<Row>| rows.iter().position(|row| row.notebook.id == wanted);
        let Some(place) = self.matrix.rows.with_value(place) else { return };
        host::spawn(async move {
            host::sleep(0).await;
            if self.matrix.store.wanted.try_set(String::new()).is_some() {
                return;
            }
            self.make(&body, place + 1);
            body.find(&format!("[data-at=\"{place}\"]")).set_class("pup-found", true);
            self.focus(&body, (place, self.column(place)));
        });
    }

    /// Puts the focus on a cell, which is made if it has to be.
    pub(super) fn focus(self, body: &El, (place, column): (usize, usize)) {
        self.make(body, place + 1);
        if let Some(body) = body.html_node() {
            dom::focus(&body, &format!("[data-at=\"{place}\"] [data-col=\"{column}\"]"));
        }
    }

    /// The column of a row's level.
    pub(super) fn column(self, place: usize) -> usize {
        let level =
            self.matrix.id(place).map(|id| self.matrix.store.levels.with_untracked(|it| it.level(&id)));
        1 + Level::ALL.into_iter().position(|it| Some(it) == level).unwrap_or_default()
    }

    fn clicked(self, event: &Event) {
        let matrix = self.matrix;
        let Some((place, column)) = cell_near(event) else {
            if let Some(id) = attribute_near(event, "data-undo").and(attribute_near(event, "data-notebook")) {
                matrix.undo(&id);
                // The button goes, and the focus with it, unless it is led to the row's level.
                let level = matrix.store.levels.with_untracked(|draft| draft.level(&id)).word();
                dom::focus_near(event, "[role=row]", &format!("[data-level={level}]"));
            }
            return;
        };
        let Some(level) = level_of(column) else {
            matrix.picks.update(|it| it.select(place, is_shifted(event)));
            check(event, matrix.picks.with_untracked(|it| it.selected.has(place)));
            return;
        };
        matrix.choose(place, Some(level));
    }

    /// Brings every row that is made into step.
    fn paint(self) {
        let matrix = self.matrix;
        let [no_write, no_delete] = self.idle.map(|it| it.get());
        let made = self.made.get();
        let picks = matrix.picks.get();
        let mut is_shown = vec![false; matrix.all()];
        for place in &picks.shown {
            if let Some(it) = is_shown.get_mut(*place) {
                *it = true;
            }
        }
        let first = picks.shown.first().copied();
        let elsewhere = matrix.store.elsewhere.get();
        let conflicts = matrix.store.levels.with(LevelDraft::conflicts);
        let look = |place: usize, row: &Row| {
            let id = &row.notebook.id;
            let (level, was, is_default, is_changed) = matrix.store.levels.with(|draft| {
                let (level, was) = (draft.level(id), draft.was(id));
                (level, was, draft.is_default(id), draft.is_changed(id))
            });
            let [level, was] = if row.notebook.encrypted { [Level::None; 2] } else { [level, was] };
            let at = Level::ALL.into_iter().position(|it| it == level).unwrap_or_default();
            Look {
                is_shown: is_shown.get(place).copied().unwrap_or_default(),
                is_selected: picks.selected.has(place),
                level,
                was,
                is_changed,
                is_default,
                is_idle: match level {
                    Level::Write => no_write,
                    Level::Delete => no_delete,
                    _ => false,
                },
                is_elsewhere: elsewhere.contains(id) || conflicts.contains(id),
                stop: match picks.cursor {
                    Some((row, column)) => (row == place).then_some(column),
                    None => (first == Some(place)).then_some(at + 1),
                },
            }
        };
        matrix.rows.with_value(|rows| {
            self.views.update_value(|views| {
                for ((place, row), view) in rows.iter().enumerate().zip(views).take(made) {
                    view.paint(matrix.store, row, look(place, row));
                }
            });
        });
    }
}

/// The cell at the target of an event.
fn cell_near(event: &Event) -> Option<(usize, usize)> {
    let column = attribute_near(event, "data-col")?.parse().ok()?;
    Some((attribute_near(event, "data-at")?.parse().ok()?, column))
}

/// The level of a column; the first one is the box.
pub(super) fn level_of(column: usize) -> Option<Level> {
    Level::ALL.get(column.checked_sub(1)?).copied()
}

/// The cell that has the focus in the grid.
pub(super) fn active(body: &Element) -> Option<(usize, usize)> {
    let (place, column) = dom::focused_in(body, "data-at", "data-col")?;
    Some((place.parse().ok()?, column.parse().ok()?))
}
