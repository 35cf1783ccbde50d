//! An attempt at an action: where it runs, tool and action, what the action needs and does, and its form.

use std::cell::Cell;
use std::rc::Rc;

use crate::state::answer::PageCallResult;
use crate::state::form::{Entries, Form};
use crate::state::servers::{OWN, Place};
use leptos::prelude::*;
use puppy_core::find::{action_named, actions_of};
use puppy_core::part::Grouping;
use puppy_core::registry::ACTIONS;
use puppy_core::render::result;
use puppy_core::spec::{ActionSpec, Tool};
use puppy_mcp_client::connection::{Stop, StopRegistration};
use puppy_ui_parts::{Button, CopyButton, Group, Hint, Select, Space, coded, fresh, options};
use puppy_ui_web::host::Host;
use puppy_ui_web::words::{actions, fill};
use serde_json::{Map, Value, json};

use crate::answer::Answered;
use crate::fields::fields;
use crate::place::{Choice, Places};
use crate::room::Room;
use crate::run::{CallEnd, Run, RunButton, RunLine};
use crate::servers::Servers;
use crate::through;

/// The signals of an attempt.
#[derive(Clone, Copy)]
struct AttemptSignals {
    room: Room,
    spec: RwSignal<&'static ActionSpec>,
    entries: RwSignal<Entries>,
    is_preview: RwSignal<bool>,
    servers: Servers,
    place: Choice,
    run: Run,
}

/// The part of the playground; empty where there is no action to try.
#[component]
pub(crate) fn Attempt(room: Room, servers: Servers, shown: Signal<bool>) -> AnyView {
    let is_hidden = move || !shown.get();
    let Some(first) = ACTIONS.first() else {
        return view! { <div class:fn__none=is_hidden></div> }.into_any();
    };
    let attempt = AttemptSignals {
        room,
        spec: RwSignal::new(first),
        entries: RwSignal::new(Entries::default()),
        is_preview: RwSignal::new(true),
        servers,
        place: Choice::new(room, servers),
        run: Run::new(room),
    };
    let form = move || fields(room, "here", &Form::of_action(attempt.spec.get()), attempt.entries);
    view! {
        <div class:fn__none=is_hidden>
            <Group title=room.words.try_action name="attempt">
                <Hint text=room.words.try_hint/>
                <div class="config-items pup-card-body">
                    <Places choice=attempt.place/>
                    <Picks attempt/>
                    <div class="pup-about">{move || about(room, attempt.spec.get())}</div>
                    <div>{fresh(form)}</div>
                    <Bar attempt/>
                </div>
            </Group>
            <Answered room answer=attempt.run.answer/>
        </div>
    }
    .into_any()
}

impl AttemptSignals {
    /// Chooses another action.
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
        let Some(host) = self.room.host() else { return };
        let (number, arguments, spec) = (self.run.number(), self.arguments(), self.spec.get_untracked());
        let (stop, stopping) = Stop::new();
        let is_stopped = Rc::new(Cell::new(false));
        let is_here = Rc::new(Cell::new(false));
        let (halting, stopped, here) = (host.share(), is_stopped.clone(), is_here.clone());
        let halt = move || {
            stopped.set(true);
            stop.stop();
            // The module of the actions is not loaded only to stop a call.
            if here.get() {
                halting.halt(number);
            }
        };
        self.run.start(halt, async move {
            match self.place.settled(&is_stopped).await {
                None => CallEnd::Stopped,
                Some(Place::Server) => self.at_server(spec, arguments, stopping).await,
                Some(Place::Page) => {
                    is_here.set(true);
                    self.in_page(&host, number, spec, &arguments).await
                }
            }
        });
    }

    /// Runs a call at the plugin's own server, like the call of an agent.
    async fn at_server(
        self,
        spec: &ActionSpec,
        arguments: Map<String, Value>,
        stopping: StopRegistration,
    ) -> CallEnd {
        let own = untrack(|| self.servers.id(OWN)).and_then(|id| self.servers.connection(id));
        let Some(own) = own else { return CallEnd::Failed(self.room.words.server_is_off.to_owned()) };
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
        host: &Host,
        number: u32,
        spec: &ActionSpec,
        arguments: &Map<String, Value>,
    ) -> CallEnd {
        let call = json!({ "tool": spec.tool.name(), "arguments": arguments }).to_string();
        match host.act(number, &call).await.as_deref().and_then(PageCallResult::parse) {
            Some(PageCallResult::Answered(answer)) => CallEnd::Answered(answer),
            Some(PageCallResult::Stopped) => CallEnd::Stopped,
            None => CallEnd::Failed(self.room.words.actions_not_loaded.to_owned()),
        }
    }
}

