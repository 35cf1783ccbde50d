//! Tests that nothing of a caller's is computed for a row that is not theirs, and that texts stay bounded.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::{ToSqlOutput, Value as Cell, ValueRef};

use super::Statement;
use super::tests::{answer, connection, refused, visibility};
use crate::index::tests::{HIDDEN, OPEN};
use crate::testing::statements::{ATTACKS, ORACLES, each_statement};

/// S1: with an error or without one, the answer is that of an index without the hidden rows.
#[test]
fn an_error_tells_nothing_of_hidden_rows() {
    let (full, emptied) = (connection(true), connection(false));
    for sql in ORACLES {
        let printed = Statement::of(sql, 100, &visibility()).unwrap();
        let (seen, expected) = (answer(&full, printed.print()), answer(&emptied, printed.print()));
        assert_eq!(seen, expected, "{sql}\n{}", printed.print());
        // The tables themselves tell the two apart.
        if !sql.contains("refs") {
            assert_ne!(answer(&full, sql), answer(&emptied, sql), "{sql}");
        }
    }
}

/// S1: errors are compared, too, with functions that fail for some texts.
#[test]
fn random_statements_fail_alike_with_and_without_hidden_rows() {
    let (full, emptied) = (connection(true), connection(false));
    let failed = RefCell::new((0, 0));
    each_statement(11, 4_000, |sql| {
        let Ok(printed) = Statement::of(sql, 10_000, &visibility()) else { return Ok(()) };
        let (seen, expected) = (answer(&full, printed.print()), answer(&emptied, printed.print()));
        prop_assert_eq!(&seen, &expected, "{}\n{}", sql, printed.print());
        failed.borrow_mut().0 += usize::from(seen.is_err());
        failed.borrow_mut().1 += usize::from(answer(&full, sql).is_err() != seen.is_err());
        Ok(())
    });
    let (failed, apart) = failed.into_inner();
    assert!(failed > 150 && apart > 150, "{failed} failed, {apart} only over the tables themselves");
}

/// The functions that a probe stands for, with the numbers of their arguments.
const PROBED: [(&str, i32); 14] = [
    ("abs", 1),
    ("glob", 2),
    ("hex", 1),
    ("instr", 2),
    ("json_array_length", 1),
    ("json_extract", 2),
    ("json_type", 2),
    ("length", 1),
    ("like", 2),
    ("lower", 1),
    ("quote", 1),
    ("replace", 3),
    ("substr", 3),
    ("upper", 1),
];

/// Replaces functions by ones that note the texts they get. None of them fails, so that none ends a statement early.
fn probe(connection: &Connection) -> Arc<Mutex<BTreeSet<String>>> {
    let noted = Arc::new(Mutex::new(BTreeSet::new()));
    for (name, count) in PROBED {
        let noted = Arc::clone(&noted);
        let call = move |context: &mut rusqlite::functions::Context<'_>| {
            for at in 0..context.len() {
                if let ValueRef::Text(text) = context.get_raw(at) {
                    noted.lock().unwrap().insert(String::from_utf8_lossy(text).into_owned());
                }
            }
            Ok(match context.get_raw(0) {
                _ if matches!(name, "instr" | "like" | "glob") => ToSqlOutput::Owned(Cell::Integer(1)),
                ValueRef::Text(text) => {
                    ToSqlOutput::Owned(Cell::Text(String::from_utf8_lossy(text).into_owned()))
                }
                _ => ToSqlOutput::Owned(Cell::Integer(1)),
            })
        };
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
        connection.create_scalar_function(name, count, flags, call).unwrap();
    }
    noted
}

/// S1: no function of a caller's ever gets a text of a hidden row, whatever SQLite does with the statement.
#[test]
fn no_function_sees_a_hidden_text() {
    let full = connection(true);
    let noted = probe(&full);
    let count = RefCell::new((0, 0));
    let check = |sql: &str| {
        let Ok(printed) = Statement::of(sql, 10_000, &visibility()) else { return Ok(()) };
        noted.lock().unwrap().clear();
        let _ = answer(&full, printed.print());
        let noted = noted.lock().unwrap();
        let is_hidden = |it: &String| {
            // A statement may name it.
            (it.contains("cinnabar") && !sql.contains("innabar"))
                || (it.contains("hidden") && !sql.contains("hidden"))
        };
        let hidden: Vec<_> = noted.iter().filter(|it| is_hidden(it)).collect();
        prop_assert!(hidden.is_empty(), "{hidden:?}: {sql}\n{}", printed.print());
        count.borrow_mut().0 += 1;
        count.borrow_mut().1 += usize::from(!noted.is_empty());
        Ok(())
    };
    each_statement(12, 6_000, check);
    for sql in ORACLES.iter().chain(&ATTACKS) {
        check(&sql.replace("hidden-1", "b4")).unwrap();
    }
    let (run, noting) = count.into_inner();
    assert!(run > 4_000 && noting > 2_000, "{run} run, {noting} of them with a function");
    // The probe does note hidden texts where a statement reads the tables.
    noted.lock().unwrap().clear();
    answer(&full, "SELECT lower(content) FROM blocks").unwrap();
    assert!(noted.lock().unwrap().iter().any(|it| it.contains("cinnabar")));
}

