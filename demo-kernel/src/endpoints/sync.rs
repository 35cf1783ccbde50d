//! `/api/sync`: switched off until somebody switches it on; the service behind it takes everything at once.

use serde_json::{Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;

pub(super) fn info(kernel: &Kernel, _: &Args) -> Outcome {
    let (enabled, synced) = kernel.sync();
    let stat = match (enabled, synced) {
        (false, _) => "Data synchronization has not been enabled",
        (true, 0) => "Not yet synchronized",
        (true, _) => "Synchronization completed",
    };
    Ok(json!({ "synced": synced, "stat": stat, "kernels": [], "kernel": "demokrn" }))
}

pub(super) fn set_enabled(kernel: &Kernel, args: &Args) -> Outcome {
    let enabled = args.get("enabled").ok_or_else(|| Refusal::new("Field [enabled] is required"))?;
    let enabled =
        enabled.as_bool().ok_or_else(|| Refusal::new("Field [enabled] should be of type [Boolean]"))?;
    kernel.set_sync(enabled);
    Ok(Value::Null)
}

/// Code 0 without an effect while it is switched off.
pub(super) fn run(kernel: &Kernel, args: &Args) -> Outcome {
    match args.get("mobileSwitch") {
        None | Some(Value::Bool(_)) => {
            kernel.note_sync();
            Ok(Value::Null)
        }
        Some(_) => Err(Refusal::new("Field [mobileSwitch] should be of type [Boolean]")),
    }
}
