//! All connections of a playground: at most five are made at a time, their tools share an index, and all are left
//! together.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use async_lock::Semaphore;
use futures_util::future::join_all;

use crate::connection::{Change, Connection, Settings};
use crate::index::{IndexedTool, ServerId, index};
use crate::phase::State;
use crate::world::World;

/// The number of connections that are made at a time (B-201).
const AT_A_TIME: usize = 5;
/// The time for what runs when a playground is left, in milliseconds (B-214).
const PATIENCE_MS: u64 = 5_000;

/// The receiver of the changes of all connections.
pub type OnPoolChange = Rc<dyn Fn(ServerId, Change)>;

/// The connections.
pub struct Pool {
    world: World,
    turns: Rc<Semaphore>,
    on_change: OnPoolChange,
    next: Cell<ServerId>,
    all: RefCell<Vec<(ServerId, Connection)>>,
}

impl Pool {
    /// A pool without connections.
    #[must_use]
    pub fn new(world: World, on_change: OnPoolChange) -> Pool {
        Pool {
            world,
            turns: Rc::new(Semaphore::new(AT_A_TIME)),
            on_change,
            next: Cell::new(0),
            all: RefCell::default(),
        }
    }

    /// Adds a connection, which is made as soon as its [`Connection::run`] is polled.
    pub fn add(&self, settings: Settings) -> (ServerId, Connection) {
        let id = self.next.get();
        self.next.set(id + 1);
        let on_change = self.on_change.clone();
        let on_change = Rc::new(move |change| on_change(id, change));
        let connection = Connection::new(settings, self.world.clone(), self.turns.clone(), on_change);
        self.all.borrow_mut().push((id, connection.clone()));
        (id, connection)
    }

    /// A connection.
    #[must_use]
    pub fn get(&self, id: ServerId) -> Option<Connection> {
        self.all.borrow().iter().find(|(of, _)| *of == id).map(|(_, connection)| connection.clone())
    }

    /// The tools of all connected servers, as they list them now.
    #[must_use]
    pub fn index(&self) -> Vec<IndexedTool> {
        let all = self.all.borrow();
        let connected = all.iter().filter(|(_, it)| it.state() == State::Connected);
        let tools: Vec<_> =
            connected.map(|(id, it)| (*id, it.name(), it.with_offer(|offer| offer.tools.clone()))).collect();
        index(tools.iter().map(|(id, name, tools)| (*id, *name, &tools[..])))
    }

    /// Leaves one server and forgets it.
    pub async fn remove(&self, id: ServerId) {
        let Some(connection) = self.get(id) else { return };
        self.all.borrow_mut().retain(|(of, _)| *of != id);
        connection.close(PATIENCE_MS).await;
    }

    /// Leaves all servers: waits for what runs, ends every session, and forgets the connections.
    pub async fn close(&self) {
        let all = self.all.take();
        join_all(all.iter().map(|(_, connection)| connection.close(PATIENCE_MS))).await;
    }
}
