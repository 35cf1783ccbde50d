//! The small parts of the connection page: rows with a control, and buttons that copy.

use leptos::prelude::*;
use puppy_plugin_ui::words::fill;

use super::Connection;

/// A row with a name, a hint and a control.
pub(super) fn row(
    name: &'static str,
    hint: impl IntoView,
    id: &'static str,
    control: impl IntoView,
) -> impl IntoView {
    view! {
        <div class="fn__flex b3-label config-item config-wrap">
            <div class="fn__flex-1">
                <div class="config-name" id=id>{name}</div>
                <div class="b3-label__text">{hint}</div>
            </div>
            <span class="fn__space"></span>
            {control}
        </div>
    }
}

/// A switch with a name and a hint.
pub(super) fn switch(
    page: Connection,
    key: &'static str,
    (name, hint): (&'static str, &'static str),
    is_on: impl Fn() -> bool + Send + 'static,
    set: impl Fn(bool) + 'static,
) -> impl IntoView {
    view! {
        <label class="fn__flex b3-label config-item">
            <div class="fn__flex-1">
                <div class="config-name">{name}</div>
                <div class="b3-label__text">{hint}</div>
            </div>
            <span class="fn__space"></span>
            <input
                class="b3-switch fn__flex-center"
                type="checkbox"
                data-setting=key
                disabled=page.store.readonly
                prop:checked=is_on
                on:change=move |event| set(event_target_checked(&event))
            />
        </label>
    }
}

/// A field whose input is saved when it is left; `set` returns whether the input makes sense.
pub(super) fn field(
    page: Connection,
    key: &'static str,
    (name, hint, wrong): (&'static str, &'static str, &'static str),
    value: impl Fn() -> String + Send + 'static,
    set: impl Fn(&str) -> bool + 'static,
) -> impl IntoView {
    let is_wrong = RwSignal::new(false);
    let hint_now = move || if is_wrong.get() { wrong } else { hint };
    let id = match key {
        "port" => "pup-setting-port",
        _ => "pup-setting-origins",
    };
    let hint = view! { <span class=("pup-failure", move || is_wrong.get()) role="status">{hint_now}</span> };
    let control = view! {
        <input
            class="b3-text-field fn__flex-center fn__size200"
            aria-labelledby=id
            aria-invalid=move || is_wrong.get().to_string()
            data-setting=key
            disabled=page.store.readonly
            prop:value=value
            on:change=move |event| is_wrong.set(!set(&event_target_value(&event)))
        />
    };
    row(name, hint, id, control)
}

/// A button that copies a text; it says so for a moment.
pub(super) fn copy_button(
    page: Connection,
    name: &'static str,
    what: impl Fn() -> String + Send + 'static,
    text: impl Fn() -> String + 'static,
) -> impl IntoView {
    let words = page.words;
    let label = move || match page.copied.get() {
        Some((last, true)) if last == name => words.copied,
        _ => words.copy,
    };
    view! {
        <button
            class="b3-button b3-button--outline fn__flex-center"
            type="button"
            data-copy=name
            aria-label=move || fill(words.copy_what, &[("what", &what())])
            on:click=move |_| page.copy(name, text())
        >
            {label}
        </button>
    }
}
