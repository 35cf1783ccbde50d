//! `system.list_runs`: what each agent changed, run by run, as far as the caller may read it.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::args::Date;
use crate::content::runs::{self, RunId};
use crate::content::version::Version;
use crate::index::{self, Select};
use crate::prelude::*;
use crate::runs::record::{ChangedThing, RunCall, RunChange, RunDocument, RunRecord};
use crate::sorted::IntoSorted as _;

/// List runs: who changed which documents, newest first.
///
/// A run ends when its agent changes nothing for ten minutes.
#[derive(Debug, Action)]
#[action(
    system.list_runs,
    workspace = Read,
    danger = None,
    tier = advanced,
    idempotent = true,
    calls = [query::SQL, ..runs],
    examples = [{ "from": "2025-01-01", "limit": 5 }],
)]
pub struct ListRuns {
    /// Only what changed on this date or later.
    pub from: Option<Date>,
    /// A page of the list.
    #[args]
    pub page: Paging<RunId, 20, 100>,
}

/// The maximum number of documents that are named of one run.
const MOST_DOCUMENTS: usize = 50;
/// The maximum number of calls that are listed of one run, the last ones.
const MOST_CALLS: usize = 50;
/// The maximum number of runs that are read side by side, and of titles that one statement reads.
const MOST_AT_ONCE: usize = 31;
const MOST_TITLES: usize = 1_000;

impl Run for ListRuns {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let limit = self.page.limit.get();
        let is_after = |id: &&String| self.page.after().is_none_or(|it| id.as_str() < it.as_str());
        let first_day = self.from.map(|it| it.to_string());
        let all = runs::ids(first_day.as_deref(), cx).await?;
        let ids: Vec<&String> = all.iter().filter(is_after).collect();
        let (mut items, mut last, mut next) = (Vec::new(), String::new(), None);
        // Runs that the caller may not see count nowhere, so the page goes on until there is one more to show.
        'runs: for some in ids.chunks(limit.min(MOST_AT_ONCE) + 1) {
            let mut page: Vec<RunRecord> = Vec::new();
            for run in join_all(some.iter().map(|id| runs::read(id, cx))).await {
                let is_since = |it: &RunRecord| {
                    first_day.as_deref().is_none_or(|day| runs::time(it.latest, cx).as_str() >= day)
                };
                page.extend(run?.filter(is_since));
            }
            let titles = titles(&page, cx).await?;
            for run in page {
                let Some(item) = shown_run(&run, &titles, cx) else { continue };
                if items.len() == limit {
                    next = Some(last);
                    break 'runs;
                }
                items.push(item);
                last = run.id;
            }
        }
        Ok(Output::new().with("items", items).with("next", next))
    }
}

/// A run as an answer shows it; `None` if it changed nothing that the caller may read.
fn shown_run(run: &RunRecord, titles: &BTreeMap<String, String>, cx: &Cx<'_>) -> Option<Value> {
    let documents = may_be_seen(run, cx);
    // That the run removed it is what the caller knows of a document that is hidden now.
    let is_seen = |it: &&RunDocument| runs::is_seen(it, it.removed || titles.contains_key(&it.id), cx);
    let seen: Vec<&RunDocument> = documents.filter(is_seen).collect();
    let ids: BTreeSet<&str> = seen.iter().map(|it| it.id.as_str()).into_set();
    let is_all = runs::sees_all(cx);
    let count = |what: ChangedThing| {
        // The properties of a document are no block.
        let is_seen_call = |it: &&RunChange| {
            it.what == what && it.id != it.r#in && (is_all || ids.contains(it.r#in.as_str()))
        };
        Some(run.changes.iter().filter(is_seen_call).count()).filter(|it| *it > 0)
    };
    if seen.is_empty() && !is_all {
        return None;
    }
    let each = seen.iter().take(MOST_DOCUMENTS).map(|it| {
        Value::Object(object([
            ("id", json!(it.id)),
            ("title", json!(titles.get(&it.id))),
            ("was", json!(runs::kind(it))),
            ("version", json!(Version::at(&it.version).map(|it| it.token().to_owned()))),
        ]))
    });
    let (calls, n_calls) = calls(run, &ids, cx);
    Some(Value::Object(object([
        ("run", json!(run.id)),
        ("author", json!(runs::author(run, cx))),
        ("agent", json!(run.agent)),
        ("started", json!(runs::time(run.started, cx))),
        ("latest", json!(runs::time(run.latest, cx))),
        ("is_own", if runs::is_own(run, cx) { json!(true) } else { Value::Null }),
        ("documents", json!(each.collect::<Vec<_>>())),
        ("n_documents", json!(seen.len())),
        ("blocks", json!(count(ChangedThing::Block))),
        ("rows", json!(count(ChangedThing::Row))),
        ("files", json!(count(ChangedThing::File))),
        ("calls", json!(calls.into_iter().rev().collect::<Vec<_>>())),
        ("n_calls", json!(n_calls)),
        ("puts_back", json!(run.puts_back)),
        ("is_put_back", json!((!run.put_back_by.is_empty()).then_some(true))),
        ("not_listed", json!(Some(run.more).filter(|it| is_all && *it > 0))),
    ])))
}

