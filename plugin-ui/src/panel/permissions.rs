//! The matrix of notebooks and levels: one value a row, a draft until Apply (B-064).

use puppy_core::kernel::api::notebook::Notebook;
use puppy_core::permission::Level;
use reactive_graph::computed::Memo;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::frame;
use crate::page::PanelPage;
use crate::parts::{self, space};
use crate::store::Store;
use puppy_plugin_ui::host::el::{El, Event, KeyboardEvent, attribute_near, el, typed};
use puppy_plugin_ui::host::{Element, dom};
use puppy_plugin_ui::state::levels::LevelDraft;
use puppy_plugin_ui::words::fill;

/// The symbol that the host shows for a notebook without one of its own.
const NOTEBOOK: &str = "1f5c3";

/// The cell that Tab leads to; `None` is the chosen level of the first row.
type Cursor = RwSignal<Option<(String, Level)>>;

pub(crate) fn page(store: Store) -> El {
    frame::frame(store, PanelPage::Permissions, store.notebooks_load, store.words.broken_table, matrix)
}

fn matrix(store: Store) -> El {
    let words = store.words;
    let notebooks = store.notebooks.get_untracked();
    let all = notebooks.len();
    let ids: Vec<String> = notebooks.iter().map(|it| it.id.clone()).collect();
    let strangers = store.levels.with_untracked(|draft| draft.strangers(&ids));
    let names: Vec<String> = notebooks.iter().map(search_text).collect();
    let wanted = RwSignal::new(String::new());
    let shown = move || wanted.with(|it| names.iter().filter(|name| name.contains(it)).count());
    let cursor: Cursor = RwSignal::new(None);
    let filter = el("input", "b3-text-field fn__flex-1").attr("type", "search");
    let filter = filter.attr("placeholder", words.filter).attr("aria-label", words.filter);
    let filter = filter.on("input", move |event| {
        wanted.set(typed(event).to_lowercase());
        cursor.set(None);
    });
    let count = el("span", "pup-quiet")
        .attr("role", "status")
        .says(move || fill(words.shown, &[("n", &shown().to_string()), ("all", &all.to_string())]));
    let column = |title: &str| el("span", "").attr("role", "columnheader").text(title);
    let levels = Level::ALL.into_iter().map(|it| column(words.level(it)).attr("title", words.level_hint(it)));
    let head = el("div", "pup-head").attr("role", "row").put(column(words.notebook)).all(levels);
    let head = head.put(el("span", "").attr("role", "presentation"));
    let first = ids.first().cloned();
    let model = row_model(store);
    let rows = notebooks.into_iter().map(|it| {
        let is_first = first.as_ref() == Some(&it.id);
        row(store, &model, it, wanted, cursor, is_first)
    });
    let empty = (all == 0).then(|| el("div", "pup-empty").text(words.no_notebooks));
    let grid = el("div", "pup-grid").attr("role", "grid").attr("aria-label", words.notebooks);
    let grid = grid.attr("aria-rowcount", &(all + 1).to_string()).attr("aria-colcount", "6");
    let grid = grid.put(head).all(rows).all(empty);
    let own = grid.html_node();
    let grid = grid
        .keys(move |event| own.as_ref().is_some_and(|grid| key(grid, event)))
        .on("click", move |event| {
            let Some(id) = attribute_near(event, "data-notebook") else { return };
            if let Some(level) = level_near(event) {
                choose(store, &id, level);
            } else if attribute_near(event, "data-undo").is_some() {
                store.edit_levels(|draft| draft.undo(&id));
                // The button goes, and the focus with it, unless it is led to the row's level.
                let level = store.levels.with_untracked(|draft| draft.level(&id)).word();
                dom::focus_near(event, "[role=row]", &format!("[data-level={level}]"));
            }
        })
        .on("focusin", move |event| {
            if let Some(cell) = attribute_near(event, "data-notebook").zip(level_near(event)) {
                cursor.set(Some(cell));
            }
        });
    let card = parts::card().put(grid).all((strangers > 0).then(|| {
        let text = fill(words.strangers, &[("n", &strangers.to_string())]);
        el("div", "pup-foot b3-label__text").text(&text)
    }));
    parts::group(words.notebooks)
        .put(el("div", "pup-hint b3-label__text").text(words.notebooks_hint))
        .put(el("div", "pup-tools-line fn__flex").put(filter).put(space()).put(count))
        .put(card)
}

/// A row without a notebook: a copy of it takes a fraction of the time that its making takes.
fn row_model(store: Store) -> El {
    let words = store.words;
    let cell = |level: Level| {
        let button = el("button", "pup-cell").attr("type", "button").attr("role", "radio");
        let button = button.attr("data-level", level.word()).attr("title", words.level_hint(level));
        let word = el("span", "pup-word").text(words.level(level));
        let button = button.attr("tabindex", "-1").put(el("span", "pup-dot")).put(word);
        el("span", "").attr("role", "gridcell").put(button)
    };
    let symbol = el("span", "pup-symbol").attr("aria-hidden", "true");
    let name = el("span", "pup-name").attr("role", "rowheader").put(symbol).put(el("span", "pup-title"));
    let undo = el("button", "pup-undo").attr("type", "button").attr("data-undo", "").text("↺");
    let was = el("span", "pup-was-side").put(el("span", "pup-was")).put(undo);
    let note =
        el("span", "pup-note").attr("role", "gridcell").put(was).put(el("span", "pup-remark pup-quiet"));
    el("div", "pup-row").attr("role", "row").put(name).all(Level::ALL.into_iter().map(cell)).put(note)
}

