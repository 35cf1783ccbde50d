//! Resources of servers: read, attached to the next prompt, and watched; addresses made from templates.

use crate::state::connection_text;
use crate::state::resource_groups::grouped;
use leptos::prelude::*;
use puppy_mcp_client::attachments::{Attachment, AttachmentState, Attachments};
use puppy_mcp_client::connection::{Connection, Contents};
use puppy_mcp_client::index::ServerId;
use puppy_mcp_client::template;
use puppy_ui_parts::{Button, CopyButton, Empty, FILLED, Group, Hint, Keyed, Pre, fresh};
use puppy_ui_web::host;
use puppy_ui_web::words::fill;
use puppy_ui_web::words::servers::ServerWords;
use puppy_ui_web::words::tries::TryWords;

use crate::answer::piece;
use crate::room::Room;
use crate::servers::Servers;

/// The attached resources of a playground.
#[derive(Clone, Copy)]
pub(crate) struct AttachedResources {
    all: StoredValue<Attachments, LocalStorage>,
    /// Rises with every change.
    news: RwSignal<u64>,
}

impl AttachedResources {
    pub(crate) fn new() -> AttachedResources {
        AttachedResources { all: StoredValue::new_local(Attachments::default()), news: RwSignal::new(0) }
    }

    /// The context of all that are there, which clears them; `None` while one is on its way (B-212).
    pub(crate) fn take(self) -> Option<String> {
        self.change(Attachments::take).flatten()
    }

    fn change<T>(self, what: impl FnOnce(&mut Attachments) -> T) -> Option<T> {
        let done = self.all.try_update_value(what);
        self.news.try_update(|it| *it += 1);
        done
    }
}

/// One thing that can be read: a resource, or a template that makes its address.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ResourceOffer {
    server: ServerId,
    server_name: String,
    /// The address, or the template.
    uri: String,
    name: String,
    description: String,
    is_template: bool,
}

#[derive(Clone, Copy)]
struct ResourceSignals {
    room: Room,
    servers: Servers,
    words: &'static TryWords,
    attached: AttachedResources,
    /// The place in the list.
    chosen: RwSignal<Option<(ServerId, String)>>,
    values: RwSignal<Vec<(String, String)>>,
    /// The address that was read, with its server, and what came of it.
    read: RwSignal<Option<(ServerId, String)>>,
    contents: RwSignal<Option<Contents>>,
    said: RwSignal<String>,
}

/// The part of the playground.
#[component]
pub(crate) fn Resources(
    room: Room,
    servers: Servers,
    attached: AttachedResources,
    shown: Signal<bool>,
) -> AnyView {
    let resources = ResourceSignals {
        room,
        servers,
        words: TryWords::of(&room.lang()),
        attached,
        chosen: RwSignal::new(None),
        values: RwSignal::new(Vec::new()),
        read: RwSignal::new(None),
        contents: RwSignal::new(None),
        said: RwSignal::new(String::new()),
    };
    let words = resources.words;
    let all = Memo::new(move |_| resources.all());
    let has_none = move || all.with(Vec::is_empty);
    let offered = Memo::new(move |_| resources.offered(&all.get()));
    let about = move || match offered.get() {
        Some(offered) => view! { <About resources offered/> }.into_any(),
        None => view! { <div></div> }.into_any(),
    };
    let contents = move || {
        let pieces = resources
            .contents
            .with(|it| it.iter().flat_map(|it| &it.pieces).map(|it| piece(room, it)).collect::<Vec<_>>());
        view! { <div>{pieces}</div> }.into_any()
    };
    let act = move |what: fn(ResourceSignals, ResourceOffer)| {
        move |_| offered.get_untracked().into_iter().for_each(|it| what(resources, it))
    };
    view! {
        <div class:fn__none=move || !shown.get()>
            <Group title=words.resources name="resources">
                <Hint text=words.resources_hint/>
                <Empty text=words.no_resources is_card=true shown=has_none/>
                <div class="config-items pup-card-body" class:fn__none=has_none>
                    <div class="pup-choices">
                        <ResourceChoice resources all offered/>
                    </div>
                    <div>{fresh(about)}</div>
                    <div class="pup-buttons">
                        <Button name="read" class=FILLED text=words.read press=act(ResourceSignals::read)/>
                        <Button name="attach" text=words.attach press=act(ResourceSignals::attach)/>
                        <span class="pup-quiet" role="status" data-name="said">{resources.said}</span>
                    </div>
                    <Hint text=words.changed role="status" shown=move || resources.has_changed()/>
                    <div class="pup-answer" data-name="contents">{fresh(contents)}</div>
                </div>
            </Group>
            <AttachedList resources/>
        </div>
    }
    .into_any()
}

