//! `/api/sync`: it is switched off here.

use serde_json::{Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;

pub(super) fn info(_: &Kernel, _: &Args) -> Outcome {
    Ok(json!({
        "synced": 0,
        "stat": "Data synchronization has not been enabled",
        "kernels": [],
        "kernel": "demokrn",
    }))
}

/// Code 0 without an effect.
pub(super) fn run(_: &Kernel, args: &Args) -> Outcome {
    match args.get("mobileSwitch") {
        None | Some(Value::Bool(_)) => Ok(Value::Null),
        Some(_) => Err(Refusal::new("Field [mobileSwitch] should be of type [Boolean]")),
    }
}
