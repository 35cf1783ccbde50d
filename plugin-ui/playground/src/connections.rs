//! The connections: each server with its state, its way there, and a switch for this playground.

mod entry;
mod limits;
mod paste;

use crate::state::servers::{OWN, word};
use crate::state::shown;
use puppy_core::render::visible;
use puppy_mcp_client::connection::Shown;
use puppy_mcp_client::index::ServerId;
use puppy_mcp_client::phase::State;
use puppy_mcp_client::saved::Saved;
use puppy_ui_parts as parts;
use puppy_ui_parts::el::{El, el, is_checked};
use puppy_ui_web::host::dom;
use puppy_ui_web::state::trouble::StorageTrouble;
use puppy_ui_web::words::fill;
use puppy_ui_web::words::servers::ServerWords;
use reactive_graph::computed::Memo;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::room::Room;
use crate::servers::Servers;

/// The page of the connections.
pub(crate) fn view(room: Room, servers: Servers) -> El {
    let words = ServerWords::of(&room.lang());
    let trouble = move || match servers.trouble.get() {
        Some(StorageTrouble::Broken) => words.torn.to_owned(),
        Some(why) => format!("{} {}", words.not_saved, room.panel.why(why)),
        None => String::new(),
    };
    let trouble = el("div", "pup-trouble").attr("role", "alert").says(trouble);
    let trouble = trouble.shown_if(move || servers.trouble.get().is_some());
    let edited = RwSignal::new(None::<String>);
    let count = move || {
        let connected = servers.connected();
        let all = servers.all.with(Vec::len);
        let tools = servers.tools().len();
        let [n, all, tools] = [connected.len(), all, tools].map(|it| it.to_string());
        fill(words.connected_of, &[("n", &n), ("all", &all), ("tools", &tools)])
    };
    let count =
        el("div", "pup-quiet pup-below").attr("role", "status").attr("data-name", "count").says(count);
    // A switch that is flipped stays where it is, with the focus.
    let kept = Memo::new(move |_| {
        let all = servers.all.get().into_iter().map(|it| Saved { enabled: true, ..it.saved });
        all.collect::<Vec<_>>()
    });
    let rows = el("div", "config-items").shows(move || {
        let all = kept.get();
        el("div", "").all(all.iter().map(|it| row(room, servers, words, it, edited)))
    });
    let list = parts::group(words.servers).attr("data-name", "servers").put(parts::hint(words.servers_hint));
    let view = el("div", "").put(trouble).put(list.put(rows).put(count));
    if room.readonly {
        return view;
    }
    view.put(entry::view(room, servers, words, edited))
        .put(paste::view(room, servers, words))
        .put(limits::view(room, servers, words))
}

