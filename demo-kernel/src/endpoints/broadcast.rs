//! `/api/broadcast`: messages on channels.

use serde_json::{Value, json};

use crate::answer::{Args, FormPart, Outcome, Refusal};
use crate::kernel::Kernel;

fn channel(name: &str, count: usize) -> Value {
    json!({ "name": name, "count": count })
}

pub(super) fn post_message(kernel: &Kernel, args: &Args) -> Outcome {
    let (message, name) = (args.field_filled("message")?, args.field_filled("channel")?);
    let count = kernel.channels.say(name, message, None);
    Ok(json!({ "channel": channel(name, count) }))
}

pub(super) fn channel_info(kernel: &Kernel, args: &Args) -> Outcome {
    let name = args.field_text("name")?;
    Ok(json!({ "channel": channel(name, kernel.channels.count(name)) }))
}

pub(super) fn channels(kernel: &Kernel, _: &Args) -> Outcome {
    let all = kernel.channels.all();
    Ok(json!({ "channels": all.iter().map(|(name, count)| channel(name, *count)).collect::<Vec<_>>() }))
}

/// Texts of a form, each on the channel of its name.
pub(super) fn publish(kernel: &Kernel, form: Option<Vec<FormPart>>) -> Outcome {
    let mut results = Vec::new();
    for part in form.unwrap_or_default() {
        if part.file_name.is_some() {
            return Err(Refusal::not_here("files on channels"));
        }
        let text = String::from_utf8_lossy(&part.bytes);
        let count = kernel.channels.say(&part.name, &text, None);
        results.push(json!({
            "code": 0,
            "msg": "",
            "channel": channel(&part.name, count),
            "message": { "type": "string", "size": part.bytes.len(), "filename": "" },
        }));
    }
    Ok(json!({ "results": results }))
}
