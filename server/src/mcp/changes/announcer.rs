//! One poll for all clients that receive changes: sessions of the older era, and listeners of the newer one.
//!
//! A listener reads until its request ends. The client of a session always reads over stdio; over HTTP it reads while
//! it holds the standing stream. Changes that happened while nobody read are announced to the next reader. Without
//! recent requests only a subscription or a listener keeps the poll frequent, so a client that sits unused all day
//! costs next to nothing.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use puppy_core::config::Offer;
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{NotificationContext, Peer, SubscriptionContext, SubscriptionSink};
use rmcp::{ErrorData, RoleServer};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{ClientState, EVERY, List, MOST, News, Print, Snapshot, print};
use crate::Sidecar;
use crate::mcp::events::Readers;

/// The polling interval when no client has sent a request for a while and none waits for a document.
const SELDOM: Duration = Duration::from_secs(30);
/// The time after a request during which the poll stays frequent.
const WHILE: Duration = Duration::from_secs(60);
/// The time a client has to accept a notification.
const PATIENCE: Duration = Duration::from_secs(5);
/// The maximum number of subscriptions whose first state is read at the same time, each on a blocked thread.
const BEGINNING: usize = 4;
/// The header that names a session.
const SESSION: &str = "mcp-session-id";

/// The state that the client of one session knows.
#[derive(Debug, Clone, Default)]
pub(in crate::mcp) struct SharedClientState(Arc<Mutex<ClientState>>);

impl SharedClientState {
    fn lock(&self) -> MutexGuard<'_, ClientState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the client's known tools and returns whether they have changed.
    pub(in crate::mcp) fn tools(&self, offer: &Offer, listing: bool) -> bool {
        let now = print(offer);
        let mut known = self.lock();
        let changed = known.lists.get(&List::Tools).is_some_and(|before| *before != now);
        if listing || changed {
            known.lists.insert(List::Tools, now);
        }
        changed
    }

    /// Subscribes to a document in its present state.
    pub(in crate::mcp) fn subscribe(&self, uri: String, now: Option<Print>) -> Result<(), ErrorData> {
        let documents = &mut self.lock().documents;
        if documents.len() >= MOST && !documents.contains_key(&uri) {
            let message =
                format!("A session may subscribe to at most {MOST} resources. Unsubscribe from one first.");
            return Err(ErrorData::invalid_params(message, None));
        }
        documents.entry(uri).or_insert(Some(now));
        Ok(())
    }

    pub(in crate::mcp) fn unsubscribe(&self, uri: &str) {
        self.lock().documents.remove(uri);
    }

    fn uris(&self) -> Vec<String> {
        self.lock().documents.keys().cloned().collect()
    }
}

/// A recipient of changes.
#[derive(Debug, Clone)]
struct Member {
    known: SharedClientState,
    way: Recipient,
    /// The sidecar under the ceiling of this recipient.
    sidecar: Sidecar,
}

/// The way to notify a recipient.
#[derive(Debug, Clone)]
enum Recipient {
    /// A session of the older era, with its id over HTTP.
    Session(Peer<RoleServer>, Option<Arc<str>>),
    /// A listener of the newer era, with the lists it wants.
    Listener(SubscriptionSink, Arc<BTreeSet<List>>, CancellationToken),
}

impl Recipient {
    fn is_closed(&self) -> bool {
        match self {
            Recipient::Session(peer, _) => peer.is_transport_closed(),
            Recipient::Listener(_, _, gone) => gone.is_cancelled(),
        }
    }
}

/// Polls for all clients of the process and notifies them.
#[derive(Debug, Clone)]
pub(in crate::mcp) struct Announcer(Arc<AnnouncerState>);

#[derive(Debug)]
struct AnnouncerState {
    readers: Readers,
    members: Mutex<(Vec<Member>, bool)>,
    /// The last request, in milliseconds since `began`.
    used_ms: AtomicU64,
    began: Instant,
    /// The subscriptions whose first state may be read at the same time.
    beginning: Semaphore,
}

impl Announcer {
    pub(in crate::mcp) fn new(readers: Readers) -> Announcer {
        let (members, used_ms) = (Mutex::default(), AtomicU64::new(0));
        let beginning = Semaphore::new(BEGINNING);
        Announcer(Arc::new(AnnouncerState { readers, members, used_ms, began: Instant::now(), beginning }))
    }

