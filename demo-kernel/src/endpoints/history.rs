//! `/api/history`: versions of documents, kept as files below `history/`.

use serde_json::Value;

use crate::answer::{Args, Outcome};
use crate::kernel::Kernel;
use crate::markdown::write::{Style, write};
use crate::store::Tree;

pub(super) fn create(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.field_text("id")?;
    kernel.store.read(|db| {
        let tree = db.need_tree(id)?;
        keep(kernel, &tree, "update")
    })
}

/// Writes the text of a document below `history/`, named by time and reason.
pub(super) fn keep(kernel: &Kernel, tree: &Tree, reason: &str) -> Outcome {
    let time = crate::id::clock(crate::id::now_ms() / 1000).replace([':', ' '], "-");
    let path = format!("/history/{time}-{reason}/{}{}", tree.notebook, tree.path.replace(".sy", ".md"));
    kernel.write_file(&path, write(&tree.root, Style::Kramdown).as_bytes())?;
    Ok(Value::Null)
}
