//! A row of the grid: how it is made, and what is painted of it.

use crate::state::matrix::Row;
use leptos::prelude::*;
use leptos::tachys::view::Mountable;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlInputElement};
use puppy_core::permission::Level;
use puppy_ui_parts::{UNDO, yes};
use puppy_ui_web::host::dom;
use puppy_ui_web::words::fill;

use crate::store::Store;

/// The symbol that the host shows for a notebook without one of its own.
const NOTEBOOK: &str = "1f5c3";

/// The painted properties of a row.
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
    pub(super) element: Element,
    /// The box, the levels, and what is said at the end.
    cells: Vec<Element>,
    painted: Option<Look>,
}

/// A row without a notebook: a copy of it takes a fraction of the time that its making takes.
#[derive(Debug)]
pub(super) struct Model(Element);

impl Model {
    pub(super) fn new(store: Store) -> Option<Model> {
        let words = store.words;
        let cell = |(at, level): (usize, Level)| {
            view! {
                <span role="gridcell">
                    <button
                        class="pup-cell"
                        type="button"
                        role="radio"
                        data-level=level.word()
                        title=words.level_hint(level)
                        data-col=(at + 1).to_string()
                        aria-checked="false"
                        tabindex="-1"
                    >
                        <span class="pup-dot"></span>
                        <span class="pup-word">{words.level(level)}</span>
                    </button>
                </span>
            }
        };
        let row = view! {
            <div class="pup-row" role="row">
                <span class="pup-select" role="gridcell">
                    <input class="pup-check" type="checkbox" data-col="0" tabindex="-1" disabled=store.readonly/>
                </span>
                <span class="pup-name" role="rowheader">
                    <span class="pup-symbol" aria-hidden="true"></span>
                    <span class="pup-title"></span>
                </span>
                {Level::ALL.into_iter().enumerate().map(cell).collect_view()}
                <span class="pup-note" role="gridcell"></span>
            </div>
        };
        made(row.into_any()).map(Model)
    }

    /// The row of a notebook.
    pub(super) fn row(&self, store: Store, place: usize, row: &Row) -> Option<RowView> {
        let notebook = &row.notebook;
        let element: Element = self.0.clone_node_with_deep(true).ok()?.dyn_into().ok()?;
        dom::set(&element, "data-notebook", &notebook.id);
        dom::set(&element, "data-at", &place.to_string());
        dom::set(&element, "aria-rowindex", &(place + 2).to_string());
        let mut cells: Vec<Element> = inside(&element).collect();
        if cells.len() > 1 {
            let mut name = inside(&cells.remove(1));
            if let Some(it) = name.next() {
                it.set_text_content(Some(&symbol(&notebook.icon)));
            }
            if let Some(it) = name.next() {
                dom::set(&it, "title", &notebook.name);
                it.set_text_content(Some(&notebook.name));
            }
        }
        let cells = cells.into_iter().enumerate().map(|(at, cell)| {
            let Some(control) = cell.first_element_child() else { return cell };
            if let Some(level) = at.checked_sub(1).and_then(|it| Level::ALL.get(it)) {
                dom::set(&control, "aria-label", &label(store, &notebook.name, *level, None));
                if store.readonly || notebook.encrypted {
                    dom::set(&control, "disabled", "");
                }
            } else {
                let label = fill(store.draft_words.select, &[("name", &notebook.name)]);
                dom::set(&control, "aria-label", &label);
            }
            control
        });
        Some(RowView { cells: cells.collect(), element, painted: None })
    }
}

/// The element of a view whose values never change.
fn made(view: AnyView) -> Option<Element> {
    view.build().elements().into_iter().next()
}

/// The elements in an element, in order.
fn inside(element: &Element) -> impl Iterator<Item = Element> + use<> {
    std::iter::successors(element.first_element_child(), Element::next_element_sibling)
}

impl RowView {
    /// Paints what differs from what is painted.
    pub(super) fn paint(&mut self, store: Store, row: &Row, look: Look) {
        let before = self.painted.as_ref();
        if before == Some(&look) {
            return;
        }
        if before.map_or(!look.is_shown, |it| it.is_shown != look.is_shown) {
            set_class(&self.element, "fn__none", !look.is_shown);
        }
        if before.map_or(look.is_selected, |it| it.is_selected != look.is_selected) {
            dom::set(&self.element, "aria-selected", yes(look.is_selected));
            if let Some(select) = self.cells.first().and_then(|it| it.dyn_ref::<HtmlInputElement>()) {
                select.set_checked(look.is_selected);
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
                dom::set(cell, "tabindex", index);
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
        set_class(&self.element, "pup-changed", look.is_changed);
        for (level, cell) in Level::ALL.into_iter().zip(self.cells.iter().skip(1)) {
            let [was, is] = [before.is_some_and(|it| it.level == level), look.level == level];
            if was != is {
                dom::set(cell, "aria-checked", yes(is));
            }
            // Only the chosen one says what it was.
            if (before.is_some() || look.is_changed) && (was || is) {
                let former = (is && look.is_changed).then_some(look.was);
                dom::set(cell, "aria-label", &label(store, &row.notebook.name, level, former));
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
        let remark = (!remarks.is_empty()).then(|| {
            let text = remarks.join(" · ");
            view! { <span class="pup-remark pup-quiet">{text}</span> }.into_any()
        });
        let was = look.is_changed.then(|| {
            let is_wider = look.level > look.was;
            let sign = if is_wider { "▲" } else { "▼" };
            let sign = if look.level == look.was { "=" } else { sign };
            let text = format!("{sign} {}", fill(words.was, &[("level", words.level(look.was))]));
            let class = if is_wider { "pup-was pup-wider" } else { "pup-was" };
            let undo = fill(words.undo_row, &[("name", &row.notebook.name)]);
            view! {
                <span class="pup-was-side">
                    <span class=class>{text}</span>
                    <button
                        class=UNDO
                        type="button"
                        data-undo=""
                        aria-label=undo.clone()
                        title=undo
                        disabled=store.readonly
                    >
                        "↺"
                    </button>
                </span>
            }
            .into_any()
        });
        if self.painted.is_some() || remark.is_some() || was.is_some() {
            note.set_text_content(None);
            for it in [was, remark].into_iter().flatten().filter_map(made) {
                let _ = note.append_child(&it);
            }
        }
    }
}

fn set_class(element: &Element, class: &str, is: bool) {
    let _ = element.class_list().toggle_with_force(class, is);
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
