//! The playground in its place on the page: its parts, and what happens when it is left.

use puppy_ui_parts as parts;
use puppy_ui_parts::el::{self, El, el};
use puppy_ui_web::host::{self, Bridge, Element, Mounted};
use puppy_ui_web::words::chinese;
use puppy_ui_web::words::tries::TryWords;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::resources::Attached;
use crate::room::Room;
use crate::servers::Servers;
use crate::{attempt, calls, connections, prompts, resources};

/// A part of the playground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Actions,
    Connections,
    Calls,
    Prompts,
    Resources,
}

/// Mounts the playground in an element of the page, until the handle is unmounted.
pub fn mount(parent: &Element, bridge: &Bridge) -> Mounted {
    chinese::load(bridge.texts());
    let mut pool = None;
    let mounted = el::mount(parent, || {
        let room = Room::new(bridge);
        let (servers, own) = Servers::new(room);
        pool = Some(own);
        servers.open();
        view(room, servers)
    });
    Mounted::new(move || {
        drop(mounted);
        // The page is left at once; what runs there gets its time (B-214).
        if let Some(pool) = pool {
            host::spawn(async move { pool.close().await });
        }
    })
}

fn view(room: Room, servers: Servers) -> El {
    let (words, tries) = (room.words, TryWords::of(&room.lang()));
    let attached = Attached::new();
    let part = RwSignal::new(Part::Actions);
    let titles = [
        (Part::Actions, "actions", words.actions),
        (Part::Connections, "connections", words.connections),
        (Part::Calls, "calls", words.calls),
        (Part::Prompts, "prompts", tries.prompts),
        (Part::Resources, "resources", tries.resources),
    ];
    let buttons = titles.map(|(own, name, title)| {
        let button = parts::toggle(title, move || part.get() == own).attr("data-part", name);
        button.click(move || part.set(own))
    });
    let choices = el("div", "pup-choices pup-parts").attr("role", "group").attr("aria-label", words.parts);
    let shown = |own: Part, view: El| view.shown_if(move || part.get() == own);
    el("div", "pup-playground")
        .put(choices.all(buttons))
        .put(shown(Part::Actions, attempt::view(room, servers)))
        .put(shown(Part::Connections, connections::view(room, servers)))
        .put(shown(Part::Calls, calls::view(room, servers)))
        .put(shown(Part::Prompts, prompts::view(room, servers, attached)))
        .put(shown(Part::Resources, resources::view(room, servers, attached)))
        .put(room.copies.line())
}
