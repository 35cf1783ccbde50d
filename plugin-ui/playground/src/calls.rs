//! Calls of servers' tools: the tool, its form, and the run through its connection.

use crate::state::form::{Entries, Form};
use puppy_mcp_client::connection::{Connection, Stop};
use puppy_mcp_client::index::Indexed;
use puppy_mcp_client::offer::Tool;
use puppy_ui_parts as parts;
use puppy_ui_parts::el::{El, el, typed};
use reactive_graph::computed::Memo;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use serde_json::Value;

use crate::room::Room;
use crate::run::Run;
use crate::servers::Servers;
use crate::{answer, fields, through};

/// The signals of calls.
#[derive(Clone, Copy)]
struct Calls {
    room: Room,
    servers: Servers,
    /// The name of the tool in the index; empty for the first one.
    chosen: RwSignal<String>,
    entries: RwSignal<Entries>,
    run: Run,
}

pub(crate) fn view(room: Room, servers: Servers) -> El {
    let calls = Calls {
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
    let pick = el("div", "pup-choices").shows(move || {
        let options = names.get();
        let options = options.iter().map(|name| el("option", "").attr("value", name).text(name));
        let pick = el("select", "b3-select").attr("data-pick", "server-tool").attr("aria-label", words.tool);
        let pick = pick
            .all(options)
            .value(move || tool.with(|it| it.as_ref().map(|it| it.0.clone()).unwrap_or_default()));
        pick.on("change", move |event| calls.take(typed(event)))
    });
    let about =
        el("div", "").shows(move || tool.get().map_or_else(|| el("div", ""), |(_, tool)| about(room, &tool)));
    let form = el("div", "").shows(move || match tool.get() {
        Some((_, tool)) => fields::fields(room, "call", &Form::of_schema(&tool.input_schema), calls.entries),
        None => el("div", ""),
    });
    let copy = room.copy_button("server-call", words.as_call, move || {
        let Some((_, tool)) = untrack(|| calls.tool()) else { return String::new() };
        through::message(
            &tool.name,
            &calls.entries.with_untracked(|it| Form::of_schema(&tool.input_schema).arguments(it)),
        )
    });
    let run = calls.run.button(|| words.run, move || calls.start());
    let buttons = el("div", "pup-buttons").put(run).put(copy).put(calls.run.line());
    let card = el("div", "config-items pup-card-body").put(pick).put(about).put(form).put(buttons);
    let none = el("div", "pup-empty config-items")
        .attr("role", "status")
        .text(words.nothing_connected)
        .shown_if(has_none);
    let group =
        parts::group(words.call_tool).attr("data-name", "call").put(parts::hint(words.call_hint)).put(none);
    let group = group.put(card.shown_if(move || !has_none()));
    el("div", "").put(group).put(answer::view(room, calls.run.answer))
}

/// What a tool says of itself.
fn about(room: Room, tool: &Tool) -> El {
    let hint = |key: &str| tool.annotations.get(key) == Some(&Value::Bool(true));
    let said = if hint("readOnlyHint") {
        room.words.says_reads
    } else if hint("destructiveHint") {
        room.words.says_destroys
    } else {
        ""
    };
    let title = tool.title.as_deref().unwrap_or(&tool.name);
    let about = el("div", "pup-about").put(el("div", "config-name").text(title));
    about.put(el("div", "pup-lines").text(&tool.description)).put(el("div", "pup-quiet").text(said))
}

impl Calls {
    fn take(self, name: String) {
        self.run.clear();
        self.entries.set(Entries::default());
        self.chosen.set(name);
    }

    /// The tool that is chosen, with its name in the index, and where it is; the first one where none is.
    fn found(self) -> Option<(Indexed, Connection)> {
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

    fn start(self) {
        let (Some((_, connection)), Some((_, tool))) = untrack(|| (self.found(), self.tool())) else {
            return;
        };
        let arguments = self.entries.with_untracked(|it| Form::of_schema(&tool.input_schema).arguments(it));
        let (stop, stopping) = Stop::new();
        self.run.start(move || stop.stop(), async move {
            through::call(self.room, self.run, connection, &tool.name, arguments, stopping).await
        });
    }
}
