//! The cost of printed statements in SQLite, compared with the caller's own words over the tables themselves.
//!
//! Steps of SQLite's machine are counted, which no other load on the machine changes; times are printed for people:
//! `cargo test -p puppy-core --lib speed -- --nocapture`.

use rusqlite::{Connection, StatementStatus};

use super::Statement;
use crate::index::Visibility;
use crate::index::tests::{HIDDEN, OPEN, OTHER, index};

/// Documents of a hundred blocks; every fourth lies in the hidden notebook.
const DOCUMENTS: usize = 400;

const USUAL: [&str; 20] = [
    "SELECT * FROM blocks WHERE id = '20250101000200-block00'",
    "SELECT id, content FROM blocks WHERE root_id = '20250101000200-block00'",
    "SELECT id FROM blocks WHERE parent_id = '20250101000200-block00'",
    "SELECT count(*) FROM blocks WHERE root_id = '20250101000200-block00'",
    "SELECT id, hpath FROM blocks WHERE type = 'd'",
    "SELECT type, count(*) FROM blocks GROUP BY type",
    "SELECT id, content FROM blocks WHERE content LIKE '%stone%river%' LIMIT 100",
    "SELECT id, content FROM blocks WHERE type = 'h' AND content LIKE '%stone%' ORDER BY updated DESC LIMIT 20",
    "SELECT id FROM blocks ORDER BY updated DESC LIMIT 10",
    "SELECT id, length FROM blocks ORDER BY length DESC LIMIT 10",
    "SELECT box, count(*), sum(length) FROM blocks GROUP BY box",
    "SELECT id, content FROM blocks LIMIT 20",
    "SELECT id, content FROM blocks WHERE tag LIKE '%tag7%'",
    "SELECT id FROM blocks WHERE updated > '202512' AND type = 'p' ORDER BY updated DESC LIMIT 50",
    "SELECT b.hpath, count(*) AS n FROM blocks b JOIN blocks c ON c.root_id = b.id WHERE b.type = 'd' GROUP BY b.id ORDER BY n DESC LIMIT 10",
    "SELECT b.id, b.content FROM attributes a JOIN blocks b ON b.id = a.block_id WHERE a.name = 'custom-status' AND a.value = 'open' LIMIT 1000",
    "SELECT value, count(*) FROM attributes WHERE name = 'custom-status' GROUP BY value",
    "SELECT content, count(*) AS n FROM spans WHERE type LIKE '%tag%' GROUP BY content ORDER BY n DESC",
    "SELECT path FROM assets WHERE path LIKE '%.png'",
    "SELECT b.content FROM refs r JOIN blocks b ON b.id = r.block_id LIMIT 100",
];

/// Statements that an index answers without the blocks: a count of them costs a step as it stands.
const INDEXED: [&str; 4] = [
    "SELECT count(*) FROM blocks",
    "SELECT count(DISTINCT root_id) FROM blocks",
    "SELECT root_id, count(*) AS n FROM blocks GROUP BY root_id ORDER BY n DESC LIMIT 10",
    "SELECT max(id) FROM blocks",
];

/// Statements that look for rows of one table for each row of another, some without an index of the kernel for it.
const NESTED: [&str; 7] = [
    "SELECT (SELECT count(*) FROM refs r WHERE r.def_block_id = b.id) AS n, id FROM blocks b WHERE type = 'd' ORDER BY n DESC LIMIT 20",
    "SELECT id FROM blocks b WHERE NOT EXISTS (SELECT 1 FROM refs r WHERE r.block_id = b.id)",
    "SELECT id FROM blocks a WHERE updated = (SELECT max(updated) FROM blocks b WHERE b.root_id = a.id) AND type = 'd'",
    "SELECT id FROM blocks WHERE id IN (SELECT block_id FROM attributes WHERE value = 'open')",
    "SELECT d.hpath, group_concat(b.content) AS texts FROM blocks b JOIN blocks d ON d.id = b.root_id WHERE b.type = 'h' GROUP BY d.id LIMIT 20",
    "WITH q AS (SELECT id, root_id FROM blocks WHERE type = 'h') SELECT count(*) FROM q a JOIN q b ON a.root_id = b.root_id",
    "SELECT count(*) FROM blocks b LEFT JOIN attributes a ON a.block_id = b.id WHERE a.id IS NULL",
];

