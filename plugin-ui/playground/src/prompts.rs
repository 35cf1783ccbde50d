//! Prompts of servers: a form with completion, the messages that come of it, and the resources that go with them.

use crate::state::connection_text;
use crate::state::form::{Field, Form};
use leptos::prelude::*;
use puppy_mcp_client::connection::{Connection, PromptText, Whose};
use puppy_mcp_client::index::ServerId;
use puppy_mcp_client::offer::Prompt;
use puppy_ui_parts::{Button, CopyButton, Empty, FILLED, Group, Hint, Input, Pre, Select, fresh, options};
use puppy_ui_web::host;
use puppy_ui_web::words::servers::ServerWords;
use puppy_ui_web::words::tries::TryWords;

use crate::answer::piece;
use crate::fields::Label;
use crate::resources::AttachedResources;
use crate::room::Room;
use crate::servers::Servers;

/// The wait before an argument is completed, in milliseconds: a person is typing.
const PAUSE_MS: u32 = 200;

#[derive(Clone, Copy)]
struct PromptSignals {
    room: Room,
    servers: Servers,
    words: &'static TryWords,
    /// The number of the server and the name of the prompt; `None` for the first one.
    chosen: RwSignal<Option<(ServerId, String)>>,
    values: RwSignal<Vec<(String, String)>>,
    filled: RwSignal<Option<PromptText>>,
    /// The context of attached resources that went with the messages.
    context: RwSignal<String>,
    said: RwSignal<String>,
}

/// The part of the playground.
#[component]
pub(crate) fn Prompts(
    room: Room,
    servers: Servers,
    attached: AttachedResources,
    shown: Signal<bool>,
) -> AnyView {
    let prompts = PromptSignals {
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
    let option = |(server, name, prompt): (ServerId, String, Prompt)| {
        let title = prompt.title.as_deref().unwrap_or(&prompt.name);
        (key(server, &prompt.name), format!("{name}: {}", connection_text::seen(title)))
    };
    let value = move || prompt.with(|it| it.as_ref().map(|(id, it)| key(*id, &it.name)).unwrap_or_default());
    let form = move || match prompt.get() {
        Some((id, prompt)) => view! { <Arguments prompts id prompt/> }.into_any(),
        None => view! { <div></div> }.into_any(),
    };
    let is_filled = move || prompts.filled.with(Option::is_some);
    view! {
        <Group title=words.prompts name="prompts" shown>
            <Hint text=words.prompts_hint/>
            <Empty text=words.no_prompts is_card=true shown=has_none/>
            <div class="config-items pup-card-body" class:fn__none=has_none>
                <div class="pup-choices">
                    <Select
                        options=move || options(all.get().into_iter().map(option))
                        value
                        set=move |key: String| prompts.take(&key)
                        label=words.prompt
                        attr:data-pick="prompt"
                    />
                </div>
                <div>{fresh(form)}</div>
                <div class="pup-buttons">
                    <Button name="fill" class=FILLED text=words.fill press=move |_| prompts.fill(attached)/>
                    <span class:fn__none=move || !is_filled()>
                        <CopyButton
                            copies=room.copies
                            action="copy"
                            name="prompt"
                            text=words.copy_messages
                            copied=move |()| prompts.text()
                        />
                    </span>
                    <span class="pup-quiet" role="status" data-name="said">{prompts.said}</span>
                </div>
                <div class="pup-answer" data-name="messages">{fresh(move || prompts.messages())}</div>
            </div>
        </Group>
    }
    .into_any()
}

/// The fields of a prompt; the server proposes values while a person types.
#[component]
fn Arguments(prompts: PromptSignals, id: ServerId, prompt: Prompt) -> AnyView {
    let room = prompts.room;
    let none = prompt.arguments.is_empty().then(|| view! { <Hint text=room.words.no_arguments/> });
    let whose = prompt.name.clone();
    let row = move |field: Field| {
        let (own, list) = (format!("pup-prompt-{}", field.name), format!("pup-proposals-{}", field.name));
        let proposals = RwSignal::new(Vec::<String>::new());
        let option = |it: String| view! { <option value=it></option> };
        let (whose, name, shown) = (whose.clone(), field.name.clone(), field.name.clone());
        let input = move |value: String| {
            prompts.set(&name, value.clone());
            prompts.complete(id, whose.clone(), name.clone(), value, proposals);
        };
        view! {
            <div class="pup-field">
                <Label room of=own.clone() name=&field.name is_required=field.is_required/>
                <div class="b3-label__text">{field.doc}</div>
                <Input
                    value=move || prompts.value(&shown)
                    input
                    attr:id=own
                    attr:list=list.clone()
                    attr:data-field=field.name
                    attr:autocomplete="off"
                    attr:aria-required=field.is_required.then_some("true")
                />
                <datalist id=list>
                    <optgroup>{move || proposals.get().into_iter().map(option).collect_view()}</optgroup>
                </datalist>
            </div>
        }
    };
    view! {
        <div class="pup-fields">
            <Hint text=connection_text::seen(&prompt.description)/>
            {none}
            {Form::of_prompt(&prompt).fields.into_iter().map(row).collect_view()}
        </div>
    }
    .into_any()
}

/// The value of an option.
fn key(server: ServerId, name: &str) -> String {
    format!("{server} {name}")
}

impl PromptSignals {
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

    /// Requests values from the server, unless the person continues typing.
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
    fn fill(self, attached: AttachedResources) {
        let Some((id, prompt)) = untrack(|| self.prompt()) else { return };
        let Some(connection) = self.servers.connection(id) else { return };
        let values = self.values.get_untracked();
        self.filled.set(None);
        self.said.set(self.room.words.running.to_owned());
        let chosen = self.chosen.get_untracked();
        host::spawn(async move {
            let filled = connection.prompt(&prompt.name, &values).await;
            // Another prompt may have been chosen in the meantime; the attachments stay for that one.
            if self.chosen.try_get_untracked() != Some(chosen) {
                return;
            }
            let said = match filled {
                Err(why) => {
                    format!(
                        "{} {}",
                        self.words.not_filled,
                        connection_text::reason(ServerWords::of(&self.room.lang()), &why)
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
    fn messages(self) -> AnyView {
        let Some(filled) = self.filled.get() else { return view! { <div></div> }.into_any() };
        let figure = |label: String, content: Vec<AnyView>| {
            view! {
                <figure class="pup-piece">
                    <figcaption class="pup-quiet">{label}</figcaption>
                    {content}
                </figure>
            }
        };
        let context = Some(self.context.get()).filter(|it| !it.is_empty());
        let context = context
            .map(|it| figure(self.words.context.to_owned(), vec![view! { <Pre text=it/> }.into_any()]));
        let messages = filled.messages.into_iter().map(|message| {
            figure(
                connection_text::seen(&message.role),
                message.pieces.iter().map(|it| piece(self.room, it)).collect(),
            )
        });
        view! {
            <div>
                <Hint text=connection_text::seen(&filled.description)/>
                {context}
                {messages.collect_view()}
            </div>
        }
        .into_any()
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
