//! An agent: its line, and opened its settings and its token.

use std::collections::BTreeSet;

use leptos::prelude::*;
use puppy_core::agents::{AgentChange, AgentColor, LastDay};
use puppy_core::grants::{Ceiling, Level};
use puppy_core::kernel::api::notebook::Notebook;
use puppy_ui_parts::{Button, Check, Choices, PLAIN, Select, Toggle, fresh, is_open, options};
use puppy_ui_web::words::fill;

use crate::agents_room::AgentsRoom;
use crate::issued_token;
use crate::state::ceilings;

/// The choice of all notebooks.
const ALL: &str = "all";
/// The choice of some notebooks.
const CHOSEN: &str = "chosen";

/// Saves another ceiling.
type SaveCeiling = Callback<Ceiling>;

/// The line of an agent.
pub(crate) fn line(room: AgentsRoom, id: String) -> AnyView {
    let words = room.words;
    let is_new = room.added.get_untracked() == id;
    let opened = RwSignal::new(is_new);
    let key = id.clone();
    let agent = Memo::new(move |_| room.agent(&id));
    let name = move || agent.with(|it| it.as_ref().map(|it| it.name.clone()).unwrap_or_default());
    let color = move || agent.with(|it| it.as_ref().map(|it| it.color).unwrap_or_default().word());
    let about = move || {
        agent.with(|it| {
            let Some(it) = it else { return String::new() };
            let end = ceilings::end(words, &it.until, &AgentsRoom::today());
            ceilings::summary(words, room.panel, &it.ceiling, end)
        })
    };
    let content_key = key.clone();
    let content = move || match opened.get() {
        true => settings(room, &content_key),
        false => ().into_any(),
    };
    view! {
        <details
            class="pup-agent"
            data-agent=key
            open=is_new
            on:toggle=move |event| if is_open(&event) && !opened.get_untracked() { opened.set(true) }
        >
            <summary>
                <span class="pup-collar" data-color=color aria-hidden="true"></span>
                <span class="pup-agent-name">{name}</span>
                " "
                <span class="pup-quiet">{about}</span>
            </summary>
            {fresh(content)}
        </details>
    }
    .into_any()
}

/// The line of everybody who is no agent of the list.
pub(crate) fn anyone(room: AgentsRoom) -> AnyView {
    let words = room.words;
    let ceiling = Memo::new(move |_| room.agents.with(|it| it.anyone.clone()));
    let save = Callback::new(move |ceiling| {
        room.change(AgentChange::Anyone(ceiling));
    });
    let about = move || ceiling.with(|it| ceilings::summary(words, room.panel, it, None));
    view! {
        <details class="pup-agent" data-agent="anyone">
            <summary>
                <span class="pup-collar" aria-hidden="true"></span>
                <span class="pup-agent-name">{words.anyone}</span>
                " "
                <span class="pup-quiet">{about}</span>
            </summary>
            <div class="pup-agent-in">
                <div class="b3-label__text">{words.anyone_hint}</div>
                {limits(room, ceiling, save)}
            </div>
        </details>
    }
    .into_any()
}

