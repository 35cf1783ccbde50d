//! Resources: the help pages, the skills, and documents with the documents they are linked to (B-110 to B-115).
//!
//! Documents are read here as by `fs.read`: by the same grants, reported to the same observer, and not at all while
//! that action is switched off.

mod document;
mod linked;
mod links;
pub mod pages;
mod reader;
pub mod uri;

use std::collections::BTreeMap;

use crate::activity::{Observer, Outcome, Record, Transport};
use crate::content::attrs::is_shown;
use crate::cx::Cx;
use crate::dispatch::{Engine, mark, running, watch::Watch};
use crate::error::ToolError;
use crate::id::{DocId, is_node_id, resembles_id};
use crate::index::{self, Order, RowPage, Select, StartKey, Table};
use crate::kernel::Kernel;
use crate::kernel::api::notebook::Notebook;
use crate::kernel::api::query::Row;
use crate::kernel::api::{attr, block};
use crate::output::Output;
use crate::permission::{Places, Scope, Target};
use crate::render::help;
use crate::skills::Skill;
use crate::sorted::IntoSorted as _;
use crate::visible;
pub use links::links;
use pages::HelpPage;
pub use reader::ReadScope;
use reader::{READ, read_checked};
use uri::Uri;

/// Documents on one page of the list.
const PAGE: usize = 100;

/// An entry of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceEntry {
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
    pub items: Vec<ResourceEntry>,
    /// The cursor of the next page.
    pub next: Option<String>,
}

/// A text that was read, always Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceText {
    /// Its address.
    pub uri: String,
    /// The text.
    pub text: String,
}

/// A skill, listed by its own name and description.
fn skill(skill: Skill) -> ResourceEntry {
    ResourceEntry { uri: skill.uri(), title: skill.name().to_owned(), about: skill.description().to_owned() }
}

impl<K: Kernel, O: Observer> Engine<K, O> {
    /// The list: help pages and skills first, then documents, newest first. Without a kernel, it has no documents.
    pub async fn resources(&self, after: Option<&str>) -> Result<ListPage, ToolError> {
        let own = || HelpPage::ALL.into_iter().map(HelpPage::listed).chain(Skill::ALL.map(skill)).collect();
        let after = after.map(|it| if is_node_id(it) { Ok(it) } else { Err(wrong_cursor()) }).transpose()?;
        let documents = async { documents(&self.reader(ReadScope::Documents).await?, after).await };
        match (documents.await, after) {
            (Ok(page), Some(_)) => Ok(page),
            (Ok(page), None) => {
                let mut items: Vec<ResourceEntry> = own();
                items.extend(page.items);
                Ok(ListPage { items, ..page })
            }
            // B-012.
            (Err(_), None) => Ok(ListPage { items: own(), next: None }),
            (Err(error), Some(_)) => Err(error),
        }
    }

    /// Reads one resource; the puppy sees a document as it sees `fs.read`.
    pub async fn read_resource(
        &self,
        uri: &Uri,
        transport: Transport,
    ) -> Result<Vec<ResourceText>, ToolError> {
        match uri {
            Uri::Page(page) => {
                let offer = self.policy().await.offer();
                Ok(vec![ResourceText { uri: uri.to_string(), text: page.text(&offer) }])
            }
            Uri::Skill(skill) => Ok(vec![ResourceText { uri: uri.to_string(), text: skill.text() }]),
            Uri::Action(spec) => {
                let offer = self.policy().await.offer();
                // B-002: a tool that is off is absent from the resources.
                if !offer.tool_is_on(spec.tool) {
                    return Err(ToolError::not_found());
                }
                Ok(vec![ResourceText { uri: uri.to_string(), text: help::page(spec, Some(&offer)) }])
            }
            Uri::Document { id, depth } => {
                let read = async { linked::read(&self.reader(ReadScope::Document).await?, id, *depth).await };
                let text =
                    |contents: &Vec<ResourceText>| contents.iter().map(|it| it.text.as_str()).collect();
                self.observed(&uri.to_string(), transport, read, text).await
            }
        }
    }

