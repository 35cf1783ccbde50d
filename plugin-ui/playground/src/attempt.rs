//! An attempt at an action: where it runs, tool and action, what the action needs and does, and its form.

use std::cell::Cell;
use std::rc::Rc;

use crate::state::answer::Tried;
use crate::state::form::{Entries, Form};
use crate::state::servers::{OWN, Place};
use puppy_core::find::{action_named, actions_of};
use puppy_core::part::Grouping;
use puppy_core::registry::ACTIONS;
use puppy_core::render::result;
use puppy_core::spec::{ActionSpec, Tool};
use puppy_mcp_client::connection::{Stop, Stopping};
use puppy_ui_parts as parts;
use puppy_ui_parts::el::{El, el, is_checked, typed};
use puppy_ui_web::host::Bridge;
use puppy_ui_web::words::{actions, fill};
use reactive_graph::computed::Memo;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use serde_json::{Map, Value, json};

use crate::place::Choice;
use crate::room::Room;
use crate::run::{Ended, Run};
use crate::servers::Servers;
use crate::{answer, fields, through};

/// The signals of an attempt.
#[derive(Clone, Copy)]
struct Attempt {
    room: Room,
    spec: RwSignal<&'static ActionSpec>,
    entries: RwSignal<Entries>,
    is_preview: RwSignal<bool>,
    servers: Servers,
    place: Choice,
    run: Run,
}

/// The view; nothing where there is no action to try.
pub(crate) fn view(room: Room, servers: Servers) -> El {
    let Some(first) = ACTIONS.first() else { return el("div", "") };
    let attempt = Attempt {
        room,
        spec: RwSignal::new(first),
        entries: RwSignal::new(Entries::default()),
        is_preview: RwSignal::new(true),
        servers,
        place: Choice::new(room, servers),
        run: Run::new(room),
    };
    let words = room.words;
    let card = el("div", "config-items pup-card-body");
    let card = card.put(attempt.place.view()).put(attempt.picks()).put(attempt.about());
    let card =
        card.put(el("div", "").shows(move || {
            fields::fields(room, "here", &Form::of_action(attempt.spec.get()), attempt.entries)
        }));
    let group = parts::group(words.try_action).attr("data-name", "attempt").put(parts::hint(words.try_hint));
    el("div", "").put(group.put(card.put(attempt.bar()))).put(answer::view(room, attempt.run.answer))
}

impl Attempt {
    /// Takes another action.
    fn take(self, spec: &'static ActionSpec) {
        self.run.clear();
        self.entries.set(Entries::default());
        self.is_preview.set(true);
        self.spec.set(spec);
    }

    /// The arguments as they are sent, `action` included.
    fn arguments(self) -> Map<String, Value> {
        let spec = self.spec.get_untracked();
        let mut arguments = Map::from_iter([("action".to_owned(), json!(spec.name))]);
        let entered = self.entries.with_untracked(|it| Form::of_action(spec).arguments(it));
        arguments.extend(entered);
        if spec.has_preview() && self.is_preview.get_untracked() {
            arguments.insert("preview".to_owned(), json!(true));
        }
        arguments
    }

    fn start(self) {
        let Some(bridge) = self.room.bridge() else { return };
        let (number, arguments, spec) = (self.run.number(), self.arguments(), self.spec.get_untracked());
        let (stop, stopping) = Stop::new();
        let is_stopped = Rc::new(Cell::new(false));
        let is_here = Rc::new(Cell::new(false));
        let (halting, stopped, here) = (bridge.share(), is_stopped.clone(), is_here.clone());
        let halt = move || {
            stopped.set(true);
            stop.stop();
            // Nothing is loaded only to be stopped.
            if here.get() {
                halting.halt(number);
            }
        };
        self.run.start(halt, async move {
            match self.place.settled(&is_stopped).await {
                None => Ended::Stopped,
                Some(Place::Server) => self.at_server(spec, arguments, stopping).await,
                Some(Place::Page) => {
                    is_here.set(true);
                    self.in_page(&bridge, number, spec, &arguments).await
                }
            }
        });
    }

    /// Runs a call at the own server, as an agent's.
    async fn at_server(self, spec: &ActionSpec, arguments: Map<String, Value>, stopping: Stopping) -> Ended {
        let own = untrack(|| self.servers.id(OWN)).and_then(|id| self.servers.connection(id));
        let Some(own) = own else { return Ended::Failed(self.room.words.server_is_off.to_owned()) };
        // A server whose tools are split has one of its own for what changes something.
        let names = [Grouping::Split, Grouping::Grouped]
            .map(|it| format!("{}{}", spec.tool.name(), it.part_of(spec).suffix()));
        let offers = |name: &&String| own.with_offer(|it| it.tools.iter().any(|it| it.name == **name));
        let tool = names.iter().find(offers).map_or(spec.tool.name(), String::as_str);
        through::call(self.room, self.run, own.clone(), tool, arguments, stopping).await
    }

