//! The connections: each server with its state, its way there, and a switch for this playground.

mod entry;
mod limits;
mod paste;

use crate::state::connection_text;
use crate::state::servers::{OWN, word};
use leptos::ev::MouseEvent;
use leptos::prelude::*;
use puppy_mcp_client::connection::ConnectionView;
use puppy_mcp_client::index::ServerId;
use puppy_mcp_client::phase::{State, Step};
use puppy_mcp_client::saved::SavedServer;
use puppy_ui_parts::{Button, Group, Hint, Keyed, Pre, Space, Trouble};
use puppy_ui_web::host::dom;
use puppy_ui_web::state::trouble::StorageTrouble;
use puppy_ui_web::words::fill;
use puppy_ui_web::words::servers::ServerWords;

use crate::room::Room;
use crate::servers::Servers;
use entry::Entry;
use limits::Limits;
use paste::Paste;

/// The part of the playground.
#[component]
pub(crate) fn Connections(room: Room, servers: Servers, shown: Signal<bool>) -> AnyView {
    let words = ServerWords::of(&room.lang());
    let trouble = move || match servers.trouble.get() {
        Some(StorageTrouble::Broken) => words.torn.to_owned(),
        Some(why) => format!("{} {}", words.not_saved, room.panel.why(why)),
        None => String::new(),
    };
    let edited = RwSignal::new(None::<String>);
    let count = move || {
        let connected = servers.connected();
        let all = servers.all.with(Vec::len);
        let tools = servers.tools().len();
        let [n, all, tools] = [connected.len(), all, tools].map(|it| it.to_string());
        fill(words.connected_of, &[("n", &n), ("all", &all), ("tools", &tools)])
    };
    let row = move |saved: SavedServer| {
        let key = drawn(&saved);
        let view = move || view! { <Row room servers words saved=saved.clone() edited/> };
        (key, ViewFn::from(view))
    };
    let rows = move || servers.all.get().into_iter().map(|it| row(it.saved)).collect::<Vec<_>>();
    let forms = (!room.readonly).then(|| {
        view! {
            <Entry room servers words edited/>
            <Paste room servers words/>
            <Limits room servers words/>
        }
    });
    view! {
        <div class:fn__none=move || !shown.get()>
            <Trouble text=trouble shown=move || servers.trouble.get().is_some()/>
            <Group title=words.servers name="servers">
                <Hint text=words.servers_hint/>
                <div class="config-items">
                    <div><Keyed rows/></div>
                </div>
                <div class="pup-quiet pup-below" role="status" data-name="count">{count}</div>
            </Group>
            {forms}
        </div>
    }
    .into_any()
}

/// The parts of a saved server that its row draws once. The row of a server whose switch is flipped stays where it is,
/// with the focus, as do the rows of all other servers.
fn drawn(saved: &SavedServer) -> String {
    let SavedServer { name, url, through_kernel, .. } = saved;
    format!("{name}\n{url}\n{through_kernel}\n{}", headers(saved).join("\n"))
}

/// The headers with masked values.
fn headers(saved: &SavedServer) -> Vec<String> {
    saved.headers.iter().map(|it| format!("{}: {}", it.name, it.masked())).collect()
}

#[component]
fn Row(
    room: Room,
    servers: Servers,
    words: &'static ServerWords,
    saved: SavedServer,
    edited: RwSignal<Option<String>>,
) -> AnyView {
    let is_own = saved.name == OWN;
    let named = saved.name.clone();
    let id = Memo::new(move |_| servers.id(&named));
    let shown = Memo::new(move |_| id.get().and_then(|id| servers.shown(id)));
    let state = move || shown.with(|it| it.as_ref().map(|it| it.state.clone()).unwrap_or_default());
    let title = if is_own { words.own.to_owned() } else { saved.name.clone() };
    let status = move || match shown.get() {
        None => words.switched_off.to_owned(),
        Some(shown) => connection_text::state(words, &shown),
    };
    let changes = (!is_own && !room.readonly)
        .then(|| view! { <Changes servers words name=saved.name.clone() edited/> });
    let (address, headers) = (address(words, &saved), headers(&saved).join(" · "));
    let use_here = fill(words.use_here, &[("name", &title)]);
    let switched = saved.name.clone();
    view! {
        <div
            class="fn__flex b3-label config-item config-wrap"
            data-server=saved.name
            data-state=move || word(&state())
        >
            <div class="fn__flex-1 pup-server">
                <div class="config-name"><span class="pup-light" aria-hidden="true"></span>{title}</div>
                <div class="b3-label__text">{address}</div>
                <div class="pup-quiet" data-name="headers">{headers}</div>
                <div role="status" data-name="status">{status}</div>
                <div class="pup-quiet" data-name="facts">
                    {move || facts(words, servers, id.get(), shown.get())}
                </div>
                <Log words shown/>
                <span class="pup-buttons">
                    <Button
                        name="check"
                        text=words.check
                        shown=move || state() == State::Connected
                        press=move |_| id.get_untracked().into_iter().for_each(|id| servers.check(id))
                    />
                    <Button
                        name="retry"
                        text=room.panel.try_again
                        shown=move || matches!(state(), State::Failed { .. })
                        press=move |_| id.get_untracked().into_iter().for_each(|id| servers.retry(id))
                    />
                    {changes}
                </span>
            </div>
            <Space/>
            <input
                class="b3-switch fn__flex-center"
                type="checkbox"
                data-do="switch"
                aria-label=use_here
                prop:checked=move || id.get().is_some()
                on:change=move |event| servers.switch(&switched, event_target_checked(&event))
            />
        </div>
    }
    .into_any()
}

