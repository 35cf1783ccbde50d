//! The servers of an opened playground: read from the file, connected, kept, and left.

use std::cell::Cell;
use std::rc::Rc;

use crate::state::servers::{OWN, own};
use leptos::prelude::*;
use puppy_core::config::HttpSettings;
use puppy_mcp_client::Address;
use puppy_mcp_client::connection::{Change, Connection, ConnectionView, Settings};
use puppy_mcp_client::fetch::Page;
use puppy_mcp_client::index::{IndexedTool, ServerId};
use puppy_mcp_client::limits::Limits;
use puppy_mcp_client::phase::State;
use puppy_mcp_client::pool::Pool;
use puppy_mcp_client::revision::Eras;
use puppy_mcp_client::saved::{self, File, SavedServer};
use puppy_mcp_client::updates::Updates;
use puppy_mcp_client::world::World;
use puppy_ui_web::host;
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::trouble::StorageTrouble;

use crate::edit_queue::{self, EditQueue};
use crate::room::Room;

/// A server, and its connection in this playground.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Server {
    pub(crate) saved: SavedServer,
    /// The connection, while it is switched on here.
    pub(crate) id: Option<ServerId>,
}

#[derive(Clone, Copy)]
pub(crate) struct Servers {
    room: Room,
    /// The own one first.
    pub(crate) all: RwSignal<Vec<Server>>,
    /// Rises with every change of a connection.
    news: RwSignal<u64>,
    /// The resources that changed since they were read.
    pub(crate) changed: RwSignal<Updates>,
    /// The limits as they are shown.
    pub(crate) limits: RwSignal<Limits>,
    /// The limits as connections read them.
    held: StoredValue<Rc<Cell<Limits>>, LocalStorage>,
    pool: StoredValue<Rc<Pool>, LocalStorage>,
    edits: StoredValue<EditQueue, LocalStorage>,
    /// The address of a connected server, as the panel knows it; empty for none.
    connected_at: StoredValue<String>,
    /// Why the file cannot be read or saved.
    pub(crate) trouble: RwSignal<Option<StorageTrouble>>,
}

impl Servers {
    /// No servers yet, and the pool that is closed when the playground is left.
    pub(crate) fn new(room: Room) -> (Servers, Rc<Pool>) {
        let news = RwSignal::new(0);
        let changed = RwSignal::new(Updates::default());
        let on_change = move |id, change| match change {
            Change::State | Change::List(_) => {
                news.try_update(|it| *it += 1);
            }
            Change::Resource(uri) => {
                changed.try_maybe_update(|all| (all.note(id, uri), ()));
            }
            Change::Log(_) => {}
        };
        let pool = Rc::new(Pool::new(World::new(Page, Page), Rc::new(on_change)));
        let servers = Servers {
            room,
            all: RwSignal::new(Vec::new()),
            news,
            changed,
            limits: RwSignal::new(Limits::default()),
            held: StoredValue::new_local(Rc::default()),
            pool: StoredValue::new_local(pool.clone()),
            edits: StoredValue::new_local(EditQueue::default()),
            connected_at: StoredValue::new(String::new()),
            trouble: RwSignal::new(None),
        };
        (servers, pool)
    }

    /// Reads the servers and connects those that are enabled (B-201).
    pub(crate) fn open(self) {
        host::spawn(async move {
            let Some((settings, kept_at)) = self.look().await else { return };
            let file = edit_queue::read().await.unwrap_or_else(|why| {
                self.trouble.try_set(Some(why));
                File::default()
            });
            self.hold(file.limits());
            let Some(own) = self.own(&settings, &kept_at) else { return };
            let all = saved::listed(own, file.servers());
            let all: Vec<Server> = all.into_iter().map(|saved| Server { saved, id: None }).collect();
            let enabled: Vec<String> =
                all.iter().filter(|it| it.saved.enabled).map(|it| it.saved.name.clone()).collect();
            // The playground may have been left meanwhile.
            if self.all.try_set(all).is_none() {
                enabled.iter().for_each(|name| self.switch(name, true));
            }
        });
    }

