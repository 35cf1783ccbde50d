//! The orders of documents on the way back of a run: as they were, unless somebody changed them since.

use std::collections::BTreeSet;

use super::back_left::LeftDocument;
use crate::calls;
use crate::kernel::Route;
use crate::kernel::api::filetree::DocFile;
use crate::prelude::*;
use crate::runs::order;
use crate::runs::put_back::StayReason;
use crate::runs::record::{RunOrder, RunRecord};
use crate::sorted::IntoSorted as _;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = calls![&[filetree::LIST_DOCS_BY_PATH, filetree::CHANGE_SORT]];

/// An order that goes back.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct BackOrdering {
    notebook: NotebookId,
    order: RunOrder,
    /// The ids and titles of the documents that move among those beside them.
    pub(super) moves: Vec<(String, String)>,
}

/// The orders of a run, or of one call of it, and the documents that stay where somebody put them since.
pub(super) async fn judge(
    run: &RunRecord,
    call: Option<usize>,
    cx: &Cx<'_>,
) -> Result<(Vec<BackOrdering>, Vec<LeftDocument>), ToolError> {
    cx.declares(CALLS)?;
    let (mut orders, mut left) = (Vec::new(), Vec::new());
    for order in order::orders(run, call) {
        let Some(notebook) = NotebookId::parse(&order.notebook) else { continue };
        let is_open = cx.readable_boxes().contains(&notebook.as_str());
        if !is_open || cx.grants().level(&notebook) < Level::Write {
            continue;
        }
        let files = listed(&notebook, &order.below, cx).await?;
        let now: Vec<String> = files.iter().map(|it| it.id.clone()).collect();
        let is_kept = order.is_kept(&now);
        let mut moves = Vec::new();
        if order.is_reordering() {
            let back = order.back(&now);
            let moved: BTreeSet<&String> =
                now.iter().zip(&back).filter(|(now, back)| now != back).map(|(it, _)| it).into_set();
            let title = |it: &DocFile| it.name.trim_end_matches(".sy").to_owned();
            moves.extend(
                files.iter().filter(|it| moved.contains(&it.id)).map(|it| (it.id.clone(), title(it))),
            );
        }
        if is_kept {
            cx.reorders(&notebook, &order.below);
            orders.push(BackOrdering { notebook, order, moves });
        } else {
            left.extend(
                moves.into_iter().map(|(id, title)| LeftDocument::whole(id, title, StayReason::Moved)),
            );
        }
    }
    Ok((orders, left))
}

async fn listed(notebook: &NotebookId, below: &str, cx: &Cx<'_>) -> Result<Vec<DocFile>, ToolError> {
    Ok(cx.visible(cx.ask(filetree::list_docs_in_order(notebook, below)).await?).files)
}

impl BackOrdering {
    /// Restores the order around all documents that are there now.
    pub(super) async fn make(&self, cx: &Cx<'_>) -> Result<(), ToolError> {
        let files = listed(&self.notebook, &self.order.below, cx).await?;
        let now: Vec<String> = files.iter().map(|it| it.id.clone()).collect();
        let back = self.order.back(&now);
        let path = |id: &String| files.iter().find(|it| it.id == *id).map(|it| it.path.clone());
        let paths: Vec<String> = back.iter().filter_map(path).collect();
        match NonEmpty::of(&paths).filter(|_| back != now) {
            Some(paths) => cx.ask(filetree::change_sort(&self.notebook, paths)).await,
            None => Ok(()),
        }
    }
}
