//! The rows of the matrix: which are shown, which are selected, and where a key leads.

use puppy_core::kernel::api::notebook::Notebook;
use puppy_core::permission::Level;

use puppy_ui_web::words::fill;
use puppy_ui_web::words::permissions::PermissionWords;

use super::levels::LevelDraft;
use puppy_ui_web::state::tri::Tri;

/// The columns of a row that a key can reach: the box, and a level each.
pub const COLUMNS: usize = 1 + Level::ALL.len();
/// The rows of a page, for the keys that turn one.
const PAGE: usize = 10;

/// A notebook as the matrix finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The notebook.
    pub notebook: Notebook,
    /// Its name, for a search that minds neither case nor accents.
    name: String,
}

impl Row {
    /// The row of a notebook; `plain` takes case and accents from a text.
    pub fn new(notebook: Notebook, plain: impl Fn(&str) -> String) -> Row {
        Row { name: plain(&notebook.name), notebook }
    }
}

/// A choice between rows by what holds for them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Chip {
    /// Every row.
    #[default]
    All,
    /// Rows with a change that waits.
    Changed,
    /// Rows that agents may change something in.
    Writable,
    /// Rows that agents have no access to.
    Hidden,
}

impl Chip {
    /// Every choice, in order.
    pub const ALL: [Chip; 4] = [Chip::All, Chip::Changed, Chip::Writable, Chip::Hidden];

    /// The word in the page.
    pub const fn word(self) -> &'static str {
        match self {
            Chip::All => "all",
            Chip::Changed => "changed",
            Chip::Writable => "writable",
            Chip::Hidden => "hidden",
        }
    }

    /// Its name, with the number of its rows.
    pub fn title(self, words: &PermissionWords, count: usize) -> String {
        let text = match self {
            Chip::All => words.all,
            Chip::Changed => words.changed,
            Chip::Writable => words.writable,
            Chip::Hidden => words.hidden,
        };
        fill(text, &[("n", &count.to_string())])
    }

    /// Whether it takes a row.
    pub fn takes(self, row: &Row, draft: &LevelDraft) -> bool {
        match self {
            Chip::All => true,
            Chip::Changed => draft.is_changed(&row.notebook.id),
            Chip::Writable => !row.notebook.encrypted && draft.level(&row.notebook.id) >= Level::Write,
            Chip::Hidden => row.notebook.encrypted || draft.level(&row.notebook.id) == Level::None,
        }
    }
}

/// The places of the rows that a text and a choice leave; a row that is shown stays, whatever becomes of its level.
pub fn shown(rows: &[Row], text: &str, chip: Chip, draft: &LevelDraft) -> Vec<usize> {
    let is_named = |row: &Row| row.name.contains(text) || row.notebook.id.contains(text);
    let is_shown = |(_, row): &(usize, &Row)| is_named(row) && chip.takes(row, draft);
    rows.iter().enumerate().filter(is_shown).map(|(at, _)| at).collect()
}

/// The picks of a person in a list: the shown items, the selected items, and the cell that Tab leads to. Items are
/// known by their places.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Picks {
    /// The text of the filter, without case and accents.
    pub text: String,
    /// The places that are shown, in order. They follow the filter and not the draft: what a person changes stays.
    pub shown: Vec<usize>,
    /// The selected places.
    pub selected: Selection,
    /// The cell that Tab leads to: a place and a column.
    pub cursor: Option<(usize, usize)>,
}

impl Picks {
    /// A list of which everything is shown.
    pub fn of(count: usize) -> Picks {
        Picks { shown: (0..count).collect(), ..Picks::default() }
    }

    /// Whether something is shown.
    pub fn shows(&self, place: usize) -> bool {
        self.shown.binary_search(&place).is_ok()
    }

    /// The places that a change of many is about: the selected ones, or else the shown ones.
    pub fn targets(&self) -> Vec<usize> {
        if self.selected.is_empty() { self.shown.clone() } else { self.selected.places().collect() }
    }

    /// Selects something, or no longer; with Shift everything shown from the last one to this.
    pub fn select(&mut self, place: usize, is_range: bool) {
        if is_range {
            self.selected.extend(place, &self.shown);
        } else {
            self.selected.toggle(place);
        }
    }
}

