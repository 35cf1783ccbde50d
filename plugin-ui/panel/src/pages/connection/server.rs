//! The server's group of the connection page: state, start and stop, settings, token, log.

use leptos::prelude::*;
use puppy_ui_parts::{Button, Card, Field, Group, Hint, Row, Space, Switch, fresh, is_open, label};
use puppy_ui_web::host;
use puppy_ui_web::state::server::{HttpChange, HttpSettings, PORT, ServerPhase, ServerStatus, Why, options};
use puppy_ui_web::words::fill;

use super::{ConnectionSignals, NamedCopy, PROGRAM, copied_line, download};

/// The state of the server.
#[component]
pub(super) fn Server(page: ConnectionSignals) -> AnyView {
    view! {
        <Group title=page.words.server name="server">
            <Card><Present page/></Card>
        </Group>
    }
    .into_any()
}

/// The settings of the server.
#[component]
pub(super) fn Settings(page: ConnectionSignals) -> AnyView {
    let words = page.words;
    let readonly = page.store.readonly;
    // They are for a server that SiYuan starts.
    let is_kept = Memo::new(move |_| page.status.with(ServerStatus::is_kept));
    label(words.server_settings, "", "[data-name=\"server-settings\"] summary");
    view! {
        <details class="config-group pup-log" data-name="server-settings" open=move || is_kept.get()>
            <summary class="config-title">{words.server_settings}</summary>
            <Card>
                <Switch
                    key="autostart"
                    name=words.autostart
                    hint=words.autostart_hint
                    disabled=readonly
                    is_on=move || page.settings.with(HttpSettings::autostart)
                    set=move |is| page.change(HttpChange::Autostart(is))
                />
                <Field
                    key="port"
                    name=words.port
                    hint=words.port_hint
                    wrong=words.port_wrong
                    disabled=readonly
                    value=move || page.settings.with(|it| it.port().to_string())
                    set=move |text: String| page.try_change(HttpChange::port(&text))
                />
                <Switch
                    key="tls"
                    name=words.encrypted
                    hint=words.encrypted_hint
                    disabled=readonly
                    is_on=move || page.settings.with(HttpSettings::is_encrypted)
                    set=move |is| page.change(HttpChange::Encrypted(is))
                />
                <Field
                    key="origins"
                    name=words.origins
                    hint=words.origins_hint
                    wrong=words.origins_wrong
                    disabled=readonly
                    value=move || page.settings.with(HttpSettings::origins)
                    set=move |text: String| page.try_change(HttpChange::origins(&text))
                />
                <Token page/>
            </Card>
        </details>
    }
    .into_any()
}

/// The present state of the server, and the buttons that change it.
#[component]
fn Present(page: ConnectionSignals) -> AnyView {
    let (words, store) = (page.words, page.store);
    let doing = move || page.status.with(|it| it.doing);
    let runs = move || doing() == ServerPhase::Running;
    let toggle = move || match doing() {
        ServerPhase::Running => page.ask("stop", ServerPhase::Stopping),
        ServerPhase::Off | ServerPhase::Failed => page.ask("start", ServerPhase::Starting),
        _ => {}
    };
    let restart = move || {
        if runs() {
            page.ask("restart", ServerPhase::Stopping);
        }
    };
    let text = move || {
        let http = page.http.get();
        let channel = (page.connected.get(), http.as_ref());
        page.status.with(|it| words.status(store.words, it, page.now.get(), channel))
    };
    let is_taken = move || page.status.with(|it| it.doing == ServerPhase::Failed && it.why == Why::Taken);
    let other = move || page.settings.with(HttpSettings::other_port);
    view! {
        <div
            class="fn__flex b3-label config-item config-wrap"
            data-name="state"
            data-state=move || page.status.with(|it| it.word(page.connected.get()))
        >
            <div class="fn__flex-1">
                <div class="config-name" role="status">
                    <span class="pup-light" aria-hidden="true"></span>
                    <span>{text}</span>
                </div>
                <Hint text=words.stale role="status" shown=move || page.status.with(|it| it.is_stale)/>
                <div>{fresh(move || command(page))}</div>
            </div>
            <Space/>
            <span
                class="pup-buttons"
                class:fn__none=move || !page.status.with(ServerStatus::is_kept)
            >
                <Button
                    name="other-port"
                    text=move || fill(words.other_port, &[("port", &other().to_string())])
                    shown=move || is_taken() && !store.readonly
                    press=move |_| page.move_to(other())
                />
                <Button name="restart" text=words.restart idle=move || !runs() press=move |_| restart()/>
                <Button
                    name="toggle"
                    text=move || if runs() { words.stop } else { words.start }
                    idle=move || matches!(doing(), ServerPhase::Starting | ServerPhase::Stopping)
                    press=move |_| toggle()
                />
            </span>
        </div>
    }
    .into_any()
}

