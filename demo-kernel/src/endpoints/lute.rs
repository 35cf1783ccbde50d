//! `/api/lute`: texts in one form into another.

use serde_json::json;

use crate::answer::{Args, Outcome};
use crate::kernel::Kernel;
use crate::markdown::attrs::unescape;
use crate::markdown::write::{Style, write};
use crate::markdown::{Kind, Node, dom, read_dom, scan_as};

/// Reads editor DOM, with Markdown that was typed into it, and rewrites it. Blocks get new ids where they had none.
pub(super) fn spin(kernel: &Kernel, args: &Args) -> Outcome {
    let typed: Vec<String> = read_dom(args.field_text("dom")?).iter().map(typed).collect();
    kernel.store.read(|db| Ok(json!({ "dom": dom::blocks(&scan_as(db.siyuan(), &typed.join("\n\n")), 1) })))
}

/// The Markdown of a block. The content of an HTML block is decoded once more than in its element.
fn typed(block: &Node) -> String {
    match &block.kind {
        Kind::Html(text) => unescape(text),
        _ => write(block, Style::Textmark),
    }
}