/// S1: rows are read behind a fence wherever they are named, and nothing of a caller's stands in it but texts to look up.
#[test]
fn conditions_stay_outside_of_the_fence() {
    let print = |sql: &str| Statement::of(sql, 10, &visibility()).unwrap().print().to_owned();
    let printed = print(
        "SELECT content FROM blocks WHERE id = 'it''s' AND 'b0' = root_id AND content = 'x' AND length = 1",
    );
    let (fence, rest) = printed.split_once(" LIMIT 9000000000)").unwrap();
    assert!(fence.contains("t.id IN ('it''s')") && fence.contains("d.id IN ('b0')"), "{fence}");
    assert!(!fence.contains("'x'") && rest.contains("(id = 'it''s')"), "{printed}");
    for sql in [
        "SELECT id FROM blocks WHERE id = 'b0' OR content = 'x'",
        "SELECT id FROM blocks WHERE NOT id = 'b0'",
        "SELECT id FROM blocks WHERE id = \"b0\"",
        "SELECT id FROM blocks WHERE parent_id = ''",
        "SELECT id FROM blocks WHERE id IN ('b0', content)",
        "SELECT id FROM blocks WHERE id NOT IN ('b0')",
        "SELECT id FROM blocks WHERE id > 'b0'",
        "SELECT id FROM blocks WHERE hash = 'b0'",
        "SELECT b.id FROM blocks b LEFT JOIN refs r ON r.block_id = b.id AND b.id = 'b0'",
        "SELECT b.id FROM (SELECT id FROM blocks) b WHERE b.id = 'b0'",
        "SELECT id FROM blocks b WHERE EXISTS (SELECT 1 FROM refs WHERE b.id = 'b0')",
    ] {
        let printed = print(sql);
        assert!(!printed.split("r (").next().unwrap().contains("'b0'"), "{printed}");
    }
    for sql in [
        "SELECT r.id FROM refs r JOIN blocks b ON b.id = r.def_block_id AND b.id IN ('b0', 'b2')",
        "SELECT r.id FROM refs r LEFT JOIN blocks b ON b.id = r.def_block_id AND b.id = 'b0' WHERE b.root_id = 'b0'",
        "SELECT x.id FROM blocks x JOIN attributes a ON a.block_id = x.id WHERE (x.id = 'b0' AND a.block_id IN ('b0'))",
    ] {
        let printed = print(sql);
        assert!(printed.split("r (").next().unwrap().contains("'b0'"), "{printed}");
        assert_eq!(answer(&connection(true), &printed), answer(&connection(false), &printed));
    }
    // A block that is joined by its id is looked up among the ids of fenced rows.
    let looks_up = |sql: &str| print(sql).contains(" IN (SELECT o.");
    for sql in [
        "SELECT b.id FROM attributes a JOIN blocks b ON b.id = a.block_id",
        "SELECT b.id FROM refs a LEFT JOIN blocks b ON a.\"DEF_block_id\" = B.ID AND b.content > ''",
        "SELECT b.id FROM blocks d JOIN blocks b ON b.root_id = d.id WHERE d.id = 'b0'",
    ] {
        assert!(looks_up(sql), "{}", print(sql));
    }
    for sql in [
        "SELECT b.id FROM blocks d JOIN blocks b ON b.root_id = d.id",
        "SELECT b.id FROM attributes a JOIN blocks b ON b.id = a.block_id OR b.root_id = a.root_id",
        "SELECT b.id FROM attributes a JOIN blocks b ON b.id IS a.block_id",
        "SELECT b.id FROM (SELECT block_id FROM attributes) a JOIN blocks b ON b.id = a.block_id",
    ] {
        assert!(!looks_up(sql), "{}", print(sql));
    }
}

