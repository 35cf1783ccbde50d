//! The query syntax that `search.text` sends, run in SQLite itself: it parses and stays in its columns.

use proptest::prelude::*;
use puppy_core::dispatch::Approval;
use puppy_core::kernel::sql;
use puppy_core::spec::Tool;
use rusqlite::Connection;
use serde_json::json;

use crate::kernel::{Workspace, call, engine};

/// The kernel's columns, each with a row whose words are in this column only; attributes are not for callers.
const COLUMNS: [(&str, bool); 7] = [
    ("name", true),
    ("alias", true),
    ("memo", true),
    ("tag", true),
    ("content", true),
    ("fcontent", false),
    ("ial", false),
];
/// Every word that a query here can search for.
const WORDS: &str = "secret fcontent ial content near not and or a b c 2 it s 苹果";

thread_local! {
    static INDEX: Connection = index();
}

fn index() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    connection.execute(&format!("CREATE VIRTUAL TABLE t USING fts5({})", names.join(", ")), []).unwrap();
    for (at, name) in names.iter().enumerate() {
        connection
            .execute(&format!("INSERT INTO t(rowid, {name}) VALUES (?, ?)"), (at as i64 + 1, WORDS))
            .unwrap();
        // A second row has a single word, so that AND, OR and NOT differ.
        let few = ["a", "b c", "secret a"][at % 3];
        connection
            .execute(&format!("INSERT INTO t(rowid, {name}) VALUES (?, ?)"), (at as i64 + 101, few))
            .unwrap();
    }
    connection
}

/// The rows of a query, in the statement that the kernel builds, with attributes searched too.
fn rows(index: &Connection, columns: &str, pasted: &str) -> rusqlite::Result<Vec<i64>> {
    let statement = format!("SELECT rowid FROM t WHERE (`t` MATCH '{columns}:({pasted})') ORDER BY rowid");
    let mut statement = index.prepare(&statement)?;
    let rows = statement.query_map([], |row| row.get(0))?;
    rows.collect()
}

/// The query that is sent; `None` if it is refused.
fn sent(query: &str) -> Option<String> {
    let engine = engine(Workspace::new(true));
    let arguments = json!({ "action": "text", "match": "query", "query": query });
    let reply = call(&engine, Tool::Search, &arguments, Approval::Missing);
    let sent = engine.kernel.sent();
    let search = sent.iter().find(|it| it.path == "/api/search/fullTextSearchBlock");
    assert_eq!(reply.is_ok(), search.is_some(), "{query}: {reply:?}");
    let search = search?;
    assert_eq!(search.body["method"], 1);
    Some(search.body["query"].as_str().unwrap().to_owned())
}

/// Checks that the sent query parses and stays in its columns; returns whether it was sent.
fn check(index: &Connection, query: &str) -> bool {
    let Some(sent) = sent(query) else { return false };
    let found = rows(index, "{content name alias memo ial tag}", &sent)
        .unwrap_or_else(|error| panic!("{query} was sent as {sent}: {error}"));
    for row in &found {
        let (column, is_open) = COLUMNS[(*row % 100) as usize - 1];
        assert!(is_open, "{query} was sent as {sent} and found {column}");
    }
    // The printed query means the same as the caller's, wherever SQLite can parse the latter.
    if let Ok(meant) = rows(index, "{content name alias memo tag}", &query.replace('\'', "''")) {
        assert_eq!(found, meant, "{query} was sent as {sent}");
    }
    true
}

/// F6: each of these reached rows of databases, or attributes, past the kernel's filter of columns.
#[test]
fn search_query_stays_in_its_columns() {
    let index = index();
    for query in [
        "zz) OR fcontent:(secr*",
        "zz) OR ial:(secret",
        "zz) OR (secret",
        "zz) OR {fcontent ial}:(secret",
        "fcontent:secret",
        "a OR - content:secret",
    ] {
        assert!(rows(&index, "{content name alias memo tag}", query).is_ok(), "{query}");
        assert!(!check(&index, query), "{query} was sent");
    }
    for query in [
        "secret",
        "sec* NOT b",
        "\"a\"\") OR fcontent:(\"secret",
        "NEAR(a b, 2) OR \"fcontent ial\"",
        "苹果 it s",
    ] {
        assert!(check(&index, query), "{query}");
    }
}

const PARTS: [&str; 26] = [
    "a", "b", "c", "secret", "fcontent", "ial", "苹果", "AND", "OR", "NOT", "NEAR(", "NEAR", "(", ")", "*",
    ",", "2", "\"", "\"\"", "\"a b\"", "\"it's\"", ":", "{ial}", "^", "-", "'",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    /// F6: every query that is sent parses in SQLite, keeps its meaning, and finds nothing in other columns.
    #[test]
    fn sent_query_parses_in_sqlite_and_stays_in_its_columns(
        picks in proptest::collection::vec((0..PARTS.len(), any::<bool>()), 1..14),
    ) {
        let query: String = picks.iter().map(|(at, blank)| format!("{}{}", PARTS[*at], if *blank { " " } else { "" })).collect();
        INDEX.with(|index| check(index, &query));
    }

    /// Queries that follow the grammar are accepted.
    #[test]
    fn valid_fts5_queries_are_accepted(
        words in proptest::collection::vec((0..6_usize, 0..4_usize), 1..8),
    ) {
        let phrases = ["a", "\"b c\"", "se*", "(a OR b)", "NEAR(a b, 2)", "\"it's\""];
        let operators = ["AND", "OR", "NOT", "OR"];
        let query: Vec<String> = words.iter().map(|(word, operator)| format!("{} {}", phrases[*word], operators[*operator])).collect();
        let query = format!("{} c", query.join(" "));
        prop_assert!(INDEX.with(|index| check(index, &query)), "{} was refused", query);
    }

    /// F20: a caller's text is only a value to SQLite. It also contains no escape for MySQL's parser, which SiYuan
    /// tries if its own fails and the statement has no `||`.
    #[test]
    fn sql_literal_is_only_a_value(picks in proptest::collection::vec(0..LETTERS.len(), 0..12)) {
        let text: String = picks.iter().map(|at| LETTERS[*at]).collect();
        let printed = sql::text(&text);
        prop_assert!(!printed.contains('\\') && (printed.contains("||") || !text.contains('\\')), "{}", printed);
        let statement = format!("SELECT {0}, {0} IN ({1})", printed, sql::list([text.as_str(), "q"]));
        let read = INDEX.with(|index| {
            index.query_row(&statement, [], |row| Ok((row.get::<_, String>(0)?, row.get::<_, bool>(1)?)))
        });
        prop_assert_eq!(read, Ok((text, true)), "{}", statement);
    }
}

const LETTERS: [&str; 8] = ["\\", "'", "\"", "a", " OR 1=1 --", "%", "||", "小"];
