//! `block.update`: the text of blocks, while ids, attributes and references stay.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use serde_json::{Value, json};

use super::source::{self, kramdowns};
use crate::content::incoming::{self, Kept};
use crate::content::overwrite::{self, Overwrite};
use crate::content::replacement::{Replacement, check_kind, replacement};
use crate::content::written;
use crate::content::{hash, kramdown};
use crate::kernel::api::block::{NewText, Transaction};
use crate::prelude::*;

/// Replace the content of blocks by Markdown; ids, attributes and references stay.
#[derive(Debug, Action)]
#[action(
    block.update,
    effect = When(Self::destroys, Destructive),
    danger = When(Self::replaces_much, "Replaces more than 50 blocks, those inside of others included. A version is kept in the document's history."),
    idempotent = false,
    calls = [block::UPDATE_BLOCK, block::BATCH_UPDATE_BLOCK, ..source, ..incoming, ..overwrite, ..written],
)]
pub struct Update {
    /// One block, or several at once.
    #[needs(Write)]
    #[one_of]
    pub what: What,
    /// Whether attributes that the text does not name stay.
    pub keep_attrs: Flag<true>,
}

/// One block, or several at once.
#[derive(Debug, OneOf)]
pub enum What {
    /// One block.
    Single {
        /// The block.
        #[target]
        id: BlockId,
        /// The text, as Markdown.
        markdown: Markdown,
        /// The `hash` of an earlier read; if the text has changed since, nothing is written.
        expect: Option<Text<1, 64>>,
    },
    /// Several blocks, each with its text.
    #[target]
    Updates(Many<One, 1, 32>),
}

/// One of several blocks.
#[derive(Debug, Record)]
pub struct One {
    /// The block.
    #[target]
    pub id: BlockId,
    /// The text, as Markdown.
    pub markdown: Markdown,
    /// The `hash` of an earlier read; if the text has changed since, nothing is written.
    pub expect: Option<Text<1, 64>>,
}

/// What the plan settled.
#[derive(Debug, Hash)]
pub enum Facts {
    /// The id is that of a document.
    Document(DocId, Box<Overwrite>, Vec<String>),
    /// Blocks, in the order asked for.
    Blocks(Vec<Planned>, Vec<String>),
}

/// A block with what will be sent for it.
#[derive(Debug)]
pub struct Planned {
    id: BlockId,
    doc: Option<DocId>,
    old: String,
    new: Replacement,
}

impl Hash for Planned {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.id, overwrite::canonical(&self.old), overwrite::canonical(&self.new.data)).hash(state);
    }
}

/// What is asked of one block.
struct Asked<'a> {
    id: &'a BlockId,
    markdown: &'a str,
    expect: Option<&'a str>,
}

impl Update {
    fn destroys(&self, plan: &Plan<Facts>) -> bool {
        matches!(plan.facts, Facts::Document(..)) || self.replaces_much(plan)
    }

    fn replaces_much(&self, plan: &Plan<Facts>) -> bool {
        match &plan.facts {
            Facts::Document(_, what, _) => what.replaces_much(),
            Facts::Blocks(planned, _) => replaced(planned) > overwrite::MUCH,
        }
    }

    fn asked(&self) -> Vec<Asked<'_>> {
        match &self.what {
            What::Single { id, markdown, expect } => {
                vec![Asked { id, markdown: markdown.as_str(), expect: expect.as_ref().map(Text::as_str) }]
            }
            What::Updates(all) => all
                .as_slice()
                .iter()
                .map(|it| Asked {
                    id: &it.id,
                    markdown: it.markdown.as_str(),
                    expect: it.expect.as_ref().map(Text::as_str),
                })
                .collect(),
        }
    }
}

impl Change for Update {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let asked = self.asked();
        let mut known = Vec::new();
        for it in &asked {
            let doc = cx.found(it.id).await?.doc.clone();
            match (&self.what, doc) {
                (What::Single { .. }, Some(doc)) if doc.block() == *it.id => {
                    let (incoming, what) = overwrite::plan(cx, &doc, it.markdown, it.expect).await?;
                    let shows = what.shows();
                    let plan = Plan::new(Facts::Document(doc, Box::new(what), incoming.ids_dropped));
                    return Ok(Plan { shows, ..plan });
                }
                (What::Updates(_), Some(doc)) if doc.block() == *it.id => {
                    return Err(ToolError::field(
                        "updates",
                        format!("blocks; {} is a document: update it alone, by `id`", it.id),
                    ));
                }
                (_, doc) => known.push((it.id.clone(), doc)),
            }
        }
        let ids: BTreeSet<&str> = asked.iter().map(|it| it.id.as_str()).collect();
        if ids.len() < asked.len() {
            return Err(ToolError::field("updates", "each block once"));
        }
        let mut old = match asked.as_slice() {
            [one] => {
                let text = cx.ask(block::get_block_kramdown(one.id)).await?.kramdown;
                [(one.id.to_string(), text)].into_iter().filter(|(_, text)| !text.is_empty()).collect()
            }
            _ => kramdowns(&known, cx).await?,
        };
        let (mut planned, mut dropped) = (Vec::new(), Vec::new());
        for (it, (_, doc)) in asked.iter().zip(known) {
            let old = old.remove(it.id.as_str()).ok_or_else(ToolError::not_found)?;
            check_kind(&old).map_err(|error| error.with("id", it.id.as_str()))?;
            overwrite::expected(it.expect, &hash::of_markdown(&kramdown::strip(&old)))
                .map_err(|error| error.with("id", it.id.as_str()))?;
            let incoming = incoming::check(cx, it.markdown, &Kept::of(&old)).await?;
            dropped.extend(incoming.ids_dropped);
            let new = replacement(it.id.as_str(), &old, &incoming.markdown, self.keep_attrs.is_set())?;
            incoming::recheck(&new.data, &incoming.markdown, &old)?;
            planned.push(Planned { id: it.id.clone(), doc, old, new });
        }
        let changing: Vec<&str> =
            planned.iter().filter(|it| it.new.changed).map(|it| it.id.as_str()).collect();
        let (shown, changed, replaced) = (json!(changing), !changing.is_empty(), replaced(&planned));
        Ok(Plan::new(Facts::Blocks(planned, dropped))
            .show("would", "update")
            .show("ids", shown)
            .show("changed", changed)
            .show("replaced", replaced))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let several = matches!(self.what, What::Updates(_));
        let (output, dropped) = match plan.facts {
            Facts::Document(doc, what, dropped) => {
                let done = overwrite::write(cx, &doc, *what).await?;
                let output = Output::new().with("id", doc.as_str()).with("type", "d").list("added", done.ids);
                (output.with("kept", done.kept).with("changed", done.changed), dropped)
            }
            Facts::Blocks(planned, dropped) => {
                if replaced(&planned) > overwrite::MUCH {
                    let documents: BTreeSet<&DocId> =
                        planned.iter().filter(|it| it.new.changed).filter_map(|it| it.doc.as_ref()).collect();
                    for doc in documents {
                        cx.ask(history::create_doc_history(doc)).await?;
                    }
                }
                (blocks(&planned, several, cx).await?, dropped)
            }
        };
        Ok(output.list("ids_dropped", dropped))
    }
}