/// Rows like those of SiYuan, made in SQLite itself.
fn notes() -> Connection {
    let connection = index(&[]);
    let id = |number: &str| format!("printf('2025%010d-block00', {number})");
    let (own, document) = (id("101000000 + n"), id("101000000 + n / 100 * 100"));
    let place = format!("CASE n / 100 % 4 WHEN 0 THEN '{OPEN}' WHEN 1 THEN '{HIDDEN}' ELSE '{OTHER}' END");
    let text = "'Row ' || n || ' of a stone path along the river ' || substr('mint and sage and thyme and rue', 1 + n % 17)";
    let all = DOCUMENTS * 100;
    let each = format!("WITH RECURSIVE i(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM i WHERE n < {all} - 1)");
    connection
        .execute_batch(&format!(
            "INSERT INTO blocks {each} SELECT {own}, CASE n % 100 WHEN 0 THEN '' ELSE {document} END, {document}, 'hash', {place}, \
             '/' || {document} || '.sy', '/Folder/Doc ' || (n / 100), '', '', '', CASE n % 20 WHEN 0 THEN '#tag7#' ELSE '' END, \
             {text}, {text}, {text}, 40 + n % 17, CASE n % 100 WHEN 0 THEN 'd' ELSE substr('pphpi', 1 + n % 5, 1) END, '', \
             '{{: id=\"' || {own} || '\"}}', 10, '20250101', printf('2025%02d', 1 + n % 12) FROM i;
             INSERT INTO refs {each} SELECT 'r' || n, {document}, '', {document}, '', {own}, {document}, {place}, '', 'Doc', '', '' FROM i WHERE n % 10 = 3;
             INSERT INTO attributes {each} SELECT 'a' || n, 'custom-status', CASE n % 3 WHEN 0 THEN 'open' ELSE 'done' END, 'b', {own}, {document}, {place}, '' FROM i WHERE n % 5 = 0;
             INSERT INTO spans {each} SELECT 's' || n, {own}, {document}, {place}, '', 'tag' || n % 50, '', 'textmark tag', '' FROM i WHERE n % 20 = 0;
             INSERT INTO assets {each} SELECT 'f' || n, {own}, {document}, {place}, '', 'assets/p' || n || '.png', 'p', '', '' FROM i WHERE n % 50 = 0;"
        ))
        .unwrap();
    connection
}

