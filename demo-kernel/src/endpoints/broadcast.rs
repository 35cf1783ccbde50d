//! `/api/broadcast`: messages on channels.

use serde_json::json;

use crate::answer::{Args, Outcome};
use crate::kernel::Kernel;

pub(super) fn post_message(kernel: &Kernel, args: &Args) -> Outcome {
    let (message, name) = (args.field_filled("message")?, args.field_filled("channel")?);
    let count = kernel.channels.say(name, message, None);
    Ok(json!({ "channel": { "name": name, "count": count } }))
}
