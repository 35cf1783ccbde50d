//! The signals of the matrix, and the gestures that its parts have in common.

use crate::state::levels::LevelDraft;
use crate::state::matrix::{self, Chip, Picks, Row};
use leptos::prelude::*;
use puppy_core::permission::Level;
use puppy_ui_web::host;
use puppy_ui_web::words::fill;
use puppy_ui_web::words::permissions::PermissionWords;

use crate::picked;
use crate::store::Store;

/// The rows of the matrix and what a person does with them.
#[derive(Clone, Copy)]
pub(super) struct Matrix {
    pub(super) store: Store,
    pub(super) words: &'static PermissionWords,
    pub(super) rows: StoredValue<Vec<Row>>,
    pub(super) picks: RwSignal<Picks>,
    /// The choice of rows, by its place in [`Chip::ALL`].
    chip: RwSignal<usize>,
}

impl Matrix {
    pub(super) fn new(store: Store) -> Matrix {
        let notebooks = store.notebooks.get_untracked();
        let rows: Vec<Row> = notebooks.into_iter().map(|it| Row::new(it, host::plain)).collect();
        Matrix {
            store,
            words: store.draft_words,
            picks: RwSignal::new(Picks::of(rows.len())),
            chip: RwSignal::new(0),
            rows: StoredValue::new(rows),
        }
    }

    /// The number of notebooks.
    pub(super) fn all(self) -> usize {
        self.rows.with_value(Vec::len)
    }

    /// The id of a row.
    pub(super) fn id(self, place: usize) -> Option<String> {
        self.rows.with_value(|rows| rows.get(place).map(|row| row.notebook.id.clone()))
    }

    /// The choice of rows.
    pub(super) fn chip(self) -> Chip {
        Chip::ALL.get(self.chip.get()).copied().unwrap_or_default()
    }

    /// Shows the rows that fit a text.
    pub(super) fn find(self, text: String) {
        self.filter(text, self.chip());
    }

    /// Shows the rows that fit a choice.
    pub(super) fn choose_chip(self, chip: Chip) {
        self.filter(self.picks.with_untracked(|it| it.text.clone()), chip);
    }

    fn filter(self, text: String, chip: Chip) {
        let shown = self.rows.with_value(|rows| {
            self.store.levels.with_untracked(|draft| matrix::shown(rows, &text, chip, draft))
        });
        self.chip.set(Chip::ALL.into_iter().position(|it| it == chip).unwrap_or_default());
        self.picks.update(|it| {
            it.text = text;
            it.shown = shown;
            it.cursor = None;
        });
    }

    /// Escape: it clears the filter, then the selection. False where there is nothing to clear.
    pub(super) fn escape(self) -> bool {
        picked::escape(self.picks, |text| self.find(text))
    }

    /// Shows every row.
    pub(super) fn clear(self) {
        self.filter(String::new(), Chip::All);
    }

    /// Gives a row a level; none takes its entry away.
    pub(super) fn choose(self, place: usize, level: Option<Level>) {
        let (Some(id), false) = (self.id(place), self.store.readonly) else { return };
        if self.rows.with_value(|rows| rows.get(place).is_some_and(|row| row.notebook.encrypted)) {
            return;
        }
        let (words, name) = (self.store.words, self.store.name(&id));
        let (step, said) = match level {
            Some(level) => {
                let said = fill(words.selected, &[("name", &name), ("level", words.level(level))]);
                let step = fill(self.words.set_one, &[("name", &name), ("level", words.level(level))]);
                (step, format!("{said} {}", words.level_hint(level)))
            }
            None => {
                let step = fill(self.words.unlist, &[("name", &name)]);
                (step.clone(), step)
            }
        };
        self.store.edit_levels(|draft| {
            draft.gesture(step, |it| match level {
                Some(level) => it.set(&id, level),
                None => it.unlist(&id),
            });
        });
        self.say(&said);
    }

    /// Gives the selected rows a level, or else the shown ones; none takes their entries away.
    pub(super) fn choose_many(self, level: Option<Level>) {
        let targets = self.targets();
        if self.store.readonly || targets.is_empty() {
            return;
        }
        let step = self.many(level, targets.len());
        self.store.edit_levels(|draft| {
            draft.gesture(step.clone(), |it| {
                for id in &targets {
                    match level {
                        Some(level) => it.set(id, level),
                        None => it.unlist(id),
                    }
                }
            });
        });
        self.say(&step);
    }

    /// The name of a change of many rows.
    pub(super) fn many(self, level: Option<Level>, count: usize) -> String {
        let count = count.to_string();
        match level {
            Some(level) => {
                fill(self.words.set_many, &[("n", &count), ("level", self.store.words.level(level))])
            }
            None => fill(self.words.unlist_many, &[("n", &count)]),
        }
    }

    /// The ids of the rows that a change of many is about.
    pub(super) fn targets(self) -> Vec<String> {
        let places = self.picks.with(Picks::targets);
        self.rows.with_value(|rows| matrix::ids(rows, &places).into_iter().map(str::to_owned).collect())
    }

    /// Their number.
    pub(super) fn count(self) -> usize {
        let places = self.picks.with(Picks::targets);
        self.rows.with_value(|rows| matrix::ids(rows, &places).len())
    }

    /// Resets a row to the file's entry.
    pub(super) fn undo(self, id: &str) {
        let step = fill(self.store.words.undo_row, &[("name", &self.store.name(id))]);
        self.store.edit_levels(|draft| draft.gesture(step, |it| it.undo(id)));
    }

    /// Says something, and how many changes wait.
    pub(super) fn say(self, what: &str) {
        let count = self.store.levels.with_untracked(LevelDraft::len);
        self.store.said.set(format!("{what} {}", self.store.words.changes(count)));
    }
}
