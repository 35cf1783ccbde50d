//! Changes told to clients: of lists and of documents they subscribed to, in both eras (B-010, B-116).
//!
//! Nothing is asked while nobody listens. While somebody does, each subscriber looks once a second,
//! for itself: sessions share nothing, and a look ends with its subscriber.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use puppy_core::config::Switches;
use puppy_core::error::ToolError;
use puppy_core::resources::uri::Uri;
use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{Peer, SubscriptionContext};
use rmcp::{ErrorData, RoleServer};

use super::Handler;
use crate::Sidecar;

/// How often a subscriber looks; a change is told within twice that.
const EVERY: Duration = Duration::from_millis(900);
/// Most documents of one subscriber.
const MOST: usize = 64;

/// What a subscriber was told last.
#[derive(Debug, Default)]
struct Seen {
    switches: Option<Switches>,
    documents: Option<String>,
    prompts: Option<Vec<String>>,
    /// By address; `None` for what cannot be seen.
    contents: BTreeMap<String, Option<String>>,
}

/// Something that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Change {
    Tools,
    Resources,
    Prompts,
    Updated(String),
}

/// What to look at.
#[derive(Debug, Clone, Copy)]
struct Lists {
    tools: bool,
    resources: bool,
    prompts: bool,
}

impl Seen {
    /// Looks once; what is seen for the first time is no change, what cannot be asked is none either.
    async fn look(&mut self, sidecar: &Sidecar, lists: Lists, uris: &[String]) -> Vec<Change> {
        let mut changes = Vec::new();
        let policy = sidecar.policy().await;
        if let Ok(switches) = policy.switches.as_ref()
            && lists.tools
            && replaced(&mut self.switches, switches.clone())
        {
            changes.push(Change::Tools);
        }
        if let Ok(library) = sidecar.library().await {
            if lists.resources
                && let Ok(documents) = library.list_fingerprint().await
                && replaced(&mut self.documents, documents)
            {
                changes.push(Change::Resources);
            }
            let prints = uris.iter().map(async |uri| match Uri::parse(uri) {
                Ok(Uri::Document { id, .. }) => library.fingerprint(&id).await,
                Ok(_) => Ok(Some(String::new())),
                Err(error) => Err(error),
            });
            let prints: Vec<Result<Option<String>, ToolError>> = join_all(prints).await;
            self.contents.retain(|uri, _| uris.contains(uri));
            for (uri, print) in uris.iter().zip(prints) {
                let Ok(print) = print else { continue };
                if self.contents.insert(uri.clone(), print.clone()).is_some_and(|before| before != print) {
                    changes.push(Change::Updated(uri.clone()));
                }
            }
        }
        if lists.prompts {
            let prompts = sidecar.prompts().await.into_iter().map(|it| format!("{} {}", it.name, it.title));
            if replaced(&mut self.prompts, prompts.collect()) {
                changes.push(Change::Prompts);
            }
        }
        changes
    }
}

/// Puts the new in place of the old; whether there was an old one and it was different.
fn replaced<T: PartialEq>(old: &mut Option<T>, new: T) -> bool {
    let changed = old.as_ref().is_some_and(|it| *it != new);
    *old = Some(new);
    changed
}

/// The documents that a session of the older era subscribed to.
#[derive(Debug, Clone, Default)]
pub(super) struct Subscriptions(Arc<Mutex<Subscribed>>);

#[derive(Debug, Default)]
struct Subscribed {
    uris: Vec<String>,
    looking: bool,
}

impl Subscriptions {
    fn lock(&self) -> std::sync::MutexGuard<'_, Subscribed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is subscribed to; with nothing left the look is over.
    fn due(&self) -> Option<Vec<String>> {
        let mut all = self.lock();
        all.looking = !all.uris.is_empty();
        all.looking.then(|| all.uris.clone())
    }

    pub(super) fn remove(&self, uri: &str) {
        self.lock().uris.retain(|it| it != uri);
    }
}

impl Handler {
    /// Subscribes a session of the older era; what is there now is what later looks are compared with.
    pub(super) async fn subscribed(&self, uri: String, peer: Peer<RoleServer>) -> Result<(), ErrorData> {
        // What cannot be read cannot be subscribed to.
        self.resource_exists(&uri).await?;
        let start = {
            let mut all = self.subscriptions.lock();
            if all.uris.len() >= MOST {
                let message =
                    format!("A session subscribes to at most {MOST} resources; unsubscribe from one.");
                return Err(ErrorData::invalid_params(message, None));
            }
            if !all.uris.contains(&uri) {
                all.uris.push(uri.clone());
            }
            !std::mem::replace(&mut all.looking, true)
        };
        if !start {
            return Ok(());
        }
        let (sidecar, subscriptions) = (self.sidecar.clone(), self.subscriptions.clone());
        let mut seen = Seen::default();
        let lists = Lists { tools: true, resources: true, prompts: true };
        seen.look(&sidecar, lists, &[uri]).await;
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(EVERY).await;
                let Some(uris) = subscriptions.due().filter(|_| !peer.is_transport_closed()) else { return };
                for change in seen.look(&sidecar, lists, &uris).await {
                    let told = match change {
                        Change::Tools => peer.notify_tool_list_changed().await,
                        Change::Resources => peer.notify_resource_list_changed().await,
                        Change::Prompts => peer.notify_prompt_list_changed().await,
                        Change::Updated(uri) => {
                            peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await
                        }
                    };
                    if told.is_err() {
                        return;
                    }
                }
            }
        });
        Ok(())
    }

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
        let lists = Lists {
            tools: accepted.tools_list_changed == Some(true),
            resources: accepted.resources_list_changed == Some(true),
            prompts: accepted.prompts_list_changed == Some(true),
        };
        let uris = accepted.resource_subscriptions.clone().unwrap_or_default();
        let sink = listener.sink();
        let mut seen = Seen::default();
        let looking = async {
            loop {
                for change in seen.look(&self.sidecar, lists, &uris).await {
                    let told = match change {
                        Change::Tools => sink.notify_tool_list_changed().await,
                        Change::Resources => sink.notify_resource_list_changed().await,
                        Change::Prompts => sink.notify_prompt_list_changed().await,
                        Change::Updated(uri) => sink.notify_resource_updated(uri).await,
                    };
                    if told.is_err() {
                        return;
                    }
                }
                tokio::time::sleep(EVERY).await;
            }
        };
        tokio::select! {
            () = looking => {}
            () = listener.cancelled() => {}
        }
    }
}