    /// A value that changes when the list of documents does, as far as the index knows.
    pub async fn list_fingerprint(&self) -> Result<String, ToolError> {
        let policy = self.policy().await;
        running(&policy.rules)?;
        let Ok(cx) = self.reader_under(&policy, &[ReadScope::Documents]) else { return Ok(String::new()) };
        let select = Select::from(Table::Blocks).filter(index::eq("b.type", "d")).per(["b.box"]);
        let select = select.count("b.id", "n").column("MAX(b.id)", "newest");
        let select = select.column("SUM(length(b.hpath))", "titles").order([Order::Up("b.box")]);
        Ok(format!("{:?}", cx.select(select).await?.rows))
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
        let (started_ms, client) = (self.kernel.now_ms(), "".into());
        let agent = || self.known().and_then(|policy| mark(&self.cache, &policy));
        let record = Record { spec: READ, transport, started_ms, client, agent: agent() };
        let mut watch = Watch::start(&*self.kernel, &*self.observer, record, asked.chars().count());
        let read = read.await;
        watch.known_as(agent());
        let (outcome, reply) = match &read {
            Ok((read, _)) => (Outcome::Success, Ok(Output::new().body(text(read)))),
            Err(error) => (Outcome::Error(error.kind, error.code), Err(error.clone())),
        };
        watch.end(outcome, &reply, read.as_ref().ok().map(|(_, places)| places));
        read.map(|(read, _)| read)
    }
}

/// A document with its head, as a resource shows it.
pub(crate) async fn document(cx: &Cx<'_>, id: &DocId) -> Result<(ResourceText, Places), ToolError> {
    let (contents, places) = linked::read(cx, id, 0).await?;
    Ok((contents.into_iter().next().ok_or_else(ToolError::not_found)?, places))
}

/// A document's text alone, up to the size of one answer.
pub(crate) async fn text(cx: &Cx<'_>, id: &DocId) -> Result<(String, Places), ToolError> {
    let (places, blocks) = read_checked(cx, id, cx.ask(block::get_child_blocks(id))).await?;
    Ok((visible::shown(&document::bounded(blocks).text).into_owned(), places))
}

/// A page of the documents, newest first. Sorted by creation, so that new documents never shift a page.
async fn documents(cx: &Cx<'_>, after: Option<&str>) -> Result<ListPage, ToolError> {
    let after: Vec<StartKey> = after.into_iter().map(StartKey::from).collect();
    let select = Select::documents().below_notebooks().order([Order::Down("b.id")]).after(after).limit(PAGE);
    let RowPage { rows, more, .. } = cx.select(select).await?;
    let next = rows.last().filter(|_| more).map(|row| row.text("id").to_owned());
    let items = rows.iter().map(|row| ResourceEntry {
        uri: uri::of_document(row.text("id")),
        title: visible::shown(row.text("content")).into_owned(),
        about: visible::shown(&workspace_path(cx.scope(), row)).into_owned(),
    });
    Ok(ListPage { items: items.collect(), next })
}

/// The word for a notebook that can be sent back: its id if the name resembles an id, because such a name finds
/// nothing.
pub(crate) fn notebook_word(notebook: &Notebook) -> &str {
    if resembles_id(&notebook.name) { &notebook.id } else { &notebook.name }
}

/// `/Notebook/Folder/Doc` of a document's row.
pub(crate) fn workspace_path(scope: &Scope, row: &Row) -> String {
    let notebook = scope.visible_notebooks().find(|it| it.id == row.text("box"));
    format!("/{}{}", notebook.map_or("", notebook_word), row.text("hpath"))
}

/// A value that changes when a document or its place does; `None` if there is nothing to see.
///
/// It is read from the kernel's current data only, because the index lags by seconds.
pub async fn fingerprint(cx: &Cx<'_>, id: &DocId) -> Result<Option<String>, ToolError> {
    let read = async {
        let (attrs, blocks) = futures_util::future::join(
            cx.ask(attr::get_block_attrs(id)),
            cx.ask(block::get_child_blocks(id)),
        )
        .await;
        Ok((attrs?, blocks?))
    };
    match read_checked(cx, id, read).await {
        Ok((places, (attrs, blocks))) => {
            let place = places.of(&Target::Doc(id.clone())).and_then(|it| it.storage.clone());
            let texts = blocks.iter().map(|it| it.markdown.as_str());
            let body = crate::content::hash::of_blocks(texts);
            // Attributes that are not shown must not reveal a change either.
            let shown: BTreeMap<_, _> =
                attrs.iter().filter(|(name, _)| is_shown(name, cx.grants())).into_map();
            Ok(Some(format!("{place:?} {shown:?} {body}")))
        }
        Err(error) if error.kind == crate::error::ErrorType::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The error for a cursor that no list returned.
pub(crate) fn wrong_cursor() -> ToolError {
    ToolError::field("cursor", "the `nextCursor` of an earlier answer")
}
