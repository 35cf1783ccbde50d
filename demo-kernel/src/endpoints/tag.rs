//! `/api/tag`: the tree of tags, and tags by a part of their names.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::attr;
use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;
use crate::markdown::inline::ZERO_WIDTH;
use crate::store::{Db, Tree};

/// Every use of a tag, in text or in a document's list.
const USES: &str = "SELECT content FROM spans WHERE type LIKE '%tag' ORDER BY content";

/// One level of the tree.
#[derive(Default)]
struct Tag {
    count: usize,
    children: BTreeMap<String, Tag>,
}

pub(super) fn list(kernel: &Kernel, _: &Args) -> Outcome {
    let uses = kernel.store.read_index(|db| db.texts(USES))?;
    let mut root = Tag::default();
    for name in uses {
        let mut at = &mut root;
        for part in name.split('/') {
            at = at.children.entry(part.to_owned()).or_default();
        }
        at.count += 1;
    }
    Ok(show(&root.children, "", 0).unwrap_or_else(|| json!([])))
}

fn show(tags: &BTreeMap<String, Tag>, above: &str, depth: usize) -> Option<Value> {
    let one = |(name, tag): (&String, &Tag)| {
        let label = format!("{above}{name}");
        json!({
            "name": name,
            "label": label,
            "children": show(&tag.children, &format!("{label}/"), depth + 1),
            "type": "tag",
            "depth": depth,
            "count": tag.count,
        })
    };
    (!tags.is_empty()).then(|| tags.iter().map(one).collect())
}

/// Tags that contain a text, with the matches marked.
pub(super) fn search(kernel: &Kernel, args: &Args) -> Outcome {
    let wanted = args.text("k")?;
    let mut tags = kernel.store.read_index(|db| db.texts(USES))?;
    tags.dedup();
    let found = tags.iter().filter_map(|tag| marked(tag, wanted));
    Ok(json!({ "k": wanted, "tags": found.collect::<Vec<_>>() }))
}

fn marked(tag: &str, wanted: &str) -> Option<String> {
    if wanted.is_empty() {
        return Some(tag.to_owned());
    }
    let pattern = regex::Regex::new(&format!("(?i){}", regex::escape(wanted))).ok()?;
    pattern.is_match(tag).then(|| pattern.replace_all(tag, "<mark>$0</mark>").into_owned())
}

/// A tag's new name, if it is the renamed one or below it.
fn renamed(tag: &str, old: &str, new: &str) -> Option<String> {
    let rest = tag.strip_prefix(old)?;
    (rest.is_empty() || rest.starts_with('/')).then(|| format!("{new}{rest}"))
}

/// The roots of the trees that use a tag in their text.
fn users(db: &Db<'_>, label: &str) -> Result<Vec<String>, Refusal> {
    db.column("SELECT DISTINCT root_id FROM spans WHERE content = ?1 OR content LIKE ?1 || '/%'", label)
}

pub(super) fn rename(kernel: &Kernel, args: &Args) -> Outcome {
    let (old, new) = (args.field_filled("oldLabel")?, args.field_filled("newLabel")?);
    if new.contains('#') {
        return Err(Refusal::new("Do not include Markdown syntax marker [#]").closing_after(5000));
    }
    kernel.store.write(|db| {
        for root in users(db, old)? {
            let mut tree = db.need_tree(&root)?;
            super::history::keep(kernel, &tree, "replace")?;
            tree.root.walk_mut(&mut |node| {
                for span in node.texts_mut().into_iter().flatten().filter(|span| span.is("tag")) {
                    span.text = renamed(&span.text, old, new).unwrap_or_else(|| span.text.clone());
                }
            });
            let tags = tree.root.attrs.text("tags").split(',');
            let tags: Vec<String> =
                tags.map(|tag| renamed(tag, old, new).unwrap_or_else(|| tag.to_owned())).collect();
            set_tags(db, &mut tree, &tags.join(","))?;
            db.save(&tree)?;
        }
        Ok(Value::Null)
    })
}

/// Gives a document other tags; its attributes are answered as they were, as the real kernel does from a cache.
fn set_tags(db: &Db<'_>, tree: &mut Tree, tags: &str) -> Result<(), Refusal> {
    if tree.root.attrs.text("tags") != tags {
        attr::keep_shown(db, &tree.root)?;
        tree.root.attrs.set("tags", tags);
    }
    Ok(())
}

/// Takes a tag with its text out of all blocks, and out of the lists of documents.
pub(super) fn remove(kernel: &Kernel, args: &Args) -> Outcome {
    let label = args.field_text("label")?;
    if label.is_empty() {
        return Ok(Value::Null);
    }
    kernel.store.write(|db| {
        for root in users(db, label)? {
            let mut tree = db.need_tree(&root)?;
            super::history::keep(kernel, &tree, "replace")?;
            tree.root.walk_mut(&mut |node| {
                for spans in node.texts_mut() {
                    for (at, span) in
                        spans.iter_mut().enumerate().filter(|(_, s)| s.is("tag") && s.text == label)
                    {
                        // The spaces around the tag are kept.
                        let blanks = if at == 0 { 2 } else { 1 };
                        *span = crate::markdown::Span::plain(ZERO_WIDTH.to_string().repeat(blanks));
                    }
                    crate::markdown::inline::join_all(spans);
                }
            });
            let tags = tree.root.attrs.text("tags").split(',').filter(|tag| *tag != label);
            let tags = tags.collect::<Vec<_>>().join(",");
            set_tags(db, &mut tree, &tags)?;
            db.save(&tree)?;
        }
        Ok(Value::Null)
    })
}
