//! Lays out runs as a short table, and says when there are none or nothing was put back.

use std::collections::BTreeSet;

use puppy_core::spec::{ActionSpec, Tool};
use serde_json::{Map, Value, json};

use super::table::table;
use super::view::View;
use super::words::said;
use crate::words::{RunWords, comma};

/// The maximum number of titles of one run.
const TITLES: usize = 3;
/// The changes of a document, in the order in which they are counted.
const CHANGES: [&str; 5] = ["created", "changed", "moved", "removed", "unfinished"];

/// The runs; `None` if the rows are none.
pub(crate) fn runs(view: &View, rows: &[&Map<String, Value>]) -> Option<String> {
    let is_run = |row: &&Map<String, Value>| row.contains_key("run") && row.contains_key("n_documents");
    if rows.is_empty() || !rows.iter().all(is_run) {
        return None;
    }
    let short: Vec<Map<String, Value>> = rows.iter().map(|row| short(row)).collect();
    table(view, &short.iter().collect::<Vec<_>>())
}

/// The outcome of a call about runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RunSentence {
    /// There is nothing.
    Nothing(&'static str),
    /// Documents were put back.
    Done(String),
    /// All that was to be put back stays.
    Stays(&'static str),
}

/// The sentence for an answer without runs, or for one that put something back or nothing.
pub(crate) fn run_sentence(spec: &ActionSpec, data: &Map<String, Value>) -> Option<RunSentence> {
    let words = RunWords::here();
    let list = |key: &str| data.get(key).and_then(Value::as_array);
    match spec.name {
        _ if spec.tool != Tool::System => None,
        "list_runs" => list("items")?.is_empty().then_some(RunSentence::Nothing(words.no_runs())),
        "put_back" => {
            let ids: BTreeSet<&str> = list("put_back")?.iter().filter_map(|it| it["id"].as_str()).collect();
            Some(match ids.len() {
                0 if list("left").is_none_or(Vec::is_empty) && !data.contains_key("never") => {
                    RunSentence::Nothing(words.as_before())
                }
                0 => RunSentence::Stays(words.nothing_put_back()),
                1 => RunSentence::Done(words.put_back_one().to_owned()),
                n => RunSentence::Done(words.put_back_many(n)),
            })
        }
        _ => None,
    }
}

/// Takes out of an answer about runs what the sentence says, and what is of use to programs only.
pub(crate) fn shortened(view: &View, spec: &ActionSpec, data: &mut Map<String, Value>) {
    if spec.tool != Tool::System || !["list_runs", "put_back"].contains(&spec.name) {
        return;
    }
    data.retain(|key, it| key != "run" && it.as_array().is_none_or(|all| !all.is_empty()));
    let Some(mut stays) = data.shift_remove("left") else { return };
    let each = stays.as_array_mut().filter(|_| view.hides_ids).into_iter().flatten();
    for it in each.filter_map(|it| it.get_mut("blocks")) {
        *it = json!(it.as_array().map(Vec::len));
    }
    data.insert("stays".to_owned(), stays);
}

/// A run with the fields that a person reads.
fn short(run: &Map<String, Value>) -> Map<String, Value> {
    let field = |key: &str| run.get(key).cloned().unwrap_or_default();
    Map::from_iter([
        ("when".to_owned(), field("latest")),
        ("who".to_owned(), field("author")),
        ("what".to_owned(), json!(changes(run))),
        ("run".to_owned(), field("run")),
    ])
}

/// The changes in a line.
fn changes(run: &Map<String, Value>) -> String {
    let words = RunWords::here();
    let list = |key: &str| run.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let documents = list("documents");
    let n = run.get("n_documents").and_then(Value::as_u64).unwrap_or_default();
    let mut parts = vec![match n {
        0 => {
            let is_unfinished = |it: &&Value| it.get("unfinished").is_some();
            let named = |calls: Vec<&Value>| {
                let all: BTreeSet<&str> = calls.into_iter().filter_map(|it| it["action"].as_str()).collect();
                all.into_iter().collect::<Vec<_>>().join(comma())
            };
            match list("calls").iter().filter(is_unfinished).collect::<Vec<_>>() {
                calls if calls.is_empty() => words.other_changes(named(list("calls").iter().collect())),
                calls => words.unfinished(named(calls)),
            }
        }
        n => {
            let titles: Vec<String> = documents
                .iter()
                .filter_map(|it| it.get("title"))
                .map(|it| said(&View::default(), "title", it))
                .collect();
            let more = n.saturating_sub(titles.len().min(TITLES) as u64);
            let first = titles.iter().take(TITLES).map(String::as_str).collect::<Vec<_>>().join(comma());
            let counts = counts(n, documents);
            match (first.is_empty(), more) {
                (true, _) => counts,
                (false, 0) => words.with_titles(counts, first),
                (false, more) => words.with_more(counts, first, more),
            }
        }
    }];
    parts.extend(run.get("puts_back").and_then(Value::as_str).map(|it| words.puts_back(it)));
    parts.extend(run.contains_key("is_put_back").then(|| words.is_put_back().to_owned()));
    parts.join(words.semicolon())
}

/// The number of documents, and of each change where there are several.
fn counts(n: u64, documents: &[Value]) -> String {
    let words = RunWords::here();
    let of = |change: &str| documents.iter().filter(|it| it["was"] == change).count() as u64;
    let all: Vec<(&str, u64)> =
        CHANGES.into_iter().map(|it| (it, of(it))).filter(|(_, count)| *count > 0).collect();
    match all.as_slice() {
        // Not all are listed, or all went the same way.
        _ if all.iter().map(|it| it.1).sum::<u64>() != n => words.documents(n, "changed"),
        [(change, _)] => words.documents(n, change),
        all => {
            let each: Vec<String> = all.iter().map(|(change, count)| words.of_them(*count, change)).collect();
            words.documents_of(n, each.join(comma()))
        }
    }
}

#[cfg(test)]
mod tests {
    use puppy_core::find::action_named;
    use unicode_width::UnicodeWidthStr;

    use super::super::objects;
    use super::super::paint::painted;
    use super::*;

    fn rows() -> Value {
        let document =
            |title: &str, was: &str| json!({ "id": "20250101000000-abcdefg", "title": title, "was": was });
        json!([
            { "run": "19a5f0a1b2c-0a1b2c3d", "author": "Claude", "latest": "2025-06-15T15:00:00Z", "n_documents": 2,
              "documents": [document("Basil", "changed"), document("Mint", "created")], "puts_back": "19a5f0a1b2b-00000000",
              "calls": [{ "call": 0, "action": "block.update" }] },
            { "run": "19a5f0a1b2b-0a1b2c3d", "author": "you", "latest": "2025-06-15T14:00:00Z", "n_documents": 1,
              "documents": [document("Sage", "changed")], "is_put_back": true },
            { "run": "19a5f0a1b2a-0a1b2c3d", "author": "Mint", "latest": "2025-06-15T13:00:00Z", "n_documents": 70,
              "documents": (0..50).map(|at| document(&format!("T{at}"), "changed")).collect::<Vec<_>>() },
            { "run": "19a5f0a1b28-0a1b2c3d", "author": "Mint", "latest": "2025-06-15T12:00:00Z", "n_documents": 0,
              "documents": [], "calls": [{ "call": 0, "action": "document.ensure", "unfinished": true }] },
            { "run": "19a5f0a1b29-0a1b2c3d", "author": "Mint", "latest": "2025-06-15T12:00:00Z", "n_documents": 0,
              "documents": [], "calls": [{ "call": 0, "action": "file.delete_assets" }] },
        ])
    }

    /// A run is a line that says when, by whom and what, with the name that put-back takes.
    #[test]
    fn runs_are_a_short_table_without_ids_of_documents() {
        let rows = rows();
        let rows = objects(rows.as_array().unwrap()).unwrap();
        let text = painted(&runs(&View::default(), &rows).unwrap(), false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 6, "{text}");
        for due in [
            "2 documents: 1 created, 1 changed (Basil, Mint); puts back 19a5f0a1b2b-00000000",
            "1 document changed (Sage); put back",
            "70 documents changed (T0, T1, T2 and 67 more)",
            "other changes (file.delete_assets)",
            "unfinished (document.ensure)",
        ] {
            assert!(text.contains(due), "{text}");
        }
        assert!(!text.contains("20250101000000") && text.contains("19a5f0a1b2a-0a1b2c3d"), "{text}");
        let narrow = runs(&View { width: Some(80), ..View::default() }, &rows).unwrap();
        assert!(painted(&narrow, false).lines().all(|it| it.width() <= 80), "{narrow}");
    }

    /// Putting nothing back does not look like success.
    #[test]
    fn nothing_is_said_in_a_sentence() {
        let spec = |name| action_named(Tool::System, name).unwrap();
        let of = |name: &'static str, data: Value| run_sentence(spec(name), data.as_object().unwrap());
        let is_nothing = |it: Option<RunSentence>| matches!(it, Some(RunSentence::Nothing(_)));
        assert!(is_nothing(of("list_runs", json!({ "items": [] }))));
        assert_eq!(of("list_runs", json!({ "items": [1] })), None);
        assert!(is_nothing(of("put_back", json!({ "put_back": [], "left": [] }))));
        let stays = of("put_back", json!({ "put_back": [], "left": [{ "id": "a" }] }));
        assert_eq!(stays, Some(RunSentence::Stays("Nothing was put back.")));
        // A document that moves back and gets its text is one.
        let done = of("put_back", json!({ "put_back": [{ "id": "a" }, { "id": "a" }], "left": [] }));
        assert_eq!(done, Some(RunSentence::Done("1 document put back.".to_owned())));
        assert_eq!(of("put_back", json!({ "documents": [], "preview": true })), None);
        let mut data =
            json!({ "run": "1-2", "put_back": [], "left": [{ "title": "A", "blocks": ["a", "b"] }] });
        let data = data.as_object_mut().unwrap();
        shortened(&View { hides_ids: true, ..View::default() }, spec("put_back"), data);
        assert_eq!(json!(data), json!({ "stays": [{ "title": "A", "blocks": 2 }] }));
    }
}
