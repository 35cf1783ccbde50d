//! Markdown on its way in: what the kernel would take without complaint and what must not get through.
//!
//! The kernel takes any id in an attribute list: a block elsewhere with that id is then hijacked. It
//! writes the text of a reference's target into the note, whoever may read that note. So ids that were
//! not there before are dropped and told, references must be readable, and what would run is refused.
//!
//! Check the *whole* text that will be sent, never a piece of it: what is code decides what counts.

mod active;
mod code;
mod references;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::kramdown::{self, AttributeList};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::is_node_id;
use crate::kernel::reply::Row;
use crate::kernel::{Kernel, api, sql};

/// Most blocks that one text may refer to.
const MOST_REFERENCES: usize = 1_000;

/// How often a text is looked at again after attribute lists were taken out of it.
const MOST_ROUNDS: usize = 8;

/// Attributes that only SiYuan sets: text may keep them, never add them.
pub(super) fn is_protected(name: &str) -> bool {
    matches!(name, "updated" | "custom-avs" | "custom-riff-decks") || name.starts_with("custom-sy-")
}

/// What stands in the blocks that the text replaces, so it may stand there again.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    blocks: BTreeMap<String, AttributeList>,
    databases: BTreeSet<String>,
}

impl Kept {
    /// The text replaces nothing.
    pub fn nothing() -> Kept {
        Kept::default()
    }

    /// The text replaces blocks of this kramdown, as the kernel printed it.
    pub fn of(kramdown: &str) -> Kept {
        let lists = kramdown::attribute_lists(kramdown);
        let named = lists.into_iter().filter(|it| it.get("type") != Some("doc"));
        Kept {
            blocks: named.filter_map(|it| Some((it.id()?.to_owned(), it))).collect(),
            databases: databases(kramdown).map(str::to_owned).collect(),
        }
    }
}

/// Markdown that may be sent to the kernel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Incoming {
    /// The text.
    pub markdown: String,
    /// Ids that were taken out of it.
    pub ids_dropped: Vec<String>,
}

/// Checks and completes a text. One SQL for all its references, none without any (`SQL`), and one more
/// after a flush where a block is missing, since the index lags (`FLUSH_TRANSACTION`).
pub async fn check<K: Kernel>(cx: &Cx<'_, K>, markdown: &str, kept: &Kept) -> Result<Incoming, ToolError> {
    let (mut markdown, ids_dropped) = attributes(markdown, kept)?;
    let masked = code::mask(&markdown);
    refuse(&masked.text, kept)?;
    let found = references::references(&masked.text);
    let ids: BTreeSet<&str> = found.iter().map(|it| it.id).collect();
    if !ids.is_empty() {
        let rows = readable(cx, &ids).await?;
        let mut bare: Vec<(usize, String)> = found
            .iter()
            .filter_map(|it| {
                Some((it.anchor_at?, anchor(cx, rows.iter().find(|row| row.text("id") == it.id)?)))
            })
            .collect();
        bare.sort();
        for (at, text) in bare.into_iter().rev() {
            markdown.insert_str(at, &format!(" '{text}'"));
        }
    }
    if let Some(closing) = masked.closing {
        // What is put behind the text would be code.
        markdown = format!("{}\n{closing}", markdown.trim_end_matches('\n'));
    }
    Ok(Incoming { markdown, ids_dropped })
}

/// Drops ids and protected attributes that were not there before.
///
/// Taking a list out may turn what was code into text, so it is looked at again until nothing changes.
fn attributes(markdown: &str, kept: &Kept) -> Result<(String, Vec<String>), ToolError> {
    let (mut markdown, mut dropped) = attributes_once(markdown, kept)?;
    for _ in 0..MOST_ROUNDS {
        let (next, more) = attributes_once(&markdown, kept)?;
        if next == markdown {
            refuse_odd_lists(&markdown)?;
            return Ok((markdown, dropped));
        }
        markdown = next;
        dropped.extend(more);
    }
    Err(ToolError::field("markdown", "Markdown without attribute lists that hide in code; take them out"))
}

