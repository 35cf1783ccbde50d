//! The four steps to the first call of an agent, in place of numbers that are all zero.

use leptos::prelude::*;
use puppy_core::clients::Client;
use puppy_ui_parts::{Button, Card, Copies, CopyButton, CopyLine, Group, Hint, PLAIN, Row};
use puppy_ui_web::host;
use puppy_ui_web::state::server::ServerPhase;
use puppy_ui_web::words::connection::ConnectionWords;

use super::{HomeSignals, Way};
use crate::pages::connection::CLIENT_KEY;
use crate::state::page::PanelPage;

/// The steps; the last one is done when the page shows calls in their place.
pub(super) fn steps(page: HomeSignals) -> AnyView {
    let (words, store) = (page.words, page.store);
    let server = ConnectionWords::of(&store.lang());
    let copies = Copies::new(&store.lang(), store.host);
    let runs = page.status.with(|it| it.word(page.connected.get()) == ServerPhase::Running.word());
    let is_taken = host::remembered(CLIENT_KEY).is_some();
    let is_chosen =
        store.levels.with(|draft| store.notebooks.with(|ids| ids.iter().any(|it| !draft.is_default(&it.id))));
    let way = move |to: PanelPage| view! { <Way store title=to.title(store.words) to/> }.into_any();
    let client = move |client: Client| {
        let title = if client.title().is_empty() { server.other } else { client.title() };
        let go = move || {
            store.wanted.set(client.id().to_owned());
            store.go(PanelPage::Connection);
        };
        view! { <Button class=PLAIN text=title press=move |_| go() attr:data-client=client.id()/> }
    };
    let clients = view! { <div class="pup-chips">{Client::ALL.map(client).collect_view()}</div> }.into_any();
    let copy =
        view! { <CopyButton copies name="first" text=server.copy copied=move |()| words.first.to_owned()/> };
    let present = view! { <Hint text=move || page.server() role="status"/> }.into_any();
    let levels = view! { <Hint text=page.levels()/> }.into_any();
    let first = view! { <Hint text=words.first/> }.into_any();
    let steps = [
        (runs, "server", server.server, present, way(PanelPage::Connection)),
        (is_taken, "client", server.clients, clients, ().into_any()),
        (is_chosen, "levels", words.choose, levels, way(PanelPage::Permissions)),
        (false, "first", words.say, first, copy.into_any()),
    ];
    let step = |(is_done, key, name, below, way)| {
        let state = if is_done { words.done } else { words.open };
        view! {
            <Row key name below>
                <span class="pup-step pup-quiet">{state}</span>
                {way}
            </Row>
        }
    };
    view! {
        <Group title=words.steps name="steps">
            <Card>{steps.map(step).collect_view()}</Card>
            <CopyLine copies/>
        </Group>
    }
    .into_any()
}