/// The selected places.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    places: Vec<bool>,
    /// The place that a range begins at.
    from: Option<usize>,
}

impl Selection {
    /// Whether something is selected.
    pub fn has(&self, place: usize) -> bool {
        self.places.get(place).copied().unwrap_or_default()
    }

    /// The selected places, in order.
    pub fn places(&self) -> impl Iterator<Item = usize> {
        (0..self.places.len()).filter(|place| self.has(*place))
    }

    /// Whether nothing is selected.
    pub fn is_empty(&self) -> bool {
        !self.places.contains(&true)
    }

    fn set(&mut self, place: usize, is: bool) {
        if self.places.len() <= place {
            self.places.resize(place + 1, false);
        }
        if let Some(it) = self.places.get_mut(place) {
            *it = is;
        }
    }

    /// Selects something, or no longer.
    pub fn toggle(&mut self, place: usize) {
        self.set(place, !self.has(place));
        self.from = Some(place);
    }

    /// Selects what is shown from the last toggled place to this.
    pub fn extend(&mut self, to: usize, shown: &[usize]) {
        let from = *self.from.get_or_insert(to);
        let (low, high) = (from.min(to), from.max(to));
        for place in shown.iter().filter(|it| (low..=high).contains(*it)) {
            self.set(*place, true);
        }
    }

    /// Presses the box over all that is shown.
    pub fn press(&mut self, shown: &[usize]) {
        let is = self.tri(shown) != Tri::On;
        for place in shown {
            self.set(*place, is);
        }
        self.from = None;
    }

    /// Selects all that is shown.
    pub fn all(&mut self, shown: &[usize]) {
        for place in shown {
            self.set(*place, true);
        }
    }

    /// Selects nothing.
    pub fn clear(&mut self) {
        *self = Selection::default();
    }

    /// The box over all that is shown.
    pub fn tri(&self, shown: &[usize]) -> Tri {
        Tri::of(shown.iter().filter(|it| self.has(**it)).count(), shown.len())
    }
}

/// The ids of the rows at these places; locked ones take no level.
pub fn ids<'a>(rows: &'a [Row], places: &[usize]) -> Vec<&'a str> {
    let rows = places.iter().filter_map(|at| rows.get(*at)).filter(|row| !row.notebook.encrypted);
    rows.map(|row| row.notebook.id.as_str()).collect()
}

/// The cell that a key leads to from a cell, by the place in the list of shown rows and the column; `rows` and `columns`
/// say how many there are.
pub fn led(
    key: &str,
    ctrl: bool,
    (row, column): (usize, usize),
    (rows, columns): (usize, usize),
) -> Option<(usize, usize)> {
    let (last, edge) = (rows.checked_sub(1)?, columns.checked_sub(1)?);
    Some(match key {
        "ArrowUp" => (row.saturating_sub(1), column),
        "ArrowDown" => ((row + 1).min(last), column),
        "ArrowLeft" => (row, column.saturating_sub(1)),
        "ArrowRight" => (row, (column + 1).min(edge)),
        "PageUp" => (row.saturating_sub(PAGE), column),
        "PageDown" => ((row + PAGE).min(last), column),
        "Home" if ctrl => (0, column),
        "End" if ctrl => (last, column),
        "Home" => (row, 0),
        "End" => (row, edge),
        _ => return None,
    })
}

