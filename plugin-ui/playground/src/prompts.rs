//! Prompts of servers: a form with completion, the messages that come of it, and the resources that go with them.

use crate::state::form::Form;
use crate::state::shown;
use puppy_mcp_client::connection::{Connection, Filled, Whose};
use puppy_mcp_client::index::ServerId;
use puppy_mcp_client::offer::Prompt;
use puppy_ui_parts as parts;
use puppy_ui_parts::el::{El, el, typed};
use puppy_ui_web::host;
use puppy_ui_web::words::servers::ServerWords;
use puppy_ui_web::words::tries::TryWords;
use reactive_graph::computed::Memo;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::answer::piece;
use crate::resources::Attached;
use crate::room::Room;
use crate::servers::Servers;

/// The wait before an argument is completed, in milliseconds: a person is typing.
const PAUSE_MS: u32 = 200;

#[derive(Clone, Copy)]
struct Prompts {
    room: Room,
    servers: Servers,
    words: &'static TryWords,
    /// The number of the server and the name of the prompt; `None` for the first one.
    chosen: RwSignal<Option<(ServerId, String)>>,
    values: RwSignal<Vec<(String, String)>>,
    filled: RwSignal<Option<Filled>>,
    /// The context of attached resources that went with the messages.
    context: RwSignal<String>,
    said: RwSignal<String>,
}

pub(crate) fn view(room: Room, servers: Servers, attached: Attached) -> El {
    let prompts = Prompts {
        room,
        servers,
        words: TryWords::of(&room.lang()),
        chosen: RwSignal::new(None),
        values: RwSignal::new(Vec::new()),
        filled: RwSignal::new(None),
        context: RwSignal::new(String::new()),
        said: RwSignal::new(String::new()),
    };
    let words = prompts.words;
    let all = Memo::new(move |_| prompts.all());
    let has_none = move || all.with(Vec::is_empty);
    let prompt = Memo::new(move |_| prompts.prompt());
    let pick = el("div", "pup-choices").shows(move || {
        let options = all.get().into_iter().map(|(server, name, prompt)| {
            let option = el("option", "").attr("value", &key(server, &prompt.name));
            option.text(&format!("{name}: {}", prompt.title.as_deref().unwrap_or(&prompt.name)))
        });
        let pick = el("select", "b3-select")
            .attr("data-pick", "prompt")
            .attr("aria-label", words.prompt)
            .all(options);
        let pick = pick.value(move || {
            prompt.with(|it| it.as_ref().map(|(id, it)| key(*id, &it.name)).unwrap_or_default())
        });
        pick.on("change", move |event| prompts.take(&typed(event)))
    });
    let form = el("div", "").shows(move || match prompt.get() {
        Some((id, prompt)) => prompts.form(id, &prompt),
        None => el("div", ""),
    });
    let fill = el("button", "b3-button").attr("type", "button").attr("data-do", "fill").text(words.fill);
    let fill = fill.click(move || prompts.fill(attached));
    let copy = room.copy_button("prompt", words.copy_messages, move || prompts.text());
    let copy = el("span", "").put(copy).shown_if(move || prompts.filled.with(Option::is_some));
    let said = el("span", "pup-quiet")
        .attr("role", "status")
        .attr("data-name", "said")
        .says(move || prompts.said.get());
    let buttons = el("div", "pup-buttons").put(fill).put(copy).put(said);
    let shown = el("div", "pup-answer").attr("data-name", "messages").shows(move || prompts.messages());
    let card = el("div", "config-items pup-card-body").put(pick).put(form).put(buttons).put(shown);
    let none =
        el("div", "pup-empty config-items").attr("role", "status").text(words.no_prompts).shown_if(has_none);
    let group = parts::group(words.prompts).attr("data-name", "prompts").put(parts::hint(words.prompts_hint));
    group.put(none).put(card.shown_if(move || !has_none()))
}

/// The value of an option.
fn key(server: ServerId, name: &str) -> String {
    format!("{server} {name}")
}

impl Prompts {
    /// The prompts of all connected servers, with the names of the servers.
    fn all(self) -> Vec<(ServerId, String, Prompt)> {
        let of = |(id, it): (ServerId, Connection)| {
            let prompts = it.with_offer(|offer| offer.prompts.clone());
            prompts.into_iter().map(move |prompt| (id, it.name().to_owned(), prompt))
        };
        self.servers.connected().into_iter().flat_map(of).collect()
    }

    /// The prompt that is chosen; the first one where none is.
    fn prompt(self) -> Option<(ServerId, Prompt)> {
        let all = self.all();
        let chosen = self.chosen.get();
        let is = |it: &&(ServerId, String, Prompt)| {
            chosen.as_ref().is_some_and(|(id, name)| it.0 == *id && it.2.name == *name)
        };
        let found = all.iter().find(is).or(all.first())?;
        Some((found.0, found.2.clone()))
    }

    fn take(self, key: &str) {
        let Some((id, name)) = key.split_once(' ') else { return };
        self.values.set(Vec::new());
        self.filled.set(None);
        self.said.set(String::new());
        self.chosen.set(id.parse().ok().map(|id| (id, name.to_owned())));
    }

