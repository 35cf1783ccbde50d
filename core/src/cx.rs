//! What a running action holds: the endpoints it declared, the places of its targets, the grants.

use std::sync::{Arc, Mutex, PoisonError};

use async_lock::{MutexGuard, OnceCell};
use serde::de::DeserializeOwned;

use crate::activity::Observer;
use crate::error::ToolError;
use crate::id::DocId;
use crate::kernel::api::system::{self, ConfFields};
use crate::kernel::api::{file, history, query};
use crate::kernel::{self, Ambient, Ask, Kernel, Nature, Route, files};
use crate::path::WorkspacePath;
use crate::permission::{Filter, Grants, Place, Places, Scope, ScopeSource, Target, Unfiltered};
use crate::process::Process;
use crate::spec::ActionSpec;

/// What calls of one process are made in.
#[derive(Clone, Copy)]
pub(crate) struct World<'a> {
    pub(crate) kernel: &'a dyn Kernel,
    pub(crate) source: &'a dyn ScopeSource,
    pub(crate) process: &'a Process,
    pub(crate) observer: &'a dyn Observer,
}

/// The capabilities of one call: a typed door to the kernel, to the scope and to nothing else.
///
/// It holds no switches and no token of the caller: what decides whether a call may run is asked before there is one
/// of these, so that no action can answer with it.
pub struct Cx<'a> {
    kernel: &'a dyn Kernel,
    spec: &'static ActionSpec,
    scope: Arc<Scope>,
    source: &'a dyn ScopeSource,
    process: &'a Process,
    places: &'a OnceCell<Places>,
    observer: &'a dyn Observer,
    /// Paths of the writes that succeeded.
    written: Mutex<Vec<&'static str>>,
}

/// Routes that write and change no note: the index made current, a version kept.
const LEAVES_NOTES: [Route; 2] = [query::FLUSH_TRANSACTION, history::CREATE_DOC_HISTORY];

impl<'a> Cx<'a> {
    pub(crate) fn new(
        world: &World<'a>,
        spec: &'static ActionSpec,
        scope: Arc<Scope>,
        places: &'a OnceCell<Places>,
    ) -> Self {
        let World { kernel, source, process, observer } = *world;
        Cx { kernel, spec, scope, source, process, places, observer, written: Mutex::default() }
    }

    /// Asks an endpoint; one that the declaration does not list is out of reach.
    pub async fn ask<R: DeserializeOwned>(&self, ask: Ask<R>) -> Result<R, ToolError> {
        let route = ask.route();
        self.declared(route)?;
        let reply = kernel::ask(self.kernel, ask).await?;
        self.wrote(route);
        Ok(reply)
    }

    fn wrote(&self, route: Route) {
        if route.nature == Nature::Write && !LEAVES_NOTES.contains(&route) {
            self.written.lock().unwrap_or_else(PoisonError::into_inner).push(route.path);
        }
    }

    /// What was written so far.
    pub(crate) fn written(&self) -> Vec<&'static str> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says that everything written so far was taken back.
    pub fn taken_back(&self) {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The first word of a helper that asks on its own: without `..helper` in its declaration, an action fails at
    /// its first step, and not only on the rare way on which the helper asks.
    pub fn declares(&self, calls: &[Route]) -> Result<(), ToolError> {
        calls.iter().try_for_each(|route| self.declared(*route))
    }

    fn declared(&self, route: Route) -> Result<(), ToolError> {
        if self.spec.calls.contains(&route) {
            return Ok(());
        }
        Err(ToolError::internal(format!("{} did not declare {}", self.spec.path(), route.path)))
    }

    /// Reads a file of the workspace; `None` when it does not exist.
    pub async fn read_file(&self, path: &str) -> Result<Option<Vec<u8>>, ToolError> {
        self.declared(file::GET_FILE)?;
        Ok(files::read(self.kernel, path).await?)
    }

    /// Writes a file of the workspace.
    pub async fn write_file(&self, path: &str, bytes: Vec<u8>) -> Result<(), ToolError> {
        self.declared(file::PUT_FILE)?;
        files::write(self.kernel, path, bytes).await?;
        self.wrote(file::PUT_FILE);
        Ok(())
    }

    /// The person's settings of SiYuan that may be read; cached for half a minute.
    pub async fn conf(&self) -> Result<Arc<ConfFields>, ToolError> {
        self.declared(system::GET_CONF)?;
        Ok(self.process.conf(self.kernel).await?)
    }

    /// Where a target lies; waits while it is being found. `None` for a missing one of a list.
    pub async fn place(&self, target: impl Into<Target>) -> Option<&Place> {
        self.places.wait().await.of(&target.into())
    }

    /// As `place`, for a target that must be there.
    pub async fn found(&self, target: impl Into<Target>) -> Result<&Place, ToolError> {
        self.place(target).await.ok_or_else(ToolError::not_found)
    }

    /// The document at a path: the one that was found there, whatever the path is written like.
    pub async fn document(&self, path: &WorkspacePath) -> Result<&DocId, ToolError> {
        self.found(path).await?.doc.as_ref().ok_or_else(ToolError::not_found)
    }

    /// Reads the document at a path. A path must be found first; an id is asked for beside its check, and
    /// what came is only given out if that very document was found.
    pub async fn read_document<T, R: Future<Output = Result<T, ToolError>>>(
        &self,
        path: &WorkspacePath,
        read: impl FnOnce(DocId) -> R,
    ) -> Result<(&DocId, T), ToolError> {
        let Some(asked) = path.bare_id() else {
            let doc = self.document(path).await?;
            return Ok((doc, read(doc.clone()).await?));
        };
        let read = read(asked.clone()).await;
        let doc = self.document(path).await?;
        if *doc == asked { Ok((doc, read?)) } else { Err(ToolError::not_found()) }
    }

    /// What of a reply the caller may see.
    pub fn visible<T: Filter>(&self, rows: Unfiltered<T>) -> T {
        rows.visible(&self.scope.grants)
    }

    /// The grants of this call.
    pub fn grants(&self) -> &Grants {
        &self.scope.grants
    }

    /// The levels, notebooks and settings of this call.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Ids of the open notebooks the caller may read, each a well-formed id, for `box IN (...)`.
    pub fn readable_boxes(&self) -> Vec<&str> {
        let open = self.scope.visible_notebooks().filter(|it| !it.closed);
        open.map(|it| it.id.as_str()).filter(|id| crate::id::is_node_id(id)).collect()
    }

    /// Forgets the cached policy: this call changed it.
    pub async fn policy_changed(&self) {
        self.source.forget().await;
    }

    /// Lets no other call of this process read, change and write a file of ours meanwhile.
    pub async fn alone(&self) -> MutexGuard<'_, ()> {
        self.process.alone().await
    }

    /// The observer of calls; it also keeps the coin balance.
    pub fn observer(&self) -> &dyn Observer {
        self.observer
    }

    /// The clock and the random bits.
    pub fn ambient(&self) -> &dyn Ambient {
        self.kernel
    }
}
