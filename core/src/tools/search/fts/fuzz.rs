//! The fuzz target of FTS5 queries: what is accepted stays within its columns, in SQLite's own parser too.

use proptest::prelude::*;
use rusqlite::Connection;

use super::*;
use crate::testing::fuzz::{fragments, fuzz};

/// A full text index whose only row has text in a column that no query may search.
fn index() -> Connection {
    let index = Connection::open_in_memory().unwrap();
    index
        .execute_batch(
            "CREATE VIRTUAL TABLE t USING fts5(content, name, alias, memo, tag, fcontent); \
             INSERT INTO t (fcontent) VALUES ('secret apple red pear a b c x say so or and not near 0 5')",
        )
        .unwrap();
    index
}

/// The text between the parentheses of the filter; `None` if it is not printed like that.
fn inside(printed: &str) -> Option<&str> {
    printed.strip_prefix(COLUMNS)?.strip_prefix(":(")?.strip_suffix(')')
}

/// Whether only words, operators and whole parentheses stand outside of strings.
fn is_enclosed(inside: &str) -> bool {
    let mut depth = 0_usize;
    // A doubled quote ends a string and begins the next one.
    for outside in inside.split('"').step_by(2) {
        for it in outside.chars() {
            match it {
                '(' => depth += 1,
                ')' if depth == 0 => return false,
                ')' => depth -= 1,
                it if it.is_ascii_uppercase() || it.is_ascii_digit() || " *,".contains(it) => {}
                _ => return false,
            }
        }
    }
    depth == 0
}

#[test]
fn hostile_queries_stay_within_their_columns() {
    let index = index();
    let mut found = index.prepare("SELECT count(*) FROM t WHERE t MATCH ?1").unwrap();
    let found = std::cell::RefCell::new(&mut found);
    fuzz(&fragments(include_str!("../../../../tests/fuzz/fts.jsonl")), |query| {
        let Ok(printed) = within_columns(query) else { return Ok(()) };
        let Some(inside) = inside(&printed.text) else {
            return Err(TestCaseError::fail(format!("not enclosed: {}", printed.text)));
        };
        prop_assert!(is_enclosed(inside), "{} leaves its parentheses", inside);
        // Each quote of a string may double, and each word gets quotes.
        prop_assert!(printed.text.len() <= 4 * query.len() + 40, "{} bytes", printed.text.len());
        let again = within_columns(inside);
        prop_assert_eq!(again.as_ref(), Ok(&printed));
        for word in &printed.words {
            prop_assert!(query.contains(word) || word.contains('"'), "{} is no word of the query", word);
        }
        let rows = found.borrow_mut().query_row([&printed.text], |row| row.get::<_, i64>(0));
        match rows {
            Ok(rows) => prop_assert_eq!(rows, 0, "the row of another column is found: {}", printed.text),
            // A bound of SQLite's, which is an error of this call and nothing worse.
            Err(error) => {
                let error = error.to_string();
                prop_assert!(error.contains("too large") || error.contains("overflow"), "{}", error);
            }
        }
        Ok(())
    });
}