/// How much of the old text goes: blocks inside of others and rows of tables count.
fn replaced(planned: &[Planned]) -> usize {
    planned.iter().filter(|it| it.new.changed).map(|it| overwrite::size(&it.old)).sum()
}

/// Sends what changed as one write, puts further blocks behind theirs, and reads the new hashes.
async fn blocks(planned: &[Planned], several: bool, cx: &Cx<'_>) -> Reply {
    let changing: Vec<&Planned> = planned.iter().filter(|it| it.new.changed).collect();
    let replies: Vec<Transaction> = match changing.as_slice() {
        [one] => cx.ask(block::update_block(&one.id, &one.new.data)).await?,
        all => {
            let texts: Vec<NewText<'_>> = all.iter().map(|it| NewText::of(&it.id, &it.new.data)).collect();
            match NonEmpty::of(&texts) {
                Some(texts) => cx.ask(block::batch_update_block(texts)).await?,
                None => Vec::new(),
            }
        }
    };
    let all = if changing.is_empty() { Vec::new() } else { written::elements(&replies)? };
    let of = |id: &BlockId| all.iter().find(|it| it.first().is_some_and(|first| first.id == id.as_str()));
    let mut items = Vec::new();
    let mut failed = Vec::new();
    let mut added = BTreeMap::new();
    // Everything is written before anything is read: what a read could fail at is then there.
    for it in &changing {
        let elements = of(&it.id).map(Vec::as_slice).unwrap_or_default();
        match written::put_behind(cx, it.id.as_str(), elements).await {
            Ok(ids) => {
                added.insert(it.id.as_str(), ids);
            }
            Err(error) => failed.push(Failed::new(error).id(it.id.as_str()).what("blocks behind the first")),
        }
    }
    let mut new_texts = read_again(&changing, cx).await.unwrap_or_else(|error| {
        failed.push(Failed::new(error).what("hash"));
        BTreeMap::new()
    });
    for it in planned {
        let elements = of(&it.id).map(Vec::as_slice).unwrap_or_default();
        let added = added.remove(it.id.as_str()).unwrap_or_default();
        let text = if it.new.changed { new_texts.remove(it.id.as_str()) } else { Some(it.old.clone()) };
        let hash = text.map(|text| hash::of_markdown(&kramdown::strip(&text)));
        let mut item = object([
            ("id", json!(it.id.as_str())),
            ("hash", json!(hash)),
            // Of an item the reply shows the list around it.
            (
                "type",
                json!(elements.first().map(|first| if it.new.is_item {
                    "i"
                } else {
                    written::short_type(&first.kind)
                })),
            ),
        ]);
        if !added.is_empty() {
            item.insert("added".to_owned(), json!(added));
        }
        item.insert("changed".to_owned(), json!(it.new.changed));
        items.push(item);
    }
    let output = match items.pop() {
        Some(item) if !several => Output::from(item),
        last => {
            items.extend(last);
            Output::new().with("items", items.into_iter().map(Value::Object).collect::<Vec<_>>())
        }
    };
    Ok(output.failed(failed))
}

/// What the kernel made of the texts: it prints some Markdown in its own way, and the hash is of that.
async fn read_again(changing: &[&Planned], cx: &Cx<'_>) -> Result<BTreeMap<String, String>, ToolError> {
    match changing {
        [one] => {
            let text = cx.ask(block::get_block_kramdown(&one.id)).await?.kramdown;
            Ok([(one.id.to_string(), text)].into())
        }
        all => {
            let ids: Vec<BlockId> = all.iter().map(|it| it.id.clone()).collect();
            let Some(ids) = NonEmpty::of(&ids) else { return Ok(BTreeMap::new()) };
            cx.ask(block::get_block_kramdowns(ids)).await
        }
    }
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
