//! The writer of a block: the run that gave it its present text, or a person.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::content::{runs, stamp};
use crate::kernel::Route;
use crate::kernel::clock::seconds_of_digits;
use crate::permission::Place;
use crate::prelude::*;
use crate::runs::hash_of_block;
use crate::runs::record::{ChangedThing, RunChange, RunRecord};

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = &[attr::GET_BLOCK_ATTRS, file::READ_DIR, file::GET_FILE];

/// The time by which SiYuan's time of a change and that of its run may differ, in seconds.
const SLACK: i64 = 5;
/// The maximum number of runs that are read, the newest.
const MOST: usize = 100;

/// The writer of a block's present text; `None` for a text that no run changed. SiYuan's time of the last change says
/// little: an agent's text may keep the old one, and a heading gets that of the blocks below it.
pub(super) async fn writer(id: &BlockId, place: &Place, cx: &Cx<'_>) -> Result<Option<Value>, ToolError> {
    cx.declares(CALLS)?;
    let (Some(doc), Some(storage)) = (&place.doc, &place.storage) else { return Ok(None) };
    let entries = runs::entries(cx).await?;
    if entries.is_empty() {
        return Ok(None);
    }
    let bytes = cx.read_file(&format!("/data/{}{}", place.notebook, storage.as_str())).await?;
    let hash = hash_of_block(&bytes.unwrap_or_default(), id.as_str());
    let attrs = cx.ask(attr::get_block_attrs(id)).await?;
    let updated = attrs.get("updated").map(String::as_str).unwrap_or_default();
    for some in entries.get(..MOST).unwrap_or(&entries).chunks(runs::AT_ONCE) {
        for run in join_all(some.iter().map(|(run, _)| runs::read(run, cx))).await {
            let Some(run) = run? else { continue };
            // Callers learn nothing about documents that they may not read.
            if !run.document(doc.as_str()).is_some_and(|it| runs::is_seen(it, true, cx)) {
                continue;
            }
            let Some((call, is_its)) = call_of(&run, (id, doc), &hash, updated, cx) else { continue };
            let Some(entry) = run.calls.get(call).filter(|_| is_its) else {
                return Ok(Some(json!({ "by": runs::PERSON, "at": stamp::of_digits(updated) })));
            };
            return Ok(Some(Value::Object(object([
                ("by", json!(runs::author(&run, cx))),
                ("agent", json!(run.agent)),
                ("at", json!(runs::time(entry.at, cx))),
                ("run", json!(run.id)),
                ("action", json!(entry.action)),
            ]))));
        }
    }
    Ok(None)
}

/// The call of a run that changed a block last, and whether the block still has the text that it got there.
fn call_of(
    run: &RunRecord,
    (id, doc): (&BlockId, &DocId),
    hash: &str,
    updated: &str,
    cx: &Cx<'_>,
) -> Option<(usize, bool)> {
    let (id, doc) = (id.as_str(), doc.as_str());
    let is_block = |it: &&RunChange| it.what == ChangedThing::Block && it.id == id && it.r#in == doc;
    if let Some(last) = run.changes.iter().rev().find(is_block) {
        return Some((last.call, last.after == hash && !hash.is_empty()));
    }
    // The blocks of a new document are not recorded one by one; those that changed after the run are a person's.
    let is_created =
        |it: &&RunChange| it.what == ChangedThing::Document && it.id == doc && it.before.is_empty();
    let created = run.document(doc).is_some_and(|it| it.created);
    let made = run.changes.iter().find(is_created).filter(|_| created)?;
    let latest = i64::try_from(run.latest).unwrap_or(i64::MAX);
    let ended = latest / 1_000 + i64::from(cx.ambient().local_offset(latest)) * 60;
    let is_older = seconds_of_digits(updated).is_none_or(|it| it <= ended + SLACK);
    Some((made.call, is_older))
}
