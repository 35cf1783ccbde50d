//! Resources: the help pages, and documents with the documents they are linked to (B-110 to B-115).
//!
//! Documents are read here as by `fs.read`: by the same grants, reported to the same observer, and not at all while
//! that action is switched off.

mod document;
mod linked;
mod links;
pub mod pages;
pub mod uri;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::activity::{Observer, Outcome, Record, Transport};
use crate::config::{Policy, Rules};
use crate::content::attrs::is_shown;
use crate::dispatch::{Engine, carry::both, watch::Watch};
use crate::error::ToolError;
use crate::id::{DocId, is_node_id, resembles_id};
use crate::kernel::api::notebook::Notebook;
use crate::kernel::api::query::{self, Row};
use crate::kernel::api::{attr, block};
use crate::kernel::{self, Ask, Kernel, sql};
use crate::output::Output;
use crate::permission::{Level, Need, Place, Places, Resolver, Scope, ScopeSource, Target};
use crate::plan::Action;
use crate::render::{help, visible};
use crate::spec::ActionSpec;
use crate::tools::{fs, notebook, tag};
pub use links::links;
use pages::Page;
use uri::Uri;

/// The action whose declaration governs the reading of documents.
const READ: &ActionSpec = &<fs::read::Read as Action>::SPEC;
/// The actions that reveal which documents exist.
const LISTS_DOCUMENTS: [&ActionSpec; 2] =
    [&<fs::list::List as Action>::SPEC, &<fs::tree::Tree as Action>::SPEC];
/// The actions that reveal which notebooks exist.
const LISTS_NOTEBOOKS: [&ActionSpec; 3] = [
    &<fs::list::List as Action>::SPEC,
    &<fs::tree::Tree as Action>::SPEC,
    &<notebook::list::List as Action>::SPEC,
];
/// The actions that reveal which tags exist.
const LISTS_TAGS: [&ActionSpec; 1] = [&<tag::list::List as Action>::SPEC];
/// Documents on one page of the list.
const PAGE: usize = 100;

/// An entry of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its address.
    pub uri: String,
    /// Its title.
    pub title: String,
    /// A description, or a location.
    pub about: String,
}

/// A page of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPage {
    /// The items.
    pub items: Vec<Listed>,
    /// The cursor of the next page.
    pub next: Option<String>,
}

/// A text that was read, always Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Its address.
    pub uri: String,
    /// The text.
    pub text: String,
}

/// The readable workspace at this moment.
pub struct Library<'a> {
    pub(crate) kernel: &'a dyn Kernel,
    pub(crate) source: &'a dyn ScopeSource,
    pub(crate) rules: Rules,
    pub(crate) scope: Arc<Scope>,
}

impl<K: Kernel, O: Observer> Engine<K, O> {
    /// The library of the current policy; refused while a person has paused all agents.
    pub async fn library(&self) -> Result<Library<'_>, ToolError> {
        let policy = self.policy().await;
        crate::dispatch::running(&policy.rules)?;
        let Policy { rules, scope, .. } = (*policy).clone();
        Ok(Library { kernel: &self.kernel, source: &self.cache, rules, scope })
    }

    /// The list: help pages first, then documents, newest first. Without a kernel, it has only the help pages.
    pub async fn resources(&self, after: Option<&str>) -> Result<ListPage, ToolError> {
        let help = || Page::ALL.into_iter().map(Page::listed).collect();
        let after = after.map(|it| if is_node_id(it) { Ok(it) } else { Err(wrong_cursor()) }).transpose()?;
        let documents = match self.library().await {
            Ok(library) => library.documents(after).await,
            Err(error) => Err(error),
        };
        match (documents, after) {
            (Ok(page), Some(_)) => Ok(page),
            (Ok(page), None) => {
                let mut items: Vec<Listed> = help();
                items.extend(page.items);
                Ok(ListPage { items, ..page })
            }
            // B-012.
            (Err(_), None) => Ok(ListPage { items: help(), next: None }),
            (Err(error), Some(_)) => Err(error),
        }
    }

    /// Reads one resource; the puppy sees a document as it sees `fs.read`.
    pub async fn read_resource(&self, uri: &Uri, transport: Transport) -> Result<Vec<Content>, ToolError> {
        match uri {
            Uri::Page(page) => {
                let switches = self.policy().await.rules.switches_or_default();
                Ok(vec![Content { uri: uri.to_string(), text: page.text(&switches) }])
            }
            Uri::Action(spec) => {
                let switches = self.policy().await.rules.switches_or_default();
                // B-002: a tool that is off is absent from the resources.
                if !switches.tool_is_on(spec.tool) {
                    return Err(ToolError::not_found());
                }
                Ok(vec![Content { uri: uri.to_string(), text: help::page(spec, Some(&switches)) }])
            }
            Uri::Document { id, depth } => {
                let read = async {
                    let library = self.library().await?;
                    let (places, alone) = library.place_beside(id, library.read_alone(id)).await?;
                    let contents = library.gathered(id, &places, alone, *depth).await?;
                    Ok((contents, places))
                };
                let text = |contents: &Vec<Content>| contents.iter().map(|it| it.text.as_str()).collect();
                self.observed(&uri.to_string(), transport, read, text).await
            }
        }
    }

    /// Reads documents as `fs.read` does, in view of the person: the observer hears of the request, its outcome and
    /// its place.
    pub(crate) async fn observed<T>(
        &self,
        asked: &str,
        transport: Transport,
        read: impl Future<Output = Result<(T, Places), ToolError>>,
        text: impl Fn(&T) -> String,
    ) -> Result<T, ToolError> {
        let record = Record { spec: READ, transport, started_ms: self.kernel.now_ms() };
        let watch = Watch::start(&self.kernel, &self.observer, record, asked.chars().count());
        let read = read.await;
        let (outcome, reply) = match &read {
            Ok((read, _)) => (Outcome::Success, Ok(Output::new().body(text(read)))),
            Err(error) => (Outcome::Error(error.kind, error.code), Err(error.clone())),
        };
        watch.end(outcome, &reply, read.as_ref().ok().map(|(_, places)| places));
        read.map(|(read, _)| read)
    }
}