    /// A place for reading the first state of a subscription, which blocks a thread; `None` while all are taken.
    pub(super) fn place_to_begin(&self) -> Option<SemaphorePermit<'_>> {
        self.0.beginning.try_acquire().ok()
    }

    /// Adds a session after its greeting; it receives changes from now on.
    pub(in crate::mcp) fn join(
        &self,
        known: &SharedClientState,
        cx: NotificationContext<RoleServer>,
        sidecar: &Sidecar,
    ) {
        self.used();
        let head = cx.extensions.get::<axum::http::request::Parts>();
        let session = head.and_then(|it| it.headers.get(SESSION)).and_then(|it| it.to_str().ok());
        let way = Recipient::Session(cx.peer, session.map(Arc::from));
        self.add(Member { known: known.clone(), way, sidecar: sidecar.clone() });
    }

    /// Notifies a listener of changes to the state it knows until it disconnects.
    pub(super) async fn listening(
        &self,
        listener: &SubscriptionContext,
        lists: BTreeSet<List>,
        known: ClientState,
        sidecar: &Sidecar,
    ) {
        let gone = CancellationToken::new();
        // However this ends, the notifications stop.
        let _guard = gone.clone().drop_guard();
        let way = Recipient::Listener(listener.sink().clone(), Arc::new(lists), gone.clone());
        let known = SharedClientState(Arc::new(Mutex::new(known)));
        self.add(Member { known, way, sidecar: sidecar.clone() });
        self.0.readers.look_now();
        tokio::select! {
            () = listener.cancelled() => {}
            () = gone.cancelled() => {}
        }
    }

    fn add(&self, member: Member) {
        let mut members = self.members();
        members.0.retain(|it| !it.way.is_closed() && !Arc::ptr_eq(&it.known.0, &member.known.0));
        members.0.push(member);
        if !std::mem::replace(&mut members.1, true) {
            tokio::spawn(self.clone().look());
        }
    }

    /// Records that a client has sent a request.
    pub(in crate::mcp) fn used(&self) {
        let now = u64::try_from(self.0.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let before = self.0.used_ms.swap(now, Ordering::Relaxed);
        if u128::from(now.saturating_sub(before)) > WHILE.as_millis() {
            self.0.readers.wake();
        }
    }

    fn members(&self) -> MutexGuard<'_, (Vec<Member>, bool)> {
        self.0.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The members that read now; `None` when nobody is left and the polling ends.
    fn reading(&self) -> Option<Vec<Member>> {
        let mut members = self.members();
        members.0.retain(|it| !it.way.is_closed());
        members.1 = !members.0.is_empty();
        let reads = |it: &&Member| match &it.way {
            Recipient::Session(_, Some(id)) => self.0.readers.reads(id),
            _ => true,
        };
        members.1.then(|| members.0.iter().filter(reads).cloned().collect())
    }

    async fn look(self) {
        while let Some(reading) = self.reading() {
            let waits = |it: &Member| {
                matches!(it.way, Recipient::Listener(..)) || !it.known.lock().documents.is_empty()
            };
            let (is_empty, waits) = (reading.is_empty(), reading.iter().any(waits));
            for group in by_identity(reading) {
                notify_all(&group).await;
            }
            self.pause(is_empty, waits).await;
        }
    }

    /// Waits for the next poll: until a reader arrives if there is none, and briefly while somebody waits for changes.
    async fn pause(&self, nobody: bool, waits: bool) {
        let began = Instant::now();
        loop {
            let (woken, now) = (self.0.readers.woken(), self.0.readers.asked_now());
            if nobody {
                return tokio::select! { () = woken => {}, () = now => {} };
            }
            let used = self.0.began + Duration::from_millis(self.0.used_ms.load(Ordering::Relaxed));
            let every = if waits || used.elapsed() < WHILE { EVERY } else { SELDOM };
            tokio::select! {
                () = tokio::time::sleep_until(began + every) => return,
                () = now => return,
                () = woken => {}
            }
        }
    }
}

/// The members in groups that may see the same.
fn by_identity(members: Vec<Member>) -> Vec<Vec<Member>> {
    let mut groups: Vec<Vec<Member>> = Vec::new();
    for member in members {
        let is_same = |it: &&mut Vec<Member>| {
            it.first().is_some_and(|it| it.sidecar.cache.identity() == member.sidecar.cache.identity())
        };
        match groups.iter_mut().find(is_same) {
            Some(group) => group.push(member),
            None => groups.push(vec![member]),
        }
    }
    groups
}