/// The buttons that edit and remove a server, and the box that connects it whenever the playground opens.
#[component]
fn Changes(
    servers: Servers,
    words: &'static ServerWords,
    name: String,
    edited: RwSignal<Option<String>>,
) -> AnyView {
    let [edit_what, remove_what] =
        [words.edit_what, words.remove_what].map(|it| fill(it, &[("name", &name)]));
    let [changed, removed, enabled] = [(); 3].map(|()| name.clone());
    let remove = move |event: MouseEvent| {
        dom::focus_near(&event, ".pup-playground", "[data-part][aria-pressed=true]");
        servers.remove(&removed);
    };
    view! {
        <Button
            name="edit"
            text=words.edit
            label=edit_what
            press=move |_| edited.set(Some(changed.clone()))
        />
        <Button name="remove" text=words.remove label=remove_what press=remove/>
        <label class="pup-quiet pup-always">
            <input
                type="checkbox"
                data-do="enable"
                prop:checked=move || servers.is_enabled(&name)
                on:change=move |event| servers.enable(&enabled, event_target_checked(&event))
            />
            " "
            {words.always}
        </label>
    }
    .into_any()
}

/// The address, and the way to it.
fn address(words: &ServerWords, saved: &SavedServer) -> String {
    if saved.through_kernel { format!("{} · {}", saved.url, words.by_kernel) } else { saved.url.clone() }
}

/// Latency, era, version, and how much the server lists.
fn facts(
    words: &ServerWords,
    servers: Servers,
    id: Option<ServerId>,
    shown: Option<ConnectionView>,
) -> String {
    let Some(shown) = shown else { return String::new() };
    let Some(greeting) = shown.greeting else { return String::new() };
    let latency = shown.latency_ms.map(|ms| fill(words.latency, &[("ms", &ms.to_string())]));
    let server = connection_text::seen(&format!("{} {}", greeting.server, greeting.version));
    let offer = id.and_then(|id| servers.connection(id)).map(|it| {
        it.with_offer(|offer| {
            let counts =
                [offer.tools.len(), offer.prompts.len(), offer.resources.len() + offer.templates.len()];
            let [tools, prompts, resources] = counts.map(|it| it.to_string());
            fill(words.offers, &[("tools", &tools), ("prompts", &prompts), ("resources", &resources)])
        })
    });
    let facts = [latency, Some(format!("MCP {}", greeting.revision.name())), Some(server), offer];
    facts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The steps of the connection, and the server's greeting.
#[component]
fn Log(words: &'static ServerWords, shown: Memo<Option<ConnectionView>>) -> AnyView {
    let steps = move || {
        let Some(shown) = shown.get() else { return String::new() };
        let first = shown.steps.first().map_or(0, |it| it.at_ms);
        let line = |step: &Step| {
            let why = step
                .why
                .as_ref()
                .map(|why| format!(": {}", connection_text::reason(words, why)))
                .unwrap_or_default();
            format!(
                "+{} ms  {}{why}",
                step.at_ms.saturating_sub(first),
                connection_text::phase_name(words, step.phase)
            )
        };
        shown.steps.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    let greeting = move || shown.with(|it| it.as_ref().and_then(|it| it.greeting.clone()));
    let said = move || {
        let said = greeting().map(|it| {
            let capabilities = serde_json::to_string_pretty(&it.capabilities).unwrap_or_default();
            connection_text::seen([it.instructions.unwrap_or_default(), capabilities].join("\n\n").trim())
        });
        said.unwrap_or_default()
    };
    view! {
        <details class="pup-log">
            <summary class="pup-quiet">{words.details}</summary>
            <Pre text=steps name="steps"/>
            <pre tabindex="0" data-name="greeting" class:fn__none=move || greeting().is_none()>{said}</pre>
        </details>
    }
    .into_any()
}
