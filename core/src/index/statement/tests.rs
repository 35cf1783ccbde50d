//! Tests that run printed statements in SQLite, and compare them with what the caller wrote.

use std::cell::RefCell;

use proptest::prelude::*;
use rusqlite::Connection;
use rusqlite::types::Value as Cell;
use serde_json::{Value, json};

use super::{Statement, fence};
use crate::index::Visibility;
use crate::index::tests::{HIDDEN, OPEN, OTHER, index};
use crate::testing::statements::{ATTACKS, each_statement};

pub(super) fn visibility() -> Visibility {
    Visibility::new([OPEN, OTHER], true)
}

/// Rows in two open notebooks, and, if `full`, in a hidden one between them. Readable rows refer to hidden ones, and
/// the texts of a hidden row contain `cinnabar`, its ids `hidden`.
pub(super) fn connection(full: bool) -> Connection {
    index(&rows(full))
}

/// The same as rows.
pub(super) fn rows(full: bool) -> Vec<(&'static str, Value)> {
    let (mut rows, names) = (Vec::new(), ["", "it's"]);
    let id = |at: usize| if at % 3 == 1 { format!("hidden-{at}") } else { format!("b{at}") };
    for at in 0..12 {
        let notebook = [OPEN, HIDDEN, OTHER][at % 3];
        if notebook == HIDDEN && !full {
            continue;
        }
        // A block lies where its document lies.
        let (own, root) = (id(at), id(at % 3));
        let text = if notebook == HIDDEN { "cinnabar" } else { "A leaf" };
        let (kind, content) = (["d", "p", "h", "i"][at % 4], format!("{text} {}", at / 2));
        let name = if notebook == HIDDEN { text } else { names[at % 2] };
        rows.push(("blocks", json!({
            "id": own, "root_id": root, "parent_id": if at < 3 { "" } else { &root }, "box": notebook, "content": content, "fcontent": content,
            "type": kind, "length": content.len(), "markdown": content, "name": name, "hash": format!("{text}{}", at % 2),
        })));
        let target = id((at + 1) % 12);
        rows.push(("refs", json!({
            "id": format!("r{at}"), "block_id": own, "root_id": root, "def_block_id": target, "content": "an anchor", "box": notebook,
        })));
        rows.push((
            "attributes",
            json!({
                "id": format!("a{at}"), "block_id": own, "root_id": root, "name": "custom-a", "value": text, "box": notebook,
            }),
        ));
        // A tag of a document has no notebook of its own.
        rows.push((
            "spans",
            json!({
                "id": format!("s{at}"), "block_id": own, "root_id": root, "content": text, "markdown": text, "type": "tag",
                "box": if at < 3 { "" } else { notebook },
            }),
        ));
        rows.push(("assets", json!({
            "id": format!("f{at}"), "block_id": own, "root_id": root, "path": format!("assets/{text}.png"), "name": text, "hash": text,
            "box": notebook,
        })));
    }
    if !full {
        // References to what is not there are not in the view, and a span has its notebook there.
        rows.retain(|(table, row)| {
            *table != "refs" || !row["def_block_id"].as_str().is_some_and(|to| to.starts_with("hidden"))
        });
        for (_, span) in rows.iter_mut().filter(|it| it.0 == "spans") {
            if span["box"] == "" {
                span["box"] = if span["root_id"] == "b0" { OPEN } else { OTHER }.into();
            }
        }
    }
    rows
}

/// The rows in any order, or the error.
pub(super) fn answer(connection: &Connection, statement: &str) -> Result<Vec<String>, String> {
    let mut statement = connection.prepare(statement).map_err(|error| error.to_string())?;
    // The caller does not see the columns of the bounds.
    let is_own = |it: &&str| ![fence::LONG, fence::MORE].contains(it);
    let columns = statement.column_names().filter(is_own).count();
    let row = |row: &rusqlite::Row<'_>| {
        (0..columns).map(|at| row.get::<_, Cell>(at)).collect::<Result<Vec<_>, _>>()
    };
    let rows: Result<Vec<Vec<Cell>>, _> =
        statement.query_map([], row).map_err(|it| it.to_string())?.collect();
    let mut rows: Vec<String> =
        rows.map_err(|it| it.to_string())?.iter().map(|it| format!("{it:?}")).collect();
    rows.sort();
    Ok(rows)
}

