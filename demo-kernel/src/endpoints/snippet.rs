//! `/api/snippet`: the user's pieces of CSS and JavaScript, read from their file.

use serde_json::{Value, json};

use super::shape::text;
use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;

/// Snippets of a kind (`js`, `css`, `all`) that are off (0), on (1) or either (2), and contain a text.
pub(super) fn list(kernel: &Kernel, args: &Args) -> Outcome {
    let kind = args.field_filled("type")?;
    let state = args.get("enabled").ok_or_else(|| Refusal::new("Field [enabled] is required"))?.as_f64();
    let state = state.ok_or_else(|| Refusal::new("Field [enabled] should be of type [Number]"))?;
    let wanted = args.text_or("keyword", "").trim().to_lowercase();
    let stored = kernel.json_file("/data/snippets/conf.json");
    let fits = |snippet: &&Value| {
        let on = snippet.get("enabled").and_then(Value::as_bool).unwrap_or(false);
        let holds = |name: &str| text(snippet, name).to_lowercase().contains(&wanted);
        (kind == "all" || text(snippet, "type") == kind)
            && (state == 2.0 || on == (state != 0.0))
            && (holds("name") || holds("content"))
    };
    let found: Vec<&Value> = stored.as_array().into_iter().flatten().filter(fits).collect();
    Ok(json!({ "snippets": found }))
}
