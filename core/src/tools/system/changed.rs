//! The line of the brief on what changed since yesterday, by whom.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::calls;
use crate::content::runs;
use crate::index::{self, Order, RowPage, Select};
use crate::kernel::Route;
use crate::prelude::*;
use crate::runs::record::RunDocument;
use crate::sorted::IntoSorted as _;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] = calls![&[query::SQL], runs::CALLS];

/// The maximum number of runs and of documents that count as changed.
const RECENT_RUNS: usize = 50;
const RECENT_DOCUMENTS: usize = 500;
const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// The authors of changes since yesterday with the number of their documents, as far as the caller may read them. What
/// no run changed is a person's, if all runs were read.
pub(super) async fn since_yesterday(cx: &Cx<'_>) -> Result<Vec<Value>, ToolError> {
    cx.declares(CALLS)?;
    let yesterday = runs::time(cx.ambient().now_ms().saturating_sub(DAY_MS), cx);
    let day = yesterday.get(..10).unwrap_or_default();
    let digits: String = day.chars().filter(char::is_ascii_digit).collect();
    let select = Select::documents()
        .filter(index::at_least("b.updated", &format!("{digits}000000")))
        .order([Order::Down("b.updated"), Order::Up("b.id")])
        .limit(RECENT_DOCUMENTS);
    let RowPage { rows, .. } = cx.select(select).await?;
    let mut rest: BTreeSet<&str> = rows.iter().map(|row| row.text("id")).into_set();
    let known = rest.clone();
    let (runs, has_more) = runs::since(day, RECENT_RUNS, cx).await?;
    let mut authors: Vec<(Cow<'_, str>, BTreeSet<&str>)> = Vec::new();
    let mut add = |author, documents| match authors.iter_mut().find(|(it, _)| *it == author) {
        Some((_, all)) => all.extend(documents),
        None => authors.push((author, documents)),
    };
    for run in &runs {
        let is_listed = |it: &&RunDocument| {
            it.is_changed() && runs::is_seen(it, it.removed || known.contains(it.id.as_str()), cx)
        };
        let documents = run.documents.iter().filter(is_listed).map(|it| it.id.as_str()).into_set();
        documents.iter().for_each(|id| _ = rest.remove(id));
        add(runs::author(run, cx), documents);
    }
    // Runs that were not read may have changed the rest.
    add(Cow::Borrowed(if has_more { runs::SOMEBODY } else { runs::PERSON }), rest);
    let entries = authors.iter().filter(|(_, documents)| !documents.is_empty());
    Ok(entries.map(|(author, documents)| json!({ "by": author, "documents": documents.len() })).collect())
}
