//! The labels of rows and groups, collected for a search over pages that are not drawn.
//!
//! A search builds each page without drawing it, and rows register the labels that they would show. So no list of labels
//! has to repeat the pages.

use leptos::prelude::*;

/// The controls to which a label leads, within its row or group.
const CONTROLS: &str = ":is(button, input, select, textarea):not(:disabled)";

/// A label and the control that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The label.
    pub name: String,
    /// The text that explains it; empty for none.
    pub about: String,
    /// The selector of the control; empty where the label leads to the page only.
    pub place: String,
}

/// The labels so far.
#[derive(Clone, Copy)]
struct LabelCollector(StoredValue<Vec<Label>>);

/// The labels of a view, which is built and not drawn: neither its effects run nor what waits for [`once_drawn`].
pub fn labels_of(view: impl FnOnce() -> AnyView) -> Vec<Label> {
    let owner = Owner::new();
    let labels = owner.with(|| {
        let collected = StoredValue::new(Vec::new());
        provide_context(LabelCollector(collected));
        drop(untrack(view));
        collected.try_update_value(std::mem::take).unwrap_or_default()
    });
    owner.cleanup();
    labels
}

/// Whether labels are being collected, so that a view may leave out everything without a label.
pub fn is_collecting() -> bool {
    use_context::<LabelCollector>().is_some()
}

/// Runs something once the view is drawn.
pub fn once_drawn(what: impl FnOnce() + 'static) {
    let mut what = Some(what);
    Effect::new(move || {
        if let Some(what) = what.take() {
            untrack(what);
        }
    });
}

/// Registers the label of a control that is not in a row of its own.
pub fn label(name: &str, about: &str, place: &str) {
    if let Some(collected) = use_context::<LabelCollector>() {
        let label = Label { name: name.to_owned(), about: about.to_owned(), place: place.to_owned() };
        collected.0.update_value(|all| all.push(label));
    }
}

/// Registers the label of the first control within a match of a selector.
pub(crate) fn label_within(name: &str, about: &str, around: &str) {
    if is_collecting() {
        label(name, about, &format!("{around} {CONTROLS}"));
    }
}
