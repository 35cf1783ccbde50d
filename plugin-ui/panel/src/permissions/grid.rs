//! The grid of the matrix: a row a notebook, painted from what has changed since it was painted last.
//!
//! One effect serves all rows. They are created slice by slice, so that a page with a thousand of them opens immediately.

use crate::state::effective::Effective;
use crate::state::levels::LevelDraft;
use crate::state::matrix::Row;
use crate::state::switches::SwitchDraft;
use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::web_sys::{Event, HtmlDivElement};
use puppy_core::permission::Level;
use puppy_ui_parts::{Check, attribute_near, set_checked};
use puppy_ui_web::host;
use puppy_ui_web::host::dom;

use super::matrix::Matrix;
use super::row::{Look, Model, RowView};

/// The number of rows that are created immediately: more than a screen has.
const FIRST: usize = 40;
/// The rows of a later slice.
const SLICE: usize = 120;

/// The grid of a matrix.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    pub(super) matrix: Matrix,
    /// The element whose rows the grid makes and paints.
    body: NodeRef<html::Div>,
    views: StoredValue<Vec<RowView>, LocalStorage>,
    model: StoredValue<Option<Model>, LocalStorage>,
    /// The number of rows that are made.
    made: RwSignal<usize>,
    /// Whether the levels to write and to delete give agents nothing, because the actions for them are off.
    idle: [Memo<bool>; 2],
}

/// The element of a grid: its head, and below it the rows, which the grid makes itself.
#[component]
pub(super) fn GridView(grid: Grid) -> AnyView {
    let matrix = grid.matrix;
    let (words, more) = (matrix.store.words, matrix.words);
    let level = |it: Level| {
        view! { <span role="columnheader" title=words.level_hint(it)>{words.level(it)}</span> }
    };
    let focused = move |event: &Event| {
        if let Some(cell) = cell_near(event) {
            matrix.picks.update(|it| it.cursor = Some(cell));
        }
    };
    grid.keep();
    view! {
        <div
            node_ref=grid.body
            class="pup-grid"
            role="grid"
            aria-label=words.notebooks
            aria-rowcount=(matrix.all() + 1).to_string()
            aria-colcount="7"
            aria-multiselectable="true"
            on:click=move |event| grid.clicked(&event)
            on:focusin=move |event| focused(&event)
        >
            <div class="pup-head" role="row" aria-rowindex="1">
                <span role="columnheader">
                    <Check
                        label=more.select_all
                        disabled=matrix.store.readonly
                        is_on=move || matrix.picks.with(|it| it.selected.tri(&it.shown)).ticked()
                        set=move |_| matrix.picks.update(|it| it.selected.press(&it.shown))
                        attr:data-do="select-all"
                    />
                </span>
                <span role="columnheader">{words.notebook}</span>
                {Level::ALL.map(level).collect_view()}
                <span role="presentation"></span>
            </div>
        </div>
    }
    .into_any()
}

impl Grid {
    pub(super) fn new(matrix: Matrix) -> Grid {
        let store = matrix.store;
        let idle = [Level::Write, Level::Delete].map(|level| {
            let is = move |draft: &SwitchDraft| Effective::new(None, draft.now()).is_idle(level);
            Memo::new(move |_| store.switches.with(is))
        });
        Grid {
            matrix,
            body: NodeRef::new(),
            views: StoredValue::new_local(Vec::new()),
            model: StoredValue::new_local(Model::new(store)),
            made: RwSignal::new(0),
            idle,
        }
    }

    /// Makes the rows in the grid's element once it is there, and paints them whenever something changes.
    fn keep(self) {
        Effect::new(move || {
            if self.body.get().is_some() {
                self.make(FIRST);
            }
        });
        Effect::new(move || self.paint());
        self.make_rest();
        self.reveal();
    }

    /// The element, while it is there.
    fn body(self) -> Option<HtmlDivElement> {
        self.body.try_get_untracked().flatten()
    }

    /// Makes rows until there are this many.
    fn make(self, until: usize) {
        let Some(body) = self.body() else { return };
        let from = self.views.with_value(Vec::len);
        if from >= until.min(self.matrix.all()) {
            return;
        }
        let made = self.matrix.rows.with_value(|rows| {
            self.model.with_value(|model| {
                let slice = rows.iter().enumerate().skip(from).take(until.saturating_sub(from));
                let row = |(at, row)| model.as_ref()?.row(self.matrix.store, at, row);
                slice.filter_map(row).collect::<Vec<_>>()
            })
        });
        for row in &made {
            let _ = body.append_child(&row.element);
        }
        self.views.update_value(|views| views.extend(made));
        self.made.set(self.views.with_value(Vec::len));
    }

    /// Makes the other rows, slice by slice, until the page is left.
    fn make_rest(self) {
        host::spawn(async move {
            loop {
                host::sleep(0).await;
                let Some(made) = self.made.try_get_untracked() else { return };
                if made >= self.matrix.all() {
                    return;
                }
                self.make(made + SLICE);
            }
        });
    }

    /// Leads to the row that the panel was opened for.
    fn reveal(self) {
        let wanted = self.matrix.store.wanted.get_untracked();
        let place = |rows: &Vec<Row>| rows.iter().position(|row| row.notebook.id == wanted);
        let Some(place) = self.matrix.rows.with_value(place) else { return };
        host::spawn(async move {
            host::sleep(0).await;
            // The page may have been left in the meantime; `wanted` belongs to the panel and is still there then.
            if self.made.is_disposed() || self.matrix.store.wanted.try_set(String::new()).is_some() {
                return;
            }
            self.make(place + 1);
            let row = |body: HtmlDivElement| body.query_selector(&format!("[data-at=\"{place}\"]")).ok()?;
            if let Some(row) = self.body().and_then(row) {
                let _ = row.class_list().add_1("pup-found");
            }
            self.focus((place, self.column(place)));
        });
    }

    /// The cell that has the focus.
    pub(super) fn active(self) -> Option<(usize, usize)> {
        let (place, column) = dom::focused_in(&*self.body()?, "data-at", "data-col")?;
        Some((place.parse().ok()?, column.parse().ok()?))
    }

    /// Puts the focus on a cell, which is made if it has to be.
    pub(super) fn focus(self, (place, column): (usize, usize)) {
        self.make(place + 1);
        if let Some(body) = self.body() {
            dom::focus(&body, &format!("[data-at=\"{place}\"] [data-col=\"{column}\"]"));
        }
    }

    /// The column of a row's level.
    pub(super) fn column(self, place: usize) -> usize {
        let level =
            self.matrix.id(place).map(|id| self.matrix.store.levels.with_untracked(|it| it.level(&id)));
        1 + Level::ALL.into_iter().position(|it| Some(it) == level).unwrap_or_default()
    }

    fn clicked(self, event: &MouseEvent) {
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
            matrix.picks.update(|it| it.select(place, event.shift_key()));
            set_checked(event, matrix.picks.with_untracked(|it| it.selected.has(place)));
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
