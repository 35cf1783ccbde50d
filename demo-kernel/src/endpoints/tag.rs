//! `/api/tag`: the tree of tags, and tags by a part of their names.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::answer::{Args, Outcome};
use crate::kernel::Kernel;

/// Every use of a tag, in text or in a document's list.
const USES: &str = "SELECT content FROM spans WHERE type LIKE '%tag' ORDER BY content";

/// One level of the tree.
#[derive(Default)]
struct Tag {
    count: usize,
    children: BTreeMap<String, Tag>,
}

pub(super) fn list(kernel: &Kernel, _: &Args) -> Outcome {
    let uses = kernel.store.read(|db| db.texts(USES))?;
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

/// Tags that hold a text, marked where they hold it.
pub(super) fn search(kernel: &Kernel, args: &Args) -> Outcome {
    let wanted = args.text("k")?;
    let mut tags = kernel.store.read(|db| db.texts(USES))?;
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
