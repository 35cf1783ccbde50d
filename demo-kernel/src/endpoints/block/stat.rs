//! `/api/block`: the counts of blocks and documents.

use serde_json::{Value, json};

use super::with_block;
use crate::answer::{Args, Outcome};
use crate::kernel::Kernel;
use crate::markdown::plain::{self, Stat};

fn show_stat(stat: Stat) -> Value {
    json!({ "reqId": null, "stat": {
        "runeCount": stat.runes,
        "wordCount": stat.words,
        "linkCount": stat.links,
        "imageCount": stat.images,
        "refCount": stat.refs,
        "blockCount": stat.blocks,
    } })
}

pub(crate) fn tree_stat(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("id")?;
    with_block(kernel, id, json!({ "reqId": null, "stat": null }), |_, tree, _| {
        Ok(show_stat(plain::stat(&tree.root)))
    })
}

/// Counts given blocks; a block counts as one, with all its descendants.
pub(crate) fn word_count(kernel: &Kernel, args: &Args) -> Outcome {
    let ids = args.texts("ids")?;
    kernel.store.read(|db| {
        let mut sum = Stat::default();
        for id in ids {
            let tree = db.tree_of(id)?;
            let Some(node) = tree.as_ref().and_then(|tree| tree.root.find(id)) else { continue };
            let one = plain::stat(node);
            sum.runes += one.runes;
            sum.words += one.words;
            sum.links += one.links;
            sum.images += one.images;
            sum.refs += one.refs;
            sum.blocks += 1;
        }
        Ok(show_stat(sum))
    })
}

pub(crate) fn content_word_count(_: &Kernel, args: &Args) -> Outcome {
    let (runes, words) = plain::count_words(args.text("content")?);
    Ok(show_stat(Stat { runes, words, ..Stat::default() }))
}
