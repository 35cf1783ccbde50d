//! Places of workspace paths: the notebook from the list, the document by its hpath.

use serde_json::{Value, json};

use super::Resolver;
use crate::error::ToolError;
use crate::id::{DocId, NotebookRef, is_node_id};
use crate::kernel::{self, Kernel, api};
use crate::path::WorkspacePath;
use crate::permission::Place;

impl<K: Kernel> Resolver<'_, K> {
    /// The place of a path. A path to nothing has a place too, without a document: it can be written.
    pub(super) async fn path_place(&mut self, path: &WorkspacePath) -> Result<Option<Place>, ToolError> {
        let Some(first) = path.notebook() else { return Ok(None) };
        let notebook = self.notebook_place(&NotebookRef(first.to_owned())).await?;
        if let (Some(id), None) = (path.bare_id(), &notebook) {
            return self.id_place(id, true).await;
        }
        let Some(mut place) = notebook else { return Ok(None) };
        self.refuse_closed(&place)?;
        if path.titles().is_empty() {
            place.doc = Some(place.notebook.own_document());
            return Ok(Some(place));
        }
        match path.titles().iter().rposition(|title| is_node_id(title)) {
            Some(at) => self.path_with_id(path, at, place).await,
            None => {
                place.doc = self.doc_at(&place, &path.hpath(), path).await?;
                Ok(Some(place))
            }
        }
    }

    fn refuse_closed(&self, place: &Place) -> Result<(), ToolError> {
        let closed =
            self.policy.all_notebooks().iter().any(|it| it.id == place.notebook.as_str() && it.closed);
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

    /// A path with a document's id in it: the id is taken if it lies where the path says.
    async fn path_with_id(
        &mut self,
        path: &WorkspacePath,
        at: usize,
        place: Place,
    ) -> Result<Option<Place>, ToolError> {
        let titles = path.titles();
        let id = titles.get(at).map(String::as_str).unwrap_or_default();
        let found = self.id_place(id, true).await?.filter(|found| found.notebook == place.notebook);
        let Some(found) = found else {
            // No such document: the segment may be a title in the form of an id.
            let doc = self.doc_at(&place, &path.hpath(), path).await?;
            return Ok(Some(Place { doc, ..place }));
        };
        let hpath: String = kernel::ask(self.kernel, api::GET_HPATH_BY_ID, json!({ "id": id })).await?;
        let before = titles.get(..at).unwrap_or_default();
        let lies_there = before.iter().any(|title| is_node_id(title))
            || hpath.rsplit_once('/').is_some_and(|(parent, _)| {
                parent == before.iter().map(|it| format!("/{it}")).collect::<String>()
            });
        if !lies_there {
            return Ok(None);
        }
        let rest = titles.get(at + 1..).unwrap_or_default();
        if rest.is_empty() {
            return Ok(Some(found));
        }
        let doc = self.doc_at(&place, &format!("{hpath}/{}", rest.join("/")), path).await?;
        Ok(Some(Place { doc, ..place }))
    }

    /// The one document at an hpath; several are an error that lists them.
    async fn doc_at(
        &self,
        place: &Place,
        hpath: &str,
        path: &WorkspacePath,
    ) -> Result<Option<DocId>, ToolError> {
        let body = json!({ "notebook": place.notebook.as_str(), "path": hpath });
        let mut ids: Vec<String> = kernel::ask(self.kernel, api::GET_IDS_BY_HPATH, body).await?;
        ids.dedup();
        match ids.as_slice() {
            [] => Ok(None),
            [one] => Ok(DocId::parse(one)),
            several => {
                let parent = path.split_last().map(|(parent, _)| parent).unwrap_or_else(WorkspacePath::root);
                let candidates: Vec<Value> = several
                    .iter()
                    .map(|id| json!({ "id": id, "path": parent.child(id).to_string() }))
                    .collect();
                Err(ToolError::field(
                    "path",
                    format!(
                        "the path of one document; {} share this one: take a candidate's path",
                        several.len()
                    ),
                )
                .with("candidates", candidates))
            }
        }
    }
}
