//! Tests of what may be joined, and of what a statement may multiply.

use super::Statement;
use super::tests::{refused, visibility};

/// F10: SQLite tries every pair of rows that no equality relates, and a statement cannot be stopped.
#[test]
fn tables_are_joined_by_columns_that_are_equal() {
    let joined = |condition: &str| format!("SELECT a.id FROM blocks a JOIN blocks b ON {condition}");
    for condition in [
        "1",
        "1 = 1",
        "a.id = a.root_id",
        "b.id = b.root_id",
        "b.id = 'x'",
        "a.id <> b.id",
        "NOT a.id = b.id",
        "a.id = b.id OR 1",
        "a.id = 'x' AND b.id = 'y'",
        "a.id = (SELECT b.id)",
        "a.box = b.box",
        "a.type = b.type AND a.sort = b.sort",
        "a.id = b.root_id OR a.box = b.box",
    ] {
        let told = refused(&joined(condition));
        assert!(
            told.contains("ON with a column that equals one of a table before it"),
            "{condition}: {told}"
        );
    }
    for condition in [
        "a.id = b.root_id",
        "b.root_id = a.id AND b.type <> 'd'",
        "(b.type = 'p' AND (A.id == B.parent_id))",
        "a.id = b.parent_id OR a.id = b.root_id",
        "a.content = b.content AND a.id < b.id",
        "a.id = b.root_id OR a.content = b.content",
        "a.id IS b.parent_id",
    ] {
        assert!(Statement::of(&joined(condition), 10, &visibility()).is_ok(), "{condition}");
    }
    for sql in [
        "SELECT hpath FROM blocks LEFT JOIN refs ON def_block_id = parent_id",
        "SELECT 1 FROM refs JOIN blocks ON block_id = blocks.id",
        "SELECT 1 FROM refs JOIN blocks USING (id)",
        "SELECT b.id, j.value FROM blocks b JOIN json_each('[\"a\"]') j ON instr(b.content, j.value)",
    ] {
        let told = Statement::of(sql, 10, &visibility());
        assert!(told.is_ok(), "{sql}: {told:?}");
    }
    // The third table stands beside the others.
    let third = "SELECT 1 FROM blocks a JOIN blocks b ON a.id = b.root_id JOIN refs c ON a.id = b.id";
    assert!(refused(third).contains("ON with a column"));
    let path = |many: usize| -> String {
        (0..many).fold("SELECT 1 FROM blocks t".to_owned(), |sql, at| {
            format!("{sql} JOIN blocks t{at} ON t.id = t{at}.root_id")
        })
    };
    assert!(Statement::of(&path(3), 10, &visibility()).is_ok());
    assert!(refused(&path(4)).contains("more than 4 tables that depend on each other"));
    let inside = |depth: usize| {
        let open: String =
            (0..depth).map(|at| format!("SELECT 1 FROM blocks b{at} WHERE EXISTS (")).collect();
        format!("{open}SELECT 1{}", ")".repeat(depth))
    };
    assert!(Statement::of(&inside(4), 10, &visibility()).is_ok());
    assert!(refused(&inside(5)).contains("depend on each other"));
    // What is read like a table weighs as much as the tables in it, each time that it is read.
    let pair = "SELECT a.id FROM blocks a JOIN blocks b ON a.id = b.root_id";
    for sql in [
        format!("SELECT 1 FROM ({pair} JOIN refs c ON c.block_id = a.id) x JOIN ({pair}) y ON x.id = y.id"),
        format!("WITH q AS ({pair}) SELECT 1 FROM q x JOIN q y ON x.id = y.id JOIN q z ON x.id = z.id"),
        format!(
            "WITH q AS ({pair}), r AS (SELECT x.id FROM q x JOIN q y ON x.id = y.id) SELECT 1 FROM r JOIN q ON r.id = q.id"
        ),
        format!(
            "SELECT 1 FROM (SELECT id FROM blocks a WHERE EXISTS (SELECT 1 FROM refs b WHERE EXISTS ({pair}))) x JOIN refs ON refs.id = x.id"
        ),
    ] {
        assert!(refused(&sql).starts_with("more than "), "{sql}");
    }
    for sql in [
        format!("WITH q AS ({pair}) SELECT 1 FROM q x JOIN q y ON x.id = y.id"),
        "WITH q AS (SELECT id FROM blocks UNION SELECT id FROM refs UNION SELECT id FROM spans) SELECT 1 FROM q JOIN blocks b ON b.id = q.id JOIN refs r ON r.block_id = q.id".to_owned(),
        format!("SELECT 1 FROM blocks x JOIN ({pair}) y ON x.id = y.id"),
    ] {
        let told = Statement::of(&sql, 10, &visibility());
        assert!(told.is_ok(), "{sql}: {told:?}");
    }
    // A block that is found by its id adds no rows, so any number of them may be joined.
    let chain = "SELECT d.hpath, e.hpath FROM refs r JOIN blocks a ON a.id = r.block_id JOIN blocks b ON b.id = r.def_block_id \
         JOIN blocks d ON d.id = a.root_id JOIN blocks e ON e.id = b.root_id JOIN attributes n ON n.block_id = e.id";
    assert!(Statement::of(chain, 10, &visibility()).is_ok());
    // Tables beside each other do not multiply.
    let beside =
        format!("SELECT id FROM blocks WHERE 1{}", " AND id IN (SELECT block_id FROM refs)".repeat(6));
    assert!(Statement::of(&beside, 10, &visibility()).is_ok());
}

