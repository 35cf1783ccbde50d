//! Buttons in the host's classes.

use leptos::ev::MouseEvent;
use leptos::prelude::*;

use crate::page::is_hidden;
use crate::values::yes;

/// The classes of a button in a row.
pub const OUTLINE: &str = "b3-button b3-button--outline fn__flex-center";
/// The classes of a page's main button.
pub const FILLED: &str = "b3-button";
/// The classes of a small button that shows whether it is chosen.
pub const SMALL: &str = "b3-button b3-button--outline b3-button--small";
/// The classes of a small button without a state.
pub const PLAIN: &str = "b3-button b3-button--outline b3-button--small pup-plain";
/// The classes of a sign that undoes a change.
pub const UNDO: &str = "pup-undo";

/// A button.
#[component]
pub fn Button(
    /// The name of the button in the page's attributes, as `data-do`.
    #[prop(optional)]
    name: Option<&'static str>,
    /// The text.
    #[prop(into)]
    text: TextProp,
    /// Runs when the button is pressed.
    #[prop(into)]
    press: Callback<MouseEvent>,
    /// The classes.
    #[prop(default = OUTLINE)]
    class: &'static str,
    /// Whether the button is disabled for as long as it is there.
    #[prop(optional)]
    disabled: bool,
    /// Whether pressing does nothing now; unlike a disabled button it keeps the focus.
    #[prop(optional, into)]
    idle: Option<Signal<bool>>,
    /// Whether the button shows that it is chosen.
    #[prop(optional, into)]
    pressed: Option<Signal<bool>>,
    /// The name for screen readers, where the text is not enough.
    #[prop(optional, into)]
    label: Option<TextProp>,
    /// Whether the button is shown.
    #[prop(optional, into)]
    shown: Option<Signal<bool>>,
    /// Content after the text.
    #[prop(optional)]
    children: Option<Children>,
) -> AnyView {
    view! {
        <button
            class=class
            class:fn__none=move || is_hidden(shown)
            type="button"
            data-do=name
            disabled=disabled
            aria-disabled=idle.map(|it| move || yes(it.get()))
            aria-pressed=pressed.map(|it| move || yes(it.get()))
            aria-label=label.map(|it| move || it.get())
            on:click=move |event| {
                press.try_run(event);
            }
        >
            {move || text.get()}
            {children.map(|it| it())}
        </button>
    }
    .into_any()
}

/// A link to another page or program, which learns nothing of this page.
#[component]
pub fn Link(
    /// The address.
    href: String,
    /// The text.
    text: String,
    /// The classes.
    #[prop(default = "pup-link")]
    class: &'static str,
    /// The window in which it opens; empty for an address that starts a program.
    #[prop(optional)]
    target: &'static str,
) -> AnyView {
    view! { <a class=class href=href target=target rel="noopener noreferrer">{text}</a> }.into_any()
}

/// A small button that shows whether it is chosen.
#[component]
pub fn Toggle(
    /// The text.
    #[prop(into)]
    text: TextProp,
    /// Whether it is chosen.
    #[prop(into)]
    is_chosen: Signal<bool>,
    /// Runs when the button is pressed.
    #[prop(into)]
    press: Callback<MouseEvent>,
    /// Whether the button is shown.
    #[prop(optional, into)]
    shown: Option<Signal<bool>>,
    /// Content after the text.
    #[prop(optional)]
    children: Option<Children>,
) -> AnyView {
    let children = children.unwrap_or_else(|| Box::new(|| ().into_any()));
    view! { <Button class=SMALL text press pressed=is_chosen nostrip:shown=shown>{children()}</Button> }
        .into_any()
}
