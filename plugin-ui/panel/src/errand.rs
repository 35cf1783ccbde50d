//! An active errand on the first page, and the mark of an agent in its colour.

use leptos::prelude::*;
use puppy_core::agents::AgentColor;
use puppy_core::ask::words::{self as asked, Language};
use puppy_ui_parts::{Button, Hint, Space};
use puppy_ui_web::words::channel::ChannelWords;
use puppy_ui_web::words::fill;

use crate::channel;
use crate::state::questions::StandingErrand;
use crate::store::Store;

/// The mark of an agent in its colour.
pub(crate) fn collar(color: Option<AgentColor>) -> AnyView {
    let mark =
        color.map(|it| view! { <span class="pup-collar" data-color=it.word() aria-hidden="true"></span> });
    mark.into_any()
}

/// An active errand, and the button that ends it.
#[component]
pub(crate) fn Errand(words: &'static ChannelWords, it: StandingErrand) -> AnyView {
    let store = Store::here();
    let language = Language::of(&store.lang());
    let what = match it.deed {
        Some((verb, kind)) => words.who_may(&it.client, asked::deeds(verb, kind, language)),
        None => words.who_works(&it.client, &asked::quoted(&it.purpose, language)),
    };
    let minutes = it.minutes.to_string();
    let time = fill(store.words.minutes, &[("n", &minutes)]);
    let numbers = words.used(it.changes, it.deletes);
    let (ids, documents) = (it.notebooks.clone(), it.documents);
    let place = move || {
        store.notebooks.track();
        // Names may come a moment later; until then no id is shown.
        let name = |id: &String| Some(store.name(id)).filter(|it| it != id).unwrap_or_else(|| "…".to_owned());
        let mut names: Vec<String> = ids.iter().map(name).collect();
        names.dedup_by(|a, b| a == b && a == "…");
        names.extend(words.documents(documents));
        let names = names.join(store.words.list_comma);
        fill(words.bounds, &[("where", &names), ("numbers", &numbers), ("time", &time)])
    };
    let label = fill(words.stop_what, &[("what", &what)]);
    let (sidecar, id) = (it.sidecar, it.id.clone());
    view! {
        <div class="fn__flex b3-label config-item config-wrap" data-standing=it.id>
            <div class="fn__flex-1">
                <div class="config-name">{collar(it.collar)}{what}</div>
                <Hint text=place/>
            </div>
            <Space/>
            <Button name="stop" text=words.stop label press=move |_| channel::revoke(&sidecar, &id)/>
        </div>
    }
    .into_any()
}
