//! `block.insert`: Markdown beside a block, or at one end of a container.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::adding::{self, check_text, first_child, new_ids};
use super::shape::{self, DOCUMENT, ITEM, LIST};
use super::source::{self, kramdowns};
use crate::content::incoming::{self, Kept};
use crate::content::{replacement, written};
use crate::kernel::api::block::{Anchor, NewBlock, Transaction, TreeInfos};
use crate::prelude::*;

/// Insert Markdown beside a block, or at either end of a container.
#[derive(Debug, Action)]
#[action(
    block.insert,
    danger = None,
    idempotent = false,
    calls = [block::BATCH_INSERT_BLOCK, block::GET_TAIL_CHILD_BLOCKS, ..adding, ..source],
    examples = [
        { "target": "{block}", "markdown": "Mint grows anywhere." },
        { "target": "{doc}", "position": "last", "markdown": "- Sage\n- Rue" },
        { "inserts": [{ "target": "{heading}", "position": "before", "markdown": "In short:" }] },
    ],
)]
pub struct Insert {
    /// One place, or several at once.
    #[needs(Write)]
    #[one_of]
    pub what: What,
}

/// One place, or several at once.
#[derive(Debug, OneOf)]
pub enum What {
    /// One place.
    Single {
        /// The block beside or into which it goes.
        #[target]
        target: BlockId,
        /// Beside the target, or as its first or last child.
        position: Position,
        /// The text, as Markdown.
        markdown: Markdown,
    },
    /// Several places, each with its text.
    #[target]
    Inserts(Many<One, 1, 32>),
}

/// One of several places.
#[derive(Debug, Record)]
pub struct One {
    /// The block beside or into which it goes.
    #[target]
    pub target: BlockId,
    /// Beside the target, or as its first or last child.
    pub position: Position,
    /// The text, as Markdown.
    pub markdown: Markdown,
}

/// The place as seen from the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum Position {
    /// Before it.
    Before,
    /// Behind it.
    #[default]
    After,
    /// Its first child.
    First,
    /// Its last child.
    Last,
}

/// The place of a text, as the kernel is told.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Spot {
    Before(BlockId),
    After(BlockId),
    Start(BlockId),
    End(BlockId),
}

/// A text with its place.
#[derive(Debug, Hash)]
pub struct Planned {
    spot: Spot,
    markdown: String,
    doc: Option<DocId>,
    into_list: bool,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    all: Vec<Planned>,
    ids_dropped: Vec<String>,
}

impl Insert {
    fn asked(&self) -> Vec<(&BlockId, Position, &Markdown)> {
        match &self.what {
            What::Single { target, position, markdown } => vec![(target, *position, markdown)],
            What::Inserts(all) => {
                all.as_slice().iter().map(|it| (&it.target, it.position, &it.markdown)).collect()
            }
        }
    }
}

impl Change for Insert {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let asked = self.asked();
        let mut docs = Vec::new();
        for (target, position, markdown) in &asked {
            check_text("markdown", markdown)?;
            let doc = cx.found(*target).await?.doc.clone();
            let is_document = doc.as_ref().is_some_and(|it| it.block() == **target);
            if is_document && matches!(position, Position::Before | Position::After) {
                let expected = "first or last where the target is a document";
                return Err(ToolError::field("position", expected).with("target", target.as_str()));
            }
            docs.push((doc, is_document));
        }
        let blocks = asked.iter().zip(&docs).filter(|(_, (_, is_document))| !is_document);
        let infos = shape::infos(&blocks.map(|((id, ..), _)| (*id).clone()).collect::<Vec<_>>(), cx).await?;
        let mut spots = Vec::new();
        for ((target, position, _), (_, is_document)) in asked.iter().zip(&docs) {
            spots.push(self.spot(target, *position, *is_document, &infos, cx).await?);
        }
        let beside = |(spot, beside_item): &(Spot, bool)| match spot {
            Spot::Before(id) | Spot::After(id) if *beside_item => Some(id.clone()),
            _ => None,
        };
        let neighbours: Vec<_> =
            spots.iter().zip(&docs).filter_map(|(it, (doc, _))| Some((beside(it)?, doc.clone()))).collect();
        let neighbours = kramdowns(&neighbours, cx).await?;
        let mut facts = Facts { all: Vec::new(), ids_dropped: Vec::new() };
        for (((target, _, markdown), (doc, _)), spot) in asked.iter().zip(docs).zip(spots) {
            let text = match beside(&spot) {
                Some(id) => {
                    let neighbour = neighbours.get(id.as_str()).ok_or_else(ToolError::not_found)?;
                    &replacement::item_beside(neighbour, markdown.as_str())?
                }
                None => markdown.as_str(),
            };
            let incoming = incoming::check(cx, text, &Kept::nothing()).await?;
            facts.ids_dropped.extend(incoming.ids_dropped);
            let is_list = infos.get(target.as_str()).is_some_and(|it| it.kind == LIST);
            let into_list = beside(&spot).is_some() || is_list;
            facts.all.push(Planned { spot: spot.0, markdown: incoming.markdown, doc, into_list });
        }
        let characters: usize = facts.all.iter().map(|it| it.markdown.chars().count()).sum();
        let changes: Vec<DocId> = facts.all.iter().filter_map(|it| it.doc.clone()).collect();
        let told: Vec<&str> = asked.iter().map(|(id, ..)| id.as_str()).collect();
        let plan = Plan::new(facts).show("would", "insert").show("targets", json!(told));
        Ok(plan.show("characters", characters).changing(changes).touching(asked.len(), ""))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { all, ids_dropped } = plan.facts;
        if let (What::Single { .. }, [one]) = (&self.what, all.as_slice()) {
            let output = Output::from(told(one, &alone(one, cx).await?)?);
            return Ok(output.list("ids_dropped", ids_dropped));
        }
        // Blocks that are put behind or into the same one come out in reverse order.
        let (before, others): (Vec<usize>, Vec<usize>) =
            (0..all.len()).partition(|at| matches!(all.get(*at).map(|it| &it.spot), Some(Spot::Before(_))));
        let order: Vec<usize> = before.into_iter().chain(others.into_iter().rev()).collect();
        let sorted = order.iter().filter_map(|at| all.get(*at));
        let new: Vec<NewBlock<'_>> = sorted.map(|it| NewBlock::at(it.spot.anchor(), &it.markdown)).collect();
        let new = NonEmpty::of(&new).ok_or_else(ToolError::not_found)?;
        let replies = cx.ask(block::batch_insert_block(new)).await?;
        let mut replies: BTreeMap<usize, Transaction> = order.into_iter().zip(replies).collect();
        let mut done = Done::new();
        for (at, it) in all.iter().enumerate() {
            let id = it.spot.id().as_str();
            let reply: Vec<Transaction> = replies.remove(&at).into_iter().collect();
            done.each(id, told(it, &reply), Value::Object);
        }
        Ok(done.reply("items")?.list("ids_dropped", ids_dropped))
    }
}

