//! Replaces the whole text of a document while unchanged blocks keep their ids and attributes.
//!
//! The kernel takes a document's kramdown in one request and creates every block of it again, including those with
//! their old ids. Content that depends on more than an id (rows of databases, databases, widgets, embeds) does not
//! survive that, so a document with such a block is refused.

mod compare;
mod reversible;

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use serde_json::{Value, json};

use self::compare::compare;
pub use self::compare::{canonical, same, size};
use super::incoming::{self, Incoming, ReplacedContent};
use super::kramdown::{self, TopBlock};
use super::referring::{self, ReferringBlocks};
use super::{printed, written};
use crate::ask::{Consequence, Thing, ThingKind, Things};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::DocId;
use crate::kernel::Route;
use crate::kernel::api::{block, history};
use crate::output::Output;
use crate::plan::Plan;

/// The routes that `plan` and `write` call.
pub const CALLS: &[Route] = crate::calls![
    &[block::GET_BLOCK_KRAMDOWN, history::CREATE_DOC_HISTORY, block::UPDATE_BLOCK],
    incoming::CALLS,
    referring::CALLS,
    printed::CALLS_FOR_DOCUMENTS,
    reversible::CALLS,
];

/// The number of replaced blocks above which a person must approve.
///
/// Each call is judged by itself. Level `rw` permits editing, also block by block; the question is about losing a lot
/// at one stroke, and adding up strokes would only push agents to smaller ones.
pub const MUCH: usize = 50;

/// A replacement that has been read but not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overwrite {
    /// The title of the document, for the person who approves.
    title: String,
    /// The kramdown to send.
    data: String,
    /// Ids of the blocks that stay.
    kept: BTreeSet<String>,
    /// Those of them that have a new text.
    rewritten: BTreeSet<String>,
    old: usize,
    new: usize,
    changed: bool,
    /// The amount of old text that is lost, counting nested blocks and rows of tables.
    replaced: usize,
    /// The whole current kramdown.
    before: String,
    /// The references, embeds and rows elsewhere that break, because the blocks that they lead to go.
    pub referring: ReferringBlocks,
}

impl Hash for Overwrite {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (canonical(&self.before), canonical(&self.data), &self.kept, &self.referring).hash(state);
    }
}

/// The result of a replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverwriteResult {
    /// Ids of the new top-level blocks.
    pub ids: Vec<String>,
    /// The number of blocks that kept their id.
    pub kept: usize,
    /// Whether anything was written.
    pub changed: bool,
}

impl Overwrite {
    /// The plan of an action that makes this replacement; `facts` adds what else the action needs.
    pub fn planned<F>(self, doc: &DocId, facts: impl FnOnce(Box<Overwrite>) -> F) -> Plan<F> {
        let shows = [
            ("title", json!(self.title)),
            ("changed", json!(self.changed)),
            ("kept", json!(self.kept.len())),
            ("removed", json!(self.old - self.kept.len())),
            ("added", json!(self.new - self.kept.len())),
            ("replaced", json!(self.replaced)),
        ];
        let things = Things::of([Thing::titled(&self.title).with_id(doc.as_str())]);
        let (blocks, changes) =
            (Consequence::Blocks(self.replaced as u64), self.changed.then(|| doc.clone()));
        let referring = self.referring.clone();
        let plan = Plan::new("overwrite", facts(Box::new(self)));
        let plan = shows.into_iter().fold(plan, |plan, (name, value)| plan.show(name, value));
        referring.show(plan.about(ThingKind::Document, things).also(blocks).changing(changes))
    }

    /// Whether more than 50 blocks would be replaced, counting nested blocks and rows of tables.
    pub fn replaces_much(&self) -> bool {
        self.changed && self.replaced > MUCH
    }
}

