//! The configuration of a client, pasted: its servers are taken over.

use crate::state::connection_text;
use leptos::prelude::*;
use puppy_mcp_client::saved;
use puppy_ui_parts::{Area, Button, Group, Hint};
use puppy_ui_web::words::servers::ServerWords;

use crate::room::Room;
use crate::servers::Servers;

/// The text of the empty field.
const EXAMPLE: &str = "{ \"mcpServers\": { \"name\": { \"url\": \"https://…\" } } }";

#[component]
pub(super) fn Paste(room: Room, servers: Servers, words: &'static ServerWords) -> AnyView {
    let text = RwSignal::new(String::new());
    let said = RwSignal::new(String::new());
    let take = move || {
        let known: Vec<_> = servers.all.get_untracked().into_iter().map(|it| it.saved).collect();
        let Some(pasted) = text.with_untracked(|it| saved::paste(it, &known)) else {
            said.set(words.no_configuration.to_owned());
            return;
        };
        said.set(connection_text::pasted(words, room.panel.list_comma, &pasted));
        if !pasted.servers.is_empty() {
            text.set(String::new());
            servers.keep(None, pasted.servers);
        }
    };
    view! {
        <Group title=words.paste name="paste">
            <Hint text=words.paste_hint/>
            <div class="config-items pup-card-body">
                <div class="pup-field">
                    <Area
                        rows="4"
                        value=text
                        input=move |entered| text.set(entered)
                        label=words.paste
                        placeholder=EXAMPLE
                        attr:data-entry="paste"
                        attr:data-json=""
                    />
                </div>
                <div class="pup-buttons">
                    <Button name="paste" text=words.take_over press=move |_| take()/>
                    <span class="pup-quiet" role="status" data-name="pasted">{said}</span>
                </div>
            </div>
        </Group>
    }
    .into_any()
}
