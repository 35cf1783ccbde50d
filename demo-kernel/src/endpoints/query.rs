//! `/api/query` and `/api/sqlite`: statements over the index.

use serde_json::Value;

use crate::answer::{Args, Outcome, QueryRows, Refusal};
use crate::kernel::Kernel;

pub(super) fn sql(kernel: &Kernel, args: &Args) -> Result<QueryRows, Refusal> {
    let statement = args.field_text("stmt")?;
    if statement.trim().is_empty() {
        return Err(Refusal::new("Field [stmt] must not be empty"));
    }
    let mode = args.get("mode").map_or(Ok(""), |_| args.field_text("mode"))?;
    kernel.store.query(statement, mode)
}

/// After this the index shows every write, and references have the new titles of documents.
pub(super) fn flush(kernel: &Kernel, _: &Args) -> Outcome {
    let done = kernel.store.write(|db| {
        db.follow_renames()?;
        Ok(Value::Null)
    });
    kernel.store.settle();
    done
}