/// S1: a hidden document that a caller can name is not read block by block: the time would tell its size.
#[test]
fn a_lookup_of_a_hidden_document_takes_no_more_steps_than_one_of_none() {
    let index = connection(true);
    for at in 0..2_000 {
        let insert = "INSERT INTO blocks (id, root_id, parent_id, box) VALUES (?1, ?2, ?2, ?3)";
        index.execute(insert, [&format!("x{at}"), "hidden-1", HIDDEN]).unwrap();
        index.execute(insert, [&format!("y{at}"), "b0", OPEN]).unwrap();
    }
    let steps = |column: &str, id: &str| {
        let sql = format!("SELECT id, content FROM blocks WHERE {column} = '{id}'");
        let printed = Statement::of(&sql, 5_000, &visibility()).unwrap();
        let mut statement = index.prepare(printed.print()).unwrap();
        let mut rows = statement.query([]).unwrap();
        while rows.next().unwrap().is_some() {}
        drop(rows);
        statement.get_status(rusqlite::StatementStatus::VmStep)
    };
    for column in ["id", "root_id", "parent_id"] {
        let (hidden, none) = (steps(column, "hidden-1"), steps(column, "nothing"));
        assert!(hidden < none + 30, "{column}: {hidden} steps, {none} for none");
        assert!(column == "id" || steps(column, "b0") > 10_000);
    }
}

/// S4: texts cannot be multiplied, neither in one expression nor over rows.
#[test]
fn texts_that_grow_are_refused() {
    let nested = |start: &str, depth: usize| {
        (0..depth).fold(start.to_owned(), |inner, _| format!("replace({inner}, 'a', 'aaaaaaaaaa')"))
    };
    for sql in [
        format!("SELECT length({})", nested("'aaaaaaaaaa'", 7)),
        format!("SELECT length({}) FROM blocks", nested("content", 1)),
        "SELECT hex(hex(hex(content))) FROM blocks".to_owned(),
        "SELECT quote(quote(hex(content))) FROM blocks".to_owned(),
        format!("SELECT concat({}) FROM blocks", ["content"; 5].join(", ")),
        format!("SELECT {} FROM blocks", ["content"; 5].join(" || ")),
        "SELECT replace(content, 'a', content) FROM blocks".to_owned(),
        "SELECT concat_ws(content, 1, 2, 3, 4, 5, 6) FROM blocks".to_owned(),
        "SELECT replace('aaaaaaaaaa', 'a', name) FROM blocks".to_owned(),
        // One level at a time: by a table, by WITH, by a select, by the name of a result.
        "SELECT hex(hex(x)) FROM (SELECT hex(content) AS x FROM blocks) AS t".to_owned(),
        "WITH q (x) AS (SELECT hex(hex(content)) FROM blocks), p AS (SELECT hex(x) AS y FROM q) SELECT y FROM p".to_owned(),
        "SELECT hex(hex((SELECT hex(content) FROM blocks)))".to_owned(),
        "SELECT hex(hex(content)) AS x FROM blocks WHERE length(hex(x)) > 1".to_owned(),
        "SELECT CASE WHEN 1 THEN hex(hex(content)) ELSE '' END || content FROM blocks".to_owned(),
        "SELECT json_extract(content, '$.a', '$.b', '$.c') FROM blocks".to_owned(),
        "SELECT hex(hex(x)) FROM (SELECT 'a' AS x UNION ALL SELECT hex(content) FROM blocks) AS t".to_owned(),
        format!("SELECT strftime('{}')", "%J".repeat(600)),
        // Over rows.
        "SELECT length(group_concat(hex(hex(hex(content))))) FROM blocks".to_owned(),
        "SELECT group_concat(a.content) FROM blocks a JOIN blocks b ON a.root_id = b.root_id".to_owned(),
        "SELECT group_concat(a.id) FROM blocks a JOIN blocks b ON a.root_id = b.root_id".to_owned(),
        "SELECT group_concat(d.content) FROM blocks d JOIN blocks b ON b.root_id = d.id".to_owned(),
        "SELECT (SELECT string_agg(a.content, ',') FROM refs r WHERE r.block_id = a.id) FROM blocks a".to_owned(),
        "SELECT json_group_array((SELECT max(content) FROM blocks)) FROM blocks".to_owned(),
        format!("SELECT group_concat('{}') FROM blocks", "a".repeat(300)),
        "SELECT group_concat(content) OVER (ORDER BY id) FROM blocks".to_owned(),
        // A text of all rows in each row of another table.
        "SELECT (SELECT group_concat(content) FROM blocks) AS g FROM blocks ORDER BY id".to_owned(),
        "SELECT (SELECT group_concat(content) FROM blocks b WHERE b.length > a.length) FROM blocks a".to_owned(),
        "SELECT x.g FROM (SELECT 'd' AS k, group_concat(content) AS g FROM blocks) x JOIN blocks b ON b.type = x.k AND b.name = x.k ORDER BY b.id".to_owned(),
        "SELECT x.*, b.id FROM (SELECT root_id AS r, group_concat(content) AS g FROM blocks GROUP BY root_id) x JOIN blocks b ON b.root_id = x.r".to_owned(),
        "SELECT json_group_object(x, x) FROM (SELECT json_group_array(content) AS x FROM blocks GROUP BY root_id) AS t".to_owned(),
    ] {
        assert!(Statement::of(&sql, 10, &visibility()).is_err(), "{sql}");
    }
    assert!(refused("SELECT hex(hex(hex(content))) FROM blocks").contains("more than 4 times as long"));
    assert!(
        refused("SELECT group_concat(a.id) FROM blocks a JOIN blocks b USING (root_id)")
            .contains("no join repeats")
    );
    for sql in [
        "SELECT replace(replace(content, 'stone', 'rock'), char(10), ' ') FROM blocks",
        "SELECT replace(content, ' ', '') || ': ' || upper(hpath) FROM blocks",
        "SELECT d.hpath, group_concat(b.content, char(10)) FROM blocks b JOIN blocks d ON d.id = b.root_id GROUP BY d.id",
        "SELECT b.id, group_concat(DISTINCT s.content) FROM blocks b JOIN spans s ON s.block_id = b.id GROUP BY b.id",
        "SELECT block_id, json_group_object(name, value) FROM attributes GROUP BY block_id",
        "SELECT group_concat(name || ': ' || value, '; ') FROM attributes",
        "SELECT length(hex(hex(substr(content, 1, 100)))) FROM blocks",
        "SELECT id, (SELECT group_concat(content) FROM blocks b WHERE b.root_id = d.id) AS texts FROM blocks d WHERE type = 'd'",
        "SELECT d.hpath, x.g FROM (SELECT root_id AS r, group_concat(content) AS g FROM blocks GROUP BY root_id) x JOIN blocks d ON d.id = x.r",
        "SELECT id, (SELECT length(group_concat(content)) FROM blocks) AS n FROM blocks",
        "SELECT strftime('%Y-%m-%d', 'now'), quote(content), coalesce(content, markdown, 'none') FROM blocks",
        "SELECT json_extract(value, '$.a'), value ->> '$.b' FROM attributes",
    ] {
        let printed = Statement::of(sql, 10, &visibility());
        assert!(printed.is_ok(), "{sql}: {printed:?}");
    }
}

