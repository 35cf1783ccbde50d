//! The rows of a card: a name and a hint on the left, and a control on the right.

use leptos::prelude::*;

use crate::fields::Select;
use crate::labels::{label, label_within};
use crate::page::{Hint, Space};
use crate::values::yes;

/// A row; its name has an id, by which the control is labelled.
#[component]
pub fn Row(
    /// The key of the row in the page's attributes.
    key: &'static str,
    /// The name.
    name: &'static str,
    /// The hint; an empty one is left out.
    #[prop(optional)]
    hint: &'static str,
    /// Content below name and hint.
    #[prop(optional)]
    below: Option<AnyView>,
    /// Whether the row is shown.
    #[prop(optional, into)]
    shown: Option<Signal<bool>>,
    /// The control.
    children: Children,
) -> AnyView {
    label_within(name, hint, &format!(".config-item:has(#{})", id(key)));
    let hint = (!hint.is_empty()).then(|| view! { <Hint text=hint/> });
    view! {
        <div
            class="fn__flex b3-label config-item config-wrap"
            class:fn__none=move || crate::page::is_hidden(shown)
        >
            <div class="fn__flex-1">
                <div class="config-name" id=id(key)>{name}</div>
                {hint}
                {below}
            </div>
            <Space/>
            {children()}
        </div>
    }
    .into_any()
}

/// A row with a switch.
#[component]
pub fn Switch(
    /// The key of the setting in the page's attributes.
    key: &'static str,
    /// The name.
    name: &'static str,
    /// The hint.
    #[prop(optional)]
    hint: &'static str,
    /// Whether the switch cannot be moved.
    #[prop(optional)]
    disabled: bool,
    /// Whether the switch is on.
    #[prop(into)]
    is_on: Signal<bool>,
    /// Receives the state to which a person moved the switch.
    #[prop(into)]
    set: Callback<bool>,
) -> AnyView {
    label(name, hint, &format!("[data-setting=\"{key}\"]"));
    view! {
        <label class="fn__flex b3-label config-item">
            <div class="fn__flex-1">
                <div class="config-name">{name}</div>
                <Hint text=hint/>
            </div>
            <Space/>
            <input
                class="b3-switch fn__flex-center"
                type="checkbox"
                data-setting=key
                disabled=disabled
                prop:checked=move || is_on.get()
                on:change=move |event| {
                    set.try_run(event_target_checked(&event));
                }
            />
        </label>
    }
    .into_any()
}

/// A row with a choice between words.
#[component]
pub fn Choice(
    /// The key of the setting in the page's attributes.
    key: &'static str,
    /// The name.
    name: &'static str,
    /// The hint; an empty one is left out.
    #[prop(optional)]
    hint: &'static str,
    /// Whether nothing can be chosen.
    #[prop(optional)]
    disabled: bool,
    /// The value and the name of each option.
    #[prop(into)]
    options: Signal<Vec<(String, String)>>,
    /// The chosen value.
    #[prop(into)]
    value: Signal<String>,
    /// Receives the value that a person chose.
    #[prop(into)]
    set: Callback<String>,
    /// Whether the row is shown.
    #[prop(optional, into)]
    shown: Option<Signal<bool>>,
) -> AnyView {
    view! {
        <Row key name hint nostrip:shown=shown>
            <Select
                class="b3-select fn__flex-center fn__size200"
                labelled_by=id(key)
                setting=key
                disabled
                options
                value
                set
            />
        </Row>
    }
    .into_any()
}

/// A row with a field whose text is saved when it is left.
#[component]
pub fn Field(
    /// The key of the setting in the page's attributes.
    key: &'static str,
    /// The name.
    name: &'static str,
    /// The hint.
    hint: &'static str,
    /// The text in place of the hint after an entry that makes no sense.
    wrong: &'static str,
    /// Whether nothing can be typed.
    #[prop(optional)]
    disabled: bool,
    /// The saved text.
    #[prop(into)]
    value: Signal<String>,
    /// Receives the text that a person entered; returns whether it makes sense.
    #[prop(into)]
    set: Callback<String, bool>,
) -> AnyView {
    let is_wrong = RwSignal::new(false);
    let below = view! {
        <div class="b3-label__text" class:pup-failure=move || is_wrong.get() role="status">
            {move || if is_wrong.get() { wrong } else { hint }}
        </div>
    };
    view! {
        <Row key name below=below.into_any()>
            <input
                class="b3-text-field fn__flex-center fn__size200"
                aria-labelledby=id(key)
                data-setting=key
                disabled=disabled
                aria-invalid=move || yes(is_wrong.get())
                prop:value=move || value.get()
                on:change=move |event| {
                    if let Some(is_sound) = set.try_run(event_target_value(&event)) {
                        is_wrong.set(!is_sound);
                    }
                }
            />
        </Row>
    }
    .into_any()
}

/// The id of the name of a row.
fn id(key: &str) -> String {
    format!("pup-setting-{key}")
}
