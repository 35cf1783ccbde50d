//! Places of workspace paths: the notebook from the list, the document by its hpath.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::Resolver;
use super::ids::Id;
use crate::error::ToolError;
use crate::id::{DocId, is_node_id};
use crate::kernel;
use crate::kernel::api::filetree;
use crate::path::WorkspacePath;
use crate::permission::{ParentPlace, Place, StoragePath};

/// Paths resolved at the same time.
const AT_ONCE: usize = 16;

impl Resolver<'_> {
    /// The places of these paths, a few at a time. A path costs three requests at most.
    ///
    /// A bare id is no reason to read the list of notebooks again: the kernel knows a new notebook's own document.
    pub(super) async fn paths(
        &mut self,
        asked: &[(&str, &WorkspacePath)],
    ) -> Result<Vec<Option<Place>>, ToolError> {
        let named = asked.iter().filter(|(_, path)| path.bare_id().is_none());
        self.know(named.filter_map(|(_, path)| path.notebook())).await;
        let mut places = Vec::with_capacity(asked.len());
        for some in asked.chunks(AT_ONCE) {
            let found = join_all(some.iter().map(|(param, path)| self.path(param, path))).await;
            places.extend(found.into_iter().collect::<Result<Vec<_>, ToolError>>()?);
        }
        Ok(places)
    }

    /// The place of a path. A path to nothing has a place too, without a document: a writer may create it.
    async fn path(&self, param: &str, path: &WorkspacePath) -> Result<Option<Place>, ToolError> {
        let Some(first) = path.notebook() else { return Ok(None) };
        let notebook = self.notebook(param, first)?;
        if let (Some(id), None) = (path.bare_id(), &notebook) {
            return self.id(Id { param, id: id.as_str(), must_be_doc: true }).await;
        }
        let Some(mut place) = notebook else { return Ok(None) };
        self.refuse_closed(&place)?;
        if path.titles().is_empty() {
            place.doc = Some(place.notebook.own_document());
            return Ok(Some(place));
        }
        match path.titles().iter().rposition(|title| is_node_id(title)) {
            Some(at) => self.path_with_id((param, path), at, place).await,
            None => {
                let doc = self.doc_at(&place, &path.hpath(), (param, path)).await?;
                Ok(Some(at_titles(place, "", None, path.titles(), doc)))
            }
        }
    }

    fn refuse_closed(&self, place: &Place) -> Result<(), ToolError> {
        let closed =
            self.scope.all_notebooks().iter().any(|it| it.id == place.notebook.as_str() && it.closed);
        if closed {
            let name = &place.notebook_name;
            return Err(ToolError {
                message: format!(
                    "The notebook \"{name}\" is closed. Ask the person to open it in SiYuan, then try again."
                ),
                ..ToolError::not_found()
            });
        }
        Ok(())
    }

    /// A path that contains a document's id: that document must lie in this notebook, where the path says.
    ///
    /// Otherwise nothing is at the path and nothing can be created there, whatever the id belongs to: a hidden
    /// document, one of another notebook and a missing one all end after the same request (B-055).
    async fn path_with_id(
        &self,
        (param, path): (&str, &WorkspacePath),
        at: usize,
        place: Place,
    ) -> Result<Option<Place>, ToolError> {
        let (before, from) = path.titles().split_at_checked(at).unwrap_or_default();
        let Some((id, rest)) = from.split_first() else { return Ok(None) };
        let found = self
            .id(Id { param, id, must_be_doc: true })
            .await?
            .filter(|found| found.notebook == place.notebook);
        let Some((found, doc)) = found.and_then(|it| it.doc.clone().map(|doc| (it, doc))) else {
            return Ok(None);
        };
        let hpath = kernel::ask(self.kernel, filetree::get_hpath_by_id(&doc)).await?;
        if !lies_below(&found, &hpath, before) {
            return Ok(None);
        }
        if rest.is_empty() {
            return Ok(Some(found));
        }
        // The hpath of a notebook's own document is `/`.
        let hpath = hpath.trim_end_matches('/');
        let below = self.doc_at(&place, &format!("{hpath}/{}", rest.join("/")), (param, path)).await?;
        Ok(Some(at_titles(place, hpath, Some(doc), rest, below)))
    }

    /// The one document at an hpath; several are an error that lists them.
    async fn doc_at(
        &self,
        place: &Place,
        hpath: &str,
        (param, path): (&str, &WorkspacePath),
    ) -> Result<Option<DocId>, ToolError> {
        let mut ids = kernel::ask(self.kernel, filetree::get_ids_by_hpath(&place.notebook, hpath)).await?;
        ids.dedup();
        match ids.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(one.clone())),
            several => {
                let parent = path.split_last().map(|(parent, _)| parent).unwrap_or_else(WorkspacePath::root);
                let candidates: Vec<Value> = several
                    .iter()
                    .map(|id| json!({ "id": id, "path": parent.child(id.as_str()).to_string() }))
                    .collect();
                let n = several.len();
                let expected =
                    format!("the path of one document; {n} share this one: use the path of a candidate");
                Err(ToolError::field(param, expected).with("candidates", candidates))
            }
        }
    }
}

/// The place of titles below an hpath: the document that was found there, or the parent for one to be created.
fn at_titles(
    place: Place,
    hpath: &str,
    parent: Option<DocId>,
    titles: &[String],
    doc: Option<DocId>,
) -> Place {
    let between = titles.split_last().map(|(_, between)| between).unwrap_or_default();
    let hpath: String = between.iter().fold(hpath.to_owned(), |hpath, title| format!("{hpath}/{title}"));
    let parent = parent.unwrap_or_else(|| place.notebook.own_document());
    let above = doc.is_none().then(|| ParentPlace { hpath, doc: between.is_empty().then_some(parent) });
    Place { doc, above, ..place }
}

/// Whether a document lies below these segments; each segment is a document's title or id.
fn lies_below(found: &Place, hpath: &str, segments: &[String]) -> bool {
    let ids: Vec<&str> = found.storage.iter().flat_map(StoragePath::parents).collect();
    let titles: Vec<&str> = hpath.trim_start_matches('/').split('/').collect();
    ids.len() == segments.len()
        && segments.iter().enumerate().all(|(at, segment)| {
            let there = if is_node_id(segment) { ids.get(at) } else { titles.get(at) };
            there.is_some_and(|it| it == segment)
        })
}
