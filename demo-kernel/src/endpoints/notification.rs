//! `/api/notification`: messages for the page; here they are not shown.

use serde_json::json;

use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;

pub(super) fn push(_: &Kernel, args: &Args) -> Outcome {
    args.field_filled("msg")?;
    if args.get("timeout").is_some_and(|time| !time.is_number()) {
        return Err(Refusal::panicked());
    }
    Ok(json!({ "id": crate::id::letters() }))
}
