//! `/api/notification`: messages for the page; here nobody shows them.

use serde_json::json;

use crate::answer::{Args, Outcome};
use crate::kernel::Kernel;

pub(super) fn push(_: &Kernel, args: &Args) -> Outcome {
    args.field_filled("msg")?;
    Ok(json!({ "id": crate::id::letters() }))
}