    /// The fields of a prompt; the server proposes values while a person types.
    fn form(self, id: ServerId, prompt: &Prompt) -> El {
        let view = el("div", "pup-fields").put(parts::hint(&prompt.description));
        if prompt.arguments.is_empty() {
            return view.put(parts::hint(self.room.words.no_arguments));
        }
        view.all(Form::of_prompt(prompt).fields.into_iter().map(|field| {
            let (own, list) = (format!("pup-prompt-{}", field.name), format!("pup-proposals-{}", field.name));
            let proposals = RwSignal::new(Vec::<String>::new());
            let options = el("datalist", "").attr("id", &list);
            let name = field.name.clone();
            let shown = name.clone();
            let whose = prompt.name.clone();
            let control = el("input", "b3-text-field fn__block").attr("id", &own).attr("list", &list);
            let control = control.attr("data-field", &name).attr("autocomplete", "off");
            let control = if field.is_required { control.attr("aria-required", "true") } else { control };
            let control = control.value(move || self.value(&shown));
            let control = control.on("input", move |event| {
                let value = typed(event);
                self.set(&name, value.clone());
                self.complete(id, whose.clone(), name.clone(), value, proposals);
            });
            let options = options.shows(move || {
                let values = proposals.get().into_iter().map(|it| el("option", "").attr("value", &it));
                el("optgroup", "").all(values)
            });
            let label = el("label", "config-name").attr("for", &own).text(&field.name);
            let label = if field.is_required {
                label.put(el("span", "pup-quiet").text(" ").text(self.room.words.required))
            } else {
                label
            };
            let row = el("div", "pup-field").put(label).put(el("div", "b3-label__text").text(&field.doc));
            row.put(control).put(options)
        }))
    }

    fn value(self, name: &str) -> String {
        let find = |all: &Vec<(String, String)>| all.iter().find(|it| it.0 == name).map(|it| it.1.clone());
        self.values.with(find).unwrap_or_default()
    }

    fn set(self, name: &str, value: String) {
        self.values.update(|all| {
            all.retain(|it| it.0 != name);
            if !value.is_empty() {
                all.push((name.to_owned(), value));
            }
        });
    }

    /// Asks the server for values, unless the person goes on typing.
    fn complete(
        self,
        id: ServerId,
        prompt: String,
        name: String,
        value: String,
        proposals: RwSignal<Vec<String>>,
    ) {
        host::spawn(async move {
            host::sleep(PAUSE_MS).await;
            let is_newest = self.values.try_with_untracked(|all| {
                all.iter().find(|it| it.0 == name).map_or("", |it| it.1.as_str()) == value
            });
            let (Some(true), Some(connection)) = (is_newest, self.servers.connection(id)) else { return };
            let others: Vec<(String, String)> =
                self.values.get_untracked().into_iter().filter(|it| it.0 != name).collect();
            let found = connection.complete(Whose::Prompt(&prompt), &name, &value, &others).await;
            proposals.try_set(found.map(|it| it.values).unwrap_or_default());
        });
    }

    /// Fills the prompt; attached resources go with it and are cleared.
    fn fill(self, attached: Attached) {
        let Some((id, prompt)) = untrack(|| self.prompt()) else { return };
        let Some(connection) = self.servers.connection(id) else { return };
        let values = self.values.get_untracked();
        self.filled.set(None);
        self.said.set(self.room.words.running.to_owned());
        let chosen = self.chosen.get_untracked();
        host::spawn(async move {
            let filled = connection.prompt(&prompt.name, &values).await;
            // Something else may have been chosen meanwhile; the attachments wait for that.
            if self.chosen.try_get_untracked() != Some(chosen) {
                return;
            }
            let said = match filled {
                Err(why) => {
                    format!(
                        "{} {}",
                        self.words.not_filled,
                        shown::reason(ServerWords::of(&self.room.lang()), &why)
                    )
                }
                Ok(filled) => match attached.take() {
                    // Without those that are still on their way the messages would not be whole.
                    None => self.words.still_coming.to_owned(),
                    Some(context) => {
                        self.context.try_set(context);
                        self.filled.try_set(Some(filled));
                        String::new()
                    }
                },
            };
            self.said.try_set(said);
        });
    }

    /// The messages as they are shown.
    fn messages(self) -> El {
        let Some(filled) = self.filled.get() else { return el("div", "") };
        let context = self.context.get();
        let view = el("div", "").put(parts::hint(&filled.description));
        let view = if context.is_empty() {
            view
        } else {
            let label = el("figcaption", "pup-quiet").text(self.words.context);
            view.put(
                el("figure", "pup-piece").put(label).put(el("pre", "").attr("tabindex", "0").text(&context)),
            )
        };
        view.all(filled.messages.iter().map(|message| {
            let role = el("figcaption", "pup-quiet").text(&message.role);
            el("figure", "pup-piece").put(role).all(message.pieces.iter().map(|it| piece(self.room, it)))
        }))
    }

    /// The messages as text, after the context that goes with them.
    fn text(self) -> String {
        let messages = self.filled.with_untracked(|it| {
            let messages = it.iter().flat_map(|it| &it.messages).flat_map(|it| &it.pieces);
            messages.map(puppy_mcp_client::content::Piece::as_text).collect::<Vec<_>>()
        });
        let context = Some(self.context.get_untracked()).filter(|it| !it.is_empty());
        context.into_iter().chain(messages).collect::<Vec<_>>().join("\n\n")
    }
}
