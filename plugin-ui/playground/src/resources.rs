//! Resources of servers: read, attached to the next prompt, and watched; addresses made from templates.

use crate::state::shown;
use puppy_mcp_client::attachments::{Attachments, Loaded};
use puppy_mcp_client::connection::{Connection, Contents};
use puppy_mcp_client::index::ServerId;
use puppy_mcp_client::template;
use puppy_ui_parts as parts;
use puppy_ui_parts::el::{El, el, typed};
use puppy_ui_web::host;
use puppy_ui_web::words::fill;
use puppy_ui_web::words::servers::ServerWords;
use puppy_ui_web::words::tries::TryWords;
use reactive_graph::computed::Memo;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::answer::piece;
use crate::room::Room;
use crate::servers::Servers;

/// The attached resources of a playground.
#[derive(Clone, Copy)]
pub(crate) struct Attached {
    all: StoredValue<Attachments, LocalStorage>,
    /// Rises with every change.
    news: RwSignal<u64>,
}

impl Attached {
    pub(crate) fn new() -> Attached {
        Attached { all: StoredValue::new_local(Attachments::default()), news: RwSignal::new(0) }
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
struct Offered {
    server: ServerId,
    server_name: String,
    /// The address, or the template.
    uri: String,
    name: String,
    description: String,
    is_template: bool,
}

#[derive(Clone, Copy)]
struct Resources {
    room: Room,
    servers: Servers,
    words: &'static TryWords,
    attached: Attached,
    /// The place in the list.
    chosen: RwSignal<Option<(ServerId, String)>>,
    values: RwSignal<Vec<(String, String)>>,
    /// The address that was read, with its server, and what came of it.
    read: RwSignal<Option<(ServerId, String)>>,
    contents: RwSignal<Option<Contents>>,
    said: RwSignal<String>,
}

pub(crate) fn view(room: Room, servers: Servers, attached: Attached) -> El {
    let resources = Resources {
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
    let pick = el("div", "pup-choices").shows(move || {
        let options = all.get().into_iter().map(|it| {
            let name = if it.name.is_empty() { &it.uri } else { &it.name };
            let option = el("option", "").attr("value", &format!("{} {}", it.server, it.uri));
            option.text(&format!("{}: {name}", it.server_name))
        });
        let pick = el("select", "b3-select").attr("data-pick", "resource").attr("aria-label", words.resource);
        let value = move || {
            offered.with(|it| it.as_ref().map(|it| format!("{} {}", it.server, it.uri)).unwrap_or_default())
        };
        pick.all(options).value(value).on("change", move |event| resources.choose(&typed(event)))
    });
    let about =
        el("div", "").shows(move || offered.get().map_or_else(|| el("div", ""), |it| resources.about(&it)));
    let act = move |what: fn(Resources, Offered)| {
        move || offered.get_untracked().into_iter().for_each(|it| what(resources, it))
    };
    let read = el("button", "b3-button").attr("type", "button").attr("data-do", "read").text(words.read);
    let read = read.click(act(Resources::read));
    let attach = parts::button("attach", words.attach).click(act(Resources::attach));
    let said = el("span", "pup-quiet")
        .attr("role", "status")
        .attr("data-name", "said")
        .says(move || resources.said.get());
    let buttons = el("div", "pup-buttons").put(read).put(attach).put(said);
    let changed = parts::hint(words.changed).attr("role", "status").shown_if(move || resources.has_changed());
    let shown = el("div", "pup-answer").attr("data-name", "contents").shows(move || {
        let contents = resources.contents.get();
        el("div", "").all(contents.iter().flat_map(|it| &it.pieces).map(|it| piece(room, it)))
    });
    let card =
        el("div", "config-items pup-card-body").put(pick).put(about).put(buttons).put(changed).put(shown);
    let none = el("div", "pup-empty config-items")
        .attr("role", "status")
        .text(words.no_resources)
        .shown_if(has_none);
    let group =
        parts::group(words.resources).attr("data-name", "resources").put(parts::hint(words.resources_hint));
    let group = group.put(none).put(card.shown_if(move || !has_none()));
    el("div", "").put(group).put(resources.attachments())
}

impl Resources {
    /// All that the connected servers offer.
    fn all(self) -> Vec<Offered> {
        let of = |(server, it): (ServerId, Connection)| {
            let server_name = it.name().to_owned();
            let make = move |uri: &str, name: &str, description: &str, is_template| Offered {
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
    fn offered(self, all: &[Offered]) -> Option<Offered> {
        let chosen = self.chosen.get();
        let is = |it: &&Offered| chosen.as_ref().is_some_and(|(id, uri)| it.server == *id && it.uri == *uri);
        all.iter().find(is).or(all.first()).cloned()
    }

    fn choose(self, key: &str) {
        let Some((id, uri)) = key.split_once(' ') else { return };
        self.values.set(Vec::new());
        self.contents.set(None);
        self.said.set(String::new());
        self.chosen.set(id.parse().ok().map(|id| (id, uri.to_owned())));
    }

    /// The description, and the fields of a template.
    fn about(self, offered: &Offered) -> El {
        let about = el("div", "pup-about").put(el("code", "").text(&offered.uri));
        let about = about.put(parts::hint(&offered.description));
        let variables = if offered.is_template { template::variables(&offered.uri) } else { None };
        about.put(el("div", "pup-fields").all(variables.unwrap_or_default().into_iter().map(|name| {
            let id = format!("pup-variable-{name}");
            let label = el("label", "config-name").attr("for", &id).text(&name);
            let control = el("input", "b3-text-field fn__block").attr("id", &id).attr("data-field", &name);
            let control = control.attr("autocomplete", "off").on("input", move |event| {
                let value = typed(event);
                self.values.update(|all| {
                    all.retain(|it| it.0 != name);
                    all.push((name.clone(), value));
                });
            });
            el("div", "pup-field").put(label).put(control)
        })))
    }

    /// The address of what is offered, with the variables of a template filled in.
    fn uri(self, offered: &Offered) -> Option<String> {
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
    fn read(self, offered: Offered) {
        let Some(uri) = self.uri(&offered) else { return };
        let Some(connection) = self.servers.connection(offered.server) else { return };
        self.said.set(self.room.words.running.to_owned());
        self.contents.set(None);
        let chosen = self.chosen.get_untracked();
        host::spawn(async move {
            // A server that tells of changes does so for what was read; others need no promise.
            let _ = connection.subscribe(&uri).await;
            let read = connection.read(&uri).await;
            self.servers.changed.try_update(|all| all.forget(offered.server, &uri));
            // Something else may have been chosen meanwhile.
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
                        shown::reason(ServerWords::of(&self.room.lang()), &why)
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
    fn attach(self, offered: Offered) {
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

    /// The attached resources: a placeholder while one loads, then its beginning.
    fn attachments(self) -> El {
        let words = self.words;
        let servers = ServerWords::of(&self.room.lang());
        let count = move || {
            self.attached.news.track();
            self.attached.all.try_with_value(|it| it.all().len()).unwrap_or_default()
        };
        let list = el("div", "pup-fields").attr("data-name", "attachments").shows(move || {
            self.attached.news.track();
            let all = self.attached.all.try_with_value(|it| it.all().to_vec()).unwrap_or_default();
            el("div", "").all(all.into_iter().map(|it| {
                let text = match &it.loaded {
                    Loaded::Coming => self.room.panel.loading.to_owned(),
                    Loaded::Here(_) => it.preview().unwrap_or_default(),
                    Loaded::Failed(why) => {
                        format!("{} {}", words.not_read, shown::reason(servers, why))
                    }
                };
                let id = it.id;
                let remove = parts::button("detach", servers.remove);
                let remove = remove.attr("aria-label", &fill(servers.remove_what, &[("name", &it.name)]));
                let remove = remove.click(move || {
                    self.attached.change(|all| all.remove(id));
                });
                let title = el("div", "config-name")
                    .text(&it.name)
                    .put(el("span", "pup-quiet").text(" ").text(&it.uri));
                el("div", "pup-field")
                    .put(title)
                    .put(el("pre", "").attr("tabindex", "0").text(&text))
                    .put(remove)
            }))
        });
        let copy = self.room.copy_button("context", words.copy_context, move || {
            self.attached.all.try_with_value(Attachments::context).unwrap_or_default()
        });
        let buttons = el("div", "pup-buttons").put(copy);
        let card = el("div", "config-items pup-card-body pup-answer").put(list).put(buttons);
        let group = parts::group(words.attached).put(parts::hint(words.attached_hint));
        group.put(card).shown_if(move || count() > 0)
    }
}
