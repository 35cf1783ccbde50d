//! The draft of the notebook matrix, and its merge with changes made elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use puppy_core::id::NotebookId;
use puppy_core::permission::{Grants, Level, Table};

/// One row that differs from the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edit {
    /// The entry in the file when the row was changed.
    from: Option<Level>,
    /// The wanted entry; `None` removes it.
    to: Option<Level>,
}

/// A changed row, for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelChange {
    /// The notebook's id.
    pub notebook: String,
    /// The level in force.
    pub was: Level,
    /// The level after Apply.
    pub is: Level,
}

/// The table as read, and the rows that a person has changed since.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LevelDraft {
    base: Table,
    /// The levels of notebooks that agents made: in force where the table has no entry, and never written here.
    made: Table,
    edits: BTreeMap<String, Edit>,
}

impl LevelDraft {
    /// Replaces the file's content; changes that are not applied stay.
    pub fn rebase(&mut self, table: Table) {
        self.base = table;
        let base = &self.base;
        self.edits.retain(|id, edit| base.get(id) != edit.to);
    }

    /// Takes the levels of notebooks that agents made.
    pub fn know_made(&mut self, made: Table) {
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

    /// How many of these notebooks have each level in force, from none to delete.
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
        let entry = self.edits.get(notebook).map_or_else(|| self.base.get(notebook), |edit| edit.to);
        entry.or_else(|| self.made.get(notebook))
    }

    /// Chooses a level.
    pub fn set(&mut self, notebook: &str, level: Level) {
        if level == self.was(notebook) {
            self.edits.remove(notebook);
        } else {
            let from = self.edits.get(notebook).map_or_else(|| self.base.get(notebook), |edit| edit.from);
            self.edits.insert(notebook.to_owned(), Edit { from, to: Some(level) });
        }
    }

    /// Resets a row to the file's entry.
    pub fn undo(&mut self, notebook: &str) {
        self.edits.remove(notebook);
    }

    /// Forgets every change.
    pub fn discard(&mut self) {
        self.edits.clear();
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

    /// Every change, by id.
    pub fn changes(&self) -> Vec<LevelChange> {
        let change =
            |id: &String| LevelChange { notebook: id.clone(), was: self.was(id), is: self.level(id) };
        self.edits.keys().map(change).collect()
    }

    /// The number of ids in the file without a notebook in this workspace; their entries are kept.
    pub fn strangers(&self, notebooks: &[String]) -> usize {
        self.base.entries().filter(|(id, _)| !notebooks.iter().any(|it| it == id)).count()
    }

    /// Merges the draft into the file's present content; also returns the rows that were changed elsewhere too.
    ///
    /// The last writer wins per row; where both changed a level, the narrower one wins (B-235).
    pub fn merge(&self, current: Table) -> (Table, Vec<String>) {
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
pub fn differing(one: &Table, other: &Table) -> Vec<String> {
    let ids: BTreeSet<&str> = one.entries().chain(other.entries()).map(|(id, _)| id).collect();
    ids.into_iter().filter(|id| one.get(id) != other.get(id)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "20210808180117-aaaaaaa";
    const B: &str = "20210808180117-bbbbbbb";
    const GONE: &str = "20010101000000-goneaaa";

    fn table(entries: &[(&str, Level)]) -> Table {
        let mut table = Table::default();
        for (id, level) in entries {
            table.set(&NotebookId::parse(id).unwrap(), *level);
        }
        table
    }

    fn draft(entries: &[(&str, Level)]) -> LevelDraft {
        let mut draft = LevelDraft::default();
        draft.rebase(table(entries));
        draft
    }

    /// B-064: nothing is granted before Apply.
    #[test]
    fn level_draft_is_shown_counted_and_reverted() {
        let mut draft = draft(&[(A, Level::Write)]);
        assert_eq!((draft.level(B), draft.is_default(B), draft.is_default(A)), (Level::Read, true, false));
        draft.set(B, Level::None);
        draft.set(A, Level::Delete);
        assert_eq!(
            (draft.len(), draft.was(A), draft.level(A), draft.is_default(B)),
            (2, Level::Write, Level::Delete, false)
        );
        draft.set(A, Level::Write);
        assert_eq!(draft.changes(), [LevelChange { notebook: B.into(), was: Level::Read, is: Level::None }]);
        draft.undo(B);
        assert!(draft.is_empty());
    }

    /// B-235: last writer per row, rows of others kept.
    #[test]
    fn levels_of_two_windows_are_merged() {
        let mut mine = draft(&[(A, Level::Read), (GONE, Level::None)]);
        mine.set(A, Level::Write);
        let theirs = table(&[(A, Level::Read), (B, Level::Delete), (GONE, Level::None)]);
        let (merged, elsewhere) = mine.merge(theirs);
        assert_eq!(merged, table(&[(A, Level::Write), (B, Level::Delete), (GONE, Level::None)]));
        assert!(elsewhere.is_empty());
        assert_eq!(mine.strangers(&[A.to_owned()]), 1);
    }

    /// B-235: where both changed a level, the narrower one wins, in either order.
    #[test]
    fn narrower_level_wins_on_merge() {
        for (mine, theirs, holds) in [
            (Level::Delete, Level::None, Level::None),
            (Level::None, Level::Delete, Level::None),
            (Level::Delete, Level::Write, Level::Write),
        ] {
            let mut draft = draft(&[(A, Level::Read)]);
            draft.set(A, mine);
            let (merged, elsewhere) = draft.merge(table(&[(A, theirs)]));
            assert_eq!((merged.get(A), elsewhere.as_slice()), (Some(holds), [A.to_owned()].as_slice()));
        }
    }

    /// F8: the level of an agent's notebook is shown, a person's choice overrides it, and only that choice is written.
    #[test]
    fn agent_notebooks_keep_their_level_until_a_person_chooses() {
        let mut draft = draft(&[(B, Level::None)]);
        draft.know_made(table(&[(A, Level::Write), (B, Level::Write)]));
        assert_eq!((draft.level(A), draft.was(A), draft.is_default(A)), (Level::Write, Level::Write, false));
        assert_eq!((draft.level(B), draft.was(B)), (Level::None, Level::None));
        draft.set(A, Level::Write);
        assert!(draft.is_empty());
        draft.set(A, Level::None);
        let (merged, elsewhere) = draft.merge(table(&[(B, Level::None)]));
        assert_eq!((merged, elsewhere.len()), (table(&[(A, Level::None), (B, Level::None)]), 0));
    }

    /// F8: rows that another window has written over are named.
    #[test]
    fn rows_overwritten_by_another_window_are_named() {
        let written = table(&[(A, Level::None), (B, Level::Read)]);
        assert!(differing(&written, &written).is_empty());
        assert_eq!(differing(&written, &table(&[(A, Level::Write), (B, Level::Read)])), [A]);
        assert_eq!(differing(&written, &table(&[(B, Level::Read), (GONE, Level::None)])), [GONE, A]);
    }

    #[test]
    fn changes_made_during_a_write_are_kept() {
        let mut shown = draft(&[]);
        shown.set(A, Level::None);
        let written = shown.clone();
        shown.set(B, Level::Write);
        shown.settle(&written);
        let (merged, _) = written.merge(Table::default());
        shown.rebase(merged);
        assert_eq!(
            (shown.len(), shown.level(A), shown.was(A), shown.level(B)),
            (1, Level::None, Level::None, Level::Write)
        );
    }
}
