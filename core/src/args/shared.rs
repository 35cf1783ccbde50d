//! Arguments that several actions share: each group has one sentence and one type, and is laid among an action's own
//! arguments by `#[args]`.

use std::str::FromStr;

use super::{Int, Next};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::{DocId, NotebookRef};
use crate::permission::Place;
use crate::prelude::Record;

/// A page of a list: `DEFAULT` items where nothing is said, at most `MOST`.
#[derive(Debug, Clone, Record)]
pub struct Paging<C: FromStr, const DEFAULT: i64, const MOST: i64, const LONGEST: usize = 100> {
    /// Most items.
    pub limit: Int<1, MOST, DEFAULT>,
    /// The `next` of an earlier answer, to go on there.
    pub cursor: Option<Next<C, LONGEST>>,
}

impl<C: FromStr, const DEFAULT: i64, const MOST: i64, const LONGEST: usize>
    Paging<C, DEFAULT, MOST, LONGEST>
{
    /// Where an earlier answer ended.
    pub fn after(&self) -> Option<&C> {
        self.cursor.as_ref().map(Next::get)
    }
}

/// A part of the workspace; without both all of it.
#[derive(Debug, Clone, Record)]
pub struct Within {
    /// Only in this notebook, by id or exact name.
    #[target]
    pub notebook: Option<NotebookRef>,
    /// Only this document and the documents below it.
    #[target]
    pub under: Option<DocId>,
}

/// A part of the workspace, as it was found.
#[derive(Debug)]
pub enum Part<'a> {
    /// Every notebook that may be read.
    All,
    /// A notebook.
    Notebook(&'a Place),
    /// A document with what lies below it.
    Under(&'a Place),
    /// A document that does not lie in the notebook.
    Nothing,
}

impl Within {
    /// Where that is.
    pub async fn found<'a>(&self, cx: &'a Cx<'_>) -> Result<Part<'a>, ToolError> {
        let notebook = match &self.notebook {
            Some(notebook) => Some(cx.found(notebook).await?),
            None => None,
        };
        let Some(under) = &self.under else { return Ok(notebook.map_or(Part::All, Part::Notebook)) };
        let place = cx.found(under).await?;
        let elsewhere = notebook.is_some_and(|it| it.notebook != place.notebook);
        let is_notebook = *under == place.notebook.own_document();
        Ok(match (elsewhere, is_notebook) {
            (true, _) => Part::Nothing,
            (false, true) => Part::Notebook(place),
            (false, false) => Part::Under(place),
        })
    }
}
