//! `block.update`: the text of blocks, while ids, attributes and references stay.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::source::kramdowns;
use crate::content::incoming::{self, Kept};
use crate::content::overwrite::{self, Overwrite};
use crate::content::replacement::{Replacement, check_kind, replacement};
use crate::content::written;
use crate::content::{hash, kramdown};
use crate::kernel::reply::Transaction;
use crate::prelude::*;

/// How many blocks a document has when a person must approve.
const LARGE: usize = 50;

/// Replace the content of blocks by Markdown; ids, attributes and references stay.
#[derive(Debug, Action)]
#[action(
    block.update,
    effect = When(Self::is_document, Destructive),
    danger = When(Self::is_large, "Replaces the whole text of this document. A version is kept in the document's history."),
    idempotent = false,
    calls = [
        GET_BLOCK_KRAMDOWN, GET_BLOCK_KRAMDOWNS, SQL, FLUSH_TRANSACTION, UPDATE_BLOCK, BATCH_UPDATE_BLOCK,
        INSERT_BLOCK, CREATE_DOC_HISTORY,
    ],
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
#[derive(Debug)]
pub enum Facts {
    /// The id is that of a document.
    Document(DocId, Box<Overwrite>, Vec<String>),
    /// Blocks, in the order asked for.
    Blocks(Vec<Planned>, Vec<String>),
}

/// A block with what will be sent for it.
#[derive(Debug)]
pub struct Planned {
    id: String,
    old: String,
    new: Replacement,
}

/// What is asked of one block.
struct Asked<'a> {
    id: &'a BlockId,
    markdown: &'a str,
    expect: Option<&'a str>,
}

impl Update {
    fn is_document(&self, plan: &Plan<Facts>) -> bool {
        matches!(plan.facts, Facts::Document(..))
    }

