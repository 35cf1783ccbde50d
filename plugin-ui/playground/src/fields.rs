//! The fields of a form as a person fills them in.

use crate::state::form::{Entries, Field, Form, Input as Kind};
use leptos::prelude::*;
use puppy_ui_parts::{Area, Choices, Hint, Input, Select, Toggle, coded, options};
use puppy_ui_web::words::fill;

use crate::room::Room;
use crate::state::connection_text::seen;

/// The rows of a field for several lines.
const ROWS: &str = "3";

/// All fields of a form; entries change with every key. `place` distinguishes the forms of the page.
pub(crate) fn fields(room: Room, place: &'static str, form: &Form, entries: RwSignal<Entries>) -> AnyView {
    let mut views = Vec::new();
    let mut offered = None;
    for field in &form.fields {
        let choice = field.group.map(|(choice, _)| choice);
        if let Some(choice) = choice.filter(|_| choice != offered) {
            views.push(groups(room, form, choice, entries));
        }
        offered = choice.or(offered);
        views.push(view! { <Row room place field=field.clone() entries/> }.into_any());
    }
    if views.is_empty() {
        views.push(view! { <Hint text=room.words.no_arguments/> }.into_any());
    }
    view! { <div class="pup-fields">{views}</div> }.into_any()
}

/// The buttons that choose one of several groups.
fn groups(room: Room, form: &Form, choice: usize, entries: RwSignal<Entries>) -> AnyView {
    let button = |(group, names): (usize, Vec<&str>)| {
        view! {
            <Toggle
                text=names.join(" + ")
                is_chosen=move || entries.with(|it| it.chosen(choice) == group)
                press=move |_| entries.update(|it| it.choose(choice, group))
                attr:data-group=names.join("+")
            />
        }
    };
    let buttons = form.groups(choice).into_iter().enumerate().map(button).collect_view();
    view! {
        <Choices label=room.words.one_of>
            <span class="pup-quiet">{room.words.one_of}</span>
            {buttons}
        </Choices>
    }
    .into_any()
}

#[component]
fn Row(room: Room, place: &'static str, field: Field, entries: RwSignal<Entries>) -> AnyView {
    let id = format!("pup-{place}-{}", field.name);
    let about = format!("{id}-about");
    let level = field.level.map(|it| fill(room.panel.needs, &[("level", room.panel.level(it))]));
    let limits = [Some(field.limits.clone()), level].into_iter().flatten().filter(|it| !it.is_empty());
    let limits = limits.collect::<Vec<_>>().join(" · ");
    let shown = field.clone();
    let is_hidden = move || entries.with(|it| !Form::is_shown(&shown, it));
    view! {
        <div class="pup-field" class:fn__none=is_hidden>
            <Label room of=id.clone() name=&field.name is_required=field.is_required/>
            <div class="b3-label__text" id=about.clone()>
                {coded(&field.doc)}
                <span class="pup-limits">{limits}</span>
            </div>
            <Control
                room
                field=field.clone()
                entries
                attr:id=id
                attr:aria-describedby=about
                attr:data-field=field.name
                attr:placeholder=field.example
                attr:aria-required=field.is_required.then_some("true")
            />
        </div>
    }
    .into_any()
}

/// The name of a field.
#[component]
pub(crate) fn Label<'a>(
    room: Room,
    /// The id of the field.
    of: String,
    name: &'a str,
    is_required: bool,
) -> AnyView {
    let required = is_required.then(|| view! { <span class="pup-quiet">" "{room.words.required}</span> });
    view! { <label class="config-name" for=of>{seen(name)}{required}</label> }.into_any()
}

#[component]
fn Control(room: Room, field: Field, entries: RwSignal<Entries>) -> AnyView {
    let read = field.name.clone();
    let value = Signal::derive(move || entries.with(|it| it.text(&read).to_owned()));
    let name = field.name;
    let enter = Callback::new(move |text| entries.update(|it| it.enter(&name, text)));
    let line = move |mode: Option<&'static str>| {
        view! {
            <Input value input=enter attr:spellcheck="false" attr:autocomplete="off" attr:inputmode=mode/>
        }
        .into_any()
    };
    let area = move |json: Option<&'static str>| {
        view! { <Area rows=ROWS value input=enter attr:data-json=json/> }.into_any()
    };
    let select = move |words: &[String]| {
        let none = (String::new(), room.words.left_out.to_owned());
        let words = words.iter().map(|it| (it.clone(), seen(it)));
        let options = options(std::iter::once(none).chain(words));
        view! { <Select class="b3-select fn__block" options value set=enter/> }.into_any()
    };
    match &field.input {
        Kind::Line => line(None),
        Kind::Number => line(Some("decimal")),
        Kind::Text | Kind::List(_) => area(None),
        Kind::Json => area(Some("")),
        Kind::Switch => select(&["true".to_owned(), "false".to_owned()]),
        Kind::Choice(words) => select(words),
    }
}
