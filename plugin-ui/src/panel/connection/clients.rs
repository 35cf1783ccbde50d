//! The clients' group of the connection page: what to put where, and whether a call came.

use leptos::prelude::*;
use puppy_plugin_ui::host;
use puppy_plugin_ui::state::clients::{Client, Way, assistant_entry};
use puppy_plugin_ui::state::server::Doing;

use super::Connection;
use super::parts::{copy_button, switch};

pub(super) fn group(page: Connection) -> impl IntoView {
    let words = page.words;
    view! {
        <div class="config-group" data-name="clients">
            <div class="config-title" id="pup-clients">{words.clients}</div>
            <div class="config-items pup-clients">
                <div class="pup-choices" role="group" aria-labelledby="pup-clients">
                    {Client::ALL.into_iter().map(|client| choice(page, client)).collect_view()}
                </div>
                <div class="pup-choices" role="group" aria-label=words.ways>
                    {move || page.client.get().ways().iter().map(|way| way_choice(page, *way)).collect_view()}
                </div>
                <ol class="pup-steps">
                    <li>{place(page)}{snippet(page)}{hints(page)}</li>
                    <li>{words.ask_this}{arrival(page)}</li>
                </ol>
            </div>
        </div>
    }
}

fn choice(page: Connection, client: Client) -> impl IntoView {
    let words = page.words;
    let has_called = move || page.called.with(|all| all.contains(&client.id()));
    let title = if client.title().is_empty() { words.other } else { client.title() };
    let choose = move |_| {
        page.client.set(client);
        if let [first, ..] = client.ways() {
            page.way.set(*first);
        }
    };
    view! {
        <button
            class="b3-button b3-button--outline b3-button--small"
            type="button"
            data-client=client.id()
            aria-pressed=move || (page.client.get() == client).to_string()
            on:click=choose
        >
            {title}
            <span class="pup-tick" class=("fn__none", move || !has_called())>
                <span aria-hidden="true">"✓"</span>
                <span class="pup-hidden">{words.arrived}</span>
            </span>
        </button>
    }
}

fn way_choice(page: Connection, way: Way) -> impl IntoView {
    let words = page.words;
    let (name, title) = match way {
        Way::Starts => ("starts", words.starts),
        Way::Http => ("http", words.over_http),
    };
    view! {
        <button
            class="b3-button b3-button--outline b3-button--small"
            type="button"
            data-way=name
            aria-pressed=move || (page.way.get() == way).to_string()
            on:click=move |_| page.way.set(way)
        >
            {title}
        </button>
    }
}

/// Where the snippet belongs.
fn place(page: Connection) -> impl IntoView {
    let words = page.words;
    let file = move || page.client.get().file(page.way.get());
    let what = move || match (page.client.get(), page.way.get(), file()) {
        (Client::ClaudeCode, Way::Starts, _) | (Client::Other, Way::Starts, _) => words.run_this,
        (_, _, "") => words.enter_this,
        _ => words.put_into,
    };
    view! {
        <div class="pup-where">
            <span>{what}</span>
            <span class="pup-where" class=("fn__none", move || file().is_empty())>
                <code>{file}</code>
                {copy_button(page, "file", move || file().to_owned(), move || file().to_owned())}
            </span>
        </div>
    }
}

fn snippet(page: Connection) -> impl IntoView {
    let words = page.words;
    let text = move |dots| page.reach(dots, |reach| page.client.get().snippet(page.way.get(), reach));
    let title = move || match page.client.get().title() {
        "" => words.other.to_owned(),
        title => title.to_owned(),
    };
    view! {
        <div class="pup-snippet" data-name="snippet">
            <pre tabindex="0">{move || text(true)}</pre>
            {copy_button(page, "snippet", title, move || text(false))}
        </div>
    }
}

fn hints(page: Connection) -> impl IntoView {
    let words = page.words;
    let lines = move || {
        let (client, way) = (page.client.get(), page.way.get());
        let has_token = page.settings.with(|it| !it.token().is_empty());
        let (runs, has_program) = page.status.with(|it| (it.doing == Doing::Running, !it.program.is_empty()));
        let reads_variable = client.reads_variable(way);
        let asks = client == Client::VsCode;
        [
            (has_token && way == Way::Http && reads_variable, words.variable),
            (has_token && way == Way::Http && !reads_variable && !asks, words.hidden),
            (way == Way::Http && !runs, words.must_run),
            (way == Way::Starts && !has_program, words.own_path),
        ]
        .into_iter()
        .filter(|(is_shown, _)| *is_shown)
        .map(|(_, text)| view! { <div class="b3-label__text">{text}</div> })
        .collect_view()
    };
    view! { <div>{lines}</div> }
}

/// Whether a call came since the client was chosen; events do not name the client.
fn arrival(page: Connection) -> impl IntoView {
    let words = page.words;
    let has_called = move || page.called.with(|all| all.contains(&page.client.get().id()));
    view! {
        <div class="b3-label__text" role="status" data-name="arrival" data-arrived=move || has_called().to_string()>
            {move || if has_called() { words.arrived } else { words.waiting }}
        </div>
    }
}

/// The switch that lets SiYuan's own assistant use the server, where it can start the program.
pub(super) fn assistant(page: Connection) -> impl IntoView {
    let words = page.words;
    let found = RwSignal::new(String::new());
    let run = move |what: &'static str| {
        host::spawn(async move {
            let Some(bridge) = page.store.bridge() else { return };
            let entry = untrack(|| page.reach(false, assistant_entry));
            let said = bridge.assistant(what, &entry).await;
            found.try_set(said);
        });
    };
    let program = Memo::new(move |_| page.status.with(|it| it.program.clone()));
    let address = Memo::new(move |_| page.reach(true, |it| it.url.to_owned()));
    Effect::new(move |_| {
        address.track();
        if !program.with(String::is_empty) {
            run("look");
        }
    });
    let is_there = move || matches!(found.get().as_str(), "present" | "differs");
    let note = move || match found.get().as_str() {
        "differs" => words.assistant_differs,
        "unknown" => words.assistant_unknown,
        "failed" => words.not_saved,
        _ => "",
    };
    let labels = (words.assistant_use, words.assistant_hint);
    view! {
        <div
            class="config-group"
            class=("fn__none", move || program.with(String::is_empty))
            data-name="assistant"
        >
            <div class="config-title">{words.assistant}</div>
            <div class="config-items">
                {switch(page, "assistant", labels, is_there, move |is| run(if is { "add" } else { "remove" }))}
            </div>
            <div class="pup-hint b3-label__text" role="status">{note}</div>
        </div>
    }
}