/// The calls that changed something that the caller may know of, the last first, and their number.
fn calls(run: &RunRecord, seen: &BTreeSet<&str>, cx: &Cx<'_>) -> (Vec<Value>, usize) {
    // A document is named by its own id, or by that of a database that it shows.
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for it in run.documents.iter().filter(|it| seen.contains(it.id.as_str())) {
        let own = std::iter::once(&it.id).chain(it.databases.iter().map(|av| &av.id));
        own.for_each(|name| names.entry(name).or_default().push(&it.id));
    }
    let mut documents: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for it in &run.changes {
        let named = [it.id.as_str(), it.r#in.as_str()].into_iter().filter_map(|name| names.get(name));
        documents.entry(it.call).or_default().extend(named.flatten());
    }
    let is_all = runs::sees_all(cx);
    let is_seen_call = |(number, call): &(usize, &RunCall)| match documents.get(number) {
        Some(it) => is_all || !it.is_empty(),
        // The server ended during it.
        None => is_all && !call.finished,
    };
    let calls: Vec<(usize, &RunCall)> = run.calls.iter().enumerate().filter(is_seen_call).collect();
    let each = calls.iter().rev().take(MOST_CALLS).map(|(number, call)| {
        let documents = documents.get(number);
        Value::Object(object([
            ("call", json!(number)),
            ("at", json!(runs::time(call.at, cx))),
            ("action", json!(call.action)),
            ("documents", json!(documents)),
            ("unfinished", json!((!call.finished).then_some(true))),
        ]))
    });
    (each.collect(), calls.len())
}

/// The changed documents of a run, without those that the caller may not see in any case: nothing is asked about them.
fn may_be_seen<'r>(run: &'r RunRecord, cx: &Cx<'_>) -> impl Iterator<Item = &'r RunDocument> {
    run.documents.iter().filter(|it| it.is_changed() && runs::is_seen(it, true, cx))
}

/// The titles of those documents of some runs that are there and that the caller may read.
async fn titles(page: &[RunRecord], cx: &Cx<'_>) -> Result<BTreeMap<String, String>, ToolError> {
    let ids = page.iter().flat_map(|run| may_be_seen(run, cx)).map(|it| it.id.as_str()).into_set();
    let ids: Vec<&str> = BTreeSet::into_iter(ids).collect();
    let mut titles = BTreeMap::new();
    for some in ids.chunks(MOST_TITLES) {
        let select =
            Select::documents().filter(index::in_list("b.id", some.iter().copied())).limit(some.len());
        let rows = cx.select(select).await?.rows;
        titles.extend(rows.iter().map(|row| (row.text("id").to_owned(), row.text("content").to_owned())));
    }
    Ok(titles)
}

#[cfg(test)]
#[path = "list_runs_tests.rs"]
mod tests;