/// The choice between all that can be read, in groups.
#[component]
fn ResourceChoice(
    resources: ResourceSignals,
    all: Memo<Vec<ResourceOffer>>,
    offered: Memo<Option<ResourceOffer>>,
) -> AnyView {
    let option = move |it: ResourceOffer| {
        let name = connection_text::seen(if it.name.is_empty() { &it.uri } else { &it.name });
        let key = it.key();
        let is_chosen = offered.with(|offered| offered.as_ref().is_some_and(|it| it.key() == key));
        view! { <option value=key selected=is_chosen>{name}</option> }
    };
    let group = move |(title, offers): (String, Vec<ResourceOffer>)| {
        let options = offers.into_iter().map(option).collect_view();
        view! { <optgroup label=connection_text::seen(&title)>{options}</optgroup> }
    };
    let groups = move || {
        let groups = grouped(all.get(), |it| it.server_name.as_str(), |it| it.uri.as_str());
        groups.into_iter().map(group).collect_view()
    };
    view! {
        <select
            class="b3-select"
            aria-label=resources.words.resource
            data-pick="resource"
            on:change=move |event| resources.choose(&event_target_value(&event))
        >
            {groups}
        </select>
    }
    .into_any()
}

/// The description, and the fields of a template.
#[component]
fn About(resources: ResourceSignals, offered: ResourceOffer) -> AnyView {
    let variables = if offered.is_template { template::variables(&offered.uri) } else { None };
    let field = move |name: String| {
        let id = format!("pup-variable-{name}");
        let entered = name.clone();
        let enter = move |value: String| {
            resources.values.update(|all| {
                all.retain(|it| it.0 != entered);
                all.push((entered.clone(), value));
            });
        };
        view! {
            <div class="pup-field">
                <label class="config-name" for=id.clone()>{connection_text::seen(&name)}</label>
                <input
                    class="b3-text-field fn__block"
                    id=id
                    data-field=name
                    autocomplete="off"
                    on:input=move |event| enter(event_target_value(&event))
                />
            </div>
        }
    };
    view! {
        <div class="pup-about">
            <code>{connection_text::seen(&offered.uri)}</code>
            <Hint text=connection_text::seen(&offered.description)/>
            <div class="pup-fields">
                {variables.unwrap_or_default().into_iter().map(field).collect_view()}
            </div>
        </div>
    }
    .into_any()
}

/// An attached resource as it is drawn.
#[derive(Clone, PartialEq, Eq)]
struct AttachmentLine {
    id: u64,
    name: String,
    uri: String,
    /// A placeholder while the resource loads, then its beginning.
    text: String,
}

#[component]
fn AttachedList(resources: ResourceSignals) -> AnyView {
    let (room, words, attached) = (resources.room, resources.words, resources.attached);
    let servers = ServerWords::of(&room.lang());
    let lines = Memo::new(move |_| resources.lines(servers));
    let line = move |AttachmentLine { id, name, uri, text }: AttachmentLine| {
        let label = fill(servers.remove_what, &[("name", &name)]);
        let remove = move |_| {
            attached.change(|all| all.remove(id));
        };
        view! {
            <div class="pup-field">
                <div class="config-name">{name}<span class="pup-quiet">" "{uri}</span></div>
                <Pre text/>
                <Button name="detach" text=servers.remove label press=remove/>
            </div>
        }
    };
    let row = move |it: AttachmentLine| {
        let key = format!("{}\n{}\n{}\n{}", it.id, it.name, it.uri, it.text);
        (key, ViewFn::from(move || line(it.clone())))
    };
    let rows = move || lines.get().into_iter().map(row).collect::<Vec<_>>();
    let context = move |()| attached.all.try_with_value(Attachments::context).unwrap_or_default();
    view! {
        <Group title=words.attached shown=move || lines.with(|it| !it.is_empty())>
            <Hint text=words.attached_hint/>
            <div class="config-items pup-card-body pup-answer">
                <div class="pup-fields" data-name="attachments">
                    <div><Keyed rows/></div>
                </div>
                <div class="pup-buttons">
                    <CopyButton
                        copies=room.copies
                        action="copy"
                        name="context"
                        text=words.copy_context
                        copied=context
                    />
                </div>
            </div>
        </Group>
    }
    .into_any()
}

impl ResourceOffer {
    /// The value of its option.
    fn key(&self) -> String {
        format!("{} {}", self.server, self.uri)
    }
}

