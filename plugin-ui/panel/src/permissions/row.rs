//! A row of the grid: how it is made, and what is painted of it.

use crate::state::matrix::Row;
use puppy_core::permission::Level;
use puppy_ui_parts::el::{El, el};
use puppy_ui_web::state::tri::Tri;
use puppy_ui_web::words::fill;

use crate::store::Store;

/// The symbol that the host shows for a notebook without one of its own.
const NOTEBOOK: &str = "1f5c3";

/// What is painted of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) is_shown: bool,
    pub(super) is_selected: bool,
    pub(super) level: Level,
    pub(super) was: Level,
    pub(super) is_changed: bool,
    pub(super) is_default: bool,
    /// Whether its level gives agents nothing.
    pub(super) is_idle: bool,
    pub(super) is_elsewhere: bool,
    /// The column that Tab leads to, if it leads here.
    pub(super) stop: Option<usize>,
}

/// A row in the page.
#[derive(Debug)]
pub(super) struct RowView {
    pub(super) el: El,
    /// The box, the levels, and what is said at the end.
    cells: Vec<El>,
    painted: Option<Look>,
}

/// A row without a notebook: a copy of it takes a fraction of the time that its making takes.
#[derive(Debug)]
pub(super) struct Models(El);

impl Models {
    pub(super) fn new(store: Store) -> Models {
        let words = store.words;
        let cell = |(at, level): (usize, Level)| {
            let button = el("button", "pup-cell").attr("type", "button").attr("role", "radio");
            let button = button.attr("data-level", level.word()).attr("title", words.level_hint(level));
            let button = button.attr("data-col", &(at + 1).to_string()).attr("aria-checked", "false");
            let word = el("span", "pup-word").text(words.level(level));
            let button = button.attr("tabindex", "-1").put(el("span", "pup-dot")).put(word);
            el("span", "").attr("role", "gridcell").put(button)
        };
        let select =
            el("input", "pup-check").attr("type", "checkbox").attr("data-col", "0").attr("tabindex", "-1");
        let select = select.flag("disabled", store.readonly);
        let select = el("span", "pup-select").attr("role", "gridcell").put(select);
        let symbol = el("span", "pup-symbol").attr("aria-hidden", "true");
        let name = el("span", "pup-name").attr("role", "rowheader").put(symbol).put(el("span", "pup-title"));
        let note = el("span", "pup-note").attr("role", "gridcell");
        let levels = Level::ALL.into_iter().enumerate().map(cell);
        Models(el("div", "pup-row").attr("role", "row").put(select).put(name).all(levels).put(note))
    }

    /// The row of a notebook.
    pub(super) fn row(&self, store: Store, place: usize, row: &Row) -> RowView {
        let notebook = &row.notebook;
        let el = self.0.copy().attr("data-notebook", &notebook.id).attr("data-at", &place.to_string());
        let el = el.attr("aria-rowindex", &(place + 2).to_string());
        let mut cells: Vec<El> = el.inside().collect();
        if cells.len() > 1 {
            let mut name = cells.remove(1).inside();
            if let Some(it) = name.next() {
                it.set_text(&symbol(&notebook.icon));
            }
            if let Some(it) = name.next() {
                it.attr("title", &notebook.name).set_text(&notebook.name);
            }
        }
        let cells = cells.into_iter().enumerate().map(|(at, cell)| {
            let inside = cell.inside().next();
            match (inside, at.checked_sub(1).and_then(|it| Level::ALL.get(it))) {
                (Some(button), Some(level)) => {
                    let label = label(store, &notebook.name, *level, None);
                    button.attr("aria-label", &label).flag("disabled", store.readonly || notebook.encrypted)
                }
                (Some(select), None) => {
                    let label = fill(store.draft_words.select, &[("name", &notebook.name)]);
                    select.attr("aria-label", &label)
                }
                (None, _) => cell,
            }
        });
        RowView { cells: cells.collect(), el, painted: None }
    }
}

