//! The context of a running action: the endpoints it declared, the places of its targets, the grants.

mod coins;
mod errands;
mod files;
mod ledger;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use async_lock::{MutexGuard, OnceCell};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::activity::Observer;
use crate::activity::shop::ShopItem;
use crate::args::Within;
use crate::errands::ErrandCeilings;
use crate::error::{ErrorType, ToolError};
use crate::id::{AssetPath, AvId, BlockId, DocId, NotebookId};
use crate::index::{Raw, RowPage, Select, Statement, StatementRows, Visibility};
use crate::kernel::api::query::{self, Row};
use crate::kernel::api::system::{self, ConfFields};
use crate::kernel::api::{filetree, history};
use crate::kernel::page::{PageError, PageRequest};
use crate::kernel::{self, Ambient, Answer, Kernel, Request, Route, TypedRequest};
use crate::path::WorkspacePath;
use crate::permission::{
    Filter, Grants, Level, Need, Place, Places, Resolver, Scope, ScopeSource, Target, Unfiltered, Where,
    assets, check, check_all, databases, locate, locate_each, of_notebook, place_at,
};
use crate::process::{Process, Writing};
use crate::runs::Author;
use crate::runs::touched::{Touched, keeps_version};
use crate::siyuan::Siyuan;
use crate::sorted::IntoSorted as _;
use crate::spec::{Access, ActionSpec};
use crate::text_lock::Hold;

/// The process-wide surroundings of a call.
#[derive(Clone, Copy)]
pub(crate) struct World<'a> {
    pub(crate) kernel: &'a dyn Kernel,
    pub(crate) source: &'a dyn ScopeSource,
    pub(crate) process: &'a Process,
    pub(crate) observer: &'a dyn Observer,
    /// The caller, for the ledger.
    pub(crate) author: Option<&'a Author>,
}

/// The capabilities of one call: a typed door to the kernel, to the scope and to nothing else.
///
/// It holds neither the switches nor the caller's token: they decide whether a call may run before a `Cx` exists, so
/// no action can leak them.
pub struct Cx<'a> {
    kernel: &'a dyn Kernel,
    spec: &'static ActionSpec,
    scope: Arc<Scope>,
    source: &'a dyn ScopeSource,
    process: &'a Process,
    places: Arc<OnceCell<Places>>,
    /// Paths of the writes that have succeeded.
    written: Mutex<Vec<&'static str>>,
    /// The things that these writes named, for the ledger.
    touched: Arc<Mutex<Vec<Touched>>>,
    /// The documents of which the pipeline has just made a version.
    versioned: OnceLock<Vec<String>>,
    author: Option<&'a Author>,
    /// The hpaths at which the call may create documents, for the ledger.
    foreseen: Mutex<BTreeSet<(NotebookId, String)>>,
    /// The run that the call puts back, for the ledger, and whether all of it.
    puts_back: OnceLock<(String, bool)>,
    /// The places below which the call may change the order of documents, for the ledger.
    ordered: Mutex<BTreeSet<(NotebookId, String)>>,
    /// Whether `require` has approved the notebooks that a writer of the whole workspace would change.
    granted: AtomicBool,
    /// The hold on the lock between writers of texts and of rows.
    hold: Hold,
    /// The item that the call has paid for.
    bought: OnceLock<ShopItem>,
    /// The greatest bounds of an errand.
    ceilings: ErrandCeilings,
    /// The id of the caller's errand.
    errand: OnceLock<String>,
    /// Whether a request that changes notes was sent, whatever came of it.
    has_begun: AtomicBool,
}

