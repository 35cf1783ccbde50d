//! The fields of a form as a person fills them in.

use crate::state::form::{Entries, Field, Form, Input};
use puppy_ui_parts as parts;
use puppy_ui_parts::el::{El, el, typed};
use puppy_ui_web::words::fill;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::room::Room;

/// The rows of a field for several lines.
const ROWS: &str = "3";

/// All fields of a form; entries change with every key. `place` tells the forms of the page apart.
pub(crate) fn fields(room: Room, place: &str, form: &Form, entries: RwSignal<Entries>) -> El {
    let mut view = el("div", "pup-fields");
    if form.fields.is_empty() {
        return view.put(parts::hint(room.words.no_arguments));
    }
    let mut offered = None;
    for field in &form.fields {
        let choice = field.group.map(|(choice, _)| choice);
        if let Some(choice) = choice.filter(|_| choice != offered) {
            view = view.put(groups(room, form, choice, entries));
        }
        offered = choice.or(offered);
        view = view.put(row(room, place, field, entries));
    }
    view
}

/// The buttons that choose one of several groups.
fn groups(room: Room, form: &Form, choice: usize, entries: RwSignal<Entries>) -> El {
    let buttons = form.groups(choice).into_iter().enumerate().map(|(group, names)| {
        let is_chosen = move || entries.with(|it| it.chosen(choice) == group);
        let button = parts::toggle(&names.join(" + "), is_chosen).attr("data-group", &names.join("+"));
        button.click(move || entries.update(|it| it.choose(choice, group)))
    });
    let label = el("span", "pup-quiet").text(room.words.one_of);
    let choices = el("div", "pup-choices").attr("role", "group").attr("aria-label", room.words.one_of);
    choices.put(label).all(buttons)
}

fn row(room: Room, place: &str, field: &Field, entries: RwSignal<Entries>) -> El {
    let id = format!("pup-{place}-{}", field.name);
    let (about, name) = (format!("{id}-about"), field.name.clone());
    let label = el("label", "config-name").attr("for", &id).text(&field.name);
    let label = if field.is_required {
        label.put(el("span", "pup-quiet").text(" ").text(room.words.required))
    } else {
        label
    };
    let level = field.level.map(|it| fill(room.panel.needs, &[("level", room.panel.level(it))]));
    let limits = [Some(field.limits.clone()), level].into_iter().flatten().filter(|it| !it.is_empty());
    let limits = limits.collect::<Vec<_>>().join(" · ");
    let doc = el("div", "b3-label__text").attr("id", &about).text(&field.doc);
    let doc = doc.put(el("span", "pup-limits").text(&limits));
    let control = control(room, field).attr("id", &id).attr("aria-describedby", &about);
    let control = control.attr("data-field", &field.name).attr("placeholder", &field.example);
    let control = if field.is_required { control.attr("aria-required", "true") } else { control };
    let (read, shown) = (name.clone(), field.clone());
    let control = control.value(move || entries.with(|it| it.text(&read).to_owned()));
    let enter = move |text: String| entries.update(|it| it.enter(&name, text));
    let event = if matches!(field.input, Input::Choice(_) | Input::Switch) { "change" } else { "input" };
    let control = control.on(event, move |event| enter(typed(event)));
    let row = el("div", "pup-field").put(label).put(doc).put(control);
    row.shown_if(move || entries.with(|it| Form::is_shown(&shown, it)))
}

fn control(room: Room, field: &Field) -> El {
    let line =
        || el("input", "b3-text-field fn__block").attr("spellcheck", "false").attr("autocomplete", "off");
    let area = || el("textarea", "b3-text-field fn__block").attr("spellcheck", "false").attr("rows", ROWS);
    let select = |words: &[String]| {
        let none = el("option", "").attr("value", "").text(room.words.left_out);
        let words = words.iter().map(|word| el("option", "").attr("value", word).text(word));
        el("select", "b3-select fn__block").put(none).all(words)
    };
    match &field.input {
        Input::Line => line(),
        Input::Number => line().attr("inputmode", "decimal"),
        Input::Text | Input::List(_) => area(),
        Input::Json => area().attr("data-json", ""),
        Input::Switch => select(&["true".to_owned(), "false".to_owned()]),
        Input::Choice(words) => select(words),
    }
}
