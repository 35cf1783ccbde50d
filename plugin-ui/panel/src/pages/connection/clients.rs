//! The clients' group of the connection page: the configuration of each client, and whether it has called.

use leptos::prelude::*;
use puppy_core::clients::{Client, Way, assistant_entry};
use puppy_ui_parts::{Card, Choices, Group, Hint, Pre, Switch, Toggle, yes};
use puppy_ui_web::host;
use puppy_ui_web::state::server::Doing;

use super::{NamedCopy, State};

/// The clients to choose from, and the steps for the chosen one.
#[component]
pub(super) fn Clients(page: State) -> AnyView {
    let words = page.words;
    view! {
        <Group title=words.clients name="clients">
            <div class="config-items pup-clients">
                <Choices label=words.clients>
                    {Client::ALL.map(|client| view! { <ClientChoice page client/> }).collect_view()}
                </Choices>
                <Choices label=words.ways>
                    {[Way::Starts, Way::Http].map(|way| view! { <WayChoice page way/> }).collect_view()}
                </Choices>
                <ol class="pup-steps">
                    <li><Place page/><Snippet page/><Hints page/></li>
                    <li>{words.ask_this}<Arrival page/></li>
                </ol>
            </div>
        </Group>
    }
    .into_any()
}

#[component]
fn ClientChoice(page: State, client: Client) -> AnyView {
    let words = page.words;
    let has_called = move || page.called.with(|all| all.contains(&client.id()));
    let title = if client.title().is_empty() { words.other } else { client.title() };
    let choose = move || {
        page.client.set(client);
        if let [first, ..] = client.ways() {
            page.way.set(*first);
        }
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
fn WayChoice(page: State, way: Way) -> AnyView {
    let words = page.words;
    let (name, title) = match way {
        Way::Starts => ("starts", words.starts),
        Way::Http => ("http", words.over_http),
    };
    view! {
        <Toggle
            text=title
            is_chosen=move || page.way.get() == way
            shown=move || page.client.get().ways().contains(&way)
            press=move |_| page.way.set(way)
            attr:data-way=name
        />
    }
    .into_any()
}

/// The file for the snippet.
#[component]
fn Place(page: State) -> AnyView {
    let words = page.words;
    let file = move || page.status.with(|it| page.client.get().file(page.way.get(), &it.platform));
    let what = move || match (page.client.get(), page.way.get(), file()) {
        (Client::ClaudeCode | Client::Other, Way::Starts, _) => words.run_this,
        (_, _, "") => words.enter_this,
        _ => words.put_into,
    };
    view! {
        <div class="pup-where">
            <span>{what}</span>
            <span class="pup-where" class:fn__none=move || file().is_empty()>
                <code>{file}</code>
                <NamedCopy page name="file" what=file copied=move |()| file().to_owned()/>
            </span>
        </div>
    }
    .into_any()
}

#[component]
fn Snippet(page: State) -> AnyView {
    let words = page.words;
    let text = move |dots| page.reach(dots, |reach| page.client.get().snippet(page.way.get(), reach));
    let title = move || match page.client.get().title() {
        "" => words.other,
        title => title,
    };
    view! {
        <div class="pup-snippet" data-name="snippet">
            <Pre text=move || text(true)/>
            <NamedCopy page name="snippet" what=title copied=move |()| text(false)/>
        </div>
    }
    .into_any()
}

#[component]
fn Hints(page: State) -> AnyView {
    let words = page.words;
    let is_http = move || page.way.get() == Way::Http;
    let has_token = move || is_http() && page.settings.with(|it| !it.token().is_empty());
    let reads_variable = move || page.client.get().reads_variable(page.way.get());
    let asks = move || page.client.get() == Client::VsCode;
    let runs = move || page.status.with(|it| it.doing == Doing::Running);
    let has_program = move || page.status.with(|it| !it.program.is_empty());
    view! {
        <div>
            <Hint text=words.variable shown=move || has_token() && reads_variable()/>
            <Hint text=words.hidden shown=move || has_token() && !reads_variable() && !asks()/>
            <Hint text=words.must_run shown=move || is_http() && !runs()/>
            <Hint text=words.own_path shown=move || !is_http() && !has_program()/>
        </div>
    }
    .into_any()
}

/// Whether a call came since the client was chosen; events do not name the client.
#[component]
fn Arrival(page: State) -> AnyView {
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
pub(super) fn Assistant(page: State) -> AnyView {
    let words = page.words;
    let found = RwSignal::new(String::new());
    let run = move |what: &'static str| {
        let entry = untrack(|| page.reach(false, assistant_entry));
        host::spawn(async move {
            let Some(bridge) = page.store.bridge() else { return };
            let said = bridge.assistant(what, &entry).await;
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