/// F10: a text may be the same in all rows, and then a join by it has all pairs. Two tables may be joined like that,
/// not three, whatever stands between them.
#[test]
fn at_most_two_tables_multiply_as_a_whole() {
    let many = "more than 4 tables that depend on each other";
    for sql in [
        "SELECT count(*) FROM blocks a JOIN blocks b ON a.content = b.content JOIN blocks c ON b.content = c.content",
        "SELECT count(*) FROM blocks a JOIN attributes b ON a.name = b.value JOIN attributes c ON c.value = b.value",
        // A constant is the same in all rows, however it is called.
        "WITH p AS (SELECT 'x' AS id FROM blocks) SELECT count(*) FROM p a JOIN p b ON a.id = b.id JOIN p c ON b.id = c.id",
        "SELECT 1 FROM (SELECT id, 1 AS k FROM blocks) a JOIN (SELECT id, 1 AS k FROM blocks) b ON a.k = b.k \
         JOIN (SELECT id, 1 AS k FROM blocks) c ON b.k = c.k",
        "WITH p AS (SELECT 'x' AS k UNION ALL SELECT 'x') SELECT 1 FROM p a JOIN p b ON a.k = b.k JOIN p c ON b.k = c.k",
        "SELECT 1 FROM blocks a JOIN blocks b USING (content) JOIN blocks c USING (content)",
        "SELECT 1 FROM json_each('[1]') a JOIN json_each('[1]') b ON 1 JOIN json_each('[1]') c ON 1",
        // A select that compares with a row around it runs again for each of these rows.
        "SELECT (SELECT count(*) FROM blocks b WHERE b.content > a.content AND \
         (SELECT count(*) FROM blocks c WHERE c.content > b.content) > 1) FROM blocks a",
        "SELECT id FROM blocks a ORDER BY (SELECT count(*) FROM blocks b WHERE b.length > a.length AND \
         EXISTS (SELECT 1 FROM blocks c WHERE c.length < a.length + b.length))",
        "SELECT 1 FROM blocks a WHERE EXISTS (SELECT 1 FROM blocks b WHERE b.id <> a.id ORDER BY \
         (SELECT count(*) FROM blocks c WHERE c.length + a.length > b.length))",
        "SELECT 1 FROM blocks a JOIN blocks b ON a.content = b.content WHERE (SELECT count(*) FROM blocks c WHERE c.updated > a.updated) > 1",
    ] {
        assert!(refused(sql).contains(many), "{sql}: {}", refused(sql));
    }
    for sql in [
        "SELECT 1 FROM blocks a JOIN blocks b USING (box)",
        "SELECT 1 FROM blocks JOIN blocks b USING (type, box)",
    ] {
        assert!(refused(sql).contains("ON with a column"), "{sql}");
    }
    for sql in [
        "SELECT a.id FROM blocks a JOIN blocks b ON a.content = b.content AND a.id < b.id JOIN blocks d ON d.id = b.root_id",
        "SELECT (SELECT count(*) FROM refs r WHERE r.def_block_id = b.id) AS n FROM blocks b WHERE type = 'd' ORDER BY n DESC",
        "SELECT id FROM blocks b WHERE NOT EXISTS (SELECT 1 FROM refs r JOIN blocks c ON c.id = r.block_id WHERE r.def_block_root_id = b.id \
         AND EXISTS (SELECT 1 FROM attributes a WHERE a.block_id = c.id))",
        "SELECT id FROM blocks WHERE id IN (SELECT block_id FROM refs WHERE def_block_id IN (SELECT block_id FROM attributes WHERE name = 'custom-a' \
         AND root_id IN (SELECT id FROM blocks)))",
        "SELECT id FROM blocks a WHERE updated = (SELECT max(updated) FROM blocks b WHERE b.root_id = a.root_id)",
        "SELECT (SELECT count(*) FROM blocks b WHERE b.updated > a.updated) FROM blocks a",
        "WITH x AS (SELECT type, count(*) AS n FROM blocks GROUP BY type), y AS (SELECT type, sum(length) AS m FROM blocks GROUP BY type) \
         SELECT x.type, n, m FROM x JOIN y ON x.type = y.type",
        "WITH p AS (SELECT '20250101000000-garden0' AS id) SELECT b.id FROM p JOIN blocks b ON b.root_id = p.id",
    ] {
        let told = Statement::of(sql, 10, &visibility());
        assert!(told.is_ok(), "{sql}: {told:?}");
    }
}
