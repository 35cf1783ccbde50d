//! A snapshot as answers tell it.

use serde_json::{Value, json};

use crate::content::stamp;
use crate::error::ErrorType;
use crate::kernel::Route;
use crate::kernel::api::repo::Snapshot;
use crate::output::object;
use crate::prelude::*;

/// The routes that `needs_key` calls.
pub(super) const CALLS: &[Route] = &[system::GET_CONF];

/// Refuses the call while snapshots have no key.
pub(super) async fn needs_key(cx: &Cx<'_>) -> Result<(), ToolError> {
    cx.declares(CALLS)?;
    if cx.conf().await?.repo.has_key {
        return Ok(());
    }
    let why = "Snapshots need a repository key. A person can create it in SiYuan: Settings, Account & Sync.";
    Err(ToolError::new(ErrorType::Api, why))
}

/// A snapshot: {id, created, memo, tag}.
pub(super) fn to_json(it: &Snapshot, cx: &Cx<'_>) -> Value {
    let seconds = it.created / 1_000;
    let offset = cx.ambient().local_offset(i64::try_from(it.created).unwrap_or_default());
    Value::Object(object([
        ("id", json!(it.id)),
        ("created", json!(stamp::with_offset(seconds, offset))),
        ("memo", json!(it.memo)),
        ("tag", json!(it.tag)),
    ]))
}