fn attributes_once(markdown: &str, kept: &Kept) -> Result<(String, Vec<String>), ToolError> {
    let masked = code::mask(markdown).text;
    let mut dropped = Vec::new();
    let mut used = BTreeSet::new();
    let mut handler = false;
    let mut out = String::with_capacity(markdown.len());
    let mut from = 0;
    for found in kramdown::lists(&masked) {
        out.push_str(markdown.get(from..found.range.start).unwrap_or_default());
        from = found.range.end;
        let mut list = found.attributes;
        if list.get("type") == Some("doc") {
            continue;
        }
        let before = list.id().and_then(|id| kept.blocks.get(id));
        let known = before.is_some() && list.id().is_some_and(|id| used.insert(id.to_owned()));
        if !known {
            dropped.extend(list.id().map(str::to_owned));
            list.remove("id");
        }
        list.retain(|name, _| {
            handler |= name.get(..2).is_some_and(|it| it.eq_ignore_ascii_case("on"));
            !is_protected(name)
        });
        // Without them the block would leave its database and its decks.
        for (name, value) in before.filter(|_| known).into_iter().flat_map(AttributeList::iter) {
            if is_protected(name) && name != "updated" {
                list.set(name, value);
            }
        }
        if !list.is_empty() {
            out.push_str(&list.to_string());
        }
    }
    if handler {
        return Err(would_run("on...= attributes"));
    }
    out.push_str(markdown.get(from..).unwrap_or_default());
    Ok((out, dropped))
}

/// An attribute list that we cannot read but the kernel perhaps can must not carry an id.
fn refuse_odd_lists(markdown: &str) -> Result<(), ToolError> {
    let masked = code::mask(markdown).text;
    let odd = masked.split("\n\n").any(|part| {
        let last_id = (0..part.len()).rev().find(|at| part.get(*at..*at + 22).is_some_and(is_node_id));
        last_id.is_some_and(|last| {
            let mut starts = part.match_indices("{:").take_while(|(at, _)| *at < last);
            starts.any(|(at, _)| part.get(at..).is_some_and(|rest| AttributeList::parse(rest).is_none()))
        })
    });
    if odd {
        return Err(ToolError::field(
            "markdown",
            "Markdown whose attribute lists have the form {: name=\"value\"} on one line",
        ));
    }
    Ok(())
}

/// Looks at a text again that was put together from checked text and from blocks as they were: no id may
/// stand in it that was not there before, none twice, and no reference that nobody checked.
///
/// Pieces that were checked as a whole may mean something else between others; this is the second lock.
pub fn recheck(sent: &str, checked: &str, old: &str) -> Result<(), ToolError> {
    let known: BTreeSet<String> =
        kramdown::attribute_lists(old).iter().filter_map(|it| it.id().map(str::to_owned)).collect();
    let masked = code::mask(sent).text;
    let mut used = BTreeSet::new();
    let foreign = kramdown::lists(&masked)
        .iter()
        .filter_map(|it| it.attributes.id())
        .any(|id| !known.contains(id) || !used.insert(id.to_owned()));
    let (checked, old) = (code::mask(checked).text, code::mask(old).text);
    let known: BTreeSet<&str> =
        [&checked, &old].into_iter().flat_map(|text| references::references(text)).map(|it| it.id).collect();
    if foreign || references::references(&masked).iter().any(|it| !known.contains(it.id)) {
        return Err(ToolError::field(
            "markdown",
            "Markdown whose code blocks begin and end on lines of their own; nothing was written",
        ));
    }
    Ok(())
}

/// Refuses scripts, odd query embeds, and databases that were not there before.
fn refuse(masked: &str, kept: &Kept) -> Result<(), ToolError> {
    if let Some(what) = active::active(masked) {
        return Err(would_run(what));
    }
    if embeds(masked).any(|statement| !is_one_select(statement)) {
        return Err(ToolError::field(
            "markdown",
            "Markdown whose query embeds {{ }} hold a single SELECT; write other braces inside of code",
        ));
    }
    if let Some(database) = databases(masked).find(|it| !kept.databases.contains(*it)) {
        return Err(ToolError::field(
            "markdown",
            "Markdown without new database blocks; make a database with the tool av",
        )
        .with("database", database));
    }
    Ok(())
}