impl Insert {
    /// The place of a text, and whether it is beside a list item.
    async fn spot(
        &self,
        target: &BlockId,
        position: Position,
        is_document: bool,
        infos: &TreeInfos,
        cx: &Cx<'_>,
    ) -> Result<(Spot, bool), ToolError> {
        let (kind, parent_kind) = match infos.get(target.as_str()) {
            _ if is_document => (DOCUMENT, ""),
            Some(info) => (info.kind.as_str(), info.parent_kind.as_str()),
            None => return Err(ToolError::not_found()),
        };
        if matches!(position, Position::First | Position::Last) {
            shape::check_container("target", target, kind, cx).await?;
        }
        let alone = matches!(self.what, What::Single { .. });
        // Into several containers at once the kernel puts text as a child without regard to their types.
        let plain = matches!(kind, DOCUMENT | "NodeBlockquote" | "NodeCallout");
        Ok(match position {
            Position::Before => (Spot::Before(target.clone()), parent_kind == LIST),
            Position::After => (Spot::After(target.clone()), parent_kind == LIST),
            Position::First if plain || (alone && kind != ITEM) => (Spot::Start(target.clone()), false),
            Position::First => match first_child(target, cx).await? {
                Some(child) => (Spot::Before(child), kind == LIST),
                None => (Spot::Start(target.clone()), false),
            },
            Position::Last if alone => (Spot::End(target.clone()), false),
            Position::Last => {
                let tail = cx.ask(block::get_tail_child_blocks(target, 1)).await?;
                match tail.first().and_then(|it| BlockId::parse(&it.id)) {
                    Some(child) => (Spot::After(child), kind == LIST),
                    None => (Spot::Start(target.clone()), false),
                }
            }
        })
    }
}

impl Spot {
    fn id(&self) -> &BlockId {
        match self {
            Spot::Before(id) | Spot::After(id) | Spot::Start(id) | Spot::End(id) => id,
        }
    }

    fn anchor(&self) -> Anchor<'_> {
        match self {
            Spot::Before(id) => Anchor::Before(id),
            Spot::After(id) => Anchor::After(id),
            Spot::Start(id) | Spot::End(id) => Anchor::Into(id),
        }
    }
}

/// Inserts one text.
async fn alone(it: &Planned, cx: &Cx<'_>) -> Result<Vec<Transaction>, ToolError> {
    let text = it.markdown.as_str();
    match &it.spot {
        Spot::Start(id) => cx.ask(block::prepend_block(id, text)).await,
        Spot::End(id) => cx.ask(block::append_block(id, text)).await,
        spot => cx.ask(block::insert_block(&NewBlock::at(spot.anchor(), text))).await,
    }
}

/// The answer about one text.
fn told(it: &Planned, reply: &[Transaction]) -> Result<serde_json::Map<String, Value>, ToolError> {
    let ids = new_ids(written::elements(reply)?, it.into_list);
    Ok(object([("ids", json!(ids)), ("doc", json!(it.doc.as_ref().map(DocId::as_str)))]))
}

#[cfg(test)]
#[path = "insert_tests.rs"]
mod tests;
