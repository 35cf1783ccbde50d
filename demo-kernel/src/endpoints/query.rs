//! `/api/query` and `/api/sqlite`: statements over the index.

use serde_json::Value;

use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;

pub(super) fn sql(kernel: &Kernel, args: &Args) -> Outcome {
    let statement = args.field_text("stmt")?;
    if statement.trim().is_empty() {
        return Err(Refusal::new("Field [stmt] must not be empty"));
    }
    let mode = args.get("mode").map_or(Ok(""), |_| args.field_text("mode"))?;
    kernel.store.query(statement, mode)
}

/// The index is written with the trees, so there is nothing to wait for.
pub(super) fn flush(_: &Kernel, _: &Args) -> Outcome {
    Ok(Value::Null)
}