    fn is_large(&self, plan: &Plan<Facts>) -> bool {
        matches!(&plan.facts, Facts::Document(_, what, _) if what.changes() && what.blocks() > LARGE)
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

    async fn plan<K: Kernel>(&self, cx: &Cx<'_, K>) -> Result<Plan<Facts>, ToolError> {
        let asked = self.asked();
        let mut known = Vec::new();
        for it in &asked {
            let doc = cx.found(it.id).await?.doc.clone();
            match (&self.what, doc) {
                (What::Single { .. }, Some(doc)) if doc.block() == *it.id => {
                    let (incoming, what) = overwrite::plan(cx, &doc, it.markdown, it.expect).await?;
                    let (shows, basis) = (what.shows(), what.basis().to_owned());
                    let plan = Plan::new(Facts::Document(doc, Box::new(what), incoming.ids_dropped));
                    return Ok(Plan { shows, basis, ..plan });
                }
                (What::Updates(_), Some(doc)) if doc.block() == *it.id => {
                    return Err(ToolError::field(
                        "updates",
                        format!("blocks; {} is a document: update it alone, by `id`", it.id),
                    ));
                }
                (_, doc) => known.push((it.id.to_string(), doc.map(|doc| doc.to_string()))),
            }
        }
        let ids: BTreeSet<&str> = asked.iter().map(|it| it.id.as_str()).collect();
        if ids.len() < asked.len() {
            return Err(ToolError::field("updates", "each block once"));
        }
        let mut old = match asked.as_slice() {
            [one] => {
                let text = cx.call(api::GET_BLOCK_KRAMDOWN, json!({ "id": one.id.as_str() })).await?.kramdown;
                [(one.id.to_string(), text)].into_iter().filter(|(_, text)| !text.is_empty()).collect()
            }
            _ => kramdowns(&known, cx).await?,
        };
        let (mut planned, mut dropped) = (Vec::new(), Vec::new());
        for it in &asked {
            let old = old.remove(it.id.as_str()).ok_or_else(ToolError::not_found)?;
            check_kind(&old).map_err(|error| error.with("id", it.id.as_str()))?;
            overwrite::expected(it.expect, &hash::of_markdown(&kramdown::strip(&old)))
                .map_err(|error| error.with("id", it.id.as_str()))?;
            let incoming = incoming::check(cx, it.markdown, &Kept::of(&old)).await?;
            dropped.extend(incoming.ids_dropped);
            let new = replacement(it.id.as_str(), &old, &incoming.markdown, self.keep_attrs.is_set())?;
            incoming::recheck(&new.data, &incoming.markdown, &old)?;
            planned.push(Planned { id: it.id.to_string(), old, new });
        }
        let changing: Vec<&str> =
            planned.iter().filter(|it| it.new.changed).map(|it| it.id.as_str()).collect();
        let (shown, changed) = (json!(changing), !changing.is_empty());
        Ok(Plan::new(Facts::Blocks(planned, dropped))
            .show("would", "update")
            .show("ids", shown)
            .show("changed", changed))
    }

    async fn run<K: Kernel>(self, plan: Plan<Facts>, cx: &Cx<'_, K>) -> Reply {
        let several = matches!(self.what, What::Updates(_));
        let (output, dropped) = match plan.facts {
            Facts::Document(doc, what, dropped) => {
                let done = overwrite::write(cx, &doc, *what).await?;
                let output = Output::new().with("id", doc.as_str()).with("type", "d");
                let output = if done.ids.is_empty() { output } else { output.with("added", done.ids) };
                (output.with("kept", done.kept).with("changed", done.changed), dropped)
            }
            Facts::Blocks(planned, dropped) => (blocks(&planned, several, cx).await?, dropped),
        };
        Ok(if dropped.is_empty() { output } else { output.with("ids_dropped", dropped) })
    }
}

/// Sends what changed as one write, puts further blocks behind theirs, and reads the new hashes.
async fn blocks<K: Kernel>(planned: &[Planned], several: bool, cx: &Cx<'_, K>) -> Reply {
    let changing: Vec<&Planned> = planned.iter().filter(|it| it.new.changed).collect();
    let body = |it: &Planned| json!({ "id": it.id, "dataType": "markdown", "data": it.new.data });
    let replies: Vec<Transaction> = match changing.as_slice() {
        [] => Vec::new(),
        [one] => cx.call(api::UPDATE_BLOCK, body(one)).await?,
        all => {
            let blocks: Vec<Value> = all.iter().map(|it| body(it)).collect();
            cx.call(api::BATCH_UPDATE_BLOCK, json!({ "blocks": blocks })).await?
        }
    };
    let all = if changing.is_empty() { Vec::new() } else { written::elements(&replies)? };
    let of = |id: &str| all.iter().find(|it| it.first().is_some_and(|first| first.id == id));
    let mut items = Vec::new();
    let mut failed = Vec::new();
    let mut new_texts = read_again(&changing, cx).await?;
    for it in planned {
        let elements = of(&it.id).map(Vec::as_slice).unwrap_or_default();
        let added = match written::put_behind(cx, &it.id, elements).await {
            Ok(added) => added,
            Err(error) => {
                failed
                    .push(json!({ "id": it.id, "what": "blocks behind the first", "error": error.message }));
                Vec::new()
            }
        };
        let text = new_texts.remove(&it.id).unwrap_or_else(|| it.old.clone());
        let mut item = object([
            ("id", json!(it.id)),
            ("hash", json!(hash::of_markdown(&kramdown::strip(&text)))),
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
    Ok(if failed.is_empty() { output } else { output.with("failed", failed) })
}

/// What the kernel made of the texts: it prints some Markdown in its own way, and the hash is of that.
async fn read_again<K: Kernel>(
    changing: &[&Planned],
    cx: &Cx<'_, K>,
) -> Result<std::collections::BTreeMap<String, String>, ToolError> {
    match changing {
        [] => Ok(std::collections::BTreeMap::new()),
        [one] => {
            let text = cx.call(api::GET_BLOCK_KRAMDOWN, json!({ "id": one.id })).await?.kramdown;
            Ok([(one.id.clone(), text)].into())
        }
        all => {
            let ids: Vec<&str> = all.iter().map(|it| it.id.as_str()).collect();
            cx.call(api::GET_BLOCK_KRAMDOWNS, json!({ "ids": ids, "mode": "md" })).await
        }
    }
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
