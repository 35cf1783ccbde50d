//! A token that was just issued: shown once, with the configuration of the person's client.

use leptos::prelude::*;
use puppy_core::clients::Client;
use puppy_ui_parts::{Button, CopyButton, PLAIN, Pre, Select, fresh, options};
use puppy_ui_web::words::fill;

use crate::agents_room::{AgentsRoom, IssuedToken};
use crate::state::ceilings::{TokenWay, clients, configuration};

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
        if let Some(chosen) = clients().find(|it| it.id() == id) {
            client.set(chosen);
        }
    };
    let copied = token.clone();
    let values = StoredValue::new((url, token.clone()));
    let text = move || values.with_value(|(url, token)| configuration(client.get(), url, token));
    let place = move || match text().1 {
        "" => words.enter_this.to_owned(),
        file => fill(words.put_into, &[("file", file)]),
    };
    let way = move || match text().2 {
        TokenWay::Within => "",
        TokenWay::Variable => words.variable,
        TokenWay::Asks => words.asks,
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
                    options=options(clients().map(named))
                    value=move || client.get().id().to_owned()
                    set=choose
                />
            </div>
            <div>{place}</div>
            <div class="pup-snippet" data-name="configuration">
                <Pre text=move || text().0/>
                <CopyButton
                    copies
                    name="configuration"
                    text=words.copy
                    label=words.copy_snippet
                    copied=move |()| text().0
                />
            </div>
            <div class="b3-label__text">{way}</div>
            <Button name="hide" class=PLAIN text=words.hide press=move |_| room.issued.set(None)/>
        </div>
    }
    .into_any()
}
