//! The playground in its place on the page: its parts, and the work that goes on after it is left.

use leptos::prelude::*;
use puppy_ui_parts::{self as parts, Choices, CopyLine, Toggle};
use puppy_ui_web::host::{self, Element, Host, Mounted};
use puppy_ui_web::words::chinese;
use puppy_ui_web::words::tries::TryWords;

use crate::attempt::Attempt;
use crate::calls::Calls;
use crate::connections::Connections;
use crate::prompts::Prompts;
use crate::resources::{AttachedResources, Resources};
use crate::room::Room;
use crate::servers::Servers;

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
pub fn mount(parent: &Element, host: &Host) -> Mounted {
    chinese::load(host.texts());
    let (mut pool, mut hearing) = (None, None);
    let mounted = parts::mount(parent, || {
        let room = Room::new(host);
        let (servers, own) = Servers::new(room);
        pool = Some(own);
        hearing = Some(servers);
        servers.open();
        view! { <Playground room servers/> }.into_any()
    });
    Mounted::new(move || {
        drop(mounted);
        // The page closes immediately; calls that run at a server may finish (B-214).
        if let Some(pool) = pool {
            host::spawn(async move { pool.close().await });
        }
    })
    .hearing(move |address| hearing.iter().for_each(|it| it.move_own(address)))
}

/// The playground: a button for each part, and the parts, of which one is shown.
#[component]
fn Playground(room: Room, servers: Servers) -> AnyView {
    let (words, tries) = (room.words, TryWords::of(&room.lang()));
    let attached = AttachedResources::new();
    let part = RwSignal::new(Part::Actions);
    let titles = [
        (Part::Actions, "actions", words.actions),
        (Part::Connections, "connections", words.connections),
        (Part::Calls, "calls", words.calls),
        (Part::Prompts, "prompts", tries.prompts),
        (Part::Resources, "resources", tries.resources),
    ];
    let shown = move |own: Part| Signal::derive(move || part.get() == own);
    let button = move |(own, name, title): (Part, &'static str, &'static str)| {
        view! { <Toggle text=title is_chosen=shown(own) press=move |_| part.set(own) attr:data-part=name/> }
    };
    view! {
        <div class="pup-playground">
            <Choices label=words.parts class="pup-choices pup-parts">
                {titles.map(button).collect_view()}
            </Choices>
            <Attempt room servers shown=shown(Part::Actions)/>
            <Connections room servers shown=shown(Part::Connections)/>
            <Calls room servers shown=shown(Part::Calls)/>
            <Prompts room servers attached shown=shown(Part::Prompts)/>
            <Resources room servers attached shown=shown(Part::Resources)/>
            <CopyLine copies=room.copies/>
        </div>
    }
    .into_any()
}