/// Notifies members that may see the same; one look serves them all.
async fn notify_all(members: &[Member]) {
    let Some(first) = members.first() else { return };
    let uris: BTreeSet<String> = members.iter().flat_map(|it| it.known.uris()).collect();
    let lists = members.iter().flat_map(|it| it.lists().iter().copied()).collect();
    let look = Snapshot::now(&first.sidecar, &lists, uris).await;
    join_all(members.iter().map(|it| it.notify(&look))).await;
}

impl Member {
    fn lists(&self) -> &BTreeSet<List> {
        static ALL: LazyLock<BTreeSet<List>> = LazyLock::new(|| List::ALL.into_iter().collect());
        match &self.way {
            Recipient::Session(..) => &ALL,
            Recipient::Listener(_, lists, _) => lists,
        }
    }

    /// Notifies the client of changes it does not know yet.
    async fn notify(&self, look: &Snapshot) {
        let news = self.known.lock().news(look, self.lists());
        let sending = async {
            for news in news {
                match &self.way {
                    Recipient::Session(peer, _) => to_session(peer, news).await?,
                    Recipient::Listener(sink, ..) => to_listener(sink, news).await?,
                }
            }
            Ok::<_, String>(())
        };
        match tokio::time::timeout(PATIENCE, sending).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::debug!("a client could not be notified of a change: {error}");
                if let Recipient::Listener(_, _, gone) = &self.way {
                    gone.cancel();
                }
            }
            Err(_) => tracing::debug!("a client took too long to accept the notification of a change"),
        }
    }
}

async fn to_session(peer: &Peer<RoleServer>, news: News) -> Result<(), String> {
    let sent = match news {
        News::Of(List::Tools) => peer.notify_tool_list_changed().await,
        News::Of(List::Resources) => peer.notify_resource_list_changed().await,
        News::Of(List::Prompts) => peer.notify_prompt_list_changed().await,
        News::Updated(uri) => peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await,
    };
    sent.map_err(|error| error.to_string())
}

async fn to_listener(sink: &SubscriptionSink, news: News) -> Result<(), String> {
    let sent = match news {
        News::Of(List::Tools) => sink.notify_tool_list_changed().await,
        News::Of(List::Resources) => sink.notify_resource_list_changed().await,
        News::Of(List::Prompts) => sink.notify_prompt_list_changed().await,
        News::Updated(uri) => sink.notify_resource_updated(uri).await,
    };
    sent.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A client that opens many streams at a slow SiYuan would otherwise block every thread.
    #[tokio::test]
    async fn few_subscriptions_block_a_thread_together() {
        let announcer = Announcer::new(Readers::default());
        let places: Vec<_> = (0..BEGINNING).filter_map(|_| announcer.place_to_begin()).collect();
        assert_eq!(places.len(), BEGINNING);
        assert!(announcer.place_to_begin().is_none());
        drop(places);
        assert!(announcer.place_to_begin().is_some());
    }

    /// The length of a pause; `None` if it has no end.
    async fn pause(announcer: &Announcer, nobody: bool, subscribed: bool) -> Option<Duration> {
        let began = Instant::now();
        let over = tokio::time::timeout(2 * SELDOM, announcer.pause(nobody, subscribed)).await;
        over.ok().map(|()| began.elapsed())
    }

    /// An unused client costs next to nothing, and nothing at all while nobody reads.
    #[tokio::test(start_paused = true)]
    async fn polling_is_fast_only_while_a_client_waits() {
        let readers = Readers::default();
        let announcer = Announcer::new(readers.clone());
        assert_eq!(pause(&announcer, false, false).await, Some(EVERY), "just begun");
        tokio::time::advance(WHILE).await;
        assert_eq!(pause(&announcer, false, false).await, Some(SELDOM));
        assert_eq!(pause(&announcer, false, true).await, Some(EVERY), "somebody waits for a document");
        assert_eq!(pause(&announcer, true, false).await, None);
        // A request ends a long pause at once.
        let (paused, ()) = tokio::join!(pause(&announcer, false, false), async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            announcer.used();
        });
        assert_eq!(paused, Some(Duration::from_secs(2)));
        // So does a reader when there was none.
        let (paused, _reader) = tokio::join!(pause(&announcer, true, false), async {
            tokio::time::sleep(Duration::from_secs(3)).await;
            readers.reading(&Arc::from("session"), futures_util::stream::pending::<()>())
        });
        assert_eq!(paused, Some(Duration::from_secs(3)));
    }
}