/// A part of the workspace, as it was resolved.
#[derive(Debug)]
pub enum WorkspacePart<'a> {
    /// Every notebook that the caller may read.
    All,
    /// A notebook.
    Notebook(&'a Place),
    /// A document with everything below it.
    Under(&'a Place),
    /// A document outside of the notebook: nothing matches.
    Nothing,
}

impl<'a> Cx<'a> {
    pub(crate) fn new(
        world: &World<'a>,
        spec: &'static ActionSpec,
        scope: Arc<Scope>,
        places: Arc<OnceCell<Places>>,
    ) -> Self {
        let World { kernel, source, process, author, .. } = *world;
        Cx {
            kernel,
            spec,
            scope,
            source,
            process,
            places,
            written: Mutex::default(),
            touched: Arc::default(),
            versioned: OnceLock::new(),
            author,
            foreseen: Mutex::default(),
            ordered: Mutex::default(),
            puts_back: OnceLock::new(),
            granted: AtomicBool::new(false),
            hold: Hold::default(),
            bought: OnceLock::new(),
            ceilings: ErrandCeilings::default(),
            errand: OnceLock::new(),
            has_begun: AtomicBool::new(false),
        }
    }

    /// Calls an endpoint. One that the declaration does not list is refused.
    pub async fn ask<R: DeserializeOwned>(&self, ask: TypedRequest<R>) -> Result<R, ToolError> {
        let route = ask.route();
        let (answer, writing) = self.answer(ask.request()).await?;
        let reply = answer.read(route)?;
        self.wrote(route, writing);
        Ok(reply)
    }

    /// The raw answer to a request. It is not generic, so that it is compiled once, not for each type of reply.
    async fn answer(&self, request: Request) -> Result<(Answer, Option<Writing<'a>>), ToolError> {
        let route = request.route;
        self.may_ask(route)?;
        if route == history::CREATE_DOC_HISTORY && Box::pin(self.needs_no_version(&request)).await {
            return Ok((Answer::null(), None));
        }
        if keeps_version(route, &request.body) {
            Box::pin(self.spare_versions(&request)).await;
        }
        let (writing, names) = (self.writing(route), self.recorded(&request));
        let answer = self.kernel.send(request).await?;
        if let (Some(names), Ok(data)) = (names, answer.data(route)) {
            self.touch(route, &names, &data);
        }
        Ok((answer, writing))
    }

    /// The result of a request, which is noted if it writes.
    async fn watched<T, E: Into<ToolError>>(
        &self,
        route: Route,
        request: impl Future<Output = Result<T, E>>,
    ) -> Result<T, ToolError> {
        let writing = self.writing(route);
        let reply = request.await.map_err(Into::into)?;
        self.wrote(route, writing);
        Ok(reply)
    }

    /// Notes that a request is about to change notes, if this one does.
    fn writing(&self, route: Route) -> Option<Writing<'a>> {
        ledger::changes_notes(route).then(|| {
            self.has_begun.store(true, Ordering::Relaxed);
            self.process.write()
        })
    }

    /// Notes that a request which changes notes has succeeded.
    fn wrote(&self, route: Route, writing: Option<Writing<'_>>) {
        if let Some(writing) = writing {
            self.written.lock().unwrap_or_else(PoisonError::into_inner).push(route.path);
            drop(writing);
        }
    }

    /// The writes so far.
    pub(crate) fn written(&self) -> Vec<&'static str> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether a request that changes notes was sent: its outcome may be unknown.
    pub(crate) fn has_begun_to_write(&self) -> bool {
        self.has_begun.load(Ordering::Relaxed)
    }

    /// Records that everything written so far was rolled back.
    pub fn taken_back(&self) {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The first call of every helper that makes requests of its own. An action whose declaration lacks `..helper`
    /// then fails at its first step, not only on the rare path on which the helper makes a request.
    pub fn declares(&self, calls: &[Route]) -> Result<(), ToolError> {
        calls.iter().try_for_each(|route| self.declared(*route))
    }

    fn declared(&self, route: Route) -> Result<(), ToolError> {
        if self.spec.calls.contains(&route) {
            return Ok(());
        }
        Err(ToolError::internal(format!("{} did not declare {}", self.spec.path(), route.path)))
    }

    /// Whether a route may be called now: it is declared, and a writer of the whole workspace has named where it
    /// writes.
    fn may_ask(&self, route: Route) -> Result<(), ToolError> {
        self.declared(route)?;
        let of_all = matches!(self.spec.access, Access::Workspace(level) if level > Level::Read);
        if !of_all || !ledger::changes_notes(route) || self.granted.load(Ordering::Relaxed) {
            return Ok(());
        }
        Err(ToolError::internal(format!(
            "{} did not say which notebooks {} would change",
            self.spec.path(),
            route.path
        )))
    }

    /// Refuses the whole call unless each of these notebooks grants the level; the error names those that do not
    /// (B-057).
    ///
    /// A writer with `workspace = ...` can write nothing before it has named its notebooks here.
    pub fn require<'n>(
        &self,
        level: Level,
        notebooks: impl IntoIterator<Item = &'n str>,
    ) -> Result<(), ToolError> {
        let each: BTreeSet<&str> = notebooks.into_iter().into_set();
        let places: Option<Vec<Place>> = each.into_iter().map(|id| of_notebook(self.scope(), id)).collect();
        let places = places.ok_or_else(ToolError::not_found)?;
        if !places.is_empty() {
            check_all(self.spec, &places, level)?;
        }
        self.granted.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// The places that show other databases than those the call names, judged as if it named them; `None` for a
    /// database that the caller may not know of.
    pub async fn databases(&self, level: Level, ids: &[&AvId]) -> Result<Vec<Option<Where>>, ToolError> {
        self.declared(query::SQL)?;
        let found = databases::find(self.kernel, self.scope(), ids).await?;
        let judged = ids.iter().zip(found).map(|(id, found)| {
            let need = Need::new("id", Target::Av((*id).clone()), level);
            match check(self.spec, self.grants(), &need, found) {
                Ok(found) => Ok(Some(found)),
                Err(error) if error.kind == ErrorType::NotFound => Ok(None),
                Err(error) => Err(error),
            }
        });
        judged.collect()
    }

    /// The places that use assets which the call names inside of something else; `None` for an asset that the caller
    /// may not know of.
    pub async fn assets(&self, paths: &[&AssetPath]) -> Result<Vec<Option<Where>>, ToolError> {
        self.declared(query::SQL)?;
        let found = assets::find(self.kernel, self.scope(), paths).await?;
        let readable = |found: Option<Where>| {
            let found = found?.readable(|notebook| self.grants().level(notebook));
            (!found.places().is_empty()).then_some(found)
        };
        Ok(found.into_iter().map(readable).collect())
    }

    /// The readable part of the person's SiYuan settings; cached for half a minute.
    pub async fn conf(&self) -> Result<Arc<ConfFields>, ToolError> {
        self.declared(system::GET_CONF)?;
        Ok(self.process.conf(self.kernel).await?)
    }

    /// The version of SiYuan; cached for ten minutes.
    pub async fn siyuan(&self) -> Result<Siyuan, ToolError> {
        self.declared(system::VERSION)?;
        Ok(self.process.siyuan(self.kernel).await?)
    }

    /// Resolves and judges targets: those that the call names, and those that it comes upon.
    pub(crate) fn resolver(&self) -> Resolver<'_> {
        let Cx { kernel, source, spec, .. } = *self;
        Resolver { kernel, source, scope: self.scope.clone(), spec }
    }

    /// Whether the caller may read each of a few blocks, judged by their current places; false for a block that does not
    /// exist.
    pub async fn may_read_each(&self, ids: &[BlockId]) -> Result<Vec<bool>, ToolError> {
        self.declared(filetree::GET_PATH_BY_ID)?;
        let found = locate_each(self.kernel, self.grants(), ids).await?.into_iter();
        let level = |notebook: &str| self.grants().level_of(notebook);
        Ok(found.map(|it| it.is_some_and(|it| level(&it.notebook) >= Level::Read)).collect())
    }

    /// Whether the caller may read a block, judged by its current place; false for a block that does not exist.
    pub async fn may_read(&self, id: &BlockId) -> Result<bool, ToolError> {
        Ok(self.may_read_each(std::slice::from_ref(id)).await?.pop().unwrap_or_default())
    }

    /// The current place of a document that is no target of the call, hidden ones included, which an answer must not
    /// tell from missing ones; `None` for one that is nowhere.
    pub async fn located(&self, id: &DocId) -> Result<Option<Place>, ToolError> {
        self.declared(filetree::GET_PATH_BY_ID)?;
        let Some(id) = BlockId::parse(id.as_str()) else { return Ok(None) };
        let found = locate(self.kernel, self.grants(), &id).await?;
        Ok(found.and_then(|it| place_at(self.scope(), &it.notebook, &it.path)))
    }

    /// The place of a target; waits until it is resolved. `None` for a missing one of a list.
    pub async fn place(&self, target: impl Into<Target>) -> Option<&Place> {
        self.places.wait().await.of(&target.into())
    }

    /// The blocks of a list whose content a reader requests: without a closed notebook all of them, while they are
    /// checked; otherwise those that the check has found, because a request for a hidden one would load its document.
    pub async fn to_read(&self, ids: &[BlockId]) -> Vec<BlockId> {
        if !self.grants().any_hidden() {
            return ids.to_vec();
        }
        let places = self.places.wait().await;
        ids.iter().filter(|id| places.of(&Target::from(*id)).is_some()).cloned().collect()
    }

    /// All places of a target. Errors when it is missing.
    pub async fn places(&self, target: impl Into<Target>) -> Result<&Where, ToolError> {
        self.places.wait().await.whole(&target.into()).ok_or_else(ToolError::not_found)
    }

    /// The place of a target. Errors when it is missing.
    pub async fn found(&self, target: impl Into<Target>) -> Result<&Place, ToolError> {
        self.place(target).await.ok_or_else(ToolError::not_found)
    }

    /// The id of the document at a path, as resolved, however the path is spelled.
    pub async fn document(&self, path: &WorkspacePath) -> Result<&DocId, ToolError> {
        self.found(path).await?.doc.as_ref().ok_or_else(ToolError::not_found)
    }

    /// Reads the document at a path. A path is resolved first. An id is read without waiting for that: the call itself
    /// waits for its check where it must, and the result is returned only if the check found that very document.
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

    /// The part of a reply that the caller may see.
    pub fn visible<T: Filter>(&self, rows: Unfiltered<T>) -> T {
        rows.visible(self.grants())
    }

    /// The grants of this call.
    pub fn grants(&self) -> &Grants {
        &self.scope().grants
    }

    /// The levels, notebooks and settings of this call: those that its targets were judged by, as soon as they are.
    pub fn scope(&self) -> &Scope {
        self.places.get().and_then(Places::scope).unwrap_or(&self.scope)
    }

    /// Ids of the open notebooks that the caller may read, each a well-formed id, for `box IN (...)`.
    pub fn readable_boxes(&self) -> Vec<&str> {
        let open = self.scope().visible_notebooks().filter(|it| !it.closed);
        open.map(|it| it.id.as_str()).filter(|id| crate::id::is_node_id(id)).collect()
    }

    /// The part of the index that the caller may see: the open notebooks that it may read, and the notebooks of this
    /// call's targets, which may be newer than the cached list.
    pub(crate) fn visibility(&self) -> Visibility {
        let found = self.places.get().into_iter().flat_map(Places::iter).map(|it| it.notebook.as_str());
        let boxes: BTreeSet<&str> = self.readable_boxes().into_iter().chain(found).into_set();
        Visibility::new(boxes, self.grants().any_hidden())
    }

    /// The rows of a statement that the caller may see (`SQL`). A caller that may read nothing gets none, without a
    /// request.
    pub async fn select(&self, select: Select) -> Result<RowPage, ToolError> {
        let visibility = self.visibility();
        if visibility.is_nothing() {
            return Ok(select.page(Vec::new()));
        }
        let rows = self.ask(query::sql(&select.print(&visibility))).await?;
        Ok(select.page(visibility.locked(self.visible(rows))))
    }

    /// Like `select`, for the pipeline: it words a question and needs no declaration. A failure finds nothing.
    pub(crate) async fn look_up(&self, select: Select) -> Vec<Row> {
        select.visible_rows(self.kernel, &self.visibility(), self.grants()).await.unwrap_or_default()
    }

    /// Waits until the index contains every earlier write. For the pipeline, like `look_up`.
    pub(crate) async fn settle_index(&self) -> Result<(), ToolError> {
        Ok(kernel::ask(self.kernel, query::flush_transaction()).await?)
    }

    /// The rows of a statement without views, from notebooks that the caller may see (`SQL`).
    pub async fn select_raw(&self, raw: &Raw) -> Result<Vec<Row>, ToolError> {
        Ok(self.visible(self.ask(query::sql(raw.print())).await?))
    }

    /// The rows of a caller's own statement (`FLUSH_TRANSACTION`, `SQL`); the error is a sentence about what is
    /// refused.
    pub async fn select_own(&self, sql: &str, limit: usize) -> Result<StatementRows, ToolError> {
        let refused = |problem: String| {
            ToolError::field("sql", format!("one SELECT that is supported; here: {problem}"))
        };
        let statement = Statement::of(sql, limit, &self.visibility().for_callers()).map_err(refused)?;
        self.declares(&[query::FLUSH_TRANSACTION, query::SQL])?;
        let ask = query::own(statement.print());
        let rows = self.process.statement(self.kernel, ask).await?;
        let rows = rows.map_err(|error| Statement::failed(error.into()))?;
        statement.found(rows.of_views())
    }

    /// The part of the workspace that the arguments narrow a call to.
    pub async fn within(&self, within: &Within) -> Result<WorkspacePart<'_>, ToolError> {
        let notebook = match &within.notebook {
            Some(notebook) => Some(self.found(notebook).await?),
            None => None,
        };
        let Some(under) = &within.under else {
            return Ok(notebook.map_or(WorkspacePart::All, WorkspacePart::Notebook));
        };
        let place = self.found(under).await?;
        let elsewhere = notebook.is_some_and(|it| it.notebook != place.notebook);
        let is_notebook = *under == place.notebook.own_document();
        Ok(match (elsewhere, is_notebook) {
            (true, _) => WorkspacePart::Nothing,
            (false, true) => WorkspacePart::Notebook(place),
            (false, false) => WorkspacePart::Under(place),
        })
    }

    /// Drops the cached policy, because this call wrote these files of settings or changed the list of notebooks; other
    /// servers hear of it and drop theirs.
    pub async fn policy_changed(&self, files: &[&'static str]) {
        self.source.forget().await;
        self.kernel.announce(files);
    }

    /// Locks the plugin's own files, so that no other call of this process reads, changes and writes one meanwhile.
    pub async fn alone(&self) -> MutexGuard<'_, ()> {
        self.process.alone().await
    }

    /// Holds off other calls of this process that make blocks rows of a database, until this call ends. Comes before the
    /// first read of a text that this call rewrites.
    pub async fn keeps_rows(&self) {
        self.process.texts.share(&self.hold).await;
    }

    /// Holds off other calls of this process that rewrite texts, until this call ends.
    pub async fn makes_rows(&self) {
        self.process.texts.take(&self.hold).await;
    }

    /// Whether a change of a document may be a step of its undo log; counts it as one. The log keeps the last 64 steps,
    /// those of the person included, so calls in a row get a share of them.
    pub fn takes_undo_entry(&self, document: &DocId) -> bool {
        self.process.undo.takes(document, self.kernel.now_ms())
    }

    /// Asks the page. Its answer is read as a type; what it names is still to be judged.
    pub async fn page<R: DeserializeOwned>(&self, request: PageRequest) -> Result<R, ToolError> {
        let frontend = self.kernel.frontend().ok_or_else(ToolError::no_frontend)?;
        read_page(frontend.ask(request).await?)
    }

    /// Asks the person through the page, and notes whether that was answered: after an unanswered question the next one
    /// waits, whichever caller asks it.
    pub async fn question<R: DeserializeOwned>(
        &self,
        request: PageRequest,
        is_answered: impl FnOnce(&R) -> bool,
    ) -> Result<R, ToolError> {
        let frontend = self.kernel.frontend().ok_or_else(ToolError::no_frontend)?;
        let question = self.process.question(self.kernel)?;
        let answer = match frontend.ask(request).await {
            Ok(answer) => read_page(answer)?,
            Err(error) => {
                if matches!(error, PageError::NoPage | PageError::Busy) {
                    question.unseen();
                }
                return Err(error.into());
            }
        };
        if is_answered(&answer) {
            question.answered();
        }
        Ok(answer)
    }

    /// Refuses a call that needs a page while none can be reached.
    pub fn needs_page(&self) -> Result<(), ToolError> {
        self.kernel.frontend().map(|_| ()).ok_or_else(ToolError::no_frontend)
    }

    /// Waits before the kernel is asked again.
    pub async fn pause(&self, time: Duration) {
        self.kernel.pause(time).await;
    }

    /// Leaves a flashcard out for the rest of this local day.
    pub fn skip_card(&self, card: &str) {
        self.process.skip_card(&self.day(), card);
    }

    /// Whether a call of this process skipped a flashcard today.
    pub fn is_skipped(&self, card: &str) -> bool {
        self.process.is_skipped(&self.day(), card)
    }

    fn day(&self) -> String {
        self.kernel.local_digits().chars().take(8).collect()
    }

    /// The clock and the random bits.
    pub fn ambient(&self) -> &dyn Ambient {
        self.kernel
    }
}

