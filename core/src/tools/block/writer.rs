//! The writer of a block: the run that gave it its present text, or a person.

use serde_json::{Value, json};

use crate::content::{runs, stamp};
use crate::kernel::Route;
use crate::kernel::clock::seconds_of_digits;
use crate::permission::Place;
use crate::prelude::*;
use crate::runs::hash_of_block;
use crate::runs::record::{ChangedThing, RunChange, RunRecord, started};

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = &[attr::GET_BLOCK_ATTRS, file::READ_DIR, file::GET_FILE];

/// The time by which SiYuan's time of a change and that of its run may differ, in seconds.
const SLACK: i64 = 5;
/// The maximum number of runs that are read.
const MOST: usize = 20;

/// The writer of a block's present text; `None` for a text that is older than all runs.
pub(super) async fn writer(id: &BlockId, place: &Place, cx: &Cx<'_>) -> Result<Option<Value>, ToolError> {
    cx.declares(CALLS)?;
    let attrs = cx.ask(attr::get_block_attrs(id)).await?;
    let updated = attrs.get("updated").map(String::as_str).unwrap_or_default();
    let Some(written) = seconds_of_digits(updated) else { return Ok(None) };
    let entries = runs::entries(cx).await?;
    let local = |ms: u64| {
        let ms = i64::try_from(ms).unwrap_or(i64::MAX);
        ms / 1_000 + i64::from(cx.ambient().local_offset(ms)) * 60
    };
    let has_begun = |run: &str| started(run).is_some_and(|ms| local(ms) <= written + SLACK);
    let had_ended = |seconds: u64| local(seconds.saturating_mul(1_000)) < written - SLACK;
    if !entries.iter().any(|(run, _)| has_begun(run)) {
        return Ok(None);
    }
    let due = entries.iter().filter(|(run, updated)| has_begun(run) && !had_ended(*updated));
    let (Some(doc), Some(storage)) = (&place.doc, &place.storage) else { return Ok(None) };
    let bytes = cx.read_file(&format!("/data/{}{}", place.notebook, storage.as_str())).await?;
    let hash = hash_of_block(&bytes.unwrap_or_default(), id.as_str());
    for (run, _) in due.take(MOST) {
        let Some(run) = runs::read(run, cx).await? else { continue };
        // Nothing is told of what happened where the caller may not look.
        if !run.document(doc.as_str()).is_some_and(|it| runs::is_seen(it, true, cx)) {
            continue;
        }
        if let Some(call) = call_of(&run, id, doc, &hash)
            && let Some(entry) = run.calls.get(call)
        {
            return Ok(Some(json!({
                "by": runs::author(&run, cx), "at": runs::time(entry.at, cx), "run": run.id,
                "action": entry.action,
            })));
        }
    }
    Ok(Some(json!({ "by": runs::PERSON, "at": stamp::of_digits(updated) })))
}

/// The call of a run that gave a block a text with this hash.
fn call_of(run: &RunRecord, id: &BlockId, doc: &DocId, hash: &str) -> Option<usize> {
    let (id, doc) = (id.as_str(), doc.as_str());
    let is_block = |it: &&RunChange| it.what == ChangedThing::Block && it.id == id && it.r#in == doc;
    if let Some(last) = run.changes.iter().rev().find(is_block) {
        return (last.after == hash && !hash.is_empty()).then_some(last.call);
    }
    // The blocks of a new document are not recorded one by one.
    let is_created =
        |it: &&RunChange| it.what == ChangedThing::Document && it.id == doc && it.before.is_empty();
    let created = run.document(doc).is_some_and(|it| it.created);
    run.changes.iter().find(is_created).filter(|_| created).map(|it| it.call)
}