fn row(
    room: Room,
    servers: Servers,
    words: &'static ServerWords,
    saved: &Saved,
    edited: RwSignal<Option<String>>,
) -> El {
    let (name, is_own) = (saved.name.clone(), saved.name == OWN);
    let named = name.clone();
    let id = Memo::new(move |_| servers.id(&named));
    let shown = Memo::new(move |_| id.get().and_then(|id| servers.shown(id)));
    let state = move || shown.with(|it| it.as_ref().map(|it| it.state.clone()).unwrap_or_default());
    let title = if is_own { words.own.to_owned() } else { name.clone() };
    let told = move || match shown.get() {
        None => words.switched_off.to_owned(),
        Some(shown) => shown::state(words, &shown),
    };
    let status = el("div", "").attr("role", "status").attr("data-name", "status").says(told);
    let facts = el("div", "pup-quiet")
        .attr("data-name", "facts")
        .says(move || facts(words, servers, id.get(), shown.get()));
    let secrets: Vec<String> =
        saved.headers.iter().map(|it| format!("{}: {}", it.name, it.masked())).collect();
    let heading =
        el("div", "config-name").put(el("span", "pup-light").attr("aria-hidden", "true")).text(&title);
    let about = el("div", "fn__flex-1 pup-server")
        .put(heading)
        .put(el("div", "b3-label__text").text(&address(words, saved)))
        .put(el("div", "pup-quiet").attr("data-name", "headers").text(&secrets.join(" · ")))
        .put(status)
        .put(facts)
        .put(log(words, shown));
    let switched = name.clone();
    let switch = el("input", "b3-switch fn__flex-center").attr("type", "checkbox").attr("data-do", "switch");
    let switch = switch.attr("aria-label", &fill(words.use_here, &[("name", &title)]));
    let switch = switch.checked(move || id.get().is_some());
    let switch = switch.on("change", move |event| servers.switch(&switched, is_checked(event)));
    let check = parts::button("check", words.check).shown_if(move || state() == State::Connected);
    let check = check.click(move || id.get_untracked().into_iter().for_each(|id| servers.check(id)));
    let has_failed = move || matches!(state(), State::Failed { .. });
    let retry = parts::button("retry", room.panel.try_again).shown_if(has_failed);
    let retry = retry.click(move || id.get_untracked().into_iter().for_each(|id| servers.retry(id)));
    let buttons = el("span", "pup-buttons").put(check).put(retry);
    let buttons = if is_own || room.readonly {
        buttons
    } else {
        let [changed, removed, enabled, is_enabled] = [(); 4].map(|()| name.clone());
        let edit =
            parts::button("edit", words.edit).attr("aria-label", &fill(words.edit_what, &[("name", &name)]));
        let edit = edit.click(move || edited.set(Some(changed.clone())));
        let remove = parts::button("remove", words.remove);
        let remove = remove.attr("aria-label", &fill(words.remove_what, &[("name", &name)]));
        let remove = remove.on("click", move |event| {
            dom::focus_near(event, ".pup-playground", "[data-part][aria-pressed=true]");
            servers.remove(&removed);
        });
        let always = el("input", "")
            .attr("type", "checkbox")
            .attr("data-do", "enable")
            .checked(move || servers.is_enabled(&is_enabled));
        let always = always.on("change", move |event| servers.enable(&enabled, is_checked(event)));
        let always = el("label", "pup-quiet pup-always").put(always).text(" ").text(words.always);
        buttons.put(edit).put(remove).put(always)
    };
    let row = el("div", "fn__flex b3-label config-item config-wrap").attr("data-server", &name);
    row.has("data-state", move || word(&state())).put(about.put(buttons)).put(parts::space()).put(switch)
}

/// The address, and the way to it.
fn address(words: &ServerWords, saved: &Saved) -> String {
    if saved.through_kernel { format!("{} · {}", saved.url, words.by_kernel) } else { saved.url.clone() }
}

/// Latency, era, version, and how much the server lists.
fn facts(words: &ServerWords, servers: Servers, id: Option<ServerId>, shown: Option<Shown>) -> String {
    let Some(shown) = shown else { return String::new() };
    let Some(greeting) = shown.greeting else { return String::new() };
    let latency = shown.latency_ms.map(|ms| fill(words.latency, &[("ms", &ms.to_string())]));
    let server = visible::shown(&format!("{} {}", greeting.server, greeting.version)).into_owned();
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

/// The steps of the connection, and what the server said of itself.
fn log(words: &'static ServerWords, shown: Memo<Option<Shown>>) -> El {
    let steps = move || {
        let Some(shown) = shown.get() else { return String::new() };
        let first = shown.steps.first().map_or(0, |it| it.at_ms);
        let line = |step: &puppy_mcp_client::phase::Step| {
            let why =
                step.why.as_ref().map(|why| format!(": {}", shown::reason(words, why))).unwrap_or_default();
            format!("+{} ms  {}{why}", step.at_ms.saturating_sub(first), shown::phase_name(words, step.phase))
        };
        shown.steps.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    let said = move || {
        let greeting = shown.get().and_then(|it| it.greeting);
        greeting.map(|it| {
            let capabilities = serde_json::to_string_pretty(&it.capabilities).unwrap_or_default();
            [it.instructions.unwrap_or_default(), capabilities].join("\n\n").trim().to_owned()
        })
    };
    let details = el("details", "pup-log").put(el("summary", "pup-quiet").text(words.details));
    let steps = el("pre", "").attr("tabindex", "0").attr("data-name", "steps").says(steps);
    let said = el("pre", "")
        .attr("tabindex", "0")
        .attr("data-name", "greeting")
        .says(move || said().unwrap_or_default());
    details
        .put(steps)
        .put(said.shown_if(move || shown.with(|it| it.as_ref().is_some_and(|it| it.greeting.is_some()))))
}