/// B-055: whatever is written, an accepted statement sees in a full index what it sees in one without hidden rows, and
/// exactly what the caller's own words see there.
#[test]
fn a_printed_statement_is_the_callers_over_readable_rows() {
    let (full, emptied) = (connection(true), connection(false));
    // The statements accepted, and those that ran.
    let count = RefCell::new((0, 0));
    each_statement(7, 2_500, |sql| {
        let Ok(printed) = Statement::of(sql, 10_000, &visibility()) else { return Ok(()) };
        prop_assert!(!printed.print().contains("cinnabar") || sql.contains("cinnabar"));
        let (seen, expected) = (answer(&full, printed.print()), answer(&emptied, printed.print()));
        prop_assert_eq!(&seen, &expected, "{}\n{}", sql, printed.print());
        count.borrow_mut().0 += 1;
        let Ok(seen) = seen else { return Ok(()) };
        let raw = answer(&emptied, sql);
        // A name from WITH is not known in its own body here.
        if raw.as_ref().is_err_and(|it| it.starts_with("circular reference")) {
            return Ok(());
        }
        // SQLite tests conditions in another order there, and one may fail for a row that another leaves out.
        let fails = ["malformed JSON", "integer overflow", "argument of ntile must be"];
        if raw.as_ref().is_err_and(|it| fails.iter().any(|fails| it.starts_with(fails))) {
            return Ok(());
        }
        prop_assert_eq!(raw.as_ref(), Ok(&seen), "{}\n{}", sql, printed.print());
        count.borrow_mut().1 += 1;
        Ok(())
    });
    let (accepted, same) = count.into_inner();
    assert!(accepted > 1_500 && same > 1_200, "{accepted} accepted, {same} compared");
}

/// B-055.
#[test]
fn attacks_end_in_a_refusal_or_in_readable_rows() {
    let (full, emptied) = (connection(true), connection(false));
    let mut refused = 0;
    for sql in ATTACKS {
        match Statement::of(sql, 100, &visibility()) {
            Err(_) => refused += 1,
            Ok(printed) => {
                let (seen, expected) = (answer(&full, printed.print()), answer(&emptied, printed.print()));
                assert_eq!(seen, expected, "{sql}\n{}", printed.print());
                assert!(!format!("{seen:?}").contains("cinnabar"), "{sql}");
            }
        }
    }
    assert!(refused > 50, "{refused} of {} refused", ATTACKS.len());
}

/// B-055: what an index of the kernel tells without the blocks themselves is that of the readable notebooks, too, and
/// a document that stands in an open and in a closed notebook is in none.
#[test]
fn blocks_are_counted_as_if_closed_ones_did_not_exist() {
    let (full, emptied) = (connection(true), connection(false));
    for sql in [
        "SELECT count(*) FROM blocks",
        "SELECT count(DISTINCT root_id), max(id) FROM blocks",
        "SELECT root_id, count(*) AS n FROM blocks GROUP BY root_id ORDER BY n DESC, root_id",
        "SELECT count(*) FROM (SELECT DISTINCT b.hash FROM blocks b)",
        "WITH w AS (SELECT id FROM blocks) SELECT count(*) FROM w UNION ALL SELECT count(id) FROM blocks",
    ] {
        let printed = Statement::of(sql, 100, &visibility()).unwrap();
        assert!(!printed.print().contains("content"), "{}", printed.print());
        let seen = answer(&full, printed.print());
        assert_eq!(seen, answer(&emptied, sql), "{sql}");
        assert_eq!(seen, answer(&emptied, printed.print()), "{sql}");
    }
    let twice = "UPDATE blocks SET root_id = 'b0', parent_id = '' WHERE id = 'b0'; \
         INSERT INTO blocks (id, root_id, parent_id, box) VALUES ('b0', 'b0', '', '20250101000000-private')";
    full.execute_batch(twice).unwrap();
    let printed = Statement::of("SELECT count(*) FROM blocks", 100, &visibility()).unwrap();
    assert_eq!(answer(&full, printed.print()).unwrap(), ["[Integer(4)]"]);
    // Any other column, or a condition, needs the blocks.
    for sql in [
        "SELECT count(type) FROM blocks",
        "SELECT count(*) FROM blocks WHERE id > 'a'",
        "SELECT count(*) FROM refs",
    ] {
        let printed = Statement::of(sql, 100, &visibility()).unwrap();
        assert!(printed.print().contains("t.box IN ("), "{}", printed.print());
    }
}

