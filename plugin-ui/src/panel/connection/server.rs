//! The server's group of the connection page: state, start and stop, settings, token, log.

use leptos::prelude::*;
use puppy_plugin_ui::host;
use puppy_plugin_ui::state::server::{Change, Doing, HttpSettings, PORT, Why};
use puppy_plugin_ui::words::fill;

use super::Connection;
use super::parts::{copy_button, field, row, switch};

pub(super) fn group(page: Connection) -> impl IntoView {
    let words = page.words;
    let autostart = switch(
        page,
        "autostart",
        (words.autostart, words.autostart_hint),
        move || page.settings.with(HttpSettings::autostart),
        move |is| page.change(Change::Autostart(is)),
    );
    let port = field(
        page,
        "port",
        (words.port, words.port_hint, words.port_wrong),
        move || page.settings.with(|it| it.port().to_string()),
        move |typed| Change::port(typed).map(|change| page.change(change)).is_some(),
    );
    let encrypted = switch(
        page,
        "tls",
        (words.encrypted, words.encrypted_hint),
        move || page.settings.with(HttpSettings::is_encrypted),
        move |is| page.change(Change::Encrypted(is)),
    );
    let origins = field(
        page,
        "origins",
        (words.origins, words.origins_hint, words.origins_wrong),
        move || page.settings.with(HttpSettings::origins),
        move |typed| Change::origins(typed).map(|change| page.change(change)).is_some(),
    );
    view! {
        <div class="config-group" data-name="server">
            <div class="config-title">{words.server}</div>
            <div class="config-items">
                {state(page)}
                {autostart}
                {port}
                {encrypted}
                {origins}
                {token(page)}
            </div>
        </div>
    }
}

/// What the server does, and the buttons that change it.
fn state(page: Connection) -> impl IntoView {
    let words = page.words;
    let doing = move || page.status.with(|it| it.doing);
    let text = move || page.status.with(|it| words.status(it, page.now.get()));
    let is_busy = move || matches!(doing(), Doing::Starting | Doing::Stopping);
    let runs = move || doing() == Doing::Running;
    let toggle = move |_| match doing() {
        Doing::Running => page.ask("stop", Doing::Stopping),
        Doing::Off | Doing::Failed => page.ask("start", Doing::Starting),
        _ => {}
    };
    let restart = move |_| {
        if runs() {
            page.ask("restart", Doing::Stopping);
        }
    };
    let is_stale = move || page.status.with(|it| it.is_stale);
    view! {
        <div class="fn__flex b3-label config-item config-wrap" data-name="state" data-state=move || format!("{:?}", doing()).to_lowercase()>
            <div class="fn__flex-1">
                <div class="config-name" role="status">
                    <span class="pup-dot" aria-hidden="true"></span>
                    {text}
                </div>
                <div class="b3-label__text" class=("fn__none", move || !is_stale()) role="status">{words.stale}</div>
                {command(page)}
            </div>
            <span class="fn__space"></span>
            <span class="pup-buttons" class=("fn__none", move || page.status.with(|it| !it.is_kept()))>
                <button
                    class="b3-button b3-button--outline"
                    type="button"
                    data-do="restart"
                    aria-disabled=move || (!runs()).to_string()
                    on:click=restart
                >
                    {words.restart}
                </button>
                <button
                    class="b3-button b3-button--outline"
                    type="button"
                    data-do="toggle"
                    aria-disabled=move || is_busy().to_string()
                    on:click=toggle
                >
                    {move || if runs() { words.stop } else { words.start }}
                </button>
            </span>
        </div>
    }
}

/// The command that a person runs where this page can start nothing.
fn command(page: Connection) -> impl IntoView {
    let text = move || match page.settings.with(HttpSettings::port) {
        PORT => "siyuan-puppy http".to_owned(),
        port => format!("siyuan-puppy http --port {port}"),
    };
    let is_shown = move || {
        page.status.with(|it| {
            matches!(it.why, Why::Browser | Why::Remote | Why::Platform) && it.doing != Doing::Running
        })
    };
    view! {
        <div class="pup-snippet" class=("fn__none", move || !is_shown())>
            <pre tabindex="0">{text}</pre>
            {copy_button(page, "command", text, text)}
        </div>
    }
}

/// The token: made, shown once, replaced, taken away.
fn token(page: Connection) -> impl IntoView {
    let words = page.words;
    let token = move || page.settings.with(|it| it.token().to_owned());
    let has_one = move || !token().is_empty();
    let hint = move || match (page.made.get().is_empty(), has_one()) {
        (false, _) => words.token_new.to_owned(),
        (true, false) => words.token_none.to_owned(),
        (true, true) => {
            let token = token();
            let end = token.char_indices().rev().nth(3).map_or("", |(at, _)| &token[at..]);
            fill(words.token_is, &[("end", end)])
        }
    };
    // Shown once it holds: a token that was not saved opens nothing.
    let set = async move |token: String| {
        if page.keep(&Change::Token(token.clone())).await {
            page.made.try_set(token);
        }
    };
    let make = move |_| {
        let must_ask = has_one();
        host::spawn(async move {
            let Some(bridge) = page.store.bridge() else { return };
            if !must_ask || bridge.confirm(words.token, words.token_replace_ask).await {
                set(bridge.secret()).await;
            }
        });
    };
    let remove = move |_| {
        host::spawn(async move {
            let Some(bridge) = page.store.bridge() else { return };
            if bridge.confirm(words.token, words.token_remove_ask).await {
                set(String::new()).await;
            }
        });
    };
    let control = view! {
        <span class="pup-buttons">
            <span class=("fn__none", move || !has_one())>
                {copy_button(page, "token", move || words.token.to_owned(), token)}
            </span>
            <button
                class="b3-button b3-button--outline"
                type="button"
                data-do="make-token"
                disabled=page.store.readonly
                on:click=make
            >
                {move || if has_one() { words.token_replace } else { words.token_make }}
            </button>
            <button
                class="b3-button b3-button--outline"
                class=("fn__none", move || !has_one())
                type="button"
                data-do="remove-token"
                disabled=page.store.readonly
                on:click=remove
            >
                {words.token_remove}
            </button>
        </span>
    };
    let hint = view! {
        <span role="status">{hint}</span>
        <code class="pup-token" class=("fn__none", move || page.made.get().is_empty())>{move || page.made.get()}</code>
    };
    row(words.token, hint, "pup-setting-token", control)
}

/// The newest lines of the server's log, read when they are opened.
pub(super) fn log(page: Connection) -> impl IntoView {
    let words = page.words;
    let lines = RwSignal::new(String::new());
    let read = move |_| {
        host::spawn(async move {
            let Some(bridge) = page.store.bridge() else { return };
            let said: Vec<String> = serde_json::from_str(&bridge.server("log").await).unwrap_or_default();
            lines.try_set(said.join("\n"));
        });
    };
    let text = move || match lines.get() {
        text if text.is_empty() => words.log_empty.to_owned(),
        text => text,
    };
    view! {
        <details
            class="config-group pup-log"
            class=("fn__none", move || page.status.with(|it| !it.is_kept()))
            data-name="log"
            on:toggle=read
        >
            <summary class="config-title">{words.log}</summary>
            <pre class="config-items" tabindex="0">{text}</pre>
        </details>
    }
}
