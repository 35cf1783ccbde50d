//! A token that was just issued: shown once, with the configuration of the person's client.

use leptos::prelude::*;
use puppy_core::clients::{Client, ClientTransport, TokenUse};
use puppy_ui_parts::{Button, CopyButton, PLAIN, Pre, Select, fresh, options};
use puppy_ui_web::words::fill;

use crate::agents_room::{AgentsRoom, IssuedToken};

/// The token of an agent, while it is shown.
pub(crate) fn shown(room: AgentsRoom, agent: StoredValue<String>) -> AnyView {
    let client = RwSignal::new(Client::ClaudeCode);
    let of_agent = move || room.issued.get().filter(|it| it.agent == agent.get_value());
    let content = move || of_agent().map_or_else(|| ().into_any(), |it| issued(room, client, &it));
    view! { <div role="group" aria-label=room.words.token>{fresh(content)}</div> }.into_any()
}

fn issued(room: AgentsRoom, client: RwSignal<Client>, issued: &IssuedToken) -> AnyView {
    let (words, copies) = (room.words, room.copies);
    let IssuedToken { token, url, .. } = issued.clone();
    let named = |it: Client| (it.id(), if it.title().is_empty() { words.other } else { it.title() });
    let choose = move |id: String| {
        if let Some(chosen) = Client::of_agents().find(|it| it.id() == id) {
            client.set(chosen);
        }
    };
    let copied = token.clone();
    let values = StoredValue::new((url, token.clone()));
    let snippet = move || values.with_value(|(url, token)| client.get().snippet_of_agent(url, token));
    let text = move || snippet().map(|it| it.text).unwrap_or_default();
    let place = move || match client.get() {
        Client::ClaudeCode => words.run_this.to_owned(),
        other => match other.file(ClientTransport::Http, "") {
            "" => words.enter_this.to_owned(),
            file => fill(words.put_into, &[("file", file)]),
        },
    };
    let way = move || match snippet().map(|it| it.token) {
        Some(TokenUse::Variable) => words.variable,
        Some(TokenUse::Asked) => words.asks,
        Some(TokenUse::InSnippet) | None => "",
    };
    view! {
        <div class="pup-issued">
            <div>{words.token_shown}</div>
            <div class="pup-snippet" data-name="token">
                <Pre text=token/>
                <CopyButton
                    copies
                    name="token"
                    text=words.copy
                    label=words.copy_token
                    copied=move |()| copied.clone()
                />
            </div>
            <div class="pup-agent-field">
                <span>{words.client}</span>
                <Select
                    label=words.client
                    setting="client"
                    options=options(Client::of_agents().map(named))
                    value=move || client.get().id().to_owned()
                    set=choose
                />
            </div>
            <div>{place}</div>
            <div class="pup-snippet" data-name="configuration">
                <Pre text=text/>
                <CopyButton
                    copies
                    name="configuration"
                    text=words.copy
                    label=words.copy_snippet
                    copied=move |()| text()
                />
            </div>
            <div class="b3-label__text">{way}</div>
            <Button name="hide" class=PLAIN text=words.hide press=move |_| room.issued.set(None)/>
        </div>
    }
    .into_any()
}
