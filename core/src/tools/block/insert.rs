//! `block.insert`: Markdown beside a block, or at one end of a container.

use serde_json::{Map, Value, json};

use super::adding::check_text;
use super::items::fitted;
use super::new_blocks::{self, NewText};
use super::position::Position;
use super::shape;
use super::source;
use super::spot::{self, InsertPoint};
use crate::content::incoming::{self, ReplacedContent};
use crate::prelude::*;

/// Insert Markdown before or after a block, or at either end of a container.
#[derive(Debug, Action)]
#[action(
    block.insert,
    danger = None,
    idempotent = false,
    calls = [..incoming, ..new_blocks, ..source, ..spot],
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
    pub inserts: OneOrMany<Insertion, 32>,
}

/// A place and its new text.
#[derive(Debug, Record)]
pub struct Insertion {
    /// The block to place it next to, or into.
    #[target]
    pub target: BlockId,
    /// Before or after the target, or as its first or last child.
    pub position: Position,
    /// The text, as Markdown.
    pub markdown: Markdown,
}

impl ListRecord for Insertion {
    const LIST: &'static str = "inserts";
    const LIST_DOC: &'static str = "Several places, each with its text.";
}

/// A text with its place.
#[derive(Debug, Hash)]
struct PlannedInsert {
    spot: InsertPoint,
    doc: Option<DocId>,
    markdown: String,
}

impl PlannedInsert {
    /// The answer about it.
    fn result(&self, ids: Vec<String>) -> Map<String, Value> {
        let doc = self.doc.as_ref().map(DocId::as_str);
        object([("ids", json!(ids)), ("doc", json!(doc))])
    }

    fn text(&self) -> NewText<'_> {
        self.spot.text(&self.markdown, self.doc.as_ref())
    }
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    all: Vec<PlannedInsert>,
    ids_dropped: Vec<String>,
}

impl Change for Insert {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let inserts = self.inserts.as_slice();
        let places = self.places(cx).await?;
        let markdowns: Vec<&str> = inserts.iter().map(|it| it.markdown.as_str()).collect();
        let texts = fitted(&markdowns, &places, |at, error| self.named(at, error), cx).await?;
        let kept = |(spot, doc): &(InsertPoint, Option<DocId>)| match spot.is_top {
            true => ReplacedContent::nothing().at_top_of(doc.clone()),
            false => ReplacedContent::nothing().within(doc.clone()),
        };
        let kept: Vec<ReplacedContent> = places.iter().map(kept).collect();
        let new: Vec<(&str, &ReplacedContent)> = texts.iter().map(AsRef::as_ref).zip(&kept).collect();
        let checked = incoming::check_each(cx, &new, |at, error| self.named(at, error)).await?;
        let mut facts = Facts { all: Vec::new(), ids_dropped: Vec::new() };
        for ((spot, doc), incoming) in places.into_iter().zip(checked) {
            facts.ids_dropped.extend(incoming.ids_dropped);
            facts.all.push(PlannedInsert { spot, doc, markdown: incoming.markdown });
        }
        let characters: usize = facts.all.iter().map(|it| it.markdown.chars().count()).sum();
        let changes: Vec<DocId> = facts.all.iter().filter_map(|it| it.doc.clone()).collect();
        let targets: Vec<&str> = inserts.iter().map(|it| it.target.as_str()).collect();
        let plan = Plan::new("insert", facts).show("targets", json!(targets));
        Ok(plan.show("characters", characters).changing(changes).touching(inserts.len(), ""))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { all, ids_dropped } = plan.facts;
        let texts: Vec<NewText<'_>> = all.iter().map(PlannedInsert::text).collect();
        let ids: Vec<Result<Vec<String>, ToolError>> = match new_blocks::add(&texts, cx).await? {
            Some(ids) => ids.into_iter().map(Ok).collect(),
            None => insert_markdown(&all, self.inserts.is_one(), cx).await?,
        };
        if let (true, [one]) = (self.inserts.is_one(), all.as_slice()) {
            let ids = ids.into_iter().next().unwrap_or_else(|| Ok(Vec::new()))?;
            return Ok(Output::from(one.result(ids)).list("ids_dropped", ids_dropped));
        }
        let mut done = Done::new();
        for (it, ids) in all.iter().zip(ids) {
            done.each(it.spot.id().as_str(), ids.map(|ids| it.result(ids)), Value::Object);
        }
        Ok(done.reply("items")?.list("ids_dropped", ids_dropped))
    }
}

/// Inserts texts as Markdown, which nothing takes back; the ids of the new blocks of each.
async fn insert_markdown(
    all: &[PlannedInsert],
    is_one: bool,
    cx: &Cx<'_>,
) -> Result<Vec<Result<Vec<String>, ToolError>>, ToolError> {
    let replies = match (is_one, all) {
        (true, [one]) => vec![one.spot.insert(&one.markdown, cx).await?],
        _ => {
            let texts: Vec<_> = all.iter().map(|it| (&it.spot, it.markdown.as_str())).collect();
            spot::insert_all(&texts, cx).await?
        }
    };
    Ok(all.iter().zip(&replies).map(|(it, reply)| it.spot.new_ids(reply)).collect())
}

impl Insert {
    /// An error about one of the texts, with its arguments as the caller names them.
    fn named(&self, at: usize, error: ToolError) -> ToolError {
        match self.inserts.place(at) {
            None => error,
            Some(place) => error.inside(&place),
        }
    }

    /// The spots of the texts, each with its document.
    async fn places(&self, cx: &Cx<'_>) -> Result<Vec<(InsertPoint, Option<DocId>)>, ToolError> {
        let inserts = self.inserts.as_slice();
        let (mut docs, mut blocks) = (Vec::new(), Vec::new());
        for (at, Insertion { target, position, markdown }) in inserts.iter().enumerate() {
            check_text("markdown", markdown).map_err(|error| self.named(at, error))?;
            let doc = cx.found(target).await?.doc.clone();
            let is_document = doc.as_ref().is_some_and(|it| it.block() == *target);
            let fits = position.check(is_document);
            fits.map_err(|error| self.named(at, error).with("target", target.as_str()))?;
            blocks.extend((!is_document).then(|| target.clone()));
            docs.push((doc, is_document));
        }
        let infos = shape::infos(&blocks, cx).await?;
        let alone = self.inserts.is_one();
        let mut places = Vec::new();
        for (at, (Insertion { target, position, .. }, (doc, is_document))) in
            inserts.iter().zip(docs).enumerate()
        {
            let parent = position.parent(target, is_document, &infos, cx).await;
            let (_, kind) = parent.map_err(|error| self.named(at, error))?;
            places.push((InsertPoint::at(*position, target, kind, alone, cx).await?, doc));
        }
        Ok(places)
    }
}

#[cfg(test)]
#[path = "insert_tests.rs"]
mod tests;
