//! `/api/export`: documents as Markdown that other programs read.

use serde_json::json;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;
use crate::store::Tree;

pub(super) mod csv;
mod database;
pub(super) mod documents;
mod markdown;
pub(super) mod own_format;
mod pack;

use markdown::{MarkdownOptions, References};

/// A document, a section or a block, with references as the request wants them.
pub(super) fn markdown_content(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.field_filled("id")?;
    args.id("id")?;
    let options = MarkdownOptions {
        references: References::of_mode(args.int_or("refMode", 4)),
        quote_embeds: args.int_or("embedMode", 1) != 0,
        title: args.bool_or("addTitle", true),
        image_tags: args.bool_or("imgTag", false),
        lift_headings: args.bool_or("adjustHeadingLevel", false),
        files: None,
    };
    let Some((tree, hpath)) = found(kernel, id)? else { return Ok(json!({ "content": "", "hPath": "" })) };
    let mut content = markdown::of(kernel, &tree, id, &options)?;
    if args.bool_or("yfm", true) {
        content = front_matter(&tree) + &content;
    }
    Ok(json!({ "content": content, "hPath": hpath }))
}

/// The tree of a block with its path of titles.
fn found(kernel: &Kernel, id: &str) -> Result<Option<(Tree, String)>, Refusal> {
    kernel.store.read(|db| {
        let Some(tree) = db.tree_of(id)? else { return Ok(None) };
        let hpath = if tree.is_notebook() { "/".to_owned() } else { db.hpath(&tree.path)? };
        Ok(Some((tree, hpath)))
    })
}

/// The front matter of a document: its title, times and tags.
fn front_matter(tree: &Tree) -> String {
    let attrs = &tree.root.attrs;
    let date = |stamp: &str| {
        let time = OffsetDateTime::from_unix_timestamp(crate::id::seconds_of(stamp));
        time.ok().and_then(|time| time.format(&Rfc3339).ok()).unwrap_or_default()
    };
    let mut out = String::from("---\n");
    if let Some(title) = attrs.get("title") {
        out += &format!("title: {title}\n");
    }
    let made = tree.id().get(..14).unwrap_or_default();
    let changed = attrs.get("updated").unwrap_or(made);
    out += &format!("date: {}\nlastmod: {}\n", date(made), date(changed));
    if let Some(tags) = attrs.get("tags") {
        out += "tags:\n";
        tags.split(',').for_each(|tag| out += &format!("  - '{}'\n", tag.replace('\'', "''")));
    }
    out + "---\n\n"
}