/// The steps of a statement, its rows, and the milliseconds of the fastest of three runs.
#[expect(clippy::disallowed_types, reason = "the time is only printed")]
fn cost(connection: &Connection, sql: &str) -> (i32, i32, f64) {
    let mut statement = connection.prepare(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let (mut fastest, mut count) = (f64::MAX, 0);
    for _ in 0..3 {
        count = 0;
        statement.reset_status(StatementStatus::VmStep);
        let began = std::time::Instant::now();
        let mut rows = statement.query([]).unwrap();
        while rows.next().unwrap().is_some() {
            count += 1;
        }
        drop(rows);
        fastest = fastest.min(began.elapsed().as_secs_f64() * 1_000.0);
    }
    (statement.get_status(StatementStatus::VmStep), count, fastest)
}

fn plan(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let rows = statement.query_map([], |row| row.get::<_, String>(3)).unwrap();
    rows.map(Result::unwrap).collect()
}

fn printed(sql: &str, visibility: &Visibility) -> String {
    Statement::of(sql, 1_000, visibility).unwrap().print().to_owned()
}

/// A caller's statement costs what it costs in SiYuan if nothing is hidden, but for the bounds of its result. Beside a
/// hidden notebook it looks at each row of a table a few times, never at each pair of rows; a lookup stays one.
#[test]
fn views_cost_little_more_than_the_tables_themselves() {
    let connection = notes();
    let open = Visibility::new([OPEN, OTHER, HIDDEN], false).for_callers();
    let closed = Visibility::new([OPEN, OTHER], true).for_callers();
    println!("steps of the tables, with nothing hidden, with a notebook hidden; milliseconds of the three");
    let mut wrong = Vec::new();
    for sql in USUAL.iter().chain(&INDEXED).chain(&NESTED) {
        let own = if sql.contains("LIMIT") { (*sql).to_owned() } else { format!("{sql} LIMIT 1001") };
        let (raw, seen, some) = (
            cost(&connection, &own),
            cost(&connection, &printed(sql, &open)),
            cost(&connection, &printed(sql, &closed)),
        );
        println!(
            "{:9} {:9} {:9} {:8.2} {:8.2} {:8.2}  {sql:.100}",
            raw.0, seen.0, some.0, raw.2, seen.2, some.2
        );
        let bounds = 400 + 130 * raw.1;
        let is_lookup = sql.contains("00-block00'");
        let all = i32::try_from(DOCUMENTS * 100).unwrap();
        let most = if is_lookup { raw.0 * 8 } else { all * 60 };
        // A span of a document's own has the notebook of its document.
        if seen.0 > raw.0 + raw.0 / 10 + bounds || some.0 > most + bounds {
            wrong.push((sql, raw, seen, some));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Ids are looked up in their index, and blocks are counted in one, whatever is hidden.
#[test]
fn views_use_the_indexes_of_the_tables() {
    let connection = notes();
    let open = Visibility::new([OPEN, OTHER, HIDDEN], false).for_callers();
    let closed = Visibility::new([OPEN, OTHER], true).for_callers();
    for sql in &USUAL[..4] {
        for visibility in [&open, &closed] {
            let plan = plan(&connection, &printed(sql, visibility));
            assert!(plan.iter().any(|it| it.starts_with("SEARCH t USING")), "{sql}: {plan:?}");
            assert!(!plan.iter().any(|it| it == "SCAN t" || it.starts_with("SCAN d")), "{sql}: {plan:?}");
        }
    }
    for sql in INDEXED {
        for visibility in [&open, &closed] {
            let plan = plan(&connection, &printed(sql, visibility));
            let reads_blocks = |it: &String| it.contains(" t") && !it.contains("COVERING INDEX");
            assert!(!plan.iter().any(reads_blocks), "{sql}: {plan:?}");
        }
    }
}

/// The kernel reads a statement twice before SQLite does, so a statement holds the columns that it names and no others,
/// and a condition on which several columns depend once.
#[test]
fn views_hold_the_columns_that_a_statement_names() {
    let closed = Visibility::new([OPEN, OTHER], true).for_callers();
    let parts = |sql: &str| {
        let printed = printed(sql, &closed);
        let fence = printed.split("r (").next().unwrap_or_default();
        ["CASE WHEN", "fcontent", "hpath", "data-av-id="].map(|part| fence.matches(part).count())
    };
    assert_eq!(parts("SELECT id FROM blocks WHERE root_id = 'x' LIMIT 20"), [0, 0, 0, 0]);
    assert_eq!(
        parts("SELECT b.\"Content\", d.[hpath] FROM blocks b JOIN blocks d ON d.id = b.root_id"),
        [1, 0, 1, 1]
    );
    assert_eq!(parts("SELECT count(*) FROM refs JOIN spans USING (root_id)"), [0, 0, 0, 0]);
    assert_eq!(parts("SELECT * FROM blocks"), [4, 2, 1, 1]);
    assert_eq!(parts("SELECT id FROM blocks ORDER BY length(content) + length"), [2, 0, 0, 1]);
}
