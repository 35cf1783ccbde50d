//! The page of agents: each with its ceiling and its token, and everybody else.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use puppy_core::agents::{AgentChange, Agents, AgentsFile};
use puppy_core::grants::Ceiling;
use puppy_core::kernel::Ambient as _;
use puppy_ui_parts::{
    self as parts, Button, Card, CopyLine, Empty, Group, Input, Keyed, Loading, Trouble, fresh,
};
use puppy_ui_web::host::{Element, Host, Mounted};
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::trouble::{Load, StorageTrouble};
use puppy_ui_web::words::chinese;

use crate::agent;
use crate::agents_room::AgentsRoom;
use crate::state::ceilings;

/// Mounts the page in an element of the panel, until the handle is unmounted.
pub fn mount(parent: &Element, host: &Host) -> Mounted {
    chinese::load(host.texts());
    parts::mount(parent, || {
        let room = AgentsRoom::new(host);
        room.read();
        view! { <AgentList room/> }.into_any()
    })
}

#[component]
fn AgentList(room: AgentsRoom) -> AnyView {
    let words = room.words;
    let retry = move |_: MouseEvent| {
        room.load.set(Load::Loading);
        room.read();
    };
    let state = move || {
        let why = match room.load.get() {
            Load::Ready => return view! { <Everybody room/> }.into_any(),
            Load::Loading => return view! { <Loading text=room.panel.loading/> }.into_any(),
            Load::Trouble(StorageTrouble::Broken) => words.broken,
            Load::Trouble(why) => room.panel.why(why),
        };
        view! {
            <Trouble text=why>
                <Button name="retry" text=room.panel.try_again press=retry/>
            </Trouble>
        }
        .into_any()
    };
    view! {
        <Group title=words.title name="agents">
            <div class="pup-hint b3-label__text">{words.about}</div>
            <div class="pup-hint b3-label__text">{words.identity}</div>
            {fresh(state)}
            <div
                class="pup-below b3-label__text"
                class:pup-failure=move || room.said.with(|it| it.1)
                role="status"
                data-name="said"
            >
                {move || room.said.with(|it| it.0.clone())}
            </div>
            <CopyLine copies=room.copies/>
        </Group>
    }
    .into_any()
}

/// The agents by their names, and everybody else.
#[component]
fn Everybody(room: AgentsRoom) -> AnyView {
    let words = room.words;
    let ids = Memo::new(move |_| room.agents.with(ceilings::by_name));
    let rows = move || {
        let row = |id: String| (id.clone(), ViewFn::from(move || agent::line(room, id.clone())));
        ids.get().into_iter().map(row).collect::<Vec<_>>()
    };
    view! {
        <Card>
            <div class="pup-agents">
                <Empty text=words.none shown=Signal::derive(move || ids.with(Vec::is_empty))/>
                <Keyed rows=Signal::derive(rows)/>
                {agent::anyone(room)}
                <NewAgent room/>
            </div>
        </Card>
    }
    .into_any()
}

/// The field for the name of a new agent.
#[component]
fn NewAgent(room: AgentsRoom) -> AnyView {
    let words = room.words;
    let name = RwSignal::new(String::new());
    let add = move || {
        let id = AgentsFile::new_id(PageKernel.random());
        let color = room.agents.with_untracked(Agents::next_color);
        let change = AgentChange::Set {
            id: id.clone(),
            name: name.get_untracked(),
            color,
            ceiling: Ceiling::OPEN,
            until: String::new(),
        };
        room.added.set(id);
        if room.change(change) {
            name.set(String::new());
        }
    };
    let press_enter = parts::keys(move |event| {
        let is_enter = event.key() == "Enter" && !event.is_composing();
        if is_enter {
            add();
        }
        is_enter
    });
    let shown = (!room.readonly).then(|| {
        view! {
            <div class="pup-agent-new" on:keydown=press_enter>
                <Input
                    class="b3-text-field fn__flex-1"
                    label=words.name
                    placeholder=words.new_name
                    value=name
                    input=move |text| name.set(text)
                />
                <Button name="add" text=words.add press=move |_| add()/>
            </div>
        }
    });
    shown.into_any()
}