/// S4: what one row and all rows have in texts is bounded, and numbers, texts and NULL stay as they are.
#[test]
fn results_are_cut_to_their_bounds() {
    let index = connection(false);
    let rows = |sql: &str| {
        let printed = Statement::of(sql, 1_000, &visibility()).unwrap();
        let rows = crate::index::tests::ask(&index, printed.print());
        printed.found(rows)
    };
    let found = rows(
        "SELECT content, length, NULL AS none, '7' AS text, 7 AS number, name FROM blocks WHERE id = 'b0'",
    );
    let found = found.unwrap();
    assert_eq!(
        serde_json::to_string(&found.rows[0]).unwrap(),
        r#"{"content":"A leaf 0","length":8,"none":null,"text":"7","number":7,"name":""}"#
    );
    assert!(!found.truncated);
    // Eight blocks of 500,000 bytes: five have room.
    index.execute("UPDATE blocks SET content = substr(printf('%.500000c', 'x'), 1, 500000)", []).unwrap();
    let found = rows("SELECT id, content FROM blocks ORDER BY id").unwrap();
    assert!(found.truncated && found.rows.len() == 5, "{} rows", found.rows.len());
    let found = rows("SELECT id, content FROM blocks ORDER BY id LIMIT 5").unwrap();
    assert!(!found.truncated && found.rows.len() == 5);
    assert!(!rows("SELECT id, length(content) FROM blocks").unwrap().truncated);
    let error = rows("SELECT id, content, markdown, fcontent, hpath, ial, name FROM blocks").unwrap_err();
    assert!(error.message.contains("column content has a longer one"), "{}", error.message);
}
