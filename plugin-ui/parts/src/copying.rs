//! Copies of texts: the button shows the outcome for a moment, and a screen reader reads it.

use leptos::prelude::*;
use puppy_ui_web::host::{self, Host};
use puppy_ui_web::words::copying::CopyWords;

use crate::buttons::Button;

/// The time for which a button shows the outcome, in milliseconds.
const COPIED_MS: u32 = 2_000;

/// The copies of one opened page.
#[derive(Clone, Copy)]
pub struct Copies {
    host: StoredValue<Host, LocalStorage>,
    words: &'static CopyWords,
    /// The name of the button that copied last, and whether that worked.
    last: RwSignal<Option<(&'static str, bool)>>,
}

impl Copies {
    /// No copy yet.
    pub fn new(lang: &str, host: StoredValue<Host, LocalStorage>) -> Copies {
        Copies { host, words: CopyWords::of(lang), last: RwSignal::new(None) }
    }

    /// The text of a button: the outcome of its copy for a moment, otherwise its own text.
    fn label(self, name: &'static str, otherwise: &'static str) -> impl Fn() -> &'static str + 'static {
        move || match self.last.get() {
            Some((last, worked)) if last == name => self.said(worked),
            _ => otherwise,
        }
    }

    /// Copies a text; `name` identifies the button.
    fn copy(self, name: &'static str, text: String) {
        host::spawn(async move {
            let Some(host) = self.host.try_with_value(Host::share) else { return };
            let worked = host.copy(&text).await;
            self.last.try_set(Some((name, worked)));
            host::sleep(COPIED_MS).await;
            if self.last.try_get_untracked().flatten().is_some_and(|(last, _)| last == name) {
                self.last.try_set(None);
            }
        });
    }

    const fn said(self, worked: bool) -> &'static str {
        if worked { self.words.copied } else { self.words.not_copied }
    }
}

/// A button that copies a text.
#[component]
pub fn CopyButton(
    /// The copies of the page.
    copies: Copies,
    /// The name of the button in the page's attributes, as `data-copy`.
    name: &'static str,
    /// The text of the button.
    text: &'static str,
    /// The name of the button as one that does something, as `data-do`.
    #[prop(optional)]
    action: Option<&'static str>,
    /// Returns the text to copy.
    #[prop(into)]
    copied: Callback<(), String>,
    /// The name for screen readers, where the text is not enough.
    #[prop(optional, into)]
    label: Option<TextProp>,
) -> AnyView {
    view! {
        <Button
            nostrip:name=action
            text=copies.label(name, text)
            nostrip:label=label
            press=move |_| {
                if let Some(text) = copied.try_run(()) {
                    copies.copy(name, text);
                }
            }
            attr:data-copy=name
        />
    }
    .into_any()
}

/// The line that a screen reader reads after a copy.
#[component]
pub fn CopyLine(
    /// The copies of the page.
    copies: Copies,
) -> AnyView {
    let text = move || copies.last.get().map_or("", |(_, worked)| copies.said(worked));
    view! { <span class="pup-hidden" role="status" aria-live="polite">{text}</span> }.into_any()
}