    /// Connects the own server where it is now, unless it is there already.
    pub(crate) fn move_own(self, connected_at: &str) {
        self.connected_at.try_set_value(connected_at.to_owned());
        host::spawn(async move {
            let Some((settings, kept_at)) = self.look().await else { return };
            let Some(fresh) = self.own(&settings, &kept_at) else { return };
            let before =
                self.all.try_with_untracked(|all| all.iter().find(|it| it.saved.name == OWN).cloned());
            // Nothing to move before the servers are read: the list will begin with this address.
            let Some(before) = before.flatten().filter(|it| it.saved.url != fresh.url) else { return };
            self.switch(OWN, false);
            self.all.try_update(|all| {
                all.iter_mut().filter(|it| it.saved.name == OWN).for_each(|it| it.saved = fresh.clone());
            });
            self.switch(OWN, before.id.is_some());
        });
    }

    /// The settings of the own server, and its address where SiYuan runs it; `None` after the playground is left.
    async fn look(self) -> Option<(HttpSettings, String)> {
        let settings = HttpSettings::read(&PageKernel).await.unwrap_or_default();
        let host = self.room.host()?;
        Some((settings, host.server_address().await))
    }

    /// The own server: where SiYuan runs it, else where one is connected, else where the settings say that it will be.
    fn own(self, settings: &HttpSettings, kept_at: &str) -> Option<SavedServer> {
        let connected_at = self.connected_at.try_get_value()?;
        Some(own(settings, if kept_at.is_empty() { &connected_at } else { kept_at }))
    }

    /// Connects a server in this playground, or leaves it; what is saved stays as it is (B-213).
    pub(crate) fn switch(self, name: &str, is_on: bool) {
        let Some(pool) = self.pool.try_get_value() else { return };
        let found = self.all.with_untracked(|all| all.iter().find(|it| it.saved.name == name).cloned());
        let Some(server) = found.filter(|it| it.id.is_some() != is_on) else { return };
        let id = match server.id {
            Some(id) => {
                host::spawn(async move { pool.remove(id).await });
                None
            }
            None => {
                let Some(limits) = self.held.try_get_value() else { return };
                let (id, connection) = pool.add(settings(&server.saved, limits));
                host::spawn(async move { connection.run().await });
                Some(id)
            }
        };
        self.all
            .try_update(|all| all.iter_mut().filter(|it| it.saved.name == name).for_each(|it| it.id = id));
        self.news.try_update(|it| *it += 1);
    }

    /// Reconnects after a failure.
    pub(crate) fn retry(self, id: ServerId) {
        if let Some(connection) = self.connection(id) {
            host::spawn(async move { connection.run().await });
        }
    }

    /// Checks whether a server answers.
    pub(crate) fn check(self, id: ServerId) {
        if let Some(connection) = self.connection(id) {
            host::spawn(async move {
                // A failure shows in the state of the connection.
                let _ = connection.check().await;
            });
        }
    }

    /// Saves servers, in place of another one or as new ones, and connects them.
    pub(crate) fn keep(self, before: Option<&str>, fresh: Vec<SavedServer>) {
        let names: Vec<String> = fresh.iter().filter(|it| it.enabled).map(|it| it.name.clone()).collect();
        let (place, written) = (before.map(str::to_owned), fresh.clone());
        if let Some(name) = before {
            self.switch(name, false);
        }
        self.all.update(|all| {
            let at = all.iter().position(|it| before == Some(it.saved.name.as_str())).unwrap_or(all.len());
            let fresh: Vec<Server> = fresh.into_iter().map(|saved| Server { saved, id: None }).collect();
            let end = if before.is_some() && at < all.len() { at + 1 } else { at };
            all.splice(at..end, fresh);
        });
        self.save(move |file| file.keep(place.as_deref(), &written));
        names.iter().for_each(|name| self.switch(name, true));
    }

