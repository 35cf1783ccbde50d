//! The configuration of a client, pasted: its servers are taken over.

use crate::state::shown;
use puppy_mcp_client::saved;
use puppy_ui_parts as parts;
use puppy_ui_parts::el::{El, el, typed};
use puppy_ui_web::words::servers::ServerWords;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::room::Room;
use crate::servers::Servers;

pub(super) fn view(room: Room, servers: Servers, words: &'static ServerWords) -> El {
    let text = RwSignal::new(String::new());
    let said = RwSignal::new(String::new());
    let take = move || {
        let known: Vec<_> = servers.all.get_untracked().into_iter().map(|it| it.saved).collect();
        let Some(pasted) = text.with_untracked(|it| saved::paste(it, &known)) else {
            said.set(words.no_configuration.to_owned());
            return;
        };
        said.set(shown::pasted(words, room.panel.list_comma, &pasted));
        if !pasted.servers.is_empty() {
            text.set(String::new());
            servers.keep(None, pasted.servers);
        }
    };
    let field = el("textarea", "b3-text-field fn__block").attr("rows", "4").attr("data-entry", "paste");
    let field = field.attr("spellcheck", "false").attr("aria-label", words.paste).attr("data-json", "");
    let field = field.attr("placeholder", "{ \"mcpServers\": { \"name\": { \"url\": \"https://…\" } } }");
    let field = field.value(move || text.get()).on("input", move |event| text.set(typed(event)));
    let line =
        el("span", "pup-quiet").attr("role", "status").attr("data-name", "pasted").says(move || said.get());
    let buttons = el("div", "pup-buttons").put(parts::button("paste", words.take_over).click(take)).put(line);
    let card = el("div", "config-items pup-card-body").put(el("div", "pup-field").put(field)).put(buttons);
    parts::group(words.paste).attr("data-name", "paste").put(parts::hint(words.paste_hint)).put(card)
}