impl ResourceSignals {
    /// All that the connected servers offer.
    fn all(self) -> Vec<ResourceOffer> {
        let of = |(server, it): (ServerId, Connection)| {
            let server_name = it.name().to_owned();
            let make = move |uri: &str, name: &str, description: &str, is_template| ResourceOffer {
                server,
                server_name: server_name.clone(),
                uri: uri.to_owned(),
                name: name.to_owned(),
                description: description.to_owned(),
                is_template,
            };
            it.with_offer(|offer| {
                let resources = offer
                    .resources
                    .iter()
                    .map(|it| make(&it.uri, it.title.as_deref().unwrap_or(&it.name), &it.description, false));
                let templates = offer.templates.iter().map(|it| {
                    make(&it.uri_template, it.title.as_deref().unwrap_or(&it.name), &it.description, true)
                });
                resources.chain(templates).collect::<Vec<_>>()
            })
        };
        self.servers.connected().into_iter().flat_map(of).collect()
    }

    /// The one that is chosen; the first one where none is.
    fn offered(self, all: &[ResourceOffer]) -> Option<ResourceOffer> {
        let chosen = self.chosen.get();
        let is =
            |it: &&ResourceOffer| chosen.as_ref().is_some_and(|(id, uri)| it.server == *id && it.uri == *uri);
        all.iter().find(is).or(all.first()).cloned()
    }

    fn choose(self, key: &str) {
        let Some((id, uri)) = key.split_once(' ') else { return };
        self.values.set(Vec::new());
        self.contents.set(None);
        self.said.set(String::new());
        self.chosen.set(id.parse().ok().map(|id| (id, uri.to_owned())));
    }

    /// The address of what is offered, with the variables of a template filled in.
    fn uri(self, offered: &ResourceOffer) -> Option<String> {
        if !offered.is_template {
            return Some(offered.uri.clone());
        }
        let uri = self.values.with_untracked(|values| template::expand(&offered.uri, values));
        if uri.is_none() {
            self.said.set(self.words.no_template.to_owned());
        }
        uri
    }

    #[expect(clippy::needless_pass_by_value, reason = "buttons hand it over")]
    fn read(self, offered: ResourceOffer) {
        let Some(uri) = self.uri(&offered) else { return };
        let Some(connection) = self.servers.connection(offered.server) else { return };
        self.said.set(self.room.words.running.to_owned());
        self.contents.set(None);
        let chosen = self.chosen.get_untracked();
        host::spawn(async move {
            // A server reports changes only of subscribed resources. The read continues if it refuses the subscription.
            let _ = connection.subscribe(&uri).await;
            let read = connection.read(&uri).await;
            self.servers.changed.try_update(|all| all.forget(offered.server, &uri));
            // Another resource may have been chosen in the meantime.
            if self.chosen.try_get_untracked() != Some(chosen) {
                return;
            }
            self.read.try_set(Some((offered.server, uri)));
            let said = match read {
                Ok(contents) => {
                    self.contents.try_set(Some((*contents).clone()));
                    String::new()
                }
                Err(why) => {
                    format!(
                        "{} {}",
                        self.words.not_read,
                        connection_text::reason(ServerWords::of(&self.room.lang()), &why)
                    )
                }
            };
            self.said.try_set(said);
        });
    }

    /// Whether what is shown has changed on its server since.
    fn has_changed(self) -> bool {
        let read = self.read.get();
        self.contents.with(Option::is_some)
            && self.servers.changed.with(|all| read.is_some_and(|(server, uri)| all.has(server, &uri)))
    }

    #[expect(clippy::needless_pass_by_value, reason = "buttons hand it over")]
    fn attach(self, offered: ResourceOffer) {
        let Some(uri) = self.uri(&offered) else { return };
        let Some(connection) = self.servers.connection(offered.server) else { return };
        let name = if offered.name.is_empty() { uri.clone() } else { offered.name.clone() };
        let id = self.attached.change(|all| all.attach(offered.server, &uri, &name)).flatten();
        let Some(id) = id else { return };
        host::spawn(async move {
            let read = connection.read(&uri).await;
            self.attached.change(|all| all.loaded(id, read));
        });
    }

    /// The attached resources; reading them tracks their changes.
    fn lines(self, servers: &ServerWords) -> Vec<AttachmentLine> {
        self.attached.news.track();
        let all = self.attached.all.try_with_value(|it| it.all().to_vec()).unwrap_or_default();
        let line = |it: Attachment| {
            let text = match &it.loaded {
                AttachmentState::Coming => self.room.panel.loading.to_owned(),
                AttachmentState::Here(_) => it.preview().unwrap_or_default(),
                AttachmentState::Failed(why) => {
                    format!("{} {}", self.words.not_read, connection_text::reason(servers, why))
                }
            };
            AttachmentLine {
                id: it.id,
                name: connection_text::seen(&it.name),
                uri: connection_text::seen(&it.uri),
                text,
            }
        };
        all.into_iter().map(line).collect()
    }
}
