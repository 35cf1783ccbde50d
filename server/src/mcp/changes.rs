//! Changes told to clients: of lists and of documents they subscribed to, in both eras (B-010, B-116).
//!
//! Nothing is asked while nobody listens. A listener of the newer era looks for itself and ends with
//! its request; sessions of the older era share one look, see [`older`].

pub(super) mod older;

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use futures_util::future::join_all;
use puppy_core::resources::uri::Uri;
use rmcp::model::SubscriptionFilter;
use rmcp::service::{SubscriptionContext, SubscriptionSendError};

use super::Handler;
use crate::Sidecar;

/// How often is looked; a change is told within twice that (B-116).
const EVERY: Duration = Duration::from_millis(900);
const _: () = assert!(2 * EVERY.as_millis() < 2_000, "2 s are promised");
/// Most documents of one subscriber.
const MOST: usize = 64;

/// A hash by which two states of something are told apart: sessions are many, and copies would be large (B-147).
pub(super) type Print = u64;

/// The print of anything.
pub(super) fn print(of: &impl Hash) -> Print {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// A list that clients are told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum List {
    Tools,
    Resources,
    Prompts,
}

impl List {
    const ALL: [List; 3] = [List::Tools, List::Resources, List::Prompts];
}

/// What changed.
#[derive(Debug, Clone, PartialEq, Eq)]
enum News {
    Of(List),
    Updated(String),
}

/// How everything looked at one moment; what could not be asked is absent.
#[derive(Debug, Default)]
struct Look {
    lists: Vec<(List, Print)>,
    /// By address; `None` for what cannot be seen.
    documents: BTreeMap<String, Option<Print>>,
}

impl Look {
    async fn now(sidecar: &Sidecar, wanted: &[List], uris: BTreeSet<String>) -> Look {
        let mut look = Look::default();
        let library = sidecar.library().await;
        for list in wanted {
            let seen = match list {
                List::Tools => sidecar.policy().await.switches.as_ref().ok().map(print),
                List::Resources => match &library {
                    Ok(library) => library.list_fingerprint().await.ok().map(|it| print(&it)),
                    Err(_) => None,
                },
                List::Prompts => {
                    let prompts = sidecar.prompts().await.into_iter().map(|it| (it.name, it.title));
                    Some(print(&prompts.collect::<Vec<_>>()))
                }
            };
            look.lists.extend(seen.map(|seen| (*list, seen)));
        }
        if let Ok(library) = &library {
            let each = uris.into_iter().map(async |uri| {
                let found = match Uri::parse(&uri) {
                    Ok(Uri::Document { id, .. }) => library.fingerprint(&id).await,
                    Ok(_) => Ok(Some(String::new())),
                    Err(error) => Err(error),
                };
                found.ok().map(|found| (uri, found.map(|it| print(&it))))
            });
            look.documents = join_all(each).await.into_iter().flatten().collect();
        }
        look
    }
}

/// What one client knows.
#[derive(Debug, Default)]
struct Known {
    lists: BTreeMap<List, Print>,
    /// What it subscribed to; `None` before the first look.
    documents: BTreeMap<String, Option<Option<Print>>>,
}

impl Known {
    /// What is news in a look; what is seen for the first time is none.
    fn news(&mut self, look: &Look) -> Vec<News> {
        let mut news = Vec::new();
        for (list, now) in &look.lists {
            if self.lists.insert(*list, *now).is_some_and(|before| before != *now) {
                news.push(News::Of(*list));
            }
        }
        for (uri, known) in &mut self.documents {
            let Some(now) = look.documents.get(uri) else { continue };
            if known.replace(*now).is_some_and(|before| before != *now) {
                news.push(News::Updated(uri.clone()));
            }
        }
        news
    }
}

impl Handler {
    /// What a listener may hear: every list, and resources up to a number.
    pub(super) fn accepted(requested: &SubscriptionFilter) -> SubscriptionFilter {
        let mut accepted = requested.clone();
        if let Some(uris) = &mut accepted.resource_subscriptions {
            uris.retain(|uri| Uri::parse(uri).is_ok());
            uris.truncate(MOST);
        }
        accepted
    }

    /// Tells a listener of the newer era until it goes.
    pub(super) async fn told(&self, listener: SubscriptionContext) {
        let accepted = listener.accepted();
        let wanted = |list: &List| {
            let said = match list {
                List::Tools => accepted.tools_list_changed,
                List::Resources => accepted.resources_list_changed,
                List::Prompts => accepted.prompts_list_changed,
            };
            said == Some(true)
        };
        let lists: Vec<List> = List::ALL.into_iter().filter(wanted).collect();
        let uris: BTreeSet<String> = accepted.resource_subscriptions.iter().flatten().cloned().collect();
        let documents = uris.iter().map(|uri| (uri.clone(), None)).collect();
        let mut known = Known { documents, ..Known::default() };
        let sink = listener.sink();
        let looking = async {
            loop {
                for news in known.news(&Look::now(&self.sidecar, &lists, uris.clone()).await) {
                    match news {
                        News::Of(List::Tools) => sink.notify_tool_list_changed().await?,
                        News::Of(List::Resources) => sink.notify_resource_list_changed().await?,
                        News::Of(List::Prompts) => sink.notify_prompt_list_changed().await?,
                        News::Updated(uri) => sink.notify_resource_updated(uri).await?,
                    }
                }
                tokio::time::sleep(EVERY).await;
            }
        };
        let gone: Result<Infallible, SubscriptionSendError> = tokio::select! {
            gone = looking => gone,
            () = listener.cancelled() => return,
        };
        let Err(error) = gone;
        tracing::debug!("a listener could not be told of a change: {error}");
    }
}