fn settings(room: AgentsRoom, id: &str) -> AnyView {
    let words = room.words;
    let id = StoredValue::new(id.to_owned());
    let agent = Memo::new(move |_| room.agent(&id.get_value()));
    let ceiling =
        Memo::new(move |_| agent.with(|it| it.as_ref().map(|it| it.ceiling.clone()).unwrap_or_default()));
    let save = Callback::new(move |ceiling| {
        room.edit(&id.get_value(), |it| it.ceiling = ceiling);
    });
    let name = move || agent.with(|it| it.as_ref().map(|it| it.name.clone()).unwrap_or_default());
    let day =
        move || agent.with(|it| it.as_ref().and_then(|it| it.until.day()).unwrap_or_default().to_owned());
    let rename = move |event| {
        let text = event_target_value(&event);
        room.edit(&id.get_value(), |it| it.name = text);
    };
    let set_day = move |event| {
        let day = event_target_value(&event);
        room.edit(&id.get_value(), |it| {
            it.until = if day.is_empty() { LastDay::Never } else { LastDay::On(day) }
        });
    };
    let swatch = move |color: AgentColor| {
        let text = ceilings::color(words, color);
        view! {
            <Toggle
                text=""
                is_chosen=move || agent.with(|it| it.as_ref().is_some_and(|it| it.color == color))
                press=move |_| {
                    room.edit(&id.get_value(), |it| it.color = color);
                }
                attr:data-color=color.word()
                attr:title=text
            >
                <span class="pup-collar" data-color=color.word() aria-hidden="true"></span>
                <span class="pup-hidden">{text}</span>
            </Toggle>
        }
    };
    let whole = move |what: fn(AgentsRoom, puppy_core::agents::NamedAgent)| {
        if let Some(agent) = agent.get_untracked() {
            what(room, agent);
        }
    };
    view! {
        <div class="pup-agent-in">
            <label class="pup-agent-field">
                <span>{words.name}</span>
                <input
                    class="b3-text-field"
                    data-setting="name"
                    disabled=room.readonly
                    prop:value=name
                    on:change=rename
                />
            </label>
            {limits(room, ceiling, save)}
            <label class="pup-agent-field">
                <span>{words.until}</span>
                <input
                    class="b3-text-field"
                    type="date"
                    data-setting="until"
                    disabled=room.readonly
                    prop:value=day
                    on:change=set_day
                />
            </label>
            <div class="pup-agent-field">
                <span>{words.color}</span>
                <Choices label=words.color class="pup-choices pup-swatches">
                    {AgentColor::ALL.map(swatch).collect_view()}
                </Choices>
            </div>
            <div class="pup-agent-field">
                <span>{words.token}</span>
                <span class="pup-buttons">
                    <Button
                        name="new-token"
                        class=PLAIN
                        text=words.new_token
                        disabled=room.readonly
                        press=move |_| whole(|room, it| room.issue(it.id))
                    />
                    <Button
                        name="end-token"
                        class=PLAIN
                        text=words.end_token
                        disabled=room.readonly
                        press=move |_| whole(AgentsRoom::end_token)
                    />
                    <span class="b3-label__text">{words.token_hint}</span>
                </span>
            </div>
            {issued_token::shown(room, id)}
            <Button
                name="remove"
                class=PLAIN
                text=words.remove
                disabled=room.readonly
                press=move |_| whole(AgentsRoom::remove)
            />
        </div>
    }
    .into_any()
}

/// The highest level and the notebooks.
fn limits(room: AgentsRoom, ceiling: Memo<Ceiling>, save: SaveCeiling) -> AnyView {
    let words = room.words;
    let levels = Level::ALL.map(|it| (it.word(), room.panel.level(it)));
    let reach = move || if ceiling.with(|it| it.notebooks.is_none()) { ALL } else { CHOSEN }.to_owned();
    let set_level = move |word: String| {
        save.run(Ceiling { level: Level::from_word(&word), ..ceiling.get_untracked() });
    };
    let set_reach = move |word: String| {
        let before = ceiling.get_untracked();
        let chosen = before.notebooks.clone().unwrap_or_default();
        save.run(Ceiling { notebooks: (word == CHOSEN).then_some(chosen), ..before });
    };
    let is_chosen = Memo::new(move |_| ceiling.with(|it| it.notebooks.is_some()));
    let boxes = move || match is_chosen.get() {
        true => notebooks(room, ceiling, save),
        false => ().into_any(),
    };
    view! {
        <div class="pup-agent-field">
            <span>{words.level}</span>
            <Select
                label=words.level
                setting="level"
                disabled=room.readonly
                options=options(levels)
                value=move || ceiling.with(|it| it.level.word().to_owned())
                set=set_level
            />
        </div>
        <div class="pup-agent-field">
            <span>{words.notebooks}</span>
            <Select
                label=words.notebooks
                setting="notebooks"
                disabled=room.readonly
                options=options([(ALL, words.all), (CHOSEN, words.chosen)])
                value=reach
                set=set_reach
            />
        </div>
        {fresh(boxes)}
    }
    .into_any()
}

/// A box for each notebook.
fn notebooks(room: AgentsRoom, ceiling: Memo<Ceiling>, save: SaveCeiling) -> AnyView {
    let words = room.words;
    let line = move |it: Notebook| {
        let id = StoredValue::new(it.id);
        let is_on = move || {
            Some(ceiling.with(|it| it.notebooks.as_ref().is_some_and(|all| all.contains(&id.get_value()))))
        };
        let set = move |is: bool| {
            let before = ceiling.get_untracked();
            let mut chosen: BTreeSet<String> = before.notebooks.clone().unwrap_or_default();
            if is {
                chosen.insert(id.get_value())
            } else {
                chosen.remove(&id.get_value())
            };
            save.run(Ceiling { notebooks: Some(chosen), ..before });
        };
        let name = if it.closed { fill(words.closed_book, &[("name", &it.name)]) } else { it.name };
        view! {
            <label data-notebook=id.get_value()>
                <Check is_on set disabled=room.readonly/>
                {name}
            </label>
        }
    };
    let all = room.notebooks.get_untracked().into_iter().filter(|it| !it.encrypted);
    view! { <div class="pup-agent-books" role="group" aria-label=words.notebooks>{all.map(line).collect_view()}</div> }
        .into_any()
}
