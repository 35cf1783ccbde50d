//! The clients' group of the connection page: what to put where, and whether a call came.

use puppy_core::clients::{Client, Way, assistant_entry};
use puppy_ui_parts::el::{El, el, keep_in_step};
use puppy_ui_web::host;
use puppy_ui_web::state::server::Doing;
use reactive_graph::computed::Memo;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use super::Connection;
use puppy_ui_parts::{self as parts, Label};

pub(super) fn group(page: Connection) -> El {
    let words = page.words;
    let choices = el("div", "pup-choices").attr("role", "group").attr("aria-label", page.words.clients);
    let choices = choices.all(Client::ALL.into_iter().map(|client| choice(page, client)));
    let ways = el("div", "pup-choices").attr("role", "group").attr("aria-label", words.ways);
    let ways = ways.all([Way::Starts, Way::Http].map(|way| way_choice(page, way)));
    let step = || el("li", "");
    let steps = el("ol", "pup-steps")
        .put(step().put(place(page)).put(snippet(page)).put(hints(page)))
        .put(step().text(words.ask_this).put(arrival(page)));
    let card = el("div", "config-items pup-clients").put(choices).put(ways).put(steps);
    parts::group(page.words.clients).attr("data-name", "clients").put(card)
}

fn choice(page: Connection, client: Client) -> El {
    let words = page.words;
    let has_called = move || page.called.with(|all| all.contains(&client.id()));
    let title = if client.title().is_empty() { words.other } else { client.title() };
    let tick = el("span", "pup-tick").put(el("span", "").attr("aria-hidden", "true").text("✓"));
    let tick = tick.put(el("span", "pup-hidden").text(words.arrived)).shown_if(has_called);
    let button = parts::toggle(title, move || page.client.get() == client);
    button.attr("data-client", client.id()).put(tick).click(move || {
        page.client.set(client);
        if let [first, ..] = client.ways() {
            page.way.set(*first);
        }
    })
}

fn way_choice(page: Connection, way: Way) -> El {
    let words = page.words;
    let (name, title) = match way {
        Way::Starts => ("starts", words.starts),
        Way::Http => ("http", words.over_http),
    };
    let button = parts::toggle(title, move || page.way.get() == way).attr("data-way", name);
    let button = button.shown_if(move || page.client.get().ways().contains(&way));
    button.click(move || page.way.set(way))
}

/// Where the snippet belongs.
fn place(page: Connection) -> El {
    let words = page.words;
    let file = move || page.status.with(|it| page.client.get().file(page.way.get(), &it.platform));
    let what = move || match (page.client.get(), page.way.get(), file()) {
        (Client::ClaudeCode | Client::Other, Way::Starts, _) => words.run_this,
        (_, _, "") => words.enter_this,
        _ => words.put_into,
    };
    let copy = page.copy_button("file", move || file().to_owned(), move || file().to_owned());
    let named = el("span", "pup-where").put(el("code", "").says(file)).put(copy);
    let named = named.shown_if(move || !file().is_empty());
    el("div", "pup-where").put(el("span", "").says(what)).put(named)
}

fn snippet(page: Connection) -> El {
    let words = page.words;
    let text = move |dots| page.reach(dots, |reach| page.client.get().snippet(page.way.get(), reach));
    let title = move || match page.client.get().title() {
        "" => words.other.to_owned(),
        title => title.to_owned(),
    };
    let shown = el("pre", "").attr("tabindex", "0").says(move || text(true));
    let view = el("div", "pup-snippet").attr("data-name", "snippet").put(shown);
    view.put(page.copy_button("snippet", title, move || text(false)))
}

fn hints(page: Connection) -> El {
    let words = page.words;
    let is_http = move || page.way.get() == Way::Http;
    let has_token = move || is_http() && page.settings.with(|it| !it.token().is_empty());
    let reads_variable = move || page.client.get().reads_variable(page.way.get());
    let asks = move || page.client.get() == Client::VsCode;
    let runs = move || page.status.with(|it| it.doing == Doing::Running);
    let has_program = move || page.status.with(|it| !it.program.is_empty());
    el("div", "")
        .put(parts::hint(words.variable).shown_if(move || has_token() && reads_variable()))
        .put(parts::hint(words.hidden).shown_if(move || has_token() && !reads_variable() && !asks()))
        .put(parts::hint(words.must_run).shown_if(move || is_http() && !runs()))
        .put(parts::hint(words.own_path).shown_if(move || !is_http() && !has_program()))
}

/// Whether a call came since the client was chosen; events do not name the client.
fn arrival(page: Connection) -> El {
    let words = page.words;
    let has_called = move || page.called.with(|all| all.contains(&page.client.get().id()));
    let view = parts::hint("").attr("role", "status").attr("data-name", "arrival");
    view.is("data-arrived", has_called).says(move || if has_called() { words.arrived } else { words.waiting })
}

/// The switch that lets SiYuan's own assistant use the server, where it can start the program.
pub(super) fn assistant(page: Connection) -> El {
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
    let has_program = Memo::new(move |_| page.status.with(|it| !it.program.is_empty()));
    let address = Memo::new(move |_| page.reach(true, |it| it.url.to_owned()));
    keep_in_step(Box::new(move || {
        address.track();
        if has_program.get() {
            run("look");
        }
    }));
    let is_there = move || found.with(|it| it == "present" || it == "differs");
    let note = move || match found.get().as_str() {
        "differs" => words.assistant_differs,
        "unknown" => words.assistant_unknown,
        "failed" => words.not_saved,
        _ => "",
    };
    let label = Label { key: "assistant", name: page.words.assistant_use, hint: page.words.assistant_hint };
    let set = move |is: bool| run(if is { "add" } else { "remove" });
    let card = parts::card().put(parts::switch(label, page.store.readonly, is_there, set));
    let group = parts::group(words.assistant).attr("data-name", "assistant");
    let group = group.put(card.shown_if(move || found.with(|it| it != "unknown")));
    let below = el("div", "pup-below b3-label__text").attr("role", "status").says(note);
    group.put(below).shown_if(move || has_program.get())
}
