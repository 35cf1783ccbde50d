//! The matrix of notebooks and levels: one value a row, a draft until Apply (B-064).

use leptos::prelude::*;
use puppy_core::kernel::api::notebook::Notebook;
use puppy_core::permission::Level;

use crate::frame;
use crate::page::PanelPage;
use crate::store::Store;
use puppy_plugin_ui::host::{Element, dom};
use puppy_plugin_ui::state::levels::LevelDraft;
use puppy_plugin_ui::words::fill;

/// The symbol that the host shows for a notebook without one of its own.
const NOTEBOOK: &str = "1f5c3";

/// The cell that Tab leads to; `None` is the chosen level of the first row.
type Cursor = RwSignal<Option<(String, Level)>>;

pub(crate) fn page(store: Store) -> impl IntoView {
    let filter = RwSignal::new(String::new());
    frame::frame(store, PanelPage::Permissions, store.notebooks_load, store.words.broken_table, move || {
        matrix(store, filter).into_any()
    })
}

fn matrix(store: Store, filter: RwSignal<String>) -> impl IntoView {
    let words = store.words;
    let notebooks = store.notebooks.get_untracked();
    let all = notebooks.len();
    let ids: Vec<String> = notebooks.iter().map(|it| it.id.clone()).collect();
    let strangers = store.levels.with_untracked(|draft| draft.strangers(&ids));
    let names: Vec<String> = notebooks.iter().map(search_text).collect();
    let wanted = Memo::new(move |_| filter.get().to_lowercase());
    let shown = Memo::new(move |_| wanted.with(|it| names.iter().filter(|name| name.contains(it)).count()));
    let cursor: Cursor = RwSignal::new(None);
    let grid = NodeRef::<leptos::html::Div>::new();
    let first = ids.first().cloned().unwrap_or_default();
    let rows = notebooks.into_iter().map(|it| row(store, it, wanted, cursor, &first)).collect_view();
    view! {
        <div class="config-group">
            <div class="config-title">{words.notebooks}</div>
            <div class="pup-hint b3-label__text">{words.notebooks_hint}</div>
            <div class="pup-tools-line fn__flex">
                <input
                    class="b3-text-field fn__flex-1"
                    type="search"
                    placeholder=words.filter
                    aria-label=words.filter
                    prop:value=move || filter.get()
                    on:input=move |event| {
                        filter.set(event_target_value(&event));
                        cursor.set(None);
                    }
                />
                <span class="fn__space"></span>
                <span class="pup-quiet" role="status">
                    {move || fill(words.shown, &[("n", &shown.get().to_string()), ("all", &all.to_string())])}
                </span>
            </div>
            <div class="config-items">
                <div
                    class="pup-grid"
                    role="grid"
                    aria-label=words.notebooks
                    aria-rowcount=(all + 1).to_string()
                    aria-colcount="6"
                    node_ref=grid
                    on:keydown=move |event| {
                        if let Some(grid) = grid.get_untracked()
                            && key(&grid, &event)
                        {
                            event.prevent_default();
                        }
                    }
                >
                    <div class="pup-head" role="row">
                        <span role="columnheader">{words.notebook}</span>
                        {Level::ALL
                            .into_iter()
                            .map(|level| {
                                view! {
                                    <span role="columnheader" title=words.level_hint(level)>
                                        {words.level(level)}
                                    </span>
                                }
                            })
                            .collect_view()}
                        <span role="presentation"></span>
                    </div>
                    {rows}
                    {(all == 0).then(|| view! { <div class="pup-empty">{words.no_notebooks}</div> })}
                </div>
                {(strangers > 0)
                    .then(|| {
                        let text = fill(words.strangers, &[("n", &strangers.to_string())]);
                        view! { <div class="pup-foot b3-label__text">{text}</div> }
                    })}
            </div>
        </div>
    }
}

