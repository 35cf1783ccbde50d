//! Moves of blocks as one change with its way back, and the proof that it was made.

use std::collections::BTreeSet;

use super::shape;
use crate::content::way_back;
use crate::kernel::Route;
use crate::kernel::api::transactions::{BlockPlace, MovedBlock, Reversible};
use crate::prelude::*;

/// The routes that [`make`] calls.
pub(super) const CALLS: &[Route] = crate::calls![way_back::CALLS, shape::CALLS];

/// Blocks that are to move into a parent, one after the other.
#[derive(Debug)]
pub(super) struct MoveRequest<'m> {
    pub(super) ids: &'m [BlockId],
    /// Their places now, if they can come back to them.
    pub(super) places: Option<Vec<BlockPlace>>,
    pub(super) parent: &'m BlockId,
    /// The block after which the first one goes; without one it goes to the front of the parent.
    pub(super) after: Option<&'m BlockId>,
    /// The documents that change.
    pub(super) documents: &'m BTreeSet<DocId>,
}

impl MoveRequest<'_> {
    fn moved(&self) -> Option<Vec<MovedBlock>> {
        let places = self.places.as_ref().filter(|_| self.ids.len() <= way_back::MOST_MOVED)?;
        let mut to = match self.after {
            Some(id) => BlockPlace::After(id.clone()),
            None => BlockPlace::FirstIn(self.parent.clone()),
        };
        let moved = self.ids.iter().zip(places).map(|(id, from)| {
            let to = std::mem::replace(&mut to, BlockPlace::After(id.clone()));
            MovedBlock { id: id.clone(), from: from.clone(), to }
        });
        Some(moved.collect())
    }
}

/// Moves blocks with a way back and answers for each whether it moved. `None` if there is no way back: nothing was done.
/// Errors when nothing moved, or when nobody can tell.
pub(super) async fn make(request: MoveRequest<'_>, cx: &Cx<'_>) -> Result<Option<Vec<bool>>, ToolError> {
    cx.declares(CALLS)?;
    let Some(moved) = request.moved() else { return Ok(None) };
    let neighbours = moved.iter().map(|it| &it.from).chain(moved.first().map(|it| &it.to));
    let Ok(true) = way_back::are_shown(request.ids, neighbours, cx).await else { return Ok(None) };
    let Some(change) = Reversible::moves(&moved) else { return Ok(None) };
    if way_back::log_of(request.documents, cx).is_none() {
        return Ok(None);
    }
    way_back::make(&change, cx).await?;
    // The kernel's table of blocks follows a change even if it fails at a later block. So it is read again unless it
    // shows all of them there.
    let there = look(&moved, request.parent, cx).await.map_err(|error| way_back::unknown(&error))?;
    if there.iter().all(|it| *it) {
        return Ok(Some(there));
    }
    let said = request.ids.iter().zip(there).filter(|(_, there)| *there);
    let said: Vec<BlockId> = said.map(|(id, _)| id.clone()).collect();
    let again = async {
        way_back::refresh(&said, cx).await?;
        look(&moved, request.parent, cx).await
    };
    let there = again.await.map_err(|error| way_back::unknown(&error))?;
    if there.iter().any(|it| *it) { Ok(Some(there)) } else { Err(way_back::not_made(cx)) }
}

/// Whether each block has left its place for this parent.
async fn look(moved: &[MovedBlock], parent: &BlockId, cx: &Cx<'_>) -> Result<Vec<bool>, ToolError> {
    let ids: Vec<BlockId> = moved.iter().map(|it| it.id.clone()).collect();
    let infos = shape::infos(&ids, cx).await?;
    let is_there = |it: &MovedBlock| {
        let info = infos.get(it.id.as_str()).filter(|info| info.parent == parent.as_str());
        let place = info.and_then(way_back::place);
        place.is_some_and(|place| place == it.to || place != it.from)
    };
    Ok(moved.iter().map(is_there).collect())
}
