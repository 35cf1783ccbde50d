//! Resolves targets to places: one target or a list of any length in a bounded number of requests.
//!
//! Targets are resolved kind by kind, all of one kind together. Hidden and missing targets cost the same requests
//! (B-055): a retry for one is a retry for the other.

pub(crate) mod assets;
pub(crate) mod databases;
pub(crate) mod ids;
mod notebooks;
mod paths;

use std::sync::Arc;

use super::authorize::check;
use super::{Need, Place, Places, Scope, ScopeSource, StoragePath, Target, Where};
use crate::error::ToolError;
use crate::id::NotebookId;
use crate::kernel::api::query::{self, Row};
use crate::kernel::{self, Kernel};
use crate::spec::{ActionSpec, Effect};

/// Rows of the index per read.
const ROWS: usize = 20_000;

/// Resolves and judges the targets of one call.
pub(crate) struct Resolver<'a> {
    pub(crate) kernel: &'a dyn Kernel,
    pub(crate) source: &'a dyn ScopeSource,
    pub(crate) scope: Arc<Scope>,
    pub(crate) spec: &'static ActionSpec,
}

impl Resolver<'_> {
    /// Every place, or the first refusal. A reader's list continues without its missing items.
    pub(crate) async fn find(&mut self, needs: &[Need]) -> Result<Places, ToolError> {
        let mut places = Places::default();
        let listed: Vec<&Need> = needs.iter().filter(|need| need.listed).collect();
        if !listed.is_empty() {
            self.find_listed(&listed, &mut places).await?;
        }
        for need in needs.iter().filter(|need| !need.listed && need.target != Target::Workspace) {
            let found = self.all_of(&[need]).await?.pop().flatten().ok_or_else(ToolError::not_found);
            let checked = found.and_then(|it| check(self.spec, &self.scope.grants, need, it));
            let found = checked.map_err(|error| error.lacking(&need.param))?;
            places.found.push((need.target.clone(), found));
        }
        places.scope = Some(self.scope.clone());
        Ok(places)
    }

    async fn find_listed(&mut self, needs: &[&Need], places: &mut Places) -> Result<(), ToolError> {
        let found = self.all_of(needs).await?;
        for (need, found) in needs.iter().zip(found) {
            match found.filter(Where::is_readable) {
                Some(found) => {
                    let found = check(self.spec, &self.scope.grants, need, found)?;
                    places.found.push((need.target.clone(), found));
                }
                None => places.missing.push(need.target.clone()),
            }
        }
        // Also where only some arguments make it a change: it must not go on with half of its list.
        if self.spec.worst != Effect::Read && !places.missing.is_empty() {
            let missing: Vec<String> = places.missing.iter().map(Target::name).collect();
            let first = needs.iter().find(|need| places.missing.contains(&need.target));
            let error = ToolError::not_found().with("missing", missing);
            return Err(first.map_or(error.clone(), |need| error.lacking(&need.param)));
        }
        Ok(())
    }

    /// The places of these targets, in their order; resolved kind by kind.
    async fn all_of(&mut self, needs: &[&Need]) -> Result<Vec<Option<Where>>, ToolError> {
        let (mut notebooks, mut ids, mut paths, mut databases, mut assets) = Default::default();
        for (at, need) in needs.iter().enumerate() {
            match &need.target {
                Target::Workspace => {}
                Target::Notebook(name) => TargetGroup::add(&mut notebooks, at, (need.param.as_str(), name)),
                Target::Doc(_) | Target::Block(_) => TargetGroup::add(&mut ids, at, *need),
                Target::Path(path) => TargetGroup::add(&mut paths, at, (need.param.as_str(), path)),
                Target::Av(id) => TargetGroup::add(&mut databases, at, id),
                Target::Asset(path) => TargetGroup::add(&mut assets, at, (need.rule(), path)),
            }
        }
        let mut all: Vec<Option<Where>> = vec![None; needs.len()];
        let whole = |found: Vec<Option<Place>>| found.into_iter().map(|it| it.map(Where::from)).collect();
        if !notebooks.asked.is_empty() {
            notebooks.put(whole(self.notebooks(&notebooks.asked).await?), &mut all);
        }
        if !ids.asked.is_empty() {
            ids.put(whole(self.ids(&ids.asked).await?), &mut all);
        }
        if !paths.asked.is_empty() {
            paths.put(whole(self.paths(&paths.asked).await?), &mut all);
        }
        if !databases.asked.is_empty() {
            databases.put(self.databases(&databases.asked).await?, &mut all);
        }
        if !assets.asked.is_empty() {
            assets.put(self.assets(&assets.asked).await?, &mut all);
        }
        Ok(all)
    }

    /// The place of a document at its storage path, as the kernel reported it.
    fn place(&self, notebook: &str, storage: &str) -> Option<Place> {
        place_at(&self.scope, notebook, storage)
    }
}

/// The targets of one kind, with their positions among all.
struct TargetGroup<T> {
    at: Vec<usize>,
    asked: Vec<T>,
}

impl<T> Default for TargetGroup<T> {
    fn default() -> Self {
        TargetGroup { at: Vec::new(), asked: Vec::new() }
    }
}

impl<T> TargetGroup<T> {
    fn add(kind: &mut TargetGroup<T>, at: usize, target: T) {
        kind.at.push(at);
        kind.asked.push(target);
    }

    fn put(&self, found: Vec<Option<Where>>, all: &mut [Option<Where>]) {
        for (at, found) in self.at.iter().zip(found) {
            if let Some(slot) = all.get_mut(*at) {
                *slot = found;
            }
        }
    }
}

/// Every row of a statement, read in pages. The statement must have an order and no limit of its own.
async fn all_rows(kernel: &dyn Kernel, stmt: &str) -> Result<Vec<Row>, ToolError> {
    let mut all = Vec::new();
    loop {
        let page = format!("{stmt} LIMIT {ROWS} OFFSET {}", all.len());
        let mut rows = kernel::ask(kernel, query::sql(&page)).await?.for_the_check();
        let is_last = rows.len() < ROWS;
        all.append(&mut rows);
        if is_last {
            return Ok(all);
        }
    }
}

/// The place of a document at the notebook and storage path that the kernel reported.
pub(crate) fn place_at(scope: &Scope, notebook: &str, storage: &str) -> Option<Place> {
    let storage = StoragePath::parse(storage)?;
    let place = of_notebook(scope, notebook)?;
    Some(Place { doc: storage.doc(), storage: Some(storage), ..place })
}

/// The place of a notebook as a whole.
pub(crate) fn of_notebook(scope: &Scope, id: &str) -> Option<Place> {
    let notebook = NotebookId::parse(id)?;
    let known = scope.all_notebooks().iter().find(|it| it.id == id);
    Some(Place {
        level: scope.grants.level(&notebook),
        notebook_name: known.map(|it| it.name.clone()).unwrap_or_default(),
        notebook,
        doc: None,
        storage: None,
        above: None,
    })
}

#[cfg(test)]
mod tests;
