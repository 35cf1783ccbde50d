//! `fs.move`: moves or renames the document at a path, with everything below it.

use serde_json::json;

use super::free_path;
use super::place::{self, no_parent, parent, stored};
use crate::content::impact::{self, DepartingDocument};
use crate::content::{moving, title};
use crate::error::ErrorType;
use crate::permission::Place;
use crate::prelude::*;

/// Move or rename a document and everything below it.
#[derive(Debug, Action)]
#[action(
    fs.move,
    danger = When(Self::leaves_notebook, "Moves documents into another notebook, where other people or other permissions may apply."),
    deed = Move(Reverse),
    idempotent = true,
    calls = [
        filetree::MOVE_DOCS_BY_ID, filetree::RENAME_DOC_BY_ID, filetree::GET_IDS_BY_HPATH,
        query::FLUSH_TRANSACTION, ..moving, ..impact, ..place,
    ],
    examples = [{ "from": "{path}", "to": "{new_path}" }],
)]
pub struct Move {
    /// Path or id of the document.
    #[needs(Write)]
    pub from: WorkspacePath,
    /// The new path, or with a trailing / the document or notebook to move it into.
    #[needs(Write)]
    pub to: WorkspacePath,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    id: DocId,
    notebook: String,
    from: String,
    /// The new path inside the notebook.
    hpath: String,
    /// The document or notebook to move it into.
    parent: Option<DocId>,
    title: Option<String>,
    leaves_notebook: bool,
    along: Vec<DepartingDocument>,
}

impl Move {
    fn leaves_notebook(&self, plan: &Plan<Facts>) -> bool {
        plan.facts.leaves_notebook
    }

    /// The parent at the destination, its hpath without a final slash, and the new title, if one is given.
    async fn destination(&self, cx: &Cx<'_>) -> Result<(Place, String, Option<String>), ToolError> {
        if self.to.is_root() {
            return Err(ToolError::field("to", "a path in a notebook"));
        }
        let place = cx.found(&self.to).await?;
        if place.doc.is_some() {
            if !self.to.ends_in_slash() && self.to.bare_id().is_none() {
                let message = "A document or notebook already exists at `to`. End `to` with / to move into it, or choose another path.";
                return Err(ToolError::conflict(message).with("id", place.doc.as_ref().map(DocId::as_str)));
            }
            let (place, hpath) = parent(place.clone(), cx).await?;
            return Ok((place, hpath, None));
        }
        if self.to.ends_in_slash() {
            return Err(no_parent());
        }
        let (hpath, doc) = free_path::below(&self.to, place, cx).await?;
        let doc = doc.ok_or_else(no_parent)?;
        let (above, title) = hpath.rsplit_once('/').ok_or_else(ToolError::not_found)?;
        let place = Place { doc: Some(doc), above: None, ..place.clone() };
        let (place, _) = parent(place, cx).await?;
        Ok((place, above.to_owned(), Some(title.to_owned())))
    }
}

impl Change for Move {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let place = cx.found(&self.from).await?;
        if place.doc.as_ref() == Some(&place.notebook.own_document()) {
            return Err(ToolError::field("from", "a document; notebook.rename renames a notebook"));
        }
        let (id, place) = stored(place, cx).await?;
        let (target, above, title) = self.destination(cx).await?;
        moving::check("from", &id, &place, &target)?;
        let from = cx.ask(filetree::get_hpath_by_id(&id)).await?;
        let before = from.rsplit('/').next().unwrap_or_default();
        let title = title.filter(|it| it != before);
        let hpath = format!("{above}/{}", title.as_deref().unwrap_or(before));
        let stays = moving::is_there(&place, &target);
        if !stays {
            moving::check_depth("to", &target)?;
        }
        title::check("to", title.as_deref())?;
        let same = cx.ask(filetree::get_ids_by_hpath(&target.notebook, &hpath)).await?;
        if let Some(other) = same.iter().find(|it| **it != id) {
            let error = ToolError::conflict("Another document there has that title. Choose another path.");
            return Err(error.with("id", other.as_str()));
        }
        let leaves_notebook = place.notebook != target.notebook;
        let along = if leaves_notebook {
            cx.ask(query::flush_transaction()).await?;
            impact::documents(&[(&id, &place)], cx).await?
        } else {
            Vec::new()
        };
        let to = target.doc.clone().unwrap_or_else(|| target.notebook.own_document());
        let facts = Facts {
            notebook: target.notebook_name.clone(),
            from: format!("/{}{from}", place.notebook_name),
            parent: (!stays).then_some(to),
            id,
            hpath,
            title,
            leaves_notebook,
            along,
        };
        let path = format!("/{}{}", facts.notebook, facts.hpath);
        let (below_it, there) =
            (impact::below(&facts.along), leaves_notebook.then_some(Consequence::OtherRules));
        let below = facts.along.first().map(|it| it.below.len());
        let (id, from) = (facts.id.clone(), facts.from.clone());
        Ok(Plan::new("move", facts)
            .show("id", id.as_str())
            .show("from", from)
            .show("path", path)
            .show("below", below)
            .about(ThingKind::Document, Things::of([Thing::titled(before).with_id(id.as_str())]))
            .and(Thing::titled(&target.notebook_name))
            .also(below_it)
            .also(there)
            .changing([id])
            .touching(below.unwrap_or_default() + 1, target.notebook_name))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { id, notebook, from, hpath, parent, title, .. } = plan.facts;
        let changed = parent.is_some() || title.is_some();
        if let Some(parent) = &parent {
            cx.ask(filetree::move_docs_by_id(NonEmpty::one(&id), parent)).await?;
            if moving::moved(&id, parent, cx).await?.is_none() {
                cx.taken_back();
                let message = "SiYuan reported success but did not move the document. Read both places before you try again.";
                return Err(ToolError::new(ErrorType::Api, message));
            }
        }
        let output = Output::new().with("id", id.as_str()).with("from", from).with("changed", changed);
        let path = format!("/{notebook}{hpath}");
        let Some(title) = title else { return Ok(output.with("path", path)) };
        match (cx.ask(filetree::rename_doc_by_id(&id, &title)).await, parent) {
            (Ok(()), _) => Ok(output.with("path", path)),
            (Err(error), None) => Err(error),
            (Err(error), Some(_)) => {
                let failed = vec![Failed::new(error).id(id.as_str()).what("the new title")];
                Ok(output.with("done", json!(["move"])).failed(failed))
            }
        }
    }
}

#[cfg(test)]
#[path = "move_tests.rs"]
mod tests;
