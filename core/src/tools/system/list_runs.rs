//! `system.list_runs`: what each agent changed, run by run, as far as the caller may read it.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::runs::{self, RunId};
use crate::content::stamp;
use crate::index::{self, Select};
use crate::prelude::*;
use crate::runs::record::{ChangedThing, RunChange, RunDocument, RunRecord};
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
    examples = [{ "limit": 5 }],
)]
pub struct ListRuns {
    /// A page of the list.
    #[args]
    pub page: Paging<RunId, 20, 100>,
}

/// The maximum number of documents that are named of one run.
const MOST_DOCUMENTS: usize = 50;
/// A person, to a person and to agents.
const YOU: &str = "you";
const PERSON: &str = "a person";
/// The number of runs that are read side by side.
const AT_ONCE: usize = 16;

impl Run for ListRuns {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let limit = self.page.limit.get();
        let is_after = |id: &&String| self.page.after().is_none_or(|it| id.as_str() < it.as_str());
        let all = runs::ids(cx).await?;
        let ids: Vec<&String> = all.iter().filter(is_after).collect();
        let (mut items, mut last, mut next) = (Vec::new(), String::new(), None);
        // Runs that the caller may not see count nowhere, so the page goes on until there is one more to show.
        'runs: for some in ids.chunks(AT_ONCE) {
            for run in join_all(some.iter().map(|id| runs::read(id, cx))).await {
                let Some(run) = run? else { continue };
                let Some(item) = told(&run, cx).await? else { continue };
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
async fn told(run: &RunRecord, cx: &Cx<'_>) -> Result<Option<Value>, ToolError> {
    // Nothing is asked about documents that the caller may not see in any case.
    let may_be_seen = |it: &&RunDocument| it.is_changed() && runs::is_seen(it, true, cx);
    let documents: Vec<&RunDocument> = run.documents.iter().filter(may_be_seen).collect();
    let titles = titles(&documents, cx).await?;
    // That the run removed it is what the caller knows of a document that is hidden now.
    let is_seen = |it: &&RunDocument| runs::is_seen(it, it.removed || titles.contains_key(&it.id), cx);
    let seen: Vec<&RunDocument> = documents.into_iter().filter(is_seen).collect();
    let ids: BTreeSet<&str> = seen.iter().map(|it| it.id.as_str()).into_set();
    let is_all = runs::sees_all(cx);
    let count = |what: ChangedThing| {
        let is_told = |it: &&RunChange| it.what == what && (is_all || ids.contains(it.r#in.as_str()));
        Some(run.changes.iter().filter(is_told).count()).filter(|it| *it > 0)
    };
    if seen.is_empty() && !is_all {
        return Ok(None);
    }
    let each = seen.iter().take(MOST_DOCUMENTS).map(|it| {
        Value::Object(object([
            ("id", json!(it.id)),
            ("title", json!(titles.get(&it.id))),
            ("was", json!(runs::kind(it))),
        ]))
    });
    Ok(Some(Value::Object(object([
        ("run", json!(run.id)),
        ("author", json!(author(run, cx))),
        ("started", json!(time(run.started, cx))),
        ("latest", json!(time(run.latest, cx))),
        ("is_own", if runs::is_own(run, cx) { json!(true) } else { Value::Null }),
        ("documents", json!(each.collect::<Vec<_>>())),
        ("n_documents", json!(seen.len())),
        ("blocks", json!(count(ChangedThing::Block))),
        ("rows", json!(count(ChangedThing::Row))),
        ("files", json!(count(ChangedThing::File))),
        ("not_listed", json!(Some(run.more).filter(|it| is_all && *it > 0))),
    ]))))
}

/// The maker of a run. An agent chooses its own name, which must not pass for a person.
fn author<'r>(run: &'r RunRecord, cx: &Cx<'_>) -> &'r str {
    match run.client.as_str() {
        _ if run.is_person && runs::sees_all(cx) => YOU,
        _ if run.is_person => PERSON,
        name if name.is_empty() || [YOU, PERSON].iter().any(|it| name.eq_ignore_ascii_case(it)) => "an agent",
        name => name,
    }
}

/// A moment on the local clock.
fn time(ms: u64, cx: &Cx<'_>) -> String {
    let offset = i64::try_from(ms).map_or(0, |it| cx.ambient().local_offset(it));
    stamp::with_offset(ms / 1_000, offset)
}

/// The titles of those documents that are there and that the caller may read.
async fn titles(documents: &[&RunDocument], cx: &Cx<'_>) -> Result<BTreeMap<String, String>, ToolError> {
    let ids: BTreeSet<&str> = documents.iter().map(|it| it.id.as_str()).into_set();
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let select = Select::documents().filter(index::in_list("b.id", ids.iter().copied())).limit(ids.len());
    let rows = cx.select(select).await?.rows;
    Ok(rows.iter().map(|row| (row.text("id").to_owned(), row.text("content").to_owned())).into_map())
}

#[cfg(test)]
#[path = "list_runs_tests.rs"]
mod tests;
