//! Tests of the draft of levels.

use super::*;

const A: &str = "20210808180117-aaaaaaa";
const B: &str = "20210808180117-bbbbbbb";
const GONE: &str = "20010101000000-goneaaa";

fn table(entries: &[(&str, Level)]) -> LevelTable {
    let mut table = LevelTable::default();
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
    assert_eq!(mine.unknown(&[A.to_owned()].into()), [GONE]);
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
    let (merged, _) = written.merge(LevelTable::default());
    shown.rebase(merged);
    assert_eq!(
        (shown.len(), shown.level(A), shown.was(A), shown.level(B)),
        (1, Level::None, Level::None, Level::Write)
    );
}

/// Bulk changes, resets and discards are one step each; Apply does not end the way back.
#[test]
fn gestures_are_taken_back_also_after_they_were_applied() {
    let mut draft = draft(&[(A, Level::Write)]);
    draft.gesture("set 2".to_owned(), |it| {
        it.set(A, Level::None);
        it.set(B, Level::None);
    });
    draft.gesture("unlist".to_owned(), |it| it.unlist(A));
    assert_eq!(
        (draft.level(A), draft.is_default(A), draft.steps().behind()),
        (Level::Read, true, Some("unlist"))
    );
    draft.back();
    assert_eq!((draft.level(A), draft.len()), (Level::None, 2));
    let (written, _) = draft.merge(table(&[(A, Level::Write)]));
    draft.settle(&draft.clone());
    draft.rebase(written);
    assert!(draft.is_empty());
    draft.back();
    assert_eq!((draft.level(A), draft.was(A), draft.len()), (Level::Write, Level::None, 2));
    assert_eq!((draft.level(B), draft.is_default(B)), (Level::Read, true));
    draft.forward();
    assert!(draft.is_empty());
    draft.set(B, Level::Write);
    draft.discard("discard".to_owned());
    draft.back();
    assert_eq!(draft.level(B), Level::Write);
}

#[test]
fn preset_keeps_rows_set_by_hand_unless_those_are_replaced_and_takes_the_place_of_the_one_before() {
    let mut draft = draft(&[(A, Level::Delete), (B, Level::Delete)]);
    let rows = || [(A, false), (B, false)].into_iter();
    draft.gesture("by hand".to_owned(), |it| it.set(A, Level::None));
    draft.fill("read only".to_owned(), Preset::ReadOnly, rows(), false);
    assert_eq!((draft.level(A), draft.level(B)), (Level::None, Level::Read));
    draft.fill("everyday".to_owned(), Preset::Everyday, rows(), false);
    assert_eq!((draft.level(A), draft.level(B)), (Level::None, Level::Write));
    draft.fill("everyday".to_owned(), Preset::Everyday, rows(), true);
    assert_eq!((draft.level(A), draft.level(B)), (Level::Write, Level::Write));
    draft.back();
    assert_eq!((draft.level(A), draft.level(B)), (Level::None, Level::Delete));
    assert_eq!(
        (draft.preset([A].into_iter()), draft.preset([A, B].into_iter())),
        (Some(Preset::ReadOnly), None)
    );
    assert_eq!(draft.preset([B].into_iter()), Some(Preset::Everything));
}

/// Only what opens the whole workspace further asks for the typed word.
#[test]
fn delete_everywhere_is_told_from_delete_somewhere() {
    let mut draft = draft(&[(A, Level::Delete), (B, Level::Write)]);
    assert!(!draft.opens_all([A, B]));
    draft.set(B, Level::Delete);
    assert!(draft.opens_all([A, B]) && draft.opens_all([B]));
    assert!(!draft.opens_all([A]) && !draft.opens_all([]));
    draft.set(A, Level::Write);
    assert!(!draft.opens_all([A, B]));
}

#[test]
fn changes_are_told_with_the_wider_ones_first() {
    let mut draft = draft(&[(A, Level::Write), (B, Level::Read), (GONE, Level::Read)]);
    draft.set(A, Level::None);
    draft.set(B, Level::Delete);
    draft.unlist(GONE);
    let listed: Vec<_> = draft.changes().iter().map(|it| (it.notebook.clone(), it.direction())).collect();
    let due = [(B, Direction::Wider), (A, Direction::Narrower), (GONE, Direction::Same)];
    assert_eq!(listed, due.map(|(id, direction)| (id.to_owned(), direction)));
    assert!(draft.unknown(&[A, B].map(str::to_owned).into()).is_empty(), "forgotten under this draft");
}

/// B-235: a row that another window changed is marked as soon as the panel knows, until a person chooses again.
#[test]
fn rows_changed_elsewhere_are_known_before_apply() {
    let mut draft = draft(&[(A, Level::Read)]);
    draft.set(A, Level::Delete);
    assert!(draft.conflicts().is_empty());
    draft.rebase(table(&[(A, Level::None)]));
    assert_eq!(draft.conflicts(), [A]);
    assert_eq!(draft.merge(table(&[(A, Level::None)])).0.get(A), Some(Level::None));
    draft.set(A, Level::Write);
    assert!(draft.conflicts().is_empty());
    assert_eq!(draft.merge(table(&[(A, Level::None)])).0.get(A), Some(Level::Write));
}

#[test]
fn grants_of_a_draft_are_the_levels_that_it_shows() {
    let mut draft = draft(&[(A, Level::Write), (GONE, Level::None)]);
    draft.know_made(table(&[(B, Level::Write)]));
    draft.set(A, Level::None);
    draft.unlist(GONE);
    let grants = draft.grants([B.to_owned()].into());
    assert_eq!(
        (grants.level_of(A), grants.level_of(B), grants.level_of(GONE)),
        (Level::None, Level::None, Level::Read)
    );
    assert_eq!(draft.grants(BTreeSet::new()).level_of(B), Level::Write);
}

/// B-238: what is taken over is a draft, and what has that level already is no change.
#[test]
fn levels_that_are_taken_over_are_a_draft_and_one_step() {
    let mut draft = draft(&[(A, Level::Delete)]);
    draft.set(B, Level::None);
    let rows = [A, B].map(|id| (id.to_owned(), Level::None));
    let mut taken = 0;
    draft.gesture("import".to_owned(), |it| taken = it.take(&rows));
    assert_eq!((taken, draft.len(), draft.level(A), draft.was(A)), (1, 2, Level::None, Level::Delete));
    assert_eq!(
        draft.merge(table(&[(A, Level::Delete)])).0,
        table(&rows.each_ref().map(|it| (it.0.as_str(), it.1)))
    );
    draft.back();
    assert_eq!(
        (draft.level(A), draft.level(B)),
        (Level::Delete, Level::None),
        "what was changed before stays"
    );
    assert_eq!(draft.take(&[]), 0);
}