impl Library<'_> {
    /// Refuses documents while they cannot be read here.
    pub(crate) fn offers_documents(&self) -> Result<(), ToolError> {
        crate::dispatch::visible(READ, &self.rules)
    }

    /// Refuses lists of documents while no action lists them; reading one by a known id is a separate question.
    pub(crate) fn lists_documents(&self) -> Result<(), ToolError> {
        self.offers_documents()?;
        self.one_is_on(&LISTS_DOCUMENTS)
    }

    /// Refuses names of notebooks while no action lists them.
    pub(crate) fn lists_notebooks(&self) -> Result<(), ToolError> {
        self.one_is_on(&LISTS_NOTEBOOKS)
    }

    /// Refuses tags while no action lists them.
    pub(crate) fn lists_tags(&self) -> Result<(), ToolError> {
        self.one_is_on(&LISTS_TAGS)
    }

    /// Refuses data that no action would show because a person switched all such actions off.
    fn one_is_on(&self, actions: &[&ActionSpec]) -> Result<(), ToolError> {
        let mut off = Ok(());
        for action in actions {
            match crate::dispatch::visible(action, &self.rules) {
                Ok(()) => return Ok(()),
                Err(error) => off = Err(error),
            }
        }
        off
    }

    pub(crate) async fn ask<R: DeserializeOwned>(&self, ask: Ask<R>) -> Result<R, ToolError> {
        Ok(kernel::ask(self.kernel, ask).await?)
    }

    /// The rows of a built-in statement that the caller may see.
    pub(crate) async fn rows(&self, stmt: &str) -> Result<Vec<Row>, ToolError> {
        Ok(self.ask(query::sql(stmt)).await?.visible(&self.scope.grants))
    }

    /// The open notebooks that the caller may read, for `box IN (...)`; `None` if there are none.
    pub(crate) fn boxes(&self) -> Option<String> {
        let open = self.scope.visible_notebooks().filter(|it| !it.closed && is_node_id(&it.id));
        let ids: Vec<&str> = open.map(|it| it.id.as_str()).collect();
        (!ids.is_empty()).then(|| sql::list(ids))
    }

    /// The word for a notebook that can be sent back: its id if the name resembles an id, because such a name finds
    /// nothing.
    pub(crate) fn notebook_word(notebook: &Notebook) -> &str {
        if resembles_id(&notebook.name) { &notebook.id } else { &notebook.name }
    }

    /// A notebook's name; empty for one the caller may not see.
    pub(crate) fn notebook_name(&self, id: &str) -> &str {
        self.scope.visible_notebooks().find(|it| it.id == id).map_or("", |it| it.name.as_str())
    }

    /// The place of a document, read side by side with a request whose result is dropped unseen if the place is not
    /// readable.
    pub(crate) async fn place_beside<T>(
        &self,
        id: &DocId,
        beside: impl Future<Output = Result<T, ToolError>>,
    ) -> Result<(Places, T), ToolError> {
        self.offers_documents()?;
        let mut resolver = self.resolver();
        let needs = [Need::new("id", Target::Doc(id.clone()), Level::Read)];
        both(resolver.find(&needs), beside).await
    }

    /// The place of the target that an argument names, if the caller may read it.
    pub(crate) async fn place(&self, param: &str, target: Target) -> Result<Place, ToolError> {
        let needs = [Need::new(param, target.clone(), Level::Read)];
        let places = self.resolver().find(&needs).await?;
        places.of(&target).cloned().ok_or_else(ToolError::not_found)
    }

    /// A document with its head, as a resource shows it.
    pub(crate) async fn document(&self, id: &DocId) -> Result<(Content, Places), ToolError> {
        let (places, alone) = self.place_beside(id, self.read_alone(id)).await?;
        let content = self.gathered(id, &places, alone, 0).await?.into_iter().next();
        Ok((content.ok_or_else(ToolError::not_found)?, places))
    }

    /// A document's text alone, up to the size of one answer.
    pub(crate) async fn text(&self, id: &DocId) -> Result<(String, Places), ToolError> {
        let blocks = self.ask(block::get_child_blocks(id));
        let (places, blocks) = self.place_beside(id, blocks).await?;
        Ok((visible::shown(&document::bounded(blocks).text).into_owned(), places))
    }

    fn resolver(&self) -> Resolver<'_> {
        Resolver { kernel: self.kernel, source: self.source, scope: self.scope.clone(), spec: READ }
    }

    /// A page of the documents, newest first. Sorted by creation, so that new documents never shift a page.
    async fn documents(&self, after: Option<&str>) -> Result<ListPage, ToolError> {
        self.lists_documents()?;
        let Some(boxes) = self.boxes() else { return Ok(ListPage { items: Vec::new(), next: None }) };
        let before = after.map(|id| format!(" AND id < {}", sql::text(id))).unwrap_or_default();
        let stmt = format!(
            "SELECT id, box, hpath, content FROM blocks WHERE type = 'd' AND id <> box AND box IN ({boxes}){before} \
             GROUP BY id ORDER BY id DESC LIMIT {}",
            PAGE + 1
        );
        let mut rows = self.rows(&stmt).await?;
        let more = rows.len() > PAGE;
        rows.truncate(PAGE);
        let next = rows.last().filter(|_| more).map(|row| row.text("id").to_owned());
        let items = rows.iter().map(|row| Listed {
            uri: uri::of_document(row.text("id")),
            title: visible::shown(row.text("content")).into_owned(),
            about: visible::shown(&self.workspace_path(row)).into_owned(),
        });
        Ok(ListPage { items: items.collect(), next })
    }

    /// `/Notebook/Folder/Doc` of a document's row.
    pub(crate) fn workspace_path(&self, row: &Row) -> String {
        let notebook = self.scope.visible_notebooks().find(|it| it.id == row.text("box"));
        format!("/{}{}", notebook.map_or("", Self::notebook_word), row.text("hpath"))
    }

    /// A value that changes when a document or its place does; `None` if there is nothing to see.
    ///
    /// It is read from the kernel's current data only, because the index lags by seconds.
    pub async fn fingerprint(&self, id: &DocId) -> Result<Option<String>, ToolError> {
        let beside = async {
            let (attrs, blocks) = futures_util::future::join(
                self.ask(attr::get_block_attrs(id)),
                self.ask(block::get_child_blocks(id)),
            )
            .await;
            Ok((attrs?, blocks?))
        };
        match self.place_beside(id, beside).await {
            Ok((places, (attrs, blocks))) => {
                let place = places.of(&Target::Doc(id.clone())).and_then(|it| it.storage.clone());
                let texts = blocks.iter().map(|it| it.markdown.as_str());
                let body = crate::content::hash::of_blocks(texts);
                // Attributes that are not shown must not reveal a change either.
                let shown: BTreeMap<_, _> =
                    attrs.iter().filter(|(name, _)| is_shown(name, &self.scope.grants)).collect();
                Ok(Some(format!("{place:?} {shown:?} {body}")))
            }
            Err(error) if error.kind == crate::error::ErrorType::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// A value that changes when the list of documents does, as far as the index knows.
    pub async fn list_fingerprint(&self) -> Result<String, ToolError> {
        let Some(boxes) = self.boxes().filter(|_| self.lists_documents().is_ok()) else {
            return Ok(String::new());
        };
        let stmt = format!(
            "SELECT box, COUNT(DISTINCT id) AS n, MAX(id) AS newest, SUM(length(hpath)) AS titles FROM blocks \
             WHERE type = 'd' AND box IN ({boxes}) GROUP BY box ORDER BY box LIMIT 1000"
        );
        Ok(format!("{:?}", self.rows(&stmt).await?))
    }
}

/// The error for a cursor that no list returned.
pub(crate) fn wrong_cursor() -> ToolError {
    ToolError::field("cursor", "the `nextCursor` of an earlier answer")
}