/// Compares a document with its new text.
pub async fn plan(
    cx: &Cx<'_>,
    doc: &DocId,
    markdown: &str,
    expect: Option<&str>,
) -> Result<(Incoming, Overwrite), ToolError> {
    cx.declares(CALLS)?;
    cx.keeps_rows().await;
    let printed = cx.ask(block::get_block_kramdown(doc)).await?.kramdown;
    let old = kramdown::blocks(&printed);
    expected(expect, &compare::hash_of(&old))?;
    let incoming = incoming::check(cx, markdown, &ReplacedContent::of(&printed)).await?;
    let mut what = Overwrite { title: title(&printed), ..compare(&old, &incoming.markdown) };
    if what.changed {
        refuse_fragile(&old)?;
        printed::check_document(cx, doc).await?;
        incoming::recheck(&what.data, &incoming.markdown, &printed)?;
        what.referring = referring::to_blocks(&lost(&old, &what.data), cx).await?;
    }
    what.before = printed;
    Ok((incoming, what))
}

/// The blocks of the old text that the new one no longer holds.
fn lost(old: &[TopBlock], data: &str) -> BTreeSet<String> {
    let ids = |text: &str| -> BTreeSet<String> {
        let lists = kramdown::attribute_lists(text);
        lists.iter().filter_map(|list| list.id().map(str::to_owned)).collect()
    };
    let kept = ids(data);
    old.iter().flat_map(|block| ids(&block.kramdown)).filter(|id| !kept.contains(id)).collect()
}

/// The title of a printed document: it is in the list of the document's own attributes.
fn title(printed: &str) -> String {
    let lists = kramdown::attribute_lists(printed);
    let own = lists.iter().rfind(|it| it.get("type") == Some("doc"));
    own.and_then(|it| it.get("title")).unwrap_or_default().to_owned()
}

/// Refuses a text that has changed since the caller read it (B-035).
pub fn expected(expect: Option<&str>, hash: &str) -> Result<(), ToolError> {
    match expect {
        Some(expect) if expect != hash => Err(ToolError::conflict(
            "The text has changed since you read it. Nothing was written. Read it again before you decide.",
        )
        .with("hash", hash)),
        _ => Ok(()),
    }
}

/// Saves a version and replaces the text.
pub async fn write(cx: &Cx<'_>, doc: &DocId, what: Overwrite) -> Result<OverwriteResult, ToolError> {
    let kept = what.kept.len();
    if !what.changed {
        return Ok(OverwriteResult { ids: Vec::new(), kept, changed: false });
    }
    cx.ask(history::create_doc_history(doc)).await?;
    let ids = match reversible::write(cx, doc, &what).await? {
        Some(ids) => ids,
        None => {
            let mut ids = written::ids(&cx.ask(block::update_block(doc, &what.data)).await?)?;
            ids.retain(|id| !what.kept.contains(id));
            ids
        }
    };
    Ok(OverwriteResult { ids, kept, changed: true })
}

/// Like `write`, as the answer of a call.
pub async fn run(cx: &Cx<'_>, doc: &DocId, what: Overwrite) -> Result<Output, ToolError> {
    let OverwriteResult { ids, kept, changed } = write(cx, doc, what).await?;
    Ok(Output::new().with("id", doc.as_str()).with("ids", ids).with("kept", kept).with("changed", changed))
}

/// Refuses a document with blocks that do not survive being created again.
fn refuse_fragile(old: &[TopBlock]) -> Result<(), ToolError> {
    let fragile: Vec<Value> = old
        .iter()
        .filter_map(|block| Some(json!({ "id": block.attributes.id()?, "kind": fragile(&block.kramdown)? })))
        .collect();
    if fragile.is_empty() {
        return Ok(());
    }
    Err(ToolError::conflict(
        "Replacing the whole text would lose the databases, database rows, widgets or embeds of this document. Nothing was written. Use fs.edit or block.update on the other blocks.",
    )
    .with("blocks", fragile))
}

/// The feature of a block that does not survive being created again, if it has one.
pub fn fragile(kramdown: &str) -> Option<&'static str> {
    if kramdown.contains("data-av-id=") {
        return Some("database");
    }
    if kramdown::attribute_lists(kramdown).iter().any(|it| it.get("custom-avs").is_some()) {
        return Some("database row");
    }
    if kramdown.contains("data-subtype=\"widget\"") {
        return Some("widget");
    }
    let embed = kramdown.lines().any(|line| {
        let line = line.trim_start_matches([' ', '\t', '>']);
        line.starts_with("{{") && !line.starts_with("{{{")
    });
    embed.then_some("embed")
}

#[cfg(test)]
mod tests;