/// The next shown row after a place whose name begins with a letter, by its place in that list.
pub fn next_named(rows: &[Row], shown: &[usize], after: usize, letter: &str) -> Option<usize> {
    let is_named = |place: &&usize| rows.get(**place).is_some_and(|row| row.name.starts_with(letter));
    let places = shown.iter().enumerate().cycle().skip(after + 1).take(shown.len());
    places.filter(|(_, place)| is_named(place)).map(|(at, _)| at).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(names: &[&str]) -> Vec<Row> {
        let row = |(at, name): (usize, &&str)| {
            let id = format!("20210808180117-aaaaaa{at}");
            let it = serde_json::json!({ "id": id, "name": name, "closed": at == 1, "encrypted": at == 2 });
            Row::new(serde_json::from_value(it).unwrap(), str::to_lowercase)
        };
        names.iter().enumerate().map(row).collect()
    }

    #[test]
    fn a_choice_of_rows_is_named_with_their_number() {
        assert_eq!(Chip::Writable.title(PermissionWords::of("en"), 3), "Write or Delete 3");
    }

    #[test]
    fn rows_are_found_by_name_id_and_what_holds_for_them() {
        let rows = rows(&["Garden", "Archive", "Safe", "Diary"]);
        let mut draft = LevelDraft::default();
        for (text, places) in
            [("", vec![0, 1, 2, 3]), ("ar", vec![0, 1, 3]), ("aaaaaa3", vec![3]), ("x", vec![])]
        {
            assert_eq!(shown(&rows, text, Chip::All, &draft), places, "{text}");
        }
        draft.set(&rows[3].notebook.id, Level::Write);
        draft.set(&rows[2].notebook.id, Level::Write);
        draft.set(&rows[1].notebook.id, Level::None);
        let places = Chip::ALL.map(|chip| shown(&rows, "", chip, &draft));
        assert_eq!(
            places,
            [vec![0, 1, 2, 3], vec![1, 2, 3], vec![3], vec![1, 2]],
            "a locked one has no access"
        );
    }

    #[test]
    fn many_rows_are_selected_and_changed_without_the_locked_ones() {
        let rows = rows(&["Garden", "Archive", "Safe", "Diary", "Work"]);
        let mut picks = Picks::of(5);
        assert!(picks.shows(1));
        picks.shown.retain(|it| *it != 1);
        assert_eq!(ids(&rows, &picks.targets()).len(), 3, "all shown ones but the locked one");
        picks.select(0, false);
        picks.select(3, true);
        assert_eq!(picks.targets(), [0, 2, 3], "what is not shown is not in the range");
        assert_eq!(ids(&rows, &picks.targets()), [&rows[0].notebook.id, &rows[3].notebook.id]);
        let Picks { shown, mut selected, .. } = picks;
        assert_eq!((selected.tri(&shown), selected.has(1)), (Tri::Mixed, false));
        selected.press(&shown);
        assert_eq!(selected.tri(&shown), Tri::On);
        selected.press(&shown);
        assert!(selected.is_empty());
        selected.all(&shown);
        assert_eq!(selected.tri(&shown), Tri::On);
        selected.clear();
        selected.extend(4, &shown);
        selected.toggle(4);
        assert!(selected.is_empty() && selected.tri(&[]) == Tri::Off);
    }

    #[test]
    fn keys_lead_through_the_shown_cells_and_stop_at_the_edges() {
        let walk = |keys: &[(&str, bool)], from| {
            keys.iter().fold(from, |at, (key, ctrl)| led(key, *ctrl, at, (25, COLUMNS)).unwrap())
        };
        assert_eq!(walk(&[("ArrowUp", false), ("ArrowLeft", false)], (0, 0)), (0, 0));
        assert_eq!(walk(&[("PageDown", false), ("End", false), ("ArrowRight", false)], (3, 1)), (13, 4));
        assert_eq!(walk(&[("End", true), ("ArrowDown", false), ("Home", false)], (3, 2)), (24, 0));
        assert_eq!(walk(&[("PageUp", false), ("ArrowDown", false)], (3, 2)), (1, 2));
        assert_eq!(
            (led("x", false, (0, 0), (25, COLUMNS)), led("ArrowUp", false, (0, 0), (0, COLUMNS))),
            (None, None)
        );
    }

    #[test]
    fn letters_jump_to_the_next_row_of_that_name_and_around() {
        let rows = rows(&["Garden", "Archive", "Apple", "Grass"]);
        let shown = [0, 2, 3];
        assert_eq!(next_named(&rows, &shown, 0, "g"), Some(2));
        assert_eq!(next_named(&rows, &shown, 2, "g"), Some(0));
        assert_eq!((next_named(&rows, &shown, 0, "a"), next_named(&rows, &shown, 0, "x")), (Some(1), None));
    }
}
