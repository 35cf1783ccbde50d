//! `/api/template`: documents as templates.

use serde_json::Value;

use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;
use crate::markdown::write::{Style, write};

/// Writes the Kramdown of a document below `data/templates`.
pub(super) fn save_document(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, name) = (args.text("id")?, args.text("name")?);
    let path = format!("/data/templates/{}.md", name.replace(['/', '\\'], "_"));
    if kernel.file(&path)?.exists() && !args.bool_or("overwrite", false) {
        return Err(Refusal::code(1, ""));
    }
    let mut tree = kernel.store.read(|db| db.need_tree(id))?;
    tree.root.walk_mut(&mut |node| node.attrs.set("updated", ""));
    kernel.write_file(&path, write(&tree.root, Style::Kramdown).as_bytes())?;
    Ok(Value::Null)
}