/// Reads the answer of a page.
fn read_page<R: DeserializeOwned>(answer: Value) -> Result<R, ToolError> {
    serde_json::from_value(answer)
        .map_err(|_| ToolError::internal("the page answered in a form that this version does not know"))
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use serde_json::json;

    use super::*;
    use crate::config::{Cache, Policy};
    use crate::id::{BlockId, NotebookRef};
    use crate::kernel::NonEmpty;
    use crate::kernel::api::attr;
    use crate::permission::Resolver;
    use crate::plan::Action;
    use crate::testing::{ATTIC, FakeKernel, GARDEN, PRIVATE, Seen};
    use crate::tools::tag::rename::Rename;

    static WRITES_EVERYWHERE: ActionSpec = Rename::SPEC;

    /// B-057: a writer of the whole workspace writes nothing before it names its notebooks, and only in those it may.
    #[test]
    fn workspace_writer_cannot_write_before_naming_notebooks() {
        let kernel = FakeKernel::new().answer("/api/attr/batchSetBlockAttrs", |_| Value::Null);
        let (cache, process, observer) = (Cache::default(), Process::default(), Seen::default());
        let scope = Policy::read(&kernel).now_or_never().unwrap().scope;
        let places = Arc::new(OnceCell::new());
        let world =
            World { kernel: &kernel, source: &cache, process: &process, observer: &observer, author: None };
        let cx = Cx::new(&world, &WRITES_EVERYWHERE, scope, places);
        let id = BlockId::parse("20250101000000-block00").unwrap();
        let new = attr::NewAttrs::of(&id, "bookmark", "x");
        let write = || cx.ask(attr::batch_set_block_attrs(NonEmpty::one(&new))).now_or_never().unwrap();
        assert_eq!(write().unwrap_err().kind, ErrorType::Internal);
        for (notebooks, kind) in [
            (vec![GARDEN, ATTIC], ErrorType::PermissionDenied),
            (vec![GARDEN, PRIVATE], ErrorType::NotFound),
            (vec![GARDEN, "no notebook"], ErrorType::NotFound),
        ] {
            assert_eq!(cx.require(Level::Write, notebooks).unwrap_err().kind, kind);
            assert_eq!(write().unwrap_err().kind, ErrorType::Internal);
        }
        assert!(kernel.asked().is_empty());
        cx.require(Level::Write, [GARDEN, GARDEN]).unwrap();
        assert_eq!(write(), Ok(()));
    }

    /// B-009: a notebook that the list lacks makes the check read everything again; the action then has the same
    /// levels and notebooks as the check.
    #[test]
    fn the_levels_of_an_action_are_those_of_its_check() {
        const LATE: &str = "20250101000000-late000";
        let book = |id: &str, name: &str| json!({ "id": id, "name": name });
        let listed =
            json!({ "notebooks": [book(GARDEN, "Garden"), book(ATTIC, "Attic"), book(LATE, "Late")] });
        let before = Policy::read(&FakeKernel::new()).now_or_never().unwrap().scope;
        let table = json!({ GARDEN: "rw", ATTIC: "none", LATE: "rw" }).to_string();
        let kernel = FakeKernel::new()
            .answer("/api/notebook/lsNotebooks", move |_| listed.clone())
            .file("/data/storage/petal/siyuan-mcp-puppy/notebookPermissions", &table);
        let (cache, process, observer) = (Cache::default(), Process::default(), Seen::default());
        let places = Arc::new(OnceCell::new());
        let world =
            World { kernel: &kernel, source: &cache, process: &process, observer: &observer, author: None };
        let cx = Cx::new(&world, &WRITES_EVERYWHERE, before.clone(), Arc::clone(&places));
        assert_eq!(cx.grants().level_of(ATTIC), Level::Read);
        let mut resolver =
            Resolver { kernel: &kernel, source: &cache, scope: before, spec: &WRITES_EVERYWHERE };
        let need = Need::new("notebook", Target::Notebook(NotebookRef("Late".to_owned())), Level::Write);
        let found = resolver.find(&[need]).now_or_never().unwrap().unwrap();
        places.set(found).now_or_never().unwrap().unwrap();
        assert_eq!(cx.require(Level::Write, [LATE]), Ok(()));
        assert_eq!((cx.grants().level_of(ATTIC), cx.readable_boxes()), (Level::None, vec![GARDEN, LATE]));
    }
}