    /// Runs a call in this page.
    async fn in_page(
        self,
        bridge: &Bridge,
        number: u32,
        spec: &ActionSpec,
        arguments: &Map<String, Value>,
    ) -> Ended {
        let call = json!({ "tool": spec.tool.name(), "arguments": arguments }).to_string();
        match bridge.act(number, &call).await.as_deref().and_then(Tried::parse) {
            Some(Tried::Answered(answer)) => Ended::Answered(answer),
            Some(Tried::Stopped) => Ended::Stopped,
            None => Ended::Failed(self.room.words.actions_not_loaded.to_owned()),
        }
    }

    /// Tool and action.
    fn picks(self) -> El {
        let words = self.room.words;
        let tools = Tool::ALL.into_iter().filter(|it| actions_of(*it).next().is_some());
        let tools = tools.map(|it| el("option", "").attr("value", it.name()).text(it.name()));
        let tool =
            el("select", "b3-select").attr("data-pick", "tool").attr("aria-label", words.tool).all(tools);
        let tool = tool.value(move || self.spec.get().tool.name()).on("change", move |event| {
            let first = Tool::named(&typed(event)).and_then(|it| actions_of(it).next());
            if let Some(first) = first {
                self.take(first);
            }
        });
        let of = Memo::new(move |_| self.spec.get().tool);
        let actions = el("span", "").shows(move || {
            let tool = of.get();
            let options = actions_of(tool).map(|it| el("option", "").attr("value", it.name).text(it.name));
            let pick = el("select", "b3-select").attr("data-pick", "action").attr("aria-label", words.action);
            let pick = pick.all(options).value(move || self.spec.get().name);
            pick.on("change", move |event| {
                if let Some(found) = action_named(tool, &typed(event)) {
                    self.take(found);
                }
            })
        });
        el("div", "pup-choices").put(tool).put(actions)
    }

    /// What the action is, needs and does.
    fn about(self) -> El {
        let (words, panel) = (self.room.words, self.room.panel);
        el("div", "pup-about").shows(move || {
            let spec = self.spec.get();
            let level = spec.level().map(|it| fill(panel.needs, &[("level", panel.level(it))]));
            let effect = if spec.worst == spec.effect {
                panel.effect(spec.effect).to_owned()
            } else {
                fill(
                    words.at_worst,
                    &[("usual", panel.effect(spec.effect)), ("worst", panel.effect(spec.worst))],
                )
            };
            let default = (!spec.default_on).then(|| panel.off_by_default.to_owned());
            let facts: Vec<String> = [Some(effect), level, default].into_iter().flatten().collect();
            let told = actions::action(&self.room.lang(), spec);
            let about = el("div", "").put(el("div", "").text(told.summary));
            let about = about.put(el("div", "pup-quiet").attr("data-name", "facts").text(&facts.join(" · ")));
            let Some(danger) = told.danger else { return about };
            let danger = el("div", "pup-danger").attr("role", "note").text("⚠\u{fe0e} ").text(danger);
            about.put(danger.text(" ").text(words.you_are_asked))
        })
    }

    /// The buttons below the form.
    fn bar(self) -> El {
        let words = self.room.words;
        // No setting: it is for this form, and the search does not lead here.
        let preview =
            el("input", "b3-switch fn__flex-center").attr("type", "checkbox").attr("data-do", "preview");
        let preview = preview.checked(move || self.is_preview.get());
        let preview = preview.on("change", move |event| self.is_preview.set(is_checked(event)));
        let names = el("div", "fn__flex-1").put(el("div", "config-name").text(words.preview));
        let names = names.put(parts::hint(words.preview_hint));
        let preview =
            el("label", "fn__flex b3-label config-item").put(names).put(parts::space()).put(preview);
        let preview = preview.shown_if(move || self.spec.get().has_preview());
        let title = move || {
            let is_preview = self.spec.get().has_preview() && self.is_preview.get();
            if is_preview { words.run_preview } else { words.run }
        };
        let run = self.run.button(title, move || self.start());
        let example = parts::button("example", words.example);
        let example =
            example.click(move || self.entries.set(Form::of_action(self.spec.get_untracked()).example()));
        let command = self.room.copy_button("command", words.as_command, move || {
            let mut arguments = self.arguments();
            arguments.remove("action");
            let spec = self.spec.get_untracked();
            result::as_command(spec.tool, spec.name, &arguments)
        });
        let call = self.room.copy_button("call", words.as_call, move || {
            through::message(self.spec.get_untracked().tool.name(), &self.arguments())
        });
        let buttons = el("div", "pup-buttons").put(run).put(example).put(command).put(call);
        el("div", "").put(preview).put(buttons.put(self.run.line()))
    }
}
