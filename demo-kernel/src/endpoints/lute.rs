//! `/api/lute`: texts in one form into another.

use serde_json::json;

use crate::answer::{Args, Outcome};
use crate::kernel::Kernel;
use crate::markdown::write::{Style, write};
use crate::markdown::{dom, read_dom, scan};

/// Reads editor DOM, with Markdown that was typed into it, and rewrites it.
pub(super) fn spin(_: &Kernel, args: &Args) -> Outcome {
    let typed: Vec<String> =
        read_dom(args.field_text("dom")?).iter().map(|block| write(block, Style::Textmark)).collect();
    Ok(json!({ "dom": dom::blocks(&scan(&typed.join("\n\n")), 1) }))
}