/// The views have the columns that a statement names, however and wherever it names them.
#[test]
fn named_columns_are_enough() {
    let (full, emptied) = (connection(true), connection(false));
    for sql in [
        "SELECT count(*) FROM blocks JOIN refs USING (box, id)",
        "SELECT count(*) FROM blocks b JOIN refs r USING (id)",
        "SELECT \"Content\", [LENGTH] FROM blocks b ORDER BY b.\"ID\"",
        "SELECT count(*) FROM refs",
        "WITH w (a, b) AS (SELECT id, name FROM blocks) SELECT a FROM w WHERE b = 'it''s' ORDER BY (SELECT r.markdown FROM refs r WHERE r.block_id = a)",
    ] {
        let printed = Statement::of(sql, 100, &visibility()).unwrap();
        let seen = answer(&full, printed.print());
        assert!(seen.is_ok(), "{sql}: {seen:?}");
        assert_eq!(seen, answer(&emptied, sql), "{sql}");
    }
}

/// With nothing hidden, a caller's statement reads the tables as SiYuan would, and a new notebook is in it at once.
#[test]
fn with_nothing_hidden_tables_are_read_as_they_are() {
    let open = Visibility::new([OPEN, OTHER], false).for_callers();
    let all = connection(true);
    for sql in [
        "SELECT id, content, length, ial FROM blocks ORDER BY id",
        "SELECT count(*) FROM blocks",
        "SELECT b.id, r.def_block_id FROM refs r JOIN blocks b ON b.id = r.block_id",
        "SELECT name, count(*) FROM attributes GROUP BY name",
        "SELECT block_id, content FROM spans",
    ] {
        let printed = Statement::of(sql, 100, &open).unwrap();
        assert_eq!(answer(&all, printed.print()), answer(&all, sql), "{sql}");
        let closed = Statement::of(sql, 100, &visibility().for_callers()).unwrap();
        assert!(!format!("{:?}", answer(&all, closed.print())).contains("cinnabar"), "{sql}");
    }
}

pub(super) fn refused(sql: &str) -> String {
    Statement::of(sql, 10, &visibility()).unwrap_err()
}

#[test]
fn refusals_say_what_to_write_instead() {
    for (sql, part) in [
        ("SELECT * FROM sqlite_master", "table sqlite_master is not available, only blocks, spans,"),
        ("SELECT id FROM blocks, refs", "JOIN ... ON instead of a comma"),
        ("SELECT id FROM blocks JOIN refs", "ON or USING"),
        ("SELECT id FROM blocks LIMIT 2, 5", "LIMIT n OFFSET m"),
        ("SELECT id FROM blocks LIMIT 1 + 1", "plain numbers"),
        ("SELECT id FROM blocks WHERE content LIKE 'a!%' ESCAPE '!'", "instr or GLOB"),
        ("SELECT like('a', 'b', '!')", "instr or GLOB"),
        ("SELECT rank() FROM blocks", "needs OVER"),
        ("SELECT printf('%d', 1)", "function printf is not available"),
        ("SELECT id FROM", "unexpected end of input"),
        ("SELECT 'a", "literal"),
        ("SELECT 1; SELECT 2", "second statement"),
        ("UPDATE blocks SET id = 1", "not a SELECT"),
        ("", "not a SELECT"),
        ("SELECT ?", "parameters"),
        ("SELECT rowid FROM blocks", "use id"),
        ("SELECT id FROM blocks NATURAL JOIN refs", "JOIN or LEFT JOIN"),
    ] {
        let refusal = refused(sql);
        assert!(refusal.contains(part), "{sql}: {refusal}");
    }
    let nine = format!("SELECT 1{}", " UNION SELECT 1 FROM blocks".repeat(9));
    assert!(refused(&nine).contains("more than 8 tables"));
    let deep = |n: usize| format!("SELECT {}1{}", "abs(".repeat(n), ")".repeat(n));
    assert!(Statement::of(&deep(20), 10, &visibility()).is_ok());
    assert!(refused(&deep(40)).contains("levels deep"));
    assert!(refused(&deep(2_000)).contains("nested parentheses"));
    assert!(refused(&format!("SELECT {}1", "- ".repeat(4_900))).contains("levels deep"));
    assert!(refused(&format!("SELECT 1{}", " OR 1".repeat(1_900))).contains("in a row"));
    assert!(Statement::of(&format!("SELECT 1{}", " OR 1".repeat(150)), 10, &visibility()).is_ok());
}