    /// Changes whether a server is connected when the playground opens.
    pub(crate) fn enable(self, name: &str, is: bool) {
        self.all.update(|all| {
            all.iter_mut().filter(|it| it.saved.name == name).for_each(|it| it.saved.enabled = is);
        });
        let name = name.to_owned();
        self.save(move |file| file.enable(&name, is));
    }

    /// Forgets a server.
    pub(crate) fn remove(self, name: &str) {
        self.switch(name, false);
        self.all.update(|all| all.retain(|it| it.saved.name != name));
        let name = name.to_owned();
        self.save(move |file| file.remove(&name));
    }

    /// Changes the limits of all connections.
    pub(crate) fn limit(self, limits: Limits) {
        self.hold(limits);
        self.save(move |file| file.set_limits(limits));
    }

    fn hold(self, limits: Limits) {
        self.held.try_with_value(|it| it.set(limits));
        self.limits.try_set(limits);
    }

    /// The servers that are saved in the file.
    pub(crate) fn saved(self) -> Vec<SavedServer> {
        let all = self.all.get_untracked().into_iter().map(|it| it.saved);
        all.filter(|it| it.name != OWN).collect()
    }

    fn save(self, edit: impl FnOnce(&mut File) + 'static) {
        if let Some(edits) = self.edits.try_get_value() {
            edits.change(Box::new(edit), move |trouble| {
                self.trouble.try_set(trouble);
            });
        }
    }

    /// The connection of a server, while it is switched on here; reading it tracks its changes.
    pub(crate) fn id(self, name: &str) -> Option<ServerId> {
        self.all.with(|all| all.iter().find(|it| it.saved.name == name)?.id)
    }

    /// Whether a server is connected when the playground opens; reading it tracks its changes.
    pub(crate) fn is_enabled(self, name: &str) -> bool {
        self.all.with(|all| all.iter().any(|it| it.saved.name == name && it.saved.enabled))
    }

    /// The state of a server's connection, closed where it is switched off here; `None` before the servers are read.
    /// Reading it tracks its changes.
    pub(crate) fn state(self, name: &str) -> Option<State> {
        if self.all.with(Vec::is_empty) {
            return None;
        }
        Some(self.id(name).and_then(|id| self.shown(id)).map_or(State::Closed, |it| it.state))
    }

    pub(crate) fn connection(self, id: ServerId) -> Option<Connection> {
        self.pool.try_get_value()?.get(id)
    }

    /// The connection as it is now; reading it tracks its changes.
    pub(crate) fn shown(self, id: ServerId) -> Option<ConnectionView> {
        self.news.track();
        Some(self.connection(id)?.shown())
    }

    /// The tools of all connected servers; reading them tracks their changes.
    pub(crate) fn tools(self) -> Vec<IndexedTool> {
        self.news.track();
        self.pool.try_get_value().map(|it| it.index()).unwrap_or_default()
    }

    /// The connected servers; reading them tracks their changes.
    pub(crate) fn connected(self) -> Vec<(ServerId, Connection)> {
        self.news.track();
        let ids = self.all.with(|all| all.iter().filter_map(|it| it.id).collect::<Vec<_>>());
        let connections = ids.into_iter().filter_map(|id| Some((id, self.connection(id)?)));
        connections.filter(|(_, it)| it.state() == State::Connected).collect()
    }
}

fn settings(saved: &SavedServer, limits: Rc<Cell<Limits>>) -> Settings {
    let headers = saved.headers.iter().map(|it| (it.name.clone(), it.reveal().to_owned()));
    Settings {
        name: saved.name.clone(),
        address: Address {
            url: saved.url.clone(),
            headers: headers.collect(),
            through_kernel: saved.through_kernel,
        },
        eras: Eras::Both,
        limits,
    }
}
