//! The clients' group of the connection page: the configuration of each client, and whether it has called.

use leptos::prelude::*;
use puppy_core::clients::{Client, ClientTransport, assistant_entry};
use puppy_ui_parts::{Card, Choices, Group, Hint, Link, OUTLINE, Switch, Toggle, fresh, yes};
use puppy_ui_web::host;
use puppy_ui_web::state::server::ServerPhase;
use puppy_ui_web::words::fill;

use super::{ConnectionSignals, NamedCopy, copied_line, copied_text, download};

/// The clients to choose from, and the steps for the chosen one.
#[component]
pub(super) fn Clients(page: ConnectionSignals) -> AnyView {
    let words = page.words;
    view! {
        <Group title=words.clients name="clients">
            <div class="config-items pup-clients">
                <Choices label=words.clients>
                    {Client::ALL.map(|client| view! { <ClientChoice page client/> }).collect_view()}
                </Choices>
                <Choices label=words.ways>
                    {[ClientTransport::Starts, ClientTransport::Http].map(|way| view! { <WayChoice page way/> }).collect_view()}
                </Choices>
                <ol class="pup-steps">
                    <li on:click=move |_| page.took()>{fresh(move || setup(page))}</li>
                    <li>{words.ask_this}<Arrival page/></li>
                </ol>
            </div>
        </Group>
    }
    .into_any()
}

#[component]
fn ClientChoice(page: ConnectionSignals, client: Client) -> AnyView {
    let words = page.words;
    let has_called = move || page.called.with(|all| all.contains(&client.id()));
    let title = if client.title().is_empty() { words.other } else { client.title() };
    let choose = move || {
        page.client.set(client);
        page.chosen.set(None);
    };
    view! {
        <Toggle
            text=title
            is_chosen=move || page.client.get() == client
            press=move |_| choose()
            attr:data-client=client.id()
        >
            <span class="pup-tick" class:fn__none=move || !has_called()>
                <span aria-hidden="true">"✓"</span>
                <span class="pup-hidden">{words.arrived}</span>
            </span>
        </Toggle>
    }
    .into_any()
}

#[component]
fn WayChoice(page: ConnectionSignals, way: ClientTransport) -> AnyView {
    let words = page.words;
    let (name, title) = match way {
        ClientTransport::Starts => ("starts", words.starts),
        ClientTransport::Http => ("http", words.over_http),
    };
    // A single way is no choice.
    let is_shown = move |ways: &[ClientTransport]| ways.len() > 1 && ways.contains(&way);
    view! {
        <Toggle
            text=title
            is_chosen=move || page.way() == way
            shown=move || is_shown(page.client.get().ways())
            press=move |_| page.chosen.set(Some(way))
            attr:data-way=name
        />
    }
    .into_any()
}

/// The ways to add the server to the chosen client: a link that opens it, a command, and the text for its file.
fn setup(page: ConnectionSignals) -> AnyView {
    let (words, client, way) = (page.words, page.client.get(), page.way());
    let is_local = way == ClientTransport::Starts;
    let (is_here, file, runs) = page.status.with(|it| {
        let runs = it.doing == ServerPhase::Running || page.http.with(Option::is_some);
        (!it.program.is_empty(), client.file(way, &it.platform), runs)
    });
    let (link, line, text) = page.reach(true, |reach| {
        (client.link(way, reach), client.command(way, reach), client.snippet(way, reach))
    });
    let link = link.filter(|_| is_here || !is_local).map(|href| {
        let text = fill(words.add_to, &[("client", client.title())]);
        view! { <div class="pup-snippet"><Link href text class=OUTLINE/></div> }.into_any()
    });
    let title = if link.is_some() { words.or_run } else { words.run_this };
    let line = line.map(|text| copied_line(page, "install", text));
    let title = line.is_some().then_some(title);
    let has_other = title.is_some() || link.is_some();
    let program = (is_local && !is_here).then(|| download(page, words.own_path));
    let what = match (client, way, file) {
        // Both ways are commands, which the first one says.
        (Client::ClaudeCode, ClientTransport::Starts, _) if title.is_some() => "",
        (Client::ClaudeCode, ClientTransport::Starts, _) => words.run_this,
        (_, _, "") => words.enter_this,
        _ => words.put_into,
    };
    let or = has_other.then(|| view! { <div>{words.or}</div> }.into_any());
    let place = (!file.is_empty()).then(|| {
        view! {
            <code>{file}</code>
            <NamedCopy page name="file" what=file copied=move |()| file.to_owned()/>
        }
        .into_any()
    });
    let name = if client.title().is_empty() { words.other } else { client.title() };
    let copied = Callback::new(move |()| page.reach(false, |reach| client.snippet(way, reach)));
    let entry = copied_text(page, "snippet", text, name.to_owned(), copied);
    let has_token = page.settings.with(|it| !it.token().is_empty());
    let of_token = match (is_local || !has_token, client) {
        (true, _) | (_, Client::VsCode) => "",
        _ if client.reads_variable(way) => words.variable,
        _ => words.hidden,
    };
    let of_server = if is_local || runs { "" } else { words.must_run };
    view! {
        <div>
            {program}
            {link}
            {title}
            {line}
            {or}
            <div class="pup-where"><span>{what}</span>{place}</div>
            {entry}
            <Hint text=of_token/>
            <Hint text=of_server/>
        </div>
    }
    .into_any()
}

/// Whether a call came since the client was chosen; events do not name the client.
#[component]
fn Arrival(page: ConnectionSignals) -> AnyView {
    let words = page.words;
    let has_called = move || page.called.with(|all| all.contains(&page.client.get().id()));
    view! {
        <div
            class="b3-label__text"
            role="status"
            data-name="arrival"
            data-arrived=move || yes(has_called())
        >
            {move || if has_called() { words.arrived } else { words.waiting }}
        </div>
    }
    .into_any()
}

/// The switch that lets SiYuan's own assistant use the server, where it can start the program.
#[component]
pub(super) fn Assistant(page: ConnectionSignals) -> AnyView {
    let words = page.words;
    let found = RwSignal::new(String::new());
    let run = move |what: &'static str| {
        let entry = untrack(|| page.reach(false, assistant_entry));
        host::spawn(async move {
            let Some(host) = page.store.host() else { return };
            let said = host.assistant(what, &entry).await;
            found.try_set(said);
        });
    };
    let has_program = Memo::new(move |_| page.status.with(|it| !it.program.is_empty()));
    let address = Memo::new(move |_| page.reach(true, |it| it.url.to_owned()));
    Effect::new(move || {
        address.track();
        if has_program.get() {
            run("look");
        }
    });
    let note = move || match found.get().as_str() {
        "differs" => words.assistant_differs,
        "unknown" => words.assistant_unknown,
        "failed" => words.not_saved,
        _ => "",
    };
    view! {
        <Group title=words.assistant name="assistant" shown=has_program>
            <Card shown=move || found.with(|it| it != "unknown")>
                <Switch
                    key="assistant"
                    name=words.assistant_use
                    hint=words.assistant_hint
                    disabled=page.store.readonly
                    is_on=move || found.with(|it| it == "present" || it == "differs")
                    set=move |is: bool| run(if is { "add" } else { "remove" })
                />
            </Card>
            <div class="pup-below b3-label__text" role="status">{note}</div>
        </Group>
    }
    .into_any()
}