fn would_run(what: &str) -> ToolError {
    ToolError::field("markdown", format!("Markdown that runs nothing; take out {what}, or write it as code"))
}

/// The statements of query embeds: what stands between `{{` at the start of a line and `}}`.
fn embeds(masked: &str) -> impl Iterator<Item = &str> {
    let starts = masked.match_indices("{{").filter(|(at, _)| {
        let line = masked.get(..*at).and_then(|it| it.rsplit('\n').next()).unwrap_or_default();
        let rest = masked.get(at + 2..).unwrap_or_default();
        let begins = line.chars().all(|it| " \t>-*+.)".contains(it) || it.is_ascii_digit());
        begins && !rest.starts_with('{')
    });
    starts.map(|(at, _)| {
        let rest = masked.get(at + 2..).unwrap_or_default();
        rest.find("}}").and_then(|end| rest.get(..end)).unwrap_or_default()
    })
}

fn is_one_select(statement: &str) -> bool {
    let statement = statement.trim().trim_end_matches(';').trim_end();
    let mut quote = None;
    let mut several = false;
    for letter in statement.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            None if matches!(letter, '\'' | '"') => quote = Some(letter),
            None => several |= letter == ';',
            Some(_) => {}
        }
    }
    let verb = statement.get(..6).is_some_and(|it| it.eq_ignore_ascii_case("select"));
    verb && !several && statement.get(6..).is_some_and(|it| it.starts_with(char::is_whitespace))
}

/// Ids of the databases that a text shows.
fn databases(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("data-av-id").map(|(at, name)| {
        let rest = text.get(at + name.len()..).unwrap_or_default();
        let rest = rest.trim_start_matches(|it: char| it.is_whitespace() || "=\"'".contains(it));
        rest.split(|it: char| !it.is_ascii_alphanumeric() && it != '-').next().unwrap_or_default()
    })
}

/// The rows of all these blocks, or `not_found` with those that the caller may not read (B-055).
async fn readable<K: Kernel>(cx: &Cx<'_, K>, ids: &BTreeSet<&str>) -> Result<Vec<Row>, ToolError> {
    if ids.len() > MOST_REFERENCES {
        return Err(ToolError::field(
            "markdown",
            "Markdown with at most 1,000 references; write it in parts",
        ));
    }
    let stmt = format!(
        "SELECT id, box, type, content, hpath FROM blocks WHERE id IN ({}) GROUP BY id LIMIT {}",
        sql::list(ids.iter().copied()),
        ids.len()
    );
    let mut rows = cx.visible(cx.call(api::SQL, sql::query(&stmt)).await?);
    if rows.len() < ids.len() {
        cx.call(api::FLUSH_TRANSACTION, json!({})).await?;
        rows = cx.visible(cx.call(api::SQL, sql::query(&stmt)).await?);
    }
    let missing: Vec<&str> =
        ids.iter().copied().filter(|id| !rows.iter().any(|row| row.text("id") == *id)).collect();
    if missing.is_empty() {
        return Ok(rows);
    }
    let mut error = ToolError::not_found().with("ids", missing);
    error.message = "The text refers to blocks that are not there or that you may not read; nothing was written. Take these references out, or check their ids.".to_owned();
    Err(error)
}

/// What a reference to a block shows.
fn anchor<K: Kernel>(cx: &Cx<'_, K>, row: &Row) -> String {
    // The index keeps there what the block shows, from any notebook (K19).
    let shows_others = matches!(row.text("type"), "av" | "query_embed") && cx.grants().any_hidden();
    let text = if shows_others { String::new() } else { references::anchor(row.text("content")) };
    if !text.is_empty() {
        return text;
    }
    let title = references::anchor(row.text("hpath").rsplit('/').next().unwrap_or_default());
    if title.is_empty() { "block".to_owned() } else { title }
}

#[cfg(test)]
mod tests;
