//! The draft of the notebook matrix, and its merge with changes made elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use puppy_core::id::NotebookId;
use puppy_core::permission::{Grants, Level, LevelTable};

use super::diff::{Direction, LevelChange};
use super::preset::Preset;
use super::steps::Steps;

/// One row that differs from the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edit {
    /// The entry in the file when the row was changed.
    from: Option<Level>,
    /// The wanted entry; `None` removes it.
    to: Option<Level>,
}

/// The table as read, and the rows that a person has changed since.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LevelDraft {
    base: LevelTable,
    /// The levels of notebooks that agents made: in force where the table has no entry, and never written here.
    made: LevelTable,
    edits: BTreeMap<String, Edit>,
    steps: Steps<String, Option<Level>>,
}

impl LevelDraft {
    /// Replaces the file's content; changes that are not applied stay.
    pub fn rebase(&mut self, table: LevelTable) {
        self.base = table;
        let base = &self.base;
        self.edits.retain(|id, edit| base.get(id) != edit.to);
    }

    /// Takes the levels of notebooks that agents made.
    pub fn know_made(&mut self, made: LevelTable) {
        self.made = made;
    }

    /// The level under this draft.
    pub fn level(&self, notebook: &str) -> Level {
        self.entry(notebook).unwrap_or(Grants::DEFAULT)
    }

    /// The level in force.
    pub fn was(&self, notebook: &str) -> Level {
        self.base.get(notebook).or_else(|| self.made.get(notebook)).unwrap_or(Grants::DEFAULT)
    }

