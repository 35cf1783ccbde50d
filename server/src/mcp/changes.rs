//! Change notifications of lists and subscribed documents, in both eras (B-010, B-116).
//!
//! SiYuan is not polled while nobody listens. One poll serves all listeners (see [`announcer`]): a document with many
//! subscribers is read once.

pub(super) mod announcer;
pub(super) mod subscribing;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use futures_util::{StreamExt, stream};
use puppy_core::id::DocId;
use puppy_core::resources::uri::Uri;
use puppy_core::resources::{ReadScope, fingerprint};
use rmcp::model::SubscriptionFilter;
use rmcp::service::SubscriptionContext;

use super::Handler;
use crate::Sidecar;

/// The polling interval; clients learn of a change within twice this time (B-116).
const EVERY: Duration = Duration::from_millis(900);
const _: () = assert!(2 * EVERY.as_millis() < 2_000, "2 s are promised");
/// The maximum number of documents per subscriber.
const MOST: usize = 64;
/// The number of documents read concurrently, for all subscribers together.
const AT_A_TIME: usize = 16;

/// A hash that distinguishes two states of an item: there are many sessions, and copies would be large (B-147).
pub(super) type Print = u64;

/// Hashes a value.
pub(super) fn print(of: &impl Hash) -> Print {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// A list whose changes are announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum List {
    Tools,
    Resources,
    Prompts,
}

impl List {
    const ALL: [List; 3] = [List::Tools, List::Resources, List::Prompts];
}

/// A change.
#[derive(Debug, Clone, PartialEq, Eq)]
enum News {
    Of(List),
    Updated(String),
}

/// The state of everything at one moment; items that could not be read are absent.
#[derive(Debug, Default)]
struct Snapshot {
    lists: Vec<(List, Print)>,
    /// Documents by address; `None` for an invisible document.
    documents: BTreeMap<String, Option<Print>>,
}

impl Snapshot {
    async fn now(sidecar: &Sidecar, wanted: &BTreeSet<List>, uris: BTreeSet<String>) -> Snapshot {
        let mut snapshot = Snapshot::default();
        for list in wanted {
            let seen = match list {
                List::Tools => sidecar.policy().await.known_offer().as_ref().map(print),
                List::Resources => sidecar.list_fingerprint().await.ok().map(|it| print(&it)),
                List::Prompts => {
                    let prompts = sidecar.prompts().await.into_iter().map(|it| (it.name, it.title));
                    Some(print(&prompts.collect::<Vec<_>>()))
                }
            };
            snapshot.lists.extend(seen.map(|seen| (*list, seen)));
        }
        if uris.is_empty() {
            return snapshot;
        }
        let Ok(reader) = &sidecar.reader(ReadScope::Document).await else { return snapshot };
        let mut documents: BTreeMap<DocId, Vec<String>> = BTreeMap::new();
        for uri in uris {
            match Uri::parse(&uri) {
                Ok(Uri::Document { id, .. }) => documents.entry(id).or_default().push(uri),
                Ok(_) => drop(snapshot.documents.insert(uri, Some(print(&String::new())))),
                Err(_) => {}
            }
        }
        let each = stream::iter(documents)
            .map(async |(id, uris)| fingerprint(reader, &id).await.ok().map(|found| (uris, found)));
        let found: Vec<_> = each.buffer_unordered(AT_A_TIME).filter_map(async |it| it).collect().await;
        for (uris, found) in found {
            let print = found.map(|it| print(&it));
            snapshot.documents.extend(uris.into_iter().map(|uri| (uri, print)));
        }
        snapshot
    }
}

/// The state that one client knows.
#[derive(Debug, Default)]
struct ClientState {
    lists: BTreeMap<List, Print>,
    /// The subscribed documents; `None` before the first poll.
    documents: BTreeMap<String, Option<Option<Print>>>,
}

impl ClientState {
    /// The changes in a snapshot of these lists. An item seen for the first time is not a change.
    fn news(&mut self, snapshot: &Snapshot, lists: &BTreeSet<List>) -> Vec<News> {
        let mut news = Vec::new();
        for (list, now) in snapshot.lists.iter().filter(|(list, _)| lists.contains(list)) {
            if self.lists.insert(*list, *now).is_some_and(|before| before != *now) {
                news.push(News::Of(*list));
            }
        }
        for (uri, known) in &mut self.documents {
            let Some(now) = snapshot.documents.get(uri) else { continue };
            if known.replace(*now).is_some_and(|before| before != *now) {
                news.push(News::Updated(uri.clone()));
            }
        }
        news
    }
}

/// The lists that a filter names.
fn lists_in(filter: &SubscriptionFilter) -> BTreeSet<List> {
    let named = |list: &List| {
        let named = match list {
            List::Tools => filter.tools_list_changed,
            List::Resources => filter.resources_list_changed,
            List::Prompts => filter.prompts_list_changed,
        };
        named == Some(true)
    };
    List::ALL.into_iter().filter(named).collect()
}

impl Handler {
    /// The part of a requested filter that is granted: every list, and resources up to a limit.
    pub(super) fn accepted(requested: &SubscriptionFilter) -> SubscriptionFilter {
        let mut accepted = requested.clone();
        if let Some(uris) = &mut accepted.resource_subscriptions {
            uris.retain(|uri| Uri::parse(uri).is_ok());
            uris.truncate(MOST);
        }
        accepted
    }

    /// The state of everything that a filter names.
    async fn state_of(&self, filter: &SubscriptionFilter) -> Snapshot {
        let uris = filter.resource_subscriptions.iter().flatten().cloned().collect();
        Snapshot::now(&self.sidecar, &lists_in(filter), uris).await
    }

    /// Notifies a listener of the newer era until it disconnects.
    pub(super) async fn notify(&self, listener: SubscriptionContext) {
        let accepted = listener.accepted();
        let lists = lists_in(accepted);
        let uris = accepted.resource_subscriptions.iter().flatten().cloned();
        let mut known =
            ClientState { documents: uris.map(|uri| (uri, None)).collect(), ..ClientState::default() };
        // The state at the subscription is not a change.
        let here = self.for_request(listener.request_context());
        // It was read for unknown callers.
        let ceiling = |it: &Handler| it.sidecar.known().map(|it| it.scope.grants.ceiling.clone());
        if let Some(state) = self.subscribing.take(accepted).filter(|_| ceiling(self) == ceiling(&here)) {
            known.news(&state, &lists);
        }
        self.announcer.listening(&listener, lists, known, &here.sidecar).await;
    }
}
