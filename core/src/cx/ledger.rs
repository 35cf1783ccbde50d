//! The side of a running action that the ledger sees: what its requests named, and which versions exist already.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use super::Cx;
use crate::id::NotebookId;
use crate::kernel::api::{history, query};
use crate::kernel::{Body, Kernel, Nature, Request, Route};
use crate::runs::touched::{Touched, moves_at_once, tells, touched};
use crate::runs::{Author, Runs};

/// Routes that write without changing a note: flush the index, keep a version.
const LEAVES_NOTES: [Route; 2] = [query::FLUSH_TRANSACTION, history::CREATE_DOC_HISTORY];

pub(super) fn changes_notes(route: Route) -> bool {
    route.nature == Nature::Write && !LEAVES_NOTES.contains(&route)
}

impl<'a> Cx<'a> {
    /// The names in a request of which the ledger must know; none without a ledger.
    pub(super) fn recorded(&self, request: &Request) -> Option<Value> {
        if self.process.runs.is_none() || !tells(request.route) {
            return None;
        }
        Some(match &request.body {
            Body::Json(body) => body.clone(),
            Body::File { path, .. } => json!({ "path": path }),
        })
    }

    /// Notes for the ledger what a request changed.
    pub(super) fn touch(&self, route: Route, body: &Value, reply: &Value) {
        if self.process.runs.is_some() {
            let new = touched(route, body, reply);
            self.touched.lock().unwrap_or_else(PoisonError::into_inner).extend(new);
        }
    }

    /// Whether a request for a version need not be sent: the pipeline has made one for this call, or it would overwrite
    /// one of this second, even after a wait.
    pub(super) async fn needs_no_version(&self, request: &Request) -> bool {
        let (Some(runs), Body::Json(body)) = (&self.process.runs, &request.body) else { return false };
        let id = body.get("id").and_then(Value::as_str).unwrap_or_default();
        let digits = self.kernel.local_digits();
        if self.versioned.get().is_some_and(|it| it.iter().any(|doc| doc == id))
            || runs.has_version_of_now(id, &digits)
        {
            return true;
        }
        let is_free = runs.awaits_name(self.kernel, id, None).await;
        if is_free {
            runs.note_version(id, self.kernel.local_digits());
        }
        !is_free
    }

    /// Waits until a request at which SiYuan makes a version itself overwrites none of the ledger. A transaction may
    /// overwrite those that the pipeline has just made for this call: its version is the same.
    pub(super) async fn spare_versions(&self, request: &Request) {
        let Some(runs) = &self.process.runs else { return };
        let own = self.versioned.get().filter(|_| moves_at_once(request.route, &request.body));
        runs.spare_versions(self.kernel, own.map(Vec::as_slice).unwrap_or_default()).await;
    }

    /// Notes an hpath at which the call may create a document that neither it nor the answer names.
    pub fn foresees(&self, notebook: &NotebookId, hpath: &str) {
        let mut all = self.foreseen.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert((notebook.clone(), hpath.to_owned()));
    }

    /// Notes the run that the call puts back, and whether all of it.
    pub fn puts_back(&self, run: &str, is_whole: bool) {
        // A call plans once, so this cannot fail.
        let _ = self.puts_back.set((run.to_owned(), is_whole));
    }

    /// The run that was noted.
    pub(crate) fn run_put_back(&self) -> Option<(String, bool)> {
        self.puts_back.get().cloned()
    }

    /// Notes a place below which the call may change the order of documents: the storage path of a document, or `/`.
    pub fn reorders(&self, notebook: &NotebookId, below: &str) {
        let mut all = self.ordered.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert((notebook.clone(), below.to_owned()));
    }

    /// The places that were noted.
    pub(crate) fn reordered(&self) -> BTreeSet<(NotebookId, String)> {
        self.ordered.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The hpaths that were noted.
    pub(crate) fn foreseen(&self) -> BTreeSet<(NotebookId, String)> {
        self.foreseen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether the call made runs with this hash of their author.
    pub(crate) fn is_author(&self, hash: &str) -> bool {
        let known = self.process.runs.as_ref().zip(self.author);
        known.is_some_and(|(runs, author)| runs.hash_of_author(self.kernel, author) == hash)
    }

    /// The ledger of the process, with the kernel, for the pipeline.
    pub(crate) fn ledger(&self) -> Option<(&'a Runs, &'a dyn Kernel)> {
        Some((self.process.runs.as_deref()?, self.kernel))
    }

    /// Records the calls that ended, before somebody reads the runs.
    pub(crate) async fn settle_runs(&self) {
        if let Some((runs, kernel)) = self.ledger() {
            // Boxed, so that it takes no stack of the calls around it.
            Box::pin(runs.catch_up(kernel)).await;
        }
    }

    /// The maker of the change, for the ledger.
    pub(crate) fn author(&self) -> Option<&'a Author> {
        self.author
    }

    /// The list of what the requests of this call name, which outlives the call.
    pub(crate) fn touches(&self) -> Arc<Mutex<Vec<Touched>>> {
        Arc::clone(&self.touched)
    }

    /// Notes the documents of which the pipeline has made a version for this call.
    pub(crate) fn has_versions(&self, documents: Vec<String>) {
        // A call begins once, so this cannot fail.
        let _ = self.versioned.set(documents);
    }
}
