//! Controls without a row: fields, areas, choices and boxes.

use leptos::html;
use leptos::prelude::*;
use puppy_ui_web::host;

/// Options of a [`Select`], of pairs of value and name.
pub fn options<V: Into<String>, N: Into<String>>(
    pairs: impl IntoIterator<Item = (V, N)>,
) -> Vec<(String, String)> {
    pairs.into_iter().map(|(value, name)| (value.into(), name.into())).collect()
}

/// A choice between words.
#[component]
pub fn Select(
    /// The value and the name of each option.
    #[prop(into)]
    options: Signal<Vec<(String, String)>>,
    /// The chosen value.
    #[prop(into)]
    value: Signal<String>,
    /// Receives the value that a person chose.
    #[prop(into)]
    set: Callback<String>,
    /// The classes.
    #[prop(default = "b3-select")]
    class: &'static str,
    /// The name for screen readers.
    #[prop(optional)]
    label: Option<&'static str>,
    /// The id of the element that names it.
    #[prop(optional)]
    labelled_by: Option<String>,
    /// The tooltip.
    #[prop(optional)]
    title: Option<&'static str>,
    /// The key of the setting in the page's attributes, as `data-setting`.
    #[prop(optional)]
    setting: Option<&'static str>,
    /// Whether nothing can be chosen.
    #[prop(optional)]
    disabled: bool,
    /// The text for a value that is none of the options, which nobody can choose.
    #[prop(optional)]
    other: Option<&'static str>,
    /// Content after the options.
    #[prop(optional)]
    children: Option<Children>,
) -> AnyView {
    let node = NodeRef::<html::Select>::new();
    // Not a property: it would be set before the options exist, and lost when they change.
    Effect::new(move || {
        node.track();
        options.track();
        value.track();
        // Another effect renders the options, before or after this one.
        host::spawn(async move {
            let value = value.try_get_untracked();
            if let (Some(Some(node)), Some(value)) = (node.try_get_untracked(), value) {
                node.set_value(&value);
            }
        });
    });
    let other = other.map(|text| view! { <option value="" disabled=true>{text}</option> });
    let option = |(value, name): (String, String)| view! { <option value=value>{name}</option> };
    view! {
        <select
            node_ref=node
            class=class
            aria-label=label
            aria-labelledby=labelled_by
            title=title
            data-setting=setting
            disabled=disabled
            on:change=move |event| {
                set.try_run(event_target_value(&event));
            }
        >
            {other}
            {move || options.get().into_iter().map(option).collect_view()}
            {children.map(|it| it())}
        </select>
    }
    .into_any()
}

/// A field for one line.
#[component]
pub fn Input(
    /// The text.
    #[prop(into)]
    value: Signal<String>,
    /// Receives the text with every key.
    #[prop(into)]
    input: Callback<String>,
    /// The classes.
    #[prop(default = "b3-text-field fn__block")]
    class: &'static str,
    /// The type, where it is not a plain text.
    #[prop(optional)]
    kind: Option<&'static str>,
    /// The name for screen readers.
    #[prop(optional)]
    label: Option<&'static str>,
    /// The text of an empty field.
    #[prop(optional, into)]
    placeholder: Option<String>,
) -> AnyView {
    let node = NodeRef::<html::Input>::new();
    follow(value, move |text| {
        if let Some(node) = node.get().filter(|it| it.value() != text) {
            node.set_value(text);
        }
    });
    view! {
        <input
            node_ref=node
            class=class
            type=kind
            aria-label=label
            placeholder=placeholder
            on:input=move |event| {
                input.try_run(event_target_value(&event));
            }
        />
    }
    .into_any()
}

/// A field for several lines.
#[component]
pub fn Area(
    /// The text.
    #[prop(into)]
    value: Signal<String>,
    /// Receives the text with every key.
    #[prop(into)]
    input: Callback<String>,
    /// The number of lines.
    rows: &'static str,
    /// The name for screen readers.
    #[prop(optional)]
    label: Option<&'static str>,
    /// The text of an empty field.
    #[prop(optional, into)]
    placeholder: Option<String>,
) -> AnyView {
    let node = NodeRef::<html::Textarea>::new();
    follow(value, move |text| {
        if let Some(node) = node.get().filter(|it| it.value() != text) {
            node.set_value(text);
        }
    });
    view! {
        <textarea
            node_ref=node
            class="b3-text-field fn__block"
            rows=rows
            spellcheck="false"
            aria-label=label
            placeholder=placeholder
            on:input=move |event| {
                input.try_run(event_target_value(&event));
            }
        ></textarea>
    }
    .into_any()
}

/// A box to tick, over one thing or several.
#[component]
pub fn Check(
    /// Whether it is ticked; `None` where some of its things are and others are not.
    #[prop(into)]
    is_on: Signal<Option<bool>>,
    /// Receives the state to which a person moved it.
    #[prop(into)]
    set: Callback<bool>,
    /// The classes.
    #[prop(default = "pup-check")]
    class: &'static str,
    /// Whether it cannot be moved.
    #[prop(optional)]
    disabled: bool,
    /// The name for screen readers.
    #[prop(optional, into)]
    label: Option<TextProp>,
) -> AnyView {
    let node = NodeRef::<html::Input>::new();
    let show = move || {
        if let (Some(Some(node)), Some(is_on)) = (node.try_get_untracked(), is_on.try_get_untracked()) {
            node.set_checked(is_on == Some(true));
            node.set_indeterminate(is_on.is_none());
        }
    };
    Effect::new(move || {
        node.track();
        is_on.track();
        show();
    });
    view! {
        <input
            node_ref=node
            class=class
            type="checkbox"
            disabled=disabled
            aria-label=label.map(|it| move || it.get())
            on:change=move |event| {
                set.try_run(event_target_checked(&event));
                // The browser has moved the box, even if nothing else follows.
                show();
            }
        />
    }
    .into_any()
}

/// Shows a text in a field whenever it changes. A property would be set again with each key, in the middle of a composition
/// too, although the field has that text already.
fn follow(value: Signal<String>, show: impl Fn(&str) + 'static) {
    let show: Box<dyn Fn(&str)> = Box::new(show);
    Effect::new(move || show(&value.get()));
}
