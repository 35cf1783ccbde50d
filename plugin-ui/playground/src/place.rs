//! The place where a tried action runs: the own server, as for an agent, or this page, which needs none.

use std::cell::Cell;

use crate::state::servers::{OWN, Place};
use leptos::prelude::*;
use puppy_ui_parts::{Choices, Hint, Toggle};
use puppy_ui_web::host;

use crate::room::Room;
use crate::servers::Servers;

/// The time between two polls of the server, in milliseconds.
const LOOK_MS: u32 = 50;

/// The choice of the place.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    room: Room,
    servers: Servers,
    /// The person's own choice.
    chosen: RwSignal<Option<Place>>,
}

impl Choice {
    pub(crate) fn new(room: Room, servers: Servers) -> Choice {
        Choice { room, servers, chosen: RwSignal::new(None) }
    }

    /// The chosen place, otherwise the usual one; `None` until it is known whether the server answers.
    fn place(self) -> Option<Place> {
        self.chosen.get().or_else(|| Place::usual(self.servers.state(OWN).as_ref()))
    }

    /// The place, as soon as it is known; `None` for a call that was stopped before.
    pub(crate) async fn settled(self, is_stopped: &Cell<bool>) -> Option<Place> {
        loop {
            if is_stopped.get() || self.chosen.is_disposed() {
                return None;
            }
            if let Some(place) = untrack(|| self.place()) {
                return Some(place);
            }
            host::sleep(LOOK_MS).await;
        }
    }
}

/// Both places to choose from, and a hint about the chosen one.
#[component]
pub(crate) fn Places(choice: Choice) -> AnyView {
    let words = choice.room.words;
    let places = [(Place::Server, "server", words.at_server), (Place::Page, "page", words.in_page)];
    let button = move |(own, name, title): (Place, &'static str, &'static str)| {
        view! {
            <Toggle
                text=title
                is_chosen=move || choice.place() == Some(own)
                press=move |_| choice.chosen.set(Some(own))
                attr:data-place=name
            />
        }
    };
    let hint = move || match choice.place() {
        Some(Place::Server) => words.at_server_hint,
        Some(Place::Page) => words.in_page_hint,
        None => words.looking,
    };
    view! {
        <div>
            <Choices label=words.place>{places.map(button).collect_view()}</Choices>
            <Hint text=hint name="place"/>
        </div>
    }
    .into_any()
}
