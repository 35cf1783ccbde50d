//! Calls of servers' tools: the tool, its form, and the run through its connection.

use crate::state::form::{Entries, Form};
use leptos::prelude::*;
use puppy_mcp_client::connection::{Connection, Stop};
use puppy_mcp_client::index::IndexedTool;
use puppy_mcp_client::offer::Tool;
use puppy_ui_parts::{CopyButton, Empty, Group, Hint, Select, fresh, options};
use serde_json::{Map, Value};

use crate::answer::Answered;
use crate::fields::fields;
use crate::room::Room;
use crate::run::{Run, RunButton, RunLine};
use crate::servers::Servers;
use crate::state::connection_text::seen;
use crate::through;

/// The signals of calls.
#[derive(Clone, Copy)]
struct CallSignals {
    room: Room,
    servers: Servers,
    /// The name of the tool in the index; empty for the first one.
    chosen: RwSignal<String>,
    entries: RwSignal<Entries>,
    run: Run,
}

/// The part of the playground.
#[component]
pub(crate) fn Calls(room: Room, servers: Servers, shown: Signal<bool>) -> AnyView {
    let calls = CallSignals {
        room,
        servers,
        chosen: RwSignal::new(String::new()),
        entries: RwSignal::new(Entries::default()),
        run: Run::new(room),
    };
    let words = room.words;
    let names = Memo::new(move |_| servers.tools().into_iter().map(|it| it.name).collect::<Vec<_>>());
    let tool = Memo::new(move |_| calls.tool());
    let has_none = move || names.with(Vec::is_empty);
    let form = move || match tool.get() {
        Some((_, tool)) => fields(room, "call", &Form::of_schema(&tool.input_schema), calls.entries),
        None => view! { <div></div> }.into_any(),
    };
    let copied = move |()| {
        let Some((_, tool)) = untrack(|| calls.tool()) else { return String::new() };
        through::message(&tool.name, &calls.arguments(&tool))
    };
    view! {
        <div class:fn__none=move || !shown.get()>
            <Group title=words.call_tool name="call">
                <Hint text=words.call_hint/>
                <Empty text=words.nothing_connected is_card=true shown=has_none/>
                <div class="config-items pup-card-body" class:fn__none=has_none>
                    <div class="pup-choices">
                        <Select
                            options=move || options(names.get().into_iter().map(|it| (it.clone(), seen(&it))))
                            value=move || tool.with(|it| it.as_ref().map(|it| it.0.clone()).unwrap_or_default())
                            set=move |name: String| calls.take(name)
                            label=words.tool
                            attr:data-pick="server-tool"
                        />
                    </div>
                    <div>{move || about(room, tool.get().map(|it| it.1))}</div>
                    <div>{fresh(form)}</div>
                    <div class="pup-buttons">
                        <RunButton run=calls.run title=words.run start=move |()| calls.start()/>
                        <CopyButton
                            copies=room.copies
                            action="copy"
                            name="server-call"
                            text=words.as_call
                            copied
                        />
                        <RunLine run=calls.run/>
                    </div>
                </div>
            </Group>
            <Answered room answer=calls.run.answer/>
        </div>
    }
    .into_any()
}

/// The server's own description of a tool.
fn about(room: Room, tool: Option<Tool>) -> AnyView {
    let Some(tool) = tool else { return view! { <div></div> }.into_any() };
    let hint = |key: &str| tool.annotations.get(key) == Some(&Value::Bool(true));
    let said = if hint("readOnlyHint") {
        room.words.says_reads
    } else if hint("destructiveHint") {
        room.words.says_destroys
    } else {
        ""
    };
    let title = tool.title.unwrap_or(tool.name);
    view! {
        <div class="pup-about">
            <div class="config-name">{seen(&title)}</div>
            <div class="pup-lines">{seen(&tool.description)}</div>
            <div class="pup-quiet">{said}</div>
        </div>
    }
    .into_any()
}

impl CallSignals {
    fn take(self, name: String) {
        self.run.clear();
        self.entries.set(Entries::default());
        self.chosen.set(name);
    }

    /// The tool that is chosen, with its name in the index, and where it is; the first one where none is.
    fn found(self) -> Option<(IndexedTool, Connection)> {
        let all = self.servers.tools();
        let chosen =
            self.chosen.with(|name| all.iter().find(|it| it.name == *name).or(all.first()).cloned())?;
        let connection = self.servers.connection(chosen.server)?;
        Some((chosen, connection))
    }

    fn tool(self) -> Option<(String, Tool)> {
        let (chosen, connection) = self.found()?;
        let tool = connection.with_offer(|it| it.tools.iter().find(|it| it.name == chosen.tool).cloned())?;
        Some((chosen.name, tool))
    }

    /// The arguments as they are sent.
    fn arguments(self, tool: &Tool) -> Map<String, Value> {
        self.entries.with_untracked(|it| Form::of_schema(&tool.input_schema).arguments(it))
    }

    fn start(self) {
        let (Some((_, connection)), Some((_, tool))) = untrack(|| (self.found(), self.tool())) else {
            return;
        };
        let arguments = self.arguments(&tool);
        let (stop, stopping) = Stop::new();
        self.run.start(move || stop.stop(), async move {
            through::call(self.room, self.run, connection, &tool.name, arguments, stopping).await
        });
    }
}
