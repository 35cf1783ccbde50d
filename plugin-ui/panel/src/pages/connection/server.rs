//! The server's group of the connection page: state, start and stop, settings, token, log.

use puppy_ui_parts::el::{El, el};
use puppy_ui_web::host;
use puppy_ui_web::state::server::{Change, Doing, HttpSettings, PORT, ServerStatus, Why};
use puppy_ui_web::words::fill;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use super::Connection;
use puppy_ui_parts::{self as parts, Label, space};

pub(super) fn group(page: Connection) -> El {
    let words = page.words;
    let readonly = page.store.readonly;
    let label = |key, name, hint| Label { key, name, hint };
    let autostart = parts::switch(
        label("autostart", page.words.autostart, page.words.autostart_hint),
        readonly,
        move || page.settings.with(HttpSettings::autostart),
        move |is| page.change(Change::Autostart(is)),
    );
    let port = parts::field(
        label("port", page.words.port, page.words.port_hint),
        words.port_wrong,
        readonly,
        move || page.settings.with(|it| it.port().to_string()),
        move |typed| page.try_change(Change::port(typed)),
    );
    let encrypted = parts::switch(
        label("tls", page.words.encrypted, page.words.encrypted_hint),
        readonly,
        move || page.settings.with(HttpSettings::is_encrypted),
        move |is| page.change(Change::Encrypted(is)),
    );
    let origins = parts::field(
        label("origins", page.words.origins, page.words.origins_hint),
        words.origins_wrong,
        readonly,
        move || page.settings.with(HttpSettings::origins),
        move |typed| page.try_change(Change::origins(typed)),
    );
    let card = parts::card().put(state(page)).put(autostart).put(port).put(encrypted).put(origins);
    parts::group(page.words.server).attr("data-name", "server").put(card.put(token(page)))
}

/// What the server does, and the buttons that change it.
fn state(page: Connection) -> El {
    let words = page.words;
    let doing = move || page.status.with(|it| it.doing);
    let runs = move || doing() == Doing::Running;
    let toggle = move || match doing() {
        Doing::Running => page.ask("stop", Doing::Stopping),
        Doing::Off | Doing::Failed => page.ask("start", Doing::Starting),
        _ => {}
    };
    let restart = move || {
        if runs() {
            page.ask("restart", Doing::Stopping);
        }
    };
    let text = el("span", "")
        .says(move || page.status.with(|it| words.status(page.store.words, it, page.now.get())));
    let dot = el("span", "pup-light").attr("aria-hidden", "true");
    let stale = parts::hint(words.stale).attr("role", "status");
    let told = el("div", "fn__flex-1")
        .put(el("div", "config-name").attr("role", "status").put(dot).put(text))
        .put(stale.shown_if(move || page.status.with(|it| it.is_stale)))
        .put(command(page));
    let restart = parts::button("restart", words.restart).is("aria-disabled", move || !runs()).click(restart);
    let toggle = parts::button("toggle", "")
        .is("aria-disabled", move || matches!(doing(), Doing::Starting | Doing::Stopping))
        .says(move || if runs() { words.stop } else { page.words.start })
        .click(toggle);
    let is_taken = move || page.status.with(|it| it.doing == Doing::Failed && it.why == Why::Taken);
    let other = move || page.settings.with(HttpSettings::other_port);
    let elsewhere = parts::button("other-port", "")
        .says(move || fill(words.other_port, &[("port", &other().to_string())]))
        .shown_if(move || is_taken() && !page.store.readonly)
        .click(move || page.move_to(untrack(other)));
    let buttons = el("span", "pup-buttons").put(elsewhere).put(restart).put(toggle);
    let row = el("div", "fn__flex b3-label config-item config-wrap").attr("data-name", "state");
    row.has("data-state", move || doing().word())
        .put(told)
        .put(space())
        .put(buttons.shown_if(move || page.status.with(ServerStatus::is_kept)))
}

/// The command that a person runs where this page can start nothing.
fn command(page: Connection) -> El {
    let text = move || match page.settings.with(HttpSettings::port) {
        PORT => "siyuan-puppy http".to_owned(),
        port => format!("siyuan-puppy http --port {port}"),
    };
    let is_shown = move || {
        page.status.with(|it| {
            matches!(it.why, Why::Browser | Why::Remote | Why::Platform) && it.doing != Doing::Running
        })
    };
    let shown = el("pre", "").attr("tabindex", "0").says(text);
    el("div", "pup-snippet").put(shown).put(page.copy_button("command", text, text)).shown_if(is_shown)
}

/// The token: made, shown once, replaced, taken away.
fn token(page: Connection) -> El {
    let words = page.words;
    let token = move || page.settings.with(|it| it.token().to_owned());
    let has_one = move || page.settings.with(|it| !it.token().is_empty());
    let is_new = move || page.made.with(|it| !it.is_empty());
    let hint = move || match (is_new(), has_one()) {
        (true, _) => words.token_new.to_owned(),
        (false, false) => words.token_none.to_owned(),
        (false, true) => {
            let token = token();
            let end = token.char_indices().rev().nth(3).map_or("", |(at, _)| &token[at..]);
            fill(words.token_is, &[("end", end)])
        }
    };
    // Shown once it holds: a token that was not saved opens nothing.
    let change = move |question: Option<&'static str>, is_made: bool| {
        host::spawn(async move {
            let Some(bridge) = page.store.bridge() else { return };
            if let Some(question) = question
                && !bridge.confirm(page.words.token, question).await
            {
                return;
            }
            let token = if is_made { bridge.secret() } else { String::new() };
            if page.keep(&Change::Token(token.clone())).await {
                page.made.try_set(token);
            }
        });
    };
    let make = move || change(has_one().then_some(words.token_replace_ask), true);
    let copy = el("span", "").put(page.copy_button("token", move || page.words.token.to_owned(), token));
    let make = parts::button("make-token", "")
        .flag("disabled", page.store.readonly)
        .says(move || if has_one() { words.token_replace } else { page.words.token_make })
        .click(make);
    let remove = parts::button("remove-token", words.token_remove).flag("disabled", page.store.readonly);
    let remove = remove.shown_if(has_one).click(move || change(Some(words.token_remove_ask), false));
    let buttons = el("span", "pup-buttons").put(copy.shown_if(has_one)).put(make).put(remove);
    let shown = el("code", "pup-token").says(move || page.made.get()).shown_if(is_new);
    let below = parts::hint("").put(el("span", "").attr("role", "status").says(hint)).put(shown);
    parts::row(Label { key: "token", name: page.words.token, hint: "" }, Some(below), buttons)
}

/// The newest lines of the server's log, read when they are opened.
pub(super) fn log(page: Connection) -> El {
    let words = page.words;
    let lines = RwSignal::new(String::new());
    let read = move || {
        host::spawn(async move {
            let Some(bridge) = page.store.bridge() else { return };
            let said: Vec<String> =
                serde_json::from_slice(bridge.server("log").await.as_bytes()).unwrap_or_default();
            lines.try_set(said.join("\n"));
        });
    };
    let text = move || match lines.get() {
        text if text.is_empty() => words.log_empty.to_owned(),
        text => text,
    };
    el("details", "config-group pup-log")
        .attr("data-name", "log")
        .shown_if(move || page.status.with(ServerStatus::is_kept))
        .on("toggle", move |_| read())
        .put(el("summary", "config-title").text(words.log))
        .put(el("pre", "config-items").attr("tabindex", "0").says(text))
}