/// F10: a star stands for many columns, each of which needs a name of its own.
#[test]
fn columns_are_few() {
    let stars = |many: usize| format!("SELECT {} FROM attributes", vec!["*"; many].join(", "));
    assert_eq!(Statement::of(&stars(25), 10, &visibility()).unwrap().columns.len(), 200);
    for sql in [stars(26), stars(3_000), format!("SELECT {}", vec!["1"; 201].join(", "))] {
        assert!(refused(&sql).contains("more than 200 columns"), "{sql:.100}");
    }
    let named = |sql: &str| Statement::of(sql, 10, &visibility()).unwrap().found(Vec::new()).unwrap().columns;
    assert_eq!(
        named("SELECT 1 AS a, 2 AS a_2, 3 AS A, 4 AS a, 5 AS a_2 FROM blocks"),
        ["a", "a_2", "A_3", "a_4", "a_2_2"]
    );
}

/// A column is called as the caller calls it, never by the printed statement, which holds ids of notebooks.
#[test]
fn columns_keep_the_callers_names() {
    let named = |sql: &str| Statement::of(sql, 10, &visibility()).unwrap().found(Vec::new()).unwrap().columns;
    assert_eq!(named("SELECT id, content AS c, count(*), id FROM blocks"), ["id", "c", "count(*)", "id_2"]);
    assert!(!named("SELECT (SELECT count(*) FROM refs) FROM blocks")[0].contains("2025"));
    assert_eq!(named("SELECT * FROM attributes").len(), 8);
    assert_eq!(
        named("SELECT a.*, b.id FROM attributes a JOIN blocks b ON b.id = a.block_id").last().unwrap(),
        "id_2"
    );
    assert_eq!(named("WITH w(x, y) AS (SELECT id, type FROM blocks) SELECT * FROM w"), ["x", "y"]);
    assert_eq!(named("SELECT key, value FROM json_each('[1]')"), ["key", "value"]);
}

/// No backslash of a caller stands in a literal, where the kernel's second parser would read on behind the quote.
#[test]
fn the_outermost_limit_is_ours_and_backslashes_are_char_92() {
    let text = |sql: &str| Statement::of(sql, 10, &visibility()).unwrap().print().to_owned();
    assert!(text("SELECT 1").contains("AS \"c1\" LIMIT 11) ") && text("SELECT 1").ends_with(" LIMIT 11"));
    assert!(text("SELECT 1 LIMIT 5 OFFSET 2").contains(" LIMIT 5 OFFSET 2) "));
    assert!(text("SELECT 1 LIMIT 500").contains(" LIMIT 11) "));
    assert!(!text("SELECT '\\' || 'a'").contains('\\'));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3_000) })]

    /// No text makes the parser panic.
    #[test]
    fn any_text_is_read_or_refused(
        words in prop::collection::vec(
            prop_oneof![
                "[ -~]{0,6}", "\\PC{0,3}", Just("SELECT ".to_owned()), Just(" FROM blocks".to_owned()), Just("'".to_owned()),
                Just("\"".to_owned()), Just("x'0".to_owned()), Just("(".to_owned()), Just(")".to_owned()), Just(" OVER ".to_owned()),
                Just(" WINDOW ".to_owned()), Just(" FILTER ".to_owned()), Just("/*".to_owned()), Just(" LIMIT 1".to_owned()),
                Just(" é".to_owned()), Just("[".to_owned()), Just("0x".to_owned()), Just(" AS ".to_owned()), Just(";".to_owned()),
            ],
            0..12,
        )
    ) {
        let sql = words.concat();
        if let Ok(printed) = Statement::of(&sql, 10, &visibility()) {
            prop_assert!(printed.print().starts_with("WITH "));
        }
    }
}
