//! The frame of a page, and the groups, cards and lines in it.

use leptos::prelude::*;

use crate::labels::{is_collecting, label, label_within};

/// A page: the tab's panel, and in it the part that grows above a bar.
#[component]
pub fn Page(
    /// The name of the page in its attributes.
    name: &'static str,
    /// The title for screen readers.
    title: &'static str,
    /// The notice at the top of a read-only page.
    #[prop(optional_no_strip)]
    note: Option<&'static str>,
    /// The bar below the part that grows.
    #[prop(optional)]
    foot: Option<AnyView>,
    /// The content.
    children: Children,
) -> AnyView {
    let note = note.map(|text| view! { <div class="pup-notice" role="note">{text}</div> });
    view! {
        <div class="config__tab-container pup-page" role="tabpanel" data-name=name aria-label=title>
            <div class="pup-grow">{note}{children()}</div>
            {foot}
        </div>
    }
    .into_any()
}

/// A group of rows with a title.
#[component]
pub fn Group(
    /// The title.
    #[prop(into)]
    title: TextProp,
    /// The name of the group in its attributes.
    #[prop(optional)]
    name: Option<&'static str>,
    /// Whether the group is shown.
    #[prop(optional, into)]
    shown: Option<Signal<bool>>,
    /// The content below the title.
    children: Children,
) -> AnyView {
    if is_collecting() {
        let title = title.get();
        match name {
            Some(name) => label_within(&title, "", &format!("[data-name=\"{name}\"]")),
            None => label(&title, "", ""),
        }
    }
    view! {
        <div class="config-group" class:fn__none=move || is_hidden(shown) data-name=name>
            <div class="config-title">{move || title.get()}</div>
            {children()}
        </div>
    }
    .into_any()
}

/// The card around the rows of a group.
#[component]
pub fn Card(
    /// Whether the card is shown.
    #[prop(optional, into)]
    shown: Option<Signal<bool>>,
    /// The rows.
    children: Children,
) -> AnyView {
    view! { <div class="config-items" class:fn__none=move || is_hidden(shown)>{children()}</div> }.into_any()
}

/// A placeholder for content that is being read.
#[component]
pub fn Loading(
    /// The text for screen readers.
    text: &'static str,
) -> AnyView {
    view! { <div class="pup-loading" role="status" aria-label=text><i></i><i></i><i></i></div> }.into_any()
}

/// A secondary text.
#[component]
pub fn Hint(
    /// The text.
    #[prop(optional, into)]
    text: TextProp,
    /// The role: `status` where a screen reader is to read each change.
    #[prop(optional)]
    role: Option<&'static str>,
    /// The name of the text in its attributes.
    #[prop(optional)]
    name: Option<&'static str>,
    /// Whether the text is shown.
    #[prop(optional, into)]
    shown: Option<Signal<bool>>,
    /// Content after the text.
    #[prop(optional)]
    children: Option<Children>,
) -> AnyView {
    view! {
        <div class="b3-label__text" class:fn__none=move || is_hidden(shown) role=role data-name=name>
            {move || text.get()}
            {children.map(|it| it())}
        </div>
    }
    .into_any()
}

/// A line about a failure, read by screen readers, with the ways out as its content.
#[component]
pub fn Trouble(
    /// The text.
    #[prop(into)]
    text: TextProp,
    /// Whether the line is shown.
    #[prop(optional, into)]
    shown: Option<Signal<bool>>,
    /// The buttons after the text.
    #[prop(optional)]
    children: Option<Children>,
) -> AnyView {
    let text = move || text.get();
    // The text needs an element of its own when buttons follow it.
    let content = match children {
        Some(children) => view! { <span class="fn__flex-1">{text}</span>{children()} }.into_any(),
        None => text.into_any(),
    };
    view! { <div class="pup-trouble" class:fn__none=move || is_hidden(shown) role="alert">{content}</div> }
        .into_any()
}

/// A line in place of an empty list.
#[component]
pub fn Empty(
    /// The text.
    #[prop(into)]
    text: TextProp,
    /// Whether the line is a card of its own instead of a part of one.
    #[prop(optional)]
    is_card: bool,
    /// Whether the line is shown.
    #[prop(optional, into)]
    shown: Option<Signal<bool>>,
) -> AnyView {
    let class = if is_card { "pup-empty config-items" } else { "pup-empty" };
    view! { <div class=class class:fn__none=move || is_hidden(shown) role="status">{move || text.get()}</div> }
        .into_any()
}

/// A line of choices or of small buttons.
#[component]
pub fn Choices(
    /// The name of the line for screen readers.
    #[prop(into)]
    label: TextProp,
    /// The classes.
    #[prop(default = "pup-choices")]
    class: &'static str,
    /// The choices.
    children: Children,
) -> AnyView {
    view! { <div class=class role="group" aria-label=move || label.get()>{children()}</div> }.into_any()
}

/// A text as it is, which can be scrolled with keys.
#[component]
pub fn Pre(
    /// The text.
    #[prop(into)]
    text: TextProp,
    /// The name of the text in its attributes.
    #[prop(optional)]
    name: Option<&'static str>,
) -> AnyView {
    view! { <pre tabindex="0" data-name=name>{move || text.get()}</pre> }.into_any()
}

/// A sentence of a declaration: what stands between backticks is code.
pub fn coded(sentence: &str) -> AnyView {
    let piece = |(at, text): (usize, &str)| {
        let text = text.to_owned();
        if at % 2 == 1 { view! { <code>{text}</code> }.into_any() } else { text.into_any() }
    };
    sentence.split('`').enumerate().map(piece).collect_view().into_any()
}

/// The host's space between two things.
#[component]
pub fn Space() -> AnyView {
    view! { <span class="fn__space"></span> }.into_any()
}

/// An icon of the host.
#[component]
pub fn Icon(
    /// The name of the host's symbol.
    symbol: &'static str,
) -> AnyView {
    view! {
        <svg class="b3-list-item__graphic" aria-hidden="true">
            <use_ href=format!("#{symbol}")></use_>
        </svg>
    }
    .into_any()
}

/// Whether something with an optional condition is hidden now.
pub(crate) fn is_hidden(shown: Option<Signal<bool>>) -> bool {
    shown.is_some_and(|it| !it.get())
}
