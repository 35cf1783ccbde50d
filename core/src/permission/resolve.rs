//! From targets to places: at most one kernel request for one target.

mod ids;
mod paths;

use std::sync::Arc;

use super::authorize::check_place;
use super::{Level, Need, Place, Places, Scope, ScopeSource, StoragePath, Target};
use crate::error::ToolError;
use crate::id::{NotebookId, NotebookRef, resembles_id};
use crate::kernel::Kernel;
use crate::kernel::api::notebook::Notebook;
use crate::spec::{ActionSpec, Effect};

/// Finds and judges the targets of one call.
pub(crate) struct Resolver<'a> {
    pub(crate) kernel: &'a dyn Kernel,
    pub(crate) source: &'a dyn ScopeSource,
    pub(crate) scope: Arc<Scope>,
    pub(crate) spec: &'static ActionSpec,
}

impl Resolver<'_> {
    /// Every place, or the first refusal. A reader's lists go on without what is missing.
    pub(crate) async fn find(&mut self, needs: &[Need]) -> Result<Places, ToolError> {
        let mut places = Places::default();
        let listed: Vec<&Need> = needs.iter().filter(|need| need.listed).collect();
        if !listed.is_empty() {
            self.find_listed(&listed, &mut places).await?;
        }
        for need in needs.iter().filter(|need| !need.listed) {
            let place = match &need.target {
                Target::Workspace => continue,
                Target::Notebook(name) => self.notebook_place(name).await?,
                Target::Path(path) => self.path_place(path).await?,
                Target::Doc(id) => self.id_place(id.as_str(), true).await?,
                Target::Block(id) => self.id_place(id.as_str(), false).await?,
                Target::Av(_) => return Err(ToolError::internal("databases are not resolved yet")),
            };
            let place = place.ok_or_else(ToolError::not_found)?;
            check_place(self.spec, &place, need.level)?;
            places.found.push((need.target.clone(), place));
        }
        Ok(places)
    }

    async fn find_listed(&self, needs: &[&Need], places: &mut Places) -> Result<(), ToolError> {
        let found = self.ids_places(needs).await?;
        for (need, place) in needs.iter().zip(found) {
            match place.filter(|place| place.level > Level::None) {
                Some(place) => {
                    check_place(self.spec, &place, need.level)?;
                    places.found.push((need.target.clone(), place));
                }
                None => places.missing.push(need.target.clone()),
            }
        }
        if self.spec.effect != Effect::Read && !places.missing.is_empty() {
            let missing: Vec<String> = places.missing.iter().map(Target::name).collect();
            return Err(ToolError::not_found().with("missing", missing));
        }
        Ok(())
    }

    /// The place of a document at its storage path, from what the kernel told of it.
    pub(super) fn place(&self, notebook: &str, storage: &str) -> Option<Place> {
        let storage = StoragePath::parse(storage)?;
        let notebook = NotebookId::parse(notebook)?;
        Some(Place {
            level: self.scope.grants.level(&notebook),
            notebook_name: self.name_of(&notebook),
            doc: storage.doc(),
            storage: Some(storage),
            above: None,
            notebook,
        })
    }

    fn name_of(&self, id: &NotebookId) -> String {
        let known = self.scope.all_notebooks().iter().find(|it| it.id == id.as_str());
        known.map(|it| it.name.clone()).unwrap_or_default()
    }

    /// The notebook of that id or name; the list is read once more on a miss, for hidden ones as for missing.
    pub(super) async fn notebook_place(&mut self, name: &NotebookRef) -> Result<Option<Place>, ToolError> {
        if let Some(place) = self.known_notebook(name.as_str())? {
            return Ok(Some(place));
        }
        self.scope = self.source.read_again(self.kernel).await;
        self.known_notebook(name.as_str())
    }

    fn known_notebook(&self, name: &str) -> Result<Option<Place>, ToolError> {
        // An id is an id: a notebook that is called like one never stands in the place of what has it.
        let is_name = !resembles_id(name);
        let is_meant = |it: &&Notebook| it.id == name || (is_name && it.name == name);
        let visible: Vec<&Notebook> = self.scope.visible_notebooks().filter(is_meant).collect();
        match visible.as_slice() {
            [] => Ok(None),
            [one] => Ok(NotebookId::parse(&one.id).map(|notebook| Place {
                level: self.scope.grants.level(&notebook),
                notebook_name: one.name.clone(),
                notebook,
                doc: None,
                storage: None,
                above: None,
            })),
            several => {
                let ids: Vec<&str> = several.iter().map(|it| it.id.as_str()).collect();
                Err(ToolError::field(
                    "notebook",
                    format!("an id: {} notebooks are called \"{name}\"", ids.len()),
                )
                .with("candidates", ids))
            }
        }
    }
}

impl Target {
    /// The id or name, for messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Target::Workspace => "/".to_owned(),
            Target::Notebook(it) => it.as_str().to_owned(),
            Target::Doc(it) => it.to_string(),
            Target::Block(it) => it.to_string(),
            Target::Av(it) => it.to_string(),
            Target::Path(it) => it.to_string(),
        }
    }
}
