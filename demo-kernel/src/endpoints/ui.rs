//! `/api/ui`: asks pages to redraw something. No page listens here, so nothing happens.

use serde_json::Value;

use crate::answer::{Args, Outcome};
use crate::kernel::Kernel;

pub(super) fn reload(_: &Kernel, _: &Args) -> Outcome {
    Ok(Value::Null)
}