/// Tool and action.
#[component]
fn Picks(attempt: AttemptSignals) -> AnyView {
    let words = attempt.room.words;
    let tools = Tool::ALL.into_iter().filter(|it| actions_of(*it).next().is_some());
    let lang = attempt.room.lang();
    let tools = options(tools.map(|it| {
        let name = actions::tool(&lang, it).name.unwrap_or_default();
        (it.name(), [name, " (", it.name(), ")"].concat())
    }));
    let take_first = move |name: String| {
        let first = Tool::named(&name).and_then(|it| actions_of(it).next());
        if let Some(first) = first {
            attempt.take(first);
        }
    };
    let take = move |name: String| {
        if let Some(found) = action_named(attempt.spec.get_untracked().tool, &name) {
            attempt.take(found);
        }
    };
    let tool = Memo::new(move |_| attempt.spec.get().tool);
    view! {
        <div class="pup-choices">
            <Select
                options=tools
                value=move || attempt.spec.get().tool.name().to_owned()
                set=take_first
                label=words.tool
                attr:data-pick="tool"
            />
            <span>
                <Select
                    options=move || options(actions_of(tool.get()).map(|it| (it.name, it.name)))
                    value=move || attempt.spec.get().name.to_owned()
                    set=take
                    label=words.action
                    attr:data-pick="action"
                />
            </span>
        </div>
    }
    .into_any()
}

/// The summary of an action, its level and effect, and its danger.
fn about(room: Room, spec: &ActionSpec) -> AnyView {
    let (words, panel) = (room.words, room.panel);
    let level = spec.level().map(|it| fill(panel.needs, &[("level", panel.level(it))]));
    let effect = if spec.worst == spec.effect {
        panel.effect(spec.effect).to_owned()
    } else {
        fill(words.at_worst, &[("usual", panel.effect(spec.effect)), ("worst", panel.effect(spec.worst))])
    };
    let default = (!spec.default_on).then(|| panel.off_by_default.to_owned());
    let facts: Vec<String> = [Some(effect), level, default].into_iter().flatten().collect();
    let wording = actions::action(&room.lang(), spec);
    let danger = wording.danger.map(|danger| {
        view! {
            <div class="pup-danger" role="note">"⚠\u{fe0e} "{danger}" "{words.you_are_asked}</div>
        }
    });
    view! {
        <div>
            <div>{coded(wording.summary)}</div>
            <div class="pup-quiet" data-name="facts">{facts.join(" · ")}</div>
            {danger}
        </div>
    }
    .into_any()
}

/// The buttons below the form.
#[component]
fn Bar(attempt: AttemptSignals) -> AnyView {
    let (words, copies) = (attempt.room.words, attempt.room.copies);
    let (spec, is_preview) = (attempt.spec, attempt.is_preview);
    let title = move || {
        let is_preview = spec.get().has_preview() && is_preview.get();
        if is_preview { words.run_preview } else { words.run }
    };
    let command = move |()| {
        let mut arguments = attempt.arguments();
        arguments.remove("action");
        let spec = spec.get_untracked();
        result::as_command(spec.tool, spec.name, &arguments)
    };
    let call = move |()| through::message(spec.get_untracked().tool.name(), &attempt.arguments());
    // The switch is no setting: it belongs to this form, and the panel's search does not lead here.
    view! {
        <div>
            <label class="fn__flex b3-label config-item" class:fn__none=move || !spec.get().has_preview()>
                <div class="fn__flex-1">
                    <div class="config-name">{words.preview}</div>
                    <Hint text=words.preview_hint/>
                </div>
                <Space/>
                <input
                    class="b3-switch fn__flex-center"
                    type="checkbox"
                    data-do="preview"
                    prop:checked=is_preview
                    on:change=move |event| is_preview.set(event_target_checked(&event))
                />
            </label>
            <div class="pup-buttons">
                <RunButton run=attempt.run title start=move |()| attempt.start()/>
                <Button
                    name="example"
                    text=words.example
                    press=move |_| attempt.entries.set(Form::of_action(spec.get_untracked()).example())
                />
                <CopyButton copies action="copy" name="command" text=words.as_command copied=command/>
                <CopyButton copies action="copy" name="call" text=words.as_call copied=call/>
                <RunLine run=attempt.run/>
            </div>
        </div>
    }
    .into_any()
}
