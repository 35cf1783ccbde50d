//! The small things that pages are made of which are no views yet. One function each, whatever a page puts into it: what a
//! page gives is boxed first, because each closure would be a copy of the function otherwise.

use crate::el::{El, el, is_checked, svg, typed};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

/// What a page says in a row: its key in the page's attributes, its name, and a hint that may be empty.
#[derive(Debug, Clone, Copy)]
pub struct Label {
    /// The key in the page's attributes.
    pub key: &'static str,
    /// The name.
    pub name: &'static str,
    /// The hint; it may be empty.
    pub hint: &'static str,
}

/// A page: the tab's panel, and in it what grows above a bar.
pub fn page(name: &str, title: &str, readonly: Option<&str>) -> (El, El) {
    let page = el("div", "config__tab-container pup-page").attr("role", "tabpanel");
    let grow = el("div", "pup-grow");
    let grow = match readonly {
        Some(text) => grow.put(el("div", "pup-notice").attr("role", "note").text(text)),
        None => grow,
    };
    (page.attr("data-name", name).attr("aria-label", title), grow)
}

/// A group of rows with a title.
pub fn group(title: &str) -> El {
    el("div", "config-group").put(el("div", "config-title").text(title))
}

/// The card that holds the rows of a group.
pub fn card() -> El {
    el("div", "config-items")
}

/// What is shown while files are read.
pub fn loading(text: &str) -> El {
    let lines = el("div", "pup-loading").attr("role", "status").attr("aria-label", text);
    lines.html("<i></i><i></i><i></i>")
}

/// A secondary text.
pub fn hint(text: &str) -> El {
    el("div", "b3-label__text").text(text)
}

/// A row with names on the left and a control on the right.
pub fn row(label: Label, below: Option<El>, control: El) -> El {
    let id = format!("pup-setting-{}", label.key);
    let names = el("div", "fn__flex-1").put(el("div", "config-name").attr("id", &id).text(label.name));
    let names = if label.hint.is_empty() { names } else { names.put(hint(label.hint)) };
    let names = names.all(below);
    el("div", "fn__flex b3-label config-item config-wrap").put(names).put(space()).put(control)
}

/// The host's space between two things.
pub fn space() -> El {
    el("span", "fn__space")
}

/// A row with a switch.
pub fn switch(
    label: Label,
    readonly: bool,
    is_on: impl Fn() -> bool + 'static,
    set: impl Fn(bool) + 'static,
) -> El {
    switch_of(label, readonly, Box::new(is_on), Box::new(set))
}

fn switch_of(label: Label, readonly: bool, is_on: Box<dyn Fn() -> bool>, set: Box<dyn Fn(bool)>) -> El {
    let names = el("div", "fn__flex-1").put(el("div", "config-name").text(label.name)).put(hint(label.hint));
    let control = el("input", "b3-switch fn__flex-center").attr("type", "checkbox");
    let control = control.attr("data-setting", label.key).flag("disabled", readonly).checked(is_on);
    let control = control.on("change", move |event| set(is_checked(event)));
    el("label", "fn__flex b3-label config-item").put(names).put(space()).put(control)
}

/// A row with a choice between words; each has its value and its name.
pub fn choice(
    label: Label,
    readonly: bool,
    options: &[(&str, &str)],
    value: impl Fn() -> String + 'static,
    set: impl Fn(String) + 'static,
) -> El {
    choice_of(label, readonly, options, Box::new(value), Box::new(set))
}

type Value = Box<dyn Fn() -> String>;

fn choice_of(
    label: Label,
    readonly: bool,
    options: &[(&str, &str)],
    value: Value,
    set: Box<dyn Fn(String)>,
) -> El {
    let options = options.iter().map(|(word, name)| el("option", "").attr("value", word).text(name));
    let control = el("select", "b3-select fn__flex-center fn__size200").all(options);
    let control = control.attr("aria-labelledby", &format!("pup-setting-{}", label.key));
    let control = control.attr("data-setting", label.key).flag("disabled", readonly).value(value);
    row(label, None, control.on("change", move |event| set(typed(event))))
}

/// A row with a field whose input is saved when it is left; `set` returns whether the input makes sense.
pub fn field(
    label: Label,
    wrong: &'static str,
    readonly: bool,
    value: impl Fn() -> String + 'static,
    set: impl Fn(&str) -> bool + 'static,
) -> El {
    field_of(label, wrong, readonly, Box::new(value), Box::new(set))
}

fn field_of(
    label: Label,
    wrong: &'static str,
    readonly: bool,
    value: Value,
    set: Box<dyn Fn(&str) -> bool>,
) -> El {
    let is_wrong = RwSignal::new(false);
    let said = el("div", "b3-label__text").attr("role", "status");
    let said = said.says(move || if is_wrong.get() { wrong } else { label.hint });
    let said = said.class_if("pup-failure", move || is_wrong.get());
    let control = el("input", "b3-text-field fn__flex-center fn__size200");
    let control = control.attr("aria-labelledby", &format!("pup-setting-{}", label.key));
    let control = control.attr("data-setting", label.key).flag("disabled", readonly);
    let control = control.is("aria-invalid", move || is_wrong.get()).value(value);
    let control = control.on("change", move |event| is_wrong.set(!set(&typed(event))));
    row(Label { hint: "", ..label }, Some(said), control)
}

/// A button of the host; `name` is its name in the page's attributes.
pub fn button(name: &str, title: &str) -> El {
    let button = el("button", "b3-button b3-button--outline fn__flex-center").attr("type", "button");
    button.attr("data-do", name).text(title)
}

/// A small button that shows whether it is chosen.
pub fn toggle(title: &str, is_chosen: impl Fn() -> bool + 'static) -> El {
    let button = el("button", "b3-button b3-button--outline b3-button--small").attr("type", "button");
    button.text(title).is("aria-pressed", is_chosen)
}

/// An icon of the host.
pub fn icon(symbol: &str) -> El {
    // Our own names only, so this is never a person's text.
    let svg = svg("b3-list-item__graphic", &format!("<use href=\"#{symbol}\"></use>"));
    svg.attr("aria-hidden", "true")
}