fn row(
    store: Store,
    notebook: Notebook,
    wanted: Memo<String>,
    cursor: Cursor,
    first: &str,
) -> impl IntoView + use<> {
    let words = store.words;
    let text = search_text(&notebook);
    let is_hidden = move || wanted.with(|it| !text.contains(it));
    let Notebook { id, name, icon, closed, encrypted, .. } = notebook;
    let of = {
        let id = id.clone();
        move |draft: &LevelDraft| {
            if encrypted {
                (Level::None, Level::None, false)
            } else {
                (draft.level(&id), draft.was(&id), draft.is_default(&id))
            }
        }
    };
    let state = Memo::new(move |_| store.levels.with(&of));
    let is_changed = move || state.get().0 != state.get().1;
    let was = move || {
        let (is, was, _) = state.get();
        let arrow = if is > was { "▲ " } else { "▼ " };
        format!("{arrow}{}", fill(words.was, &[("level", words.level(was))]))
    };
    let tab_stop = {
        let (id, is_first) = (id.clone(), id == first);
        Memo::new(move |_| match cursor.with(|it| it.as_ref().map(|(row, level)| (*row == id, *level))) {
            Some((true, level)) => Some(level),
            None if is_first => Some(state.get().0),
            _ => None,
        })
    };
    let remark = {
        let id = id.clone();
        move || {
            let is_elsewhere = store.elsewhere.with(|it| it.contains(&id));
            let remarks = [
                (is_elsewhere, words.elsewhere),
                (encrypted, words.locked),
                (closed, words.closed),
                (state.get().2, words.default),
            ];
            remarks.into_iter().filter(|it| it.0).map(|it| it.1).collect::<Vec<_>>().join(" · ")
        }
    };
    let undo = fill(words.undo_row, &[("name", &name)]);
    let (own, others) = (id.clone(), id.clone());
    let cells = Level::ALL
        .into_iter()
        .map(|level| {
            let (id, name) = (id.clone(), name.clone());
            let label = format!("{name}: {}", words.level(level));
            let is_chosen = move || state.get().0 == level;
            let here = id.clone();
            view! {
                <span role="gridcell">
                    <button
                        class="pup-cell"
                        type="button"
                        role="radio"
                        data-level=level.word()
                        aria-checked=move || is_chosen().to_string()
                        aria-label=label
                        title=words.level_hint(level)
                        tabindex=move || if tab_stop.get() == Some(level) { "0" } else { "-1" }
                        disabled=store.readonly || encrypted
                        on:focus=move |_| cursor.set(Some((here.clone(), level)))
                        on:click=move |_| choose(store, &id, &name, level)
                    >
                        <span class="pup-dot"></span>
                        <span class="pup-word">{words.level(level)}</span>
                    </button>
                </span>
            }
        })
        .collect_view();
    view! {
        <div
            class="pup-row"
            role="row"
            data-notebook=own
            class=("fn__none", is_hidden)
            class=("pup-changed", is_changed)
        >
            <span class="pup-name" role="rowheader">
                <span class="pup-symbol" aria-hidden="true">{symbol(&icon)}</span>
                <span class="pup-title" title=name.clone()>
                    {name.clone()}
                </span>
            </span>
            {cells}
            <span class="pup-note" role="gridcell">
                <span class=("fn__none", move || !is_changed())>
                    <span class="pup-was" class=("pup-wider", move || state.get().0 > state.get().1)>
                        {was}
                    </span>
                    <button
                        class="pup-undo"
                        type="button"
                        aria-label=undo.clone()
                        title=undo
                        on:click=move |event| {
                            store.edit_levels(|draft| draft.undo(&others));
                            // The button goes, and the focus with it, unless it is led to the row's level.
                            let level = state.get_untracked().0.word();
                            dom::focus_near(&event, "[role=row]", &format!("[data-level={level}]"));
                        }
                    >
                        "↺"
                    </button>
                </span>
                <span class="pup-quiet" class=("fn__none", is_changed)>
                    {remark}
                </span>
            </span>
        </div>
    }
}

fn choose(store: Store, id: &str, name: &str, level: Level) {
    if store.readonly {
        return;
    }
    store.edit_levels(|draft| draft.set(id, level));
    let words = store.words;
    let choice = fill(words.selected, &[("name", name), ("level", words.level(level))]);
    let count = store.levels.with_untracked(LevelDraft::len);
    frame::say(store, format!("{choice} {}", words.level_hint(level)) + " " + &words.changes(count));
}

/// Arrows move and never change a level; 1 to 4 choose. True where the key is handled.
fn key(grid: &Element, event: &leptos::ev::KeyboardEvent) -> bool {
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
    if let (Some(row), Some(level)) = (rows.get(to_row), Level::ALL.get(to_column)) {
        frame::focus(grid, &cell(row, level.word()));
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
