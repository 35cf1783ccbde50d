//! The part of the workspace that a search covers, as the kernel's search and as the index take it.

use serde_json::Value;

use crate::cx::WorkspacePart;
use crate::index::{self, RowCondition, Table};
use crate::kernel::api::search::Hit;
use crate::permission::StoragePath;
use crate::prelude::*;

/// The kernel's `paths`: `None` is everywhere, an empty list nowhere.
pub(super) async fn paths(within: &Within, cx: &Cx<'_>) -> Result<Option<Vec<String>>, ToolError> {
    Ok(match cx.within(within).await? {
        WorkspacePart::All if cx.grants().any_hidden() => {
            Some(cx.readable_boxes().into_iter().map(str::to_owned).collect())
        }
        WorkspacePart::All => None,
        WorkspacePart::Notebook(place) => Some(vec![place.notebook.to_string()]),
        WorkspacePart::Under(place) => {
            let storage = place.storage.iter();
            let path = storage.map(|it| format!("{}{}", place.notebook, it.below().trim_end_matches('/')));
            Some(path.collect())
        }
        WorkspacePart::Nothing => Some(Vec::new()),
    })
}

/// Whether a hit lies in a part of the workspace.
pub(super) async fn holds(within: &Within, hit: &Hit, cx: &Cx<'_>) -> Result<bool, ToolError> {
    Ok(match cx.within(within).await? {
        WorkspacePart::All => true,
        WorkspacePart::Notebook(place) => hit.notebook == place.notebook.as_str(),
        WorkspacePart::Under(place) => {
            let is_in = |it: &StoragePath| hit.path == it.as_str() || hit.path.starts_with(&it.below());
            hit.notebook == place.notebook.as_str() && place.storage.as_ref().is_some_and(is_in)
        }
        WorkspacePart::Nothing => false,
    })
}

/// The condition for blocks `b` in a part of the workspace; `None` for all of it.
pub(super) async fn blocks(within: &Within, cx: &Cx<'_>) -> Result<Option<RowCondition>, ToolError> {
    Ok(match cx.within(within).await? {
        WorkspacePart::All => None,
        WorkspacePart::Notebook(place) => Some(index::eq("b.box", place.notebook.as_str())),
        WorkspacePart::Under(place) => Some(index::within(Table::Blocks, [place])),
        WorkspacePart::Nothing => Some(index::any([])),
    })
}

/// A list that narrows the search, if there is one. `None` for an empty list, which is never sent, because the kernel
/// takes it to mean everything, or nothing.
pub(super) fn given<T>(list: Option<&[T]>) -> Option<Option<NonEmpty<'_, T>>> {
    match list {
        None => Some(None),
        Some(all) => NonEmpty::of(all).map(Some),
    }
}

/// Whether SiYuan is set to search the attributes of blocks.
pub(super) async fn attributes_are_searched(cx: &Cx<'_>) -> Result<bool, ToolError> {
    // An absent key means no; a value that is not a boolean is not trusted.
    Ok(cx.conf().await?.search.get("ial").is_some_and(|it| *it != Value::Bool(false)))
}
