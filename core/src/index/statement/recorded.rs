//! Printed statements against a real SiYuan: its answers are recorded, and SQLite must give the same here, with and
//! without the hidden rows.
//!
//! `e2e/kernel/statements.py` records them. It takes the statements from this test:
//! `STATEMENTS_OUT=statements.jsonl cargo test -p puppy-core --lib recorded`, for statements of one's own with
//! `STATEMENTS_IN` (one a line) and `STATEMENTS_BOXES` (ids of the readable notebooks, with commas).

use std::cell::RefCell;
use std::env;
use std::fs;

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::{Value, json};

use super::tests::{connection, rows, visibility};
use super::{Statement, fence};
use crate::index::Visibility;
use crate::index::tests::insert;
use crate::testing::statements::{ATTACKS, ORACLES, each_statement};

/// The longest answer that is recorded as it is, in bytes.
const SHOWN: usize = 100;
const RECORDED: &str = include_str!("../../../tests/statements/recorded.jsonl");

/// The statements for a recording, with their printed form.
fn statements() -> Vec<Value> {
    let found = RefCell::new(Vec::new());
    let add = |sql: &str| {
        if let Ok(printed) = Statement::of(sql, 1_000, &visibility()) {
            found.borrow_mut().push(json!({ "sql": sql, "stmt": printed.print() }));
        }
    };
    ORACLES.iter().chain(&ATTACKS).for_each(|sql| add(sql));
    each_statement(13, 3_500, |sql| {
        add(sql);
        Ok(())
    });
    let mut found = found.into_inner();
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|it| seen.insert(it["sql"].to_string()));
    found
}

/// The rows of an answer as the recording has them: sorted, because few statements have an order. The kernel returns the
/// rows before an error.
fn answer(connection: &Connection, statement: &str) -> String {
    let Ok(mut statement) = connection.prepare(statement) else { return "error".to_owned() };
    let is_own = |it: &&str| ![fence::LONG, fence::MORE].contains(it);
    let columns = statement.column_names().filter(is_own).count();
    let mut found = Vec::new();
    let mut rows = statement.query([]).unwrap();
    while let Ok(Some(row)) = rows.next() {
        let cell = |at: usize| match row.get_ref_unwrap(at) {
            ValueRef::Null => "null".to_owned(),
            ValueRef::Integer(number) => format!("{number}"),
            ValueRef::Real(number) => format!("{number}"),
            ValueRef::Text(text) | ValueRef::Blob(text) => format!("'{}", String::from_utf8_lossy(text)),
        };
        found.push((0..columns).map(cell).collect::<Vec<_>>().join("|"));
    }
    found.sort();
    let all = found.join("\n");
    if all.len() <= SHOWN {
        return all;
    }
    // FNV-1a.
    let hash = all.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("#{hash:016x}")
}

/// Writes what a recording needs, if asked.
#[expect(
    clippy::disallowed_methods,
    reason = "a test is asked by the environment, and writes for a recording"
)]
fn is_written() -> bool {
    let Ok(out) = env::var("STATEMENTS_OUT") else { return false };
    let mut lines: Vec<Value> = Vec::new();
    if let (Ok(from), Ok(boxes)) = (env::var("STATEMENTS_IN"), env::var("STATEMENTS_BOXES")) {
        let visibility = Visibility::new(boxes.split(','), true).for_callers();
        for sql in fs::read_to_string(from).unwrap().lines() {
            let printed = Statement::of(sql, 1_000, &visibility);
            lines.push(json!({ "sql": sql, "stmt": printed.as_ref().map(Statement::print).ok(), "refused": printed.as_ref().err() }));
        }
    } else {
        for (key, is_full) in [("insert", true), ("without", false)] {
            lines.extend(rows(is_full).iter().map(|(table, row)| json!({ key: insert(table, row) })));
        }
        lines.extend(statements());
    }
    let text: String = lines.iter().map(|it| format!("{it}\n")).collect();
    fs::write(out, text).unwrap();
    true
}

/// B-055: SiYuan answers a printed statement as SQLite does here, and nothing of a hidden row is in the answer.
#[test]
fn recorded_answers_are_those_of_readable_rows() {
    if is_written() {
        return;
    }
    let (full, emptied) = (connection(true), connection(false));
    let (mut errors, mut apart, mut count) = (0, 0, 0);
    for line in RECORDED.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let (sql, recorded) = (line["sql"].as_str().unwrap(), line["answer"].as_str().unwrap());
        let printed = Statement::of(sql, 1_000, &visibility()).unwrap();
        let own = answer(&full, printed.print());
        assert_eq!(answer(&emptied, printed.print()), own, "{sql}");
        // The kernel itself answered alike without the hidden rows.
        assert_eq!(line.get("without"), None, "{sql}");
        let tells = ["cinnabar", "hidden"].iter().any(|it| recorded.contains(it) && !sql.contains(it));
        assert!(!tells, "{sql}: {recorded}");
        if own != recorded {
            // Of two versions of SQLite one may test a condition that fails earlier than the other.
            let may_fail = ["json_", "abs(", "ntile("].iter().any(|it| sql.contains(it));
            assert!(
                may_fail && (own.is_empty() || recorded.is_empty()),
                "{sql}\n{own}\n{recorded}\n{}",
                printed.print()
            );
            apart += 1;
        }
        errors += usize::from(recorded == "error");
        count += 1;
    }
    assert!(
        count > 2_000 && errors < count / 10 && apart < count / 50,
        "{count} recorded, {errors} errors, {apart} in another order"
    );
}