impl RowView {
    /// Paints what differs from what is painted.
    pub(super) fn paint(&mut self, store: Store, row: &Row, look: Look) {
        let before = self.painted.as_ref();
        if before == Some(&look) {
            return;
        }
        if before.map_or(!look.is_shown, |it| it.is_shown != look.is_shown) {
            self.el.set_class("fn__none", !look.is_shown);
        }
        if before.map_or(look.is_selected, |it| it.is_selected != look.is_selected) {
            self.el.set("aria-selected", if look.is_selected { "true" } else { "false" });
            if let Some(select) = self.cells.first() {
                select.set_tri(if look.is_selected { Tri::On } else { Tri::Off });
            }
        }
        let level = |look: &Look| (look.level, look.was, look.is_changed);
        if before.map(level) != Some(level(&look)) {
            self.paint_levels(store, row, &look);
        }
        if before.and_then(|it| it.stop) != look.stop {
            let stops = [(before.and_then(|it| it.stop), "-1"), (look.stop, "0")];
            for (cell, index) in stops.iter().filter_map(|(at, index)| Some((self.cells.get((*at)?)?, index)))
            {
                cell.set("tabindex", index);
            }
        }
        let note = |look: &Look| {
            let Look { level, was, is_changed, is_default, is_idle, is_elsewhere, .. } = look.clone();
            (level, was, is_changed, is_default, is_idle, is_elsewhere)
        };
        if before.map(note) != Some(note(&look)) {
            self.paint_note(store, row, &look);
        }
        self.painted = Some(look);
    }

    fn paint_levels(&self, store: Store, row: &Row, look: &Look) {
        let before = self.painted.as_ref();
        self.el.set_class("pup-changed", look.is_changed);
        for (level, cell) in Level::ALL.into_iter().zip(self.cells.iter().skip(1)) {
            let [was, is] = [before.is_some_and(|it| it.level == level), look.level == level];
            if was != is {
                cell.set("aria-checked", if is { "true" } else { "false" });
            }
            // Only the chosen one says what it was.
            if (before.is_some() || look.is_changed) && (was || is) {
                let former = (is && look.is_changed).then_some(look.was);
                cell.set("aria-label", &label(store, &row.notebook.name, level, former));
            }
        }
    }

    fn paint_note(&self, store: Store, row: &Row, look: &Look) {
        let (words, more) = (store.words, store.draft_words);
        let Some(note) = self.cells.last() else { return };
        let remarks = [
            (look.is_elsewhere, words.elsewhere),
            (row.notebook.encrypted, words.locked),
            (row.notebook.closed && !look.is_changed, words.closed),
            (look.is_idle && look.level == Level::Write, more.no_write),
            (look.is_idle && look.level == Level::Delete, more.no_delete),
            (look.is_default && !look.is_changed, words.default),
        ];
        let remarks: Vec<&str> = remarks.into_iter().filter(|it| it.0).map(|it| it.1).collect();
        let remark =
            (!remarks.is_empty()).then(|| el("span", "pup-remark pup-quiet").text(&remarks.join(" · ")));
        let was = look.is_changed.then(|| {
            let is_wider = look.level > look.was;
            let sign = if is_wider { "▲" } else { "▼" };
            let sign = if look.level == look.was { "=" } else { sign };
            let text = format!("{sign} {}", fill(words.was, &[("level", words.level(look.was))]));
            let text = el("span", if is_wider { "pup-was pup-wider" } else { "pup-was" }).text(&text);
            let undo = fill(words.undo_row, &[("name", &row.notebook.name)]);
            let button = el("button", "pup-undo").attr("type", "button").attr("data-undo", "").text("↺");
            let button = button.attr("aria-label", &undo).attr("title", &undo);
            el("span", "pup-was-side").put(text).put(button.flag("disabled", store.readonly))
        });
        if self.painted.is_some() || remark.is_some() || was.is_some() {
            let _ = note.clone().html("").all(was).all(remark);
        }
    }
}

/// The name of a level in a row, for screen readers, with the one that it was.
fn label(store: Store, name: &str, level: Level, was: Option<Level>) -> String {
    let words = store.words;
    let label = format!("{name}: {}", words.level(level));
    let Some(was) = was else { return label };
    format!("{label}{}{}", words.list_comma, fill(words.was, &[("level", words.level(was))]))
}

/// A notebook's symbol: code points in hexadecimal, joined by hyphens. A picture file is not shown.
fn symbol(icon: &str) -> String {
    let read = |text: &str| -> Option<String> {
        text.split('-').map(|it| u32::from_str_radix(it, 16).ok().and_then(char::from_u32)).collect()
    };
    read(icon).or_else(|| read(NOTEBOOK)).unwrap_or_default()
}