    /// The number of these notebooks at each level in force, from none to delete.
    pub fn counts<'a>(&self, notebooks: impl IntoIterator<Item = &'a str>) -> [usize; 4] {
        let mut counts = [0; 4];
        for notebook in notebooks {
            let level = self.was(notebook);
            for (count, own) in counts.iter_mut().zip(Level::ALL) {
                *count += usize::from(own == level);
            }
        }
        counts
    }

    /// Whether the default is in force because there is no entry.
    pub fn is_default(&self, notebook: &str) -> bool {
        self.entry(notebook).is_none()
    }

    fn entry(&self, notebook: &str) -> Option<Level> {
        self.entry_in_draft(notebook).or_else(|| self.made.get(notebook))
    }

    /// Chooses a level.
    pub fn set(&mut self, notebook: &str, level: Level) {
        let is_level_in_force = level == self.was(notebook);
        self.put(notebook, if is_level_in_force { self.base.get(notebook) } else { Some(level) });
    }

    /// Resets a row to the file's entry.
    pub fn undo(&mut self, notebook: &str) {
        self.edits.remove(notebook);
    }

    /// Takes the entry of a row away, so that the default holds.
    pub fn unlist(&mut self, notebook: &str) {
        self.put(notebook, None);
    }

    /// Puts rows at levels, whatever was changed before; the number of those that had another.
    pub fn take(&mut self, rows: &[(String, Level)]) -> usize {
        let differing: Vec<_> = rows.iter().filter(|(row, level)| self.level(row) != *level).collect();
        for (row, level) in &differing {
            self.set(row, *level);
        }
        differing.len()
    }

    /// Fills the rows with a preset. Rows that a person has changed before keep what they have, unless those are to be
    /// replaced too; a preset takes the place of the one just before it.
    pub fn fill<'a>(
        &mut self,
        name: String,
        preset: Preset,
        rows: impl Iterator<Item = (&'a str, bool)>,
        replace: bool,
    ) {
        let level = |row, is_chosen| preset.level(self.was(row), is_chosen);
        let rows: Vec<_> = rows.map(|(row, is_chosen)| (row.to_owned(), level(row, is_chosen))).collect();
        self.fill_in(name, &rows, replace);
    }

    /// Fills rows with levels, under the same rules.
    pub fn fill_in(&mut self, name: String, rows: &[(String, Level)], replace: bool) {
        if self.steps.has_filled() {
            self.back();
        }
        self.step(name, true, |draft| {
            for (row, level) in rows {
                if replace {
                    draft.undo(row);
                }
                if !draft.edits.contains_key(row) {
                    draft.set(row, *level);
                }
            }
        });
    }

    /// The narrowest preset that these rows would stay as they are under.
    pub fn preset<'a>(&self, rows: impl Iterator<Item = &'a str>) -> Option<Preset> {
        let mut presets = Preset::ALL.to_vec();
        for level in rows.map(|row| self.level(row)) {
            presets.retain(|preset| preset.level(level, false) == level);
        }
        presets.first().copied()
    }

    /// Whether agents could delete in every one of these notebooks under this draft, and cannot now.
    pub fn opens_all<'a>(&self, notebooks: impl IntoIterator<Item = &'a str>) -> bool {
        let mut is_new = false;
        let is_open = |id| {
            is_new |= self.was(id) < Level::Delete;
            self.level(id) == Level::Delete
        };
        notebooks.into_iter().all(is_open) && is_new
    }

    /// Does something as one step that can be taken back.
    pub fn gesture(&mut self, name: String, what: impl FnOnce(&mut LevelDraft)) {
        self.step(name, false, what);
    }

    fn step(&mut self, name: String, fills: bool, what: impl FnOnce(&mut LevelDraft)) {
        let before = self.edits.clone();
        what(self);
        let stored = |edits: &BTreeMap<String, Edit>, row: &str| {
            edits.get(row).map_or_else(|| self.base.get(row), |edit| edit.to)
        };
        let added = self.edits.keys().filter(|row| !before.contains_key(*row));
        let touched = before.keys().chain(added);
        let changes = touched.map(|row| (row.clone(), stored(&before, row), stored(&self.edits, row)));
        self.steps.took(name, fills, changes);
    }

    /// The steps that can be taken back and made again.
    pub fn steps(&self) -> &Steps<String, Option<Level>> {
        &self.steps
    }

    /// Takes the last gesture back, also one that has been applied: that makes a new change.
    pub fn back(&mut self) {
        for (row, entry) in self.steps.back() {
            self.put(&row, entry);
        }
    }

    /// Makes the gesture again that was taken back last.
    pub fn forward(&mut self) {
        for (row, entry) in self.steps.forward() {
            self.put(&row, entry);
        }
    }

    /// Wants an entry, or none.
    fn put(&mut self, notebook: &str, entry: Option<Level>) {
        let now = self.base.get(notebook);
        if entry == now {
            self.edits.remove(notebook);
        } else {
            self.edits.insert(notebook.to_owned(), Edit { from: now, to: entry });
        }
    }

    /// Forgets every change, as one step.
    pub fn discard(&mut self, name: String) {
        self.gesture(name, |draft| draft.edits.clear());
    }

    /// Drops the changes that a written draft contains as well.
    pub fn settle(&mut self, written: &LevelDraft) {
        self.edits.retain(|id, edit| written.edits.get(id) != Some(edit));
    }

    /// The number of changed rows.
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Every change: wider ones first, then narrower ones, then the rest; by id among themselves.
    pub fn changes(&self) -> Vec<LevelChange> {
        let change =
            |id: &String| LevelChange { notebook: id.clone(), was: self.was(id), is: self.level(id) };
        Direction::ALL
            .into_iter()
            .flat_map(|it| self.edits.keys().map(change).filter(move |change| change.direction() == it))
            .collect()
    }

    /// Whether a row is changed.
    pub fn is_changed(&self, notebook: &str) -> bool {
        self.edits.contains_key(notebook)
    }

    /// The levels under this draft, for core to judge.
    pub fn grants(&self, encrypted: BTreeSet<String>) -> Grants {
        let mut table = self.base.clone();
        for (id, edit) in &self.edits {
            match (NotebookId::parse(id), edit.to) {
                (Some(notebook), Some(level)) => table.set(&notebook, level),
                _ => table.unset(id),
            }
        }
        Grants { made: Ok(self.made.clone()), encrypted, ..Grants::of(table) }
    }

    /// The ids in the file without a notebook in this workspace.
    pub fn unknown(&self, notebooks: &BTreeSet<String>) -> Vec<String> {
        let is_unknown = |id: &&str| !notebooks.contains(*id) && self.entry_in_draft(id).is_some();
        self.base.entries().map(|(id, _)| id).filter(is_unknown).map(str::to_owned).collect()
    }

    fn entry_in_draft(&self, notebook: &str) -> Option<Level> {
        self.edits.get(notebook).map_or_else(|| self.base.get(notebook), |edit| edit.to)
    }

    /// The changed rows that another window has changed since; a new choice for such a row settles it.
    pub fn conflicts(&self) -> Vec<String> {
        let is_conflict = |(id, edit): &(&String, &Edit)| self.base.get(id) != edit.from;
        self.edits.iter().filter(is_conflict).map(|(id, _)| id.clone()).collect()
    }

    /// Merges the draft into the file's present content; also returns the rows that were changed elsewhere too.
    ///
    /// The last writer wins per row; where both changed a level, the narrower one wins (B-235).
    pub fn merge(&self, current: LevelTable) -> (LevelTable, Vec<String>) {
        let mut merged = current;
        let mut elsewhere = Vec::new();
        for (id, edit) in &self.edits {
            let Some(notebook) = NotebookId::parse(id) else { continue };
            let theirs = merged.get(id);
            let without = self.made.get(id).unwrap_or(Grants::DEFAULT);
            let wanted = edit.to.unwrap_or(without);
            let is_conflict = theirs != edit.from && theirs != edit.to;
            match edit.to {
                _ if is_conflict => {
                    elsewhere.push(id.clone());
                    merged.set(&notebook, wanted.min(theirs.unwrap_or(without)));
                }
                Some(level) => merged.set(&notebook, level),
                None => merged.unset(id),
            }
        }
        (merged, elsewhere)
    }
}

/// The notebooks whose entries differ between two tables.
pub fn differing(one: &LevelTable, other: &LevelTable) -> Vec<String> {
    // Not collected: that would sort, with code for each type that is 3 kB of the panel after gzip.
    let mut ids = BTreeSet::new();
    ids.extend(one.entries().chain(other.entries()).map(|(id, _)| id.to_owned()));
    ids.into_iter().filter(|id| one.get(id) != other.get(id)).collect()
}

#[cfg(test)]
#[path = "levels_tests.rs"]
mod tests;
