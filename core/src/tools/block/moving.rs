//! Moves of blocks as one change with its way back, and the proof that it was made.

use std::collections::BTreeSet;

use serde_json::json;

use super::shape;
use crate::content::way_back;
use crate::error::ErrorType;
use crate::id::fresh_doc_id;
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
        let moved: Vec<MovedBlock> = moved.collect();
        let mut documents = self.documents.iter();
        let document = documents.next().filter(|_| documents.next().is_none())?;
        let is_kept = |place: &BlockPlace| match place {
            BlockPlace::After(_) => true,
            BlockPlace::FirstIn(parent) => parent.as_str() == document.as_str(),
        };
        moved.iter().all(|it| is_kept(&it.from) && is_kept(&it.to)).then_some(moved)
    }
}

/// Moves blocks with a way back and answers for each whether it moved. `None` if there is no way back: nothing was done.
/// Errors when nothing moved, or when nobody can tell.
pub(super) async fn make(request: MoveRequest<'_>, cx: &Cx<'_>) -> Result<Option<Vec<bool>>, ToolError> {
    cx.declares(CALLS)?;
    let Some(moved) = request.moved() else { return Ok(None) };
    let neighbours = moved.iter().map(|it| &it.from).chain(moved.first().map(|it| &it.to));
    let Ok(true) = way_back::are_shown(request.ids, neighbours, cx).await else { return Ok(None) };
    let fresh = fresh_doc_id(&cx.ambient().local_digits(), cx.ambient().random());
    let change = fresh.and_then(|fresh| Reversible::moves(&moved, &fresh.block()));
    let Some(change) = change else { return Ok(None) };
    if way_back::log_of(request.documents, cx).is_none() {
        return Ok(None);
    }
    way_back::make(&change, cx).await?;
    // The kernel's table of blocks follows a change even if it fails at a later block. So it is read again unless it
    // shows all of them there.
    let there = look(&moved, request.parent, cx).await.map_err(|error| way_back::unknown(&error, cx))?;
    if there.iter().all(|it| *it) {
        return Ok(Some(there));
    }
    let said = request.ids.iter().zip(there).filter(|(_, there)| *there);
    let said: Vec<BlockId> = said.map(|(id, _)| id.clone()).collect();
    let again = async {
        way_back::refresh(&said, cx).await?;
        look(&moved, request.parent, cx).await
    };
    let there = again.await.map_err(|error| way_back::unknown(&error, cx))?;
    if there.iter().any(|it| *it) { Ok(Some(there)) } else { Err(way_back::not_made(cx)) }
}

/// Moves blocks one after the other, without a way back: behind this block, or to the front of the parent.
pub(super) async fn one_by_one(
    ids: &[BlockId],
    parent: &BlockId,
    mut behind: Option<BlockId>,
    done: &mut Done,
    cx: &Cx<'_>,
) {
    let mut sent = Vec::new();
    for id in ids {
        let front = behind.is_none().then_some(parent);
        match cx.ask(block::move_block(id, behind.as_ref(), front)).await {
            Ok(()) => {
                sent.push(id.clone());
                behind = Some(id.clone());
            }
            Err(error) => done.each(id.as_str(), Err::<(), _>(error), |()| json!(null)),
        }
    }
    let infos = match shape::infos(&sent, cx).await {
        Ok(infos) => infos,
        Err(error) => {
            done.failed(Failed::new(error).what("the check of their new places"));
            return sent.iter().for_each(|id| done.did(json!(id.as_str())));
        }
    };
    for id in &sent {
        let there = infos.get(id.as_str()).is_some_and(|it| it.parent == parent.as_str());
        done.each(id.as_str(), there.then_some(()).ok_or_else(is_elsewhere), |()| json!(id.as_str()));
    }
}

/// The error for a block that stayed where it was.
pub(super) fn is_elsewhere() -> ToolError {
    ToolError::new(ErrorType::Api, "SiYuan reported success, but the block did not move.")
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::dispatch::Engine;
    use crate::testing::taken_back::{check_no_step, check_taken_back, run, text_of};
    use crate::testing::world::{Nobody, World, world};

    fn plants() -> World {
        let world = world().doc("/Garden/Plants", "lead\n\n# Sage\n\nrue\n\n# Dill\n\n* a\n* b\n* c\n* d");
        let items = world.ask("block/getChildBlocks", &json!({ "id": world.id("/Garden/Plants#4") }));
        let id = |at: usize| items[at]["id"].as_str().unwrap().to_owned();
        let ids = [id(0), id(1), id(2), id(3)];
        ids.into_iter().zip(["a", "b", "c", "d"]).fold(world, |world, (id, name)| world.named(name, id))
    }

    #[test]
    fn moves_of_items_and_headings_are_taken_back() {
        for (ids, target) in [(json!(["{b}"]), "{c}"), (json!(["{d}", "{b}"]), "{a}")] {
            let call = json!({ "ids": ids, "target": target });
            check_taken_back("block.move", plants(), &call, ["/Garden/Plants"]);
        }
        let headings =
            json!({ "ids": ["{/Garden/Plants#3}", "{/Garden/Plants#1}"], "target": "{/Garden/Plants#0}" });
        check_taken_back("block.move", plants(), &headings, ["/Garden/Plants"]);
    }

    #[test]
    fn long_moves_are_no_steps() {
        let text = (0..20).map(|at| format!("p{at}\n\n")).collect::<String>();
        for (count, is_step) in [(16, true), (17, false)] {
            let world = world().doc("/Garden/Long", &text);
            let ids: Vec<String> = (0..count).map(|at| format!("{{/Garden/Long#{at}}}")).collect();
            let call = json!({ "ids": ids, "target": "{/Garden/Long#18}" });
            if is_step {
                check_taken_back("block.move", world, &call, ["/Garden/Long"]);
            } else {
                check_no_step("block.move", world, &call, ["/Garden/Long"]);
            }
        }
    }

    /// SiYuan would put a document into another one, or a block next to a document, where no file has it.
    #[test]
    fn ctrl_z_moves_nothing_once_a_block_became_a_document() {
        for (moved, target, became) in [
            ("{/Garden/Plants#1}", "{/Garden/Plants#3}", "{/Garden/Plants#1}"),
            ("{/Garden/Plants#2}", "{/Garden/Plants#0}", "{/Garden/Plants#1}"),
            ("{c}", "{a}", "{c}"),
            ("{c}", "{a}", "{b}"),
        ] {
            let engine = Engine::new(plants(), Nobody);
            run(&engine, "block.move", &json!({ "ids": [moved], "target": target }));
            run(&engine, "document.from_block", &json!({ "block": became }));
            let id = engine.kernel.fill(became);
            let seen = || {
                let new = engine.kernel.ask("block/getBlockKramdown", &json!({ "id": id }));
                (text_of(&engine.kernel, "/Garden/Plants"), new)
            };
            let before = seen();
            let root = json!({ "rootID": engine.kernel.id("/Garden/Plants") });
            let undone = engine.kernel.ask("transactions/undo", &root);
            assert_eq!((&undone["failed"], seen()), (&json!(true), before), "{moved} {became}");
        }
    }
}
