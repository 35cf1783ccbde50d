//! The keys of the tree of tools. Arrows move, open and close, and never change a switch.

use crate::state::tree::{Move, led};
use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use puppy_ui_web::host::dom;

use super::toolbox::Toolbox;

/// The cells that can have the focus; the number is their column.
pub(super) const CELL: &str = "data-cell";
/// The name of a row.
pub(super) const NAME: &str = "data-row";

/// Makes one cell the only stop of Tab, whatever is folded or left out.
pub(super) fn rove(tree: NodeRef<html::Div>) {
    if let Some(tree) = tree.try_get_untracked().flatten() {
        dom::rove(&tree, &format!("[{CELL}]"));
    }
}

/// A key in the tree; true where it is handled.
pub(super) fn in_tree(toolbox: Toolbox, tree: NodeRef<html::Div>, event: &KeyboardEvent) -> bool {
    let Some(tree) = tree.get_untracked() else { return false };
    let rows = dom::drawn(&tree, "[role=row]");
    let Some((row, column)) = dom::focused_among(&rows, CELL) else { return false };
    let Ok(column) = column.parse() else { return false };
    let (key, ctrl) = (event.key(), event.ctrl_key() || event.meta_key());
    let folds: Vec<_> =
        rows.iter().map(|it| it.get_attribute("aria-expanded").map(|is| is == "true")).collect();
    let cell = |column: usize| format!("[{CELL}=\"{column}\"]");
    match led(&key, ctrl, (row, column), &folds) {
        Some(Move::To(row, column)) => {
            if let Some(row) = rows.get(row) {
                dom::focus(row, &cell(column));
            }
            return true;
        }
        Some(Move::Press(column)) => {
            if let Some(row) = rows.get(row) {
                dom::press(row, &cell(column));
            }
            return true;
        }
        None => {}
    }
    if ctrl && key.eq_ignore_ascii_case("a") {
        toolbox.picks.update(|it| {
            let shown = it.shown.clone();
            it.selected.all(&shown);
        });
        return true;
    }
    if ctrl || event.alt_key() {
        return false;
    }
    if key == "/" {
        dom::focus_anywhere(".pup-panel [data-do=filter]");
        return true;
    }
    let is_letter = key.len() == 1 && key.chars().all(|it| it.is_ascii_alphabetic());
    let is_named = |name: &str| is_letter && name.starts_with(&key.to_ascii_lowercase());
    let after = rows.iter().cycle().skip(row + 1).take(rows.len());
    let named = after.filter(|it| it.get_attribute(NAME).is_some_and(|name| is_named(&name)));
    let Some(row) = named.into_iter().next() else { return false };
    dom::focus(row, &cell(column));
    true
}