fn row(
    store: Store,
    model: &El,
    notebook: Notebook,
    wanted: RwSignal<String>,
    cursor: Cursor,
    is_first: bool,
) -> El {
    let words = store.words;
    let text = search_text(&notebook);
    let Notebook { id, name, icon, closed, encrypted, .. } = notebook;
    let row = model.copy().attr("data-notebook", &id);
    row.find(".pup-symbol").set_text(&symbol(&icon));
    row.find(".pup-title").attr("title", &name).set_text(&name);
    let undo = fill(words.undo_row, &[("name", &name)]);
    let _ = row.find(".pup-undo").attr("aria-label", &undo).attr("title", &undo);
    let cells = Level::ALL.map(|level| {
        let cell = row.find(&format!("[data-level={}]", level.word()));
        let label = format!("{name}: {}", words.level(level));
        (level, cell.attr("aria-label", &label).flag("disabled", store.readonly || encrypted))
    });
    let [was_side, was_text, remark] = [".pup-was-side", ".pup-was", ".pup-remark"].map(|it| row.find(it));
    let own = id.clone();
    let state = Memo::new(move |_| {
        if encrypted {
            return (Level::None, Level::None, false);
        }
        store.levels.with(|draft| (draft.level(&own), draft.was(&own), draft.is_default(&own)))
    });
    let own = id.clone();
    let tab_stop = Memo::new(move |_| {
        cursor.with(|it| match it {
            Some((row, level)) if *row == own => Some(*level),
            None if is_first => Some(state.get().0),
            _ => None,
        })
    });
    row.class_if("fn__none", move || wanted.with(|it| !text.contains(it))).follow(move |row| {
        let (is, was, is_default) = state.get();
        let is_changed = is != was;
        row.set_class("pup-changed", is_changed);
        for (level, cell) in &cells {
            cell.set("aria-checked", if *level == is { "true" } else { "false" });
            cell.set("tabindex", if tab_stop.get() == Some(*level) { "0" } else { "-1" });
        }
        was_side.set_class("fn__none", !is_changed);
        remark.set_class("fn__none", is_changed);
        if is_changed {
            let arrow = if is > was { "▲ " } else { "▼ " };
            was_text.set_text(&format!("{arrow}{}", fill(words.was, &[("level", words.level(was))])));
            was_text.set_class("pup-wider", is > was);
        }
        let is_elsewhere = store.elsewhere.with(|it| it.contains(&id));
        let remarks = [
            (is_elsewhere, words.elsewhere),
            (encrypted, words.locked),
            (closed, words.closed),
            (is_default, words.default),
        ];
        let shown: Vec<&str> = remarks.into_iter().filter(|it| it.0).map(|it| it.1).collect();
        remark.set_text(&shown.join(" · "));
    })
}

fn level_near(event: &Event) -> Option<Level> {
    let word = attribute_near(event, "data-level")?;
    Level::ALL.into_iter().find(|it| it.word() == word)
}

fn choose(store: Store, id: &str, level: Level) {
    if store.readonly {
        return;
    }
    store.edit_levels(|draft| draft.set(id, level));
    let words = store.words;
    let choice = fill(words.selected, &[("name", &store.name(id)), ("level", words.level(level))]);
    let count = store.levels.with_untracked(LevelDraft::len);
    store.said.set(format!("{choice} {}", words.level_hint(level)) + " " + &words.changes(count));
}

/// Arrows move and never change a level; 1 to 4 choose. True where the key is handled.
fn key(grid: &Element, event: &KeyboardEvent) -> bool {
    let Some((row, level)) = dom::active_cell(grid) else { return false };
    let rows: Vec<String> = dom::shown_rows(grid);
    let Some(at) = rows.iter().position(|it| *it == row) else { return false };
    let column = Level::ALL.iter().position(|it| it.word() == level).unwrap_or_default();
    let last = rows.len().saturating_sub(1);
    let (to_row, to_column) = match event.key().as_str() {
        "ArrowUp" => (at.saturating_sub(1), column),
        "ArrowDown" => ((at + 1).min(last), column),
        "ArrowLeft" => (at, column.saturating_sub(1)),
        "ArrowRight" => (at, (column + 1).min(3)),
        "PageUp" => (at.saturating_sub(10), column),
        "PageDown" => ((at + 10).min(last), column),
        "Home" if event.ctrl_key() => (0, column),
        "End" if event.ctrl_key() => (last, column),
        "Home" => (at, 0),
        "End" => (at, 3),
        digit @ ("1" | "2" | "3" | "4") => {
            let wanted = digit.parse::<usize>().ok().and_then(|it| Level::ALL.get(it.wrapping_sub(1)));
            if let Some(level) = wanted {
                // The cell's own click knows the notebook's name, and whether it may be changed.
                dom::click(grid, &cell(&row, level.word()));
            }
            return true;
        }
        _ => return false,
    };
    if let (Some(row), Some(level), Some(grid)) =
        (rows.get(to_row), Level::ALL.get(to_column), dom::html(grid))
    {
        dom::focus(&grid, &cell(row, level.word()));
    }
    true
}

fn cell(row: &str, level: &str) -> String {
    format!("[data-notebook=\"{row}\"] [data-level=\"{level}\"]")
}

fn search_text(notebook: &Notebook) -> String {
    format!("{} {}", notebook.name, notebook.id).to_lowercase()
}

/// A notebook's symbol: code points in hexadecimal, joined by hyphens. A picture file is not shown.
fn symbol(icon: &str) -> String {
    let read = |text: &str| -> Option<String> {
        text.split('-').map(|it| u32::from_str_radix(it, 16).ok().and_then(char::from_u32)).collect()
    };
    read(icon).or_else(|| read(NOTEBOOK)).unwrap_or_default()
}
