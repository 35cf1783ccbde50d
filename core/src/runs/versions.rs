//! The versions that the ledger makes: each under a name of its own, so that none overwrites an earlier one.

use std::time::Duration;

use futures_util::future::join_all;

use super::{AT_ONCE, NewDocumentPlace, Runs, look};
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum VersionOutcome {
    Made,
    /// The document is nowhere.
    Absent,
    Failed,
}

impl Runs {
    /// Makes versions and returns the ids of the documents that have one now, and of those that are nowhere.
    pub(super) async fn keep_versions(
        &self,
        kernel: &dyn Kernel,
        documents: &[NewDocumentPlace],
    ) -> (Vec<String>, Vec<String>) {
        let (mut kept, mut absent) = (Vec::new(), Vec::new());
        for some in documents.chunks(AT_ONCE) {
            let each = some.iter().map(|(id, place)| async move {
                let place = place.as_ref().map(|(notebook, path)| format!("{notebook}{path}"));
                (id.to_string(), self.keep_version(kernel, id, place).await)
            });
            for (id, outcome) in join_all(each).await {
                match outcome {
                    VersionOutcome::Made => kept.push(id),
                    VersionOutcome::Absent => absent.push(id),
                    VersionOutcome::Failed => {}
                }
            }
        }
        (kept, absent)
    }

    async fn keep_version(&self, kernel: &dyn Kernel, id: &DocId, place: Option<String>) -> VersionOutcome {
        if !self.awaits_name(kernel, id.as_str(), place).await {
            return VersionOutcome::Failed;
        }
        let digits = kernel.local_digits();
        match kernel::ask(kernel, history::create_doc_history(id)).await {
            Ok(()) => {
                self.note_version(id.as_str(), digits);
                VersionOutcome::Made
            }
            // SiYuan refuses for other reasons too.
            Err(KernelError::Code(..)) if look::is_nowhere(kernel, id.as_str()).await => {
                VersionOutcome::Absent
            }
            Err(_) => VersionOutcome::Failed,
        }
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
            let rest = SECOND_MS - kernel.now_ms() % SECOND_MS;
            kernel.pause(Duration::from_millis(rest + SLACK_MS)).await;
        }
        false
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