/// The command that a person runs where this page cannot start the server.
fn command(page: ConnectionSignals) -> AnyView {
    let is_shown = page.status.with(|it| {
        matches!(it.why, Why::Browser | Why::Remote | Why::Platform)
            && it.word(page.connected.get()) != ServerPhase::Running.word()
    });
    if !is_shown {
        return ().into_any();
    }
    let port = page.settings.with(HttpSettings::port);
    let mut words = vec![PROGRAM.to_owned(), "http".to_owned()];
    words.extend((port != PORT).then(|| format!("--port {port}")));
    words.extend(options(&host::origin()));
    view! { <div>{download(page, page.words.own_path)}{copied_line(page, "command", words.join(" "))}</div> }
        .into_any()
}

/// The token: made, shown once, replaced, removed.
#[component]
fn Token(page: ConnectionSignals) -> AnyView {
    let (words, readonly) = (page.words, page.store.readonly);
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
    // Shown after it was saved: a token that was not saved opens nothing.
    let change = move |question: Option<&'static str>, is_made: bool| {
        host::spawn(async move {
            let Some(host) = page.store.host() else { return };
            if let Some(question) = question
                && !host.confirm(words.token, question).await
            {
                return;
            }
            let token = if is_made { host.secret() } else { String::new() };
            if page.keep(&HttpChange::Token(token.clone())).await {
                page.made.try_set(token);
            }
        });
    };
    let make = move || change(has_one().then_some(words.token_replace_ask), true);
    let below = view! {
        <Hint>
            <span role="status">{hint}</span>
            <code class="pup-token" class:fn__none=move || !is_new()>{page.made}</code>
        </Hint>
    };
    view! {
        <Row key="token" name=words.token below=below.into_any()>
            <span class="pup-buttons">
                <span class:fn__none=move || !has_one()>
                    <NamedCopy page name="token" what=words.token copied=move |()| token()/>
                </span>
                <Button
                    name="make-token"
                    text=move || if has_one() { words.token_replace } else { words.token_make }
                    disabled=readonly
                    press=move |_| make()
                />
                <Button
                    name="remove-token"
                    text=words.token_remove
                    disabled=readonly
                    shown=has_one
                    press=move |_| change(Some(words.token_remove_ask), false)
                />
            </span>
        </Row>
    }
    .into_any()
}

/// The newest lines of the server's log, read when they are opened.
#[component]
pub(super) fn Log(page: ConnectionSignals) -> AnyView {
    let words = page.words;
    let lines = RwSignal::new(String::new());
    let read = move || {
        host::spawn(async move {
            let Some(host) = page.store.host() else { return };
            lines.try_set(host.server_log().await.join("\n"));
        });
    };
    let text = move || match lines.get() {
        text if text.is_empty() => words.log_empty.to_owned(),
        text => text,
    };
    view! {
        <details
            class="config-group pup-log"
            class:fn__none=move || !page.status.with(ServerStatus::is_kept)
            data-name="log"
            on:toggle=move |event| {
                if is_open(&event) {
                    read();
                }
            }
        >
            <summary class="config-title">{words.log}</summary>
            <pre class="config-items" tabindex="0">{text}</pre>
        </details>
    }
    .into_any()
}
