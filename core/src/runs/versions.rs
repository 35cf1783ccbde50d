//! The versions that the ledger makes: each under a name of its own, so that none overwrites an earlier one.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::join_all;

use super::{AT_ONCE, CalledDocument, Runs, look};
use crate::id::DocId;
use crate::kernel::api::history;
use crate::kernel::{self, Kernel, KernelError, files};

/// The maximum number of documents whose last version is remembered.
const MOST_VERSIONS: usize = 10_000;
/// The number of seconds for which a free name is awaited.
const TRIES: usize = 3;
/// A second, and the time by which two readings of the same clock may differ, in milliseconds.
const SECOND_MS: u64 = 1_000;
const SLACK_MS: u64 = 20;

/// The outcome of making a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum VersionOutcome {
    /// It was made in this second of the local clock.
    Made(String),
    /// The version of an earlier run holds the present state; its path.
    Shared(String),
    /// The document is nowhere.
    Absent,
    Failed,
}

impl Runs {
    /// Makes versions of documents.
    pub(super) async fn keep_versions(
        &self,
        kernel: &dyn Kernel,
        documents: &[CalledDocument],
    ) -> BTreeMap<String, VersionOutcome> {
        let mut all = BTreeMap::new();
        for some in documents.chunks(AT_ONCE) {
            let each = some.iter().map(|(id, place)| async move {
                let place = place.as_ref().map(|(notebook, path)| format!("{notebook}{path}"));
                (id.to_string(), self.keep_version(kernel, id, place).await)
            });
            all.extend(join_all(each).await);
        }
        all
    }

    async fn keep_version(&self, kernel: &dyn Kernel, id: &DocId, place: Option<String>) -> VersionOutcome {
        if let Some(path) = self.shared_version(kernel, id.as_str(), place.as_deref()).await {
            return VersionOutcome::Shared(path);
        }
        if !self.awaits_name(kernel, id.as_str(), place).await {
            return VersionOutcome::Failed;
        }
        let digits = kernel.local_digits();
        match kernel::ask(kernel, history::create_doc_history(id)).await {
            Ok(()) => {
                self.note_version(id.as_str(), digits.clone());
                VersionOutcome::Made(digits)
            }
            // SiYuan refuses for other reasons too.
            Err(KernelError::Code(..)) if look::is_nowhere(kernel, id.as_str()).await => {
                VersionOutcome::Absent
            }
            Err(_) => VersionOutcome::Failed,
        }
    }

    /// The path of an earlier run's version that is still there and holds the present state of a document.
    async fn shared_version(&self, kernel: &dyn Kernel, id: &str, place: Option<&str>) -> Option<String> {
        let (path, place) = (self.state().recorded.get(id).cloned()?, place?);
        let version = look::tree_at(kernel, &path).await?;
        let now = look::tree_at(kernel, &format!("/data/{place}")).await?;
        // Databases change without their documents, so an older version may not match.
        (version.hash == now.hash && now.databases.is_empty()).then_some(path)
    }

    /// Notes the path of a version for later runs.
    pub(super) fn record_version(&self, id: &str, path: &str) {
        let mut state = self.state();
        if state.recorded.len() >= MOST_VERSIONS {
            state.recorded.clear();
        }
        state.recorded.insert(id.to_owned(), path.to_owned());
    }

    /// Waits until a version of a document would overwrite none, because SiYuan names versions by the second; false if
    /// it still would. Another process may have made the one that is there.
    pub(crate) async fn awaits_name(&self, kernel: &dyn Kernel, id: &str, place: Option<String>) -> bool {
        let place = match place {
            Some(place) => Some(place),
            None => look::file_of(kernel, id).await.map(|it| it.place()),
        };
        for _ in 0..TRIES {
            let digits = kernel.local_digits();
            let is_taken = self.has_version_of_now(id, &digits)
                || match (&place, history::folder(&digits, "update")) {
                    (Some(place), Some(folder)) => {
                        let read = files::read(kernel, &format!("{folder}/{place}")).await;
                        read.is_ok_and(|it| it.is_some())
                    }
                    _ => false,
                };
            if !is_taken {
                return true;
            }
            rest_of_second(kernel).await;
        }
        false
    }

    /// Waits for the next second if this process made a version in the present one, except of these documents. The next
    /// request makes SiYuan save a version of its own, which would overwrite ours under the same name.
    pub(crate) async fn spare_versions(&self, kernel: &dyn Kernel, except: &[String]) {
        for _ in 0..TRIES {
            let digits = kernel.local_digits();
            let is_taken = |(id, it): (&String, &String)| *it == digits && !except.contains(id);
            if !self.state().versions.iter().any(is_taken) {
                return;
            }
            rest_of_second(kernel).await;
        }
    }

    /// Notes that a version was made in a second.
    pub(crate) fn note_version(&self, id: &str, digits: String) {
        let mut state = self.state();
        if state.versions.len() >= MOST_VERSIONS {
            state.versions.clear();
        }
        state.versions.insert(id.to_owned(), digits);
    }

    /// Whether this process made a version of a document in this second. A further one would overwrite it.
    pub(crate) fn has_version_of_now(&self, id: &str, digits: &str) -> bool {
        self.state().versions.get(id).is_some_and(|it| it == digits)
    }
}

/// Waits for the next second.
async fn rest_of_second(kernel: &dyn Kernel) {
    let rest = SECOND_MS - kernel.now_ms() % SECOND_MS;
    kernel.pause(Duration::from_millis(rest + SLACK_MS)).await;
}
