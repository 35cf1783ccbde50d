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
        let refusal = refused(&joined(condition));
        assert!(
            refusal.contains("ON with a column that equals one of a table before it"),
            "{condition}: {refusal}"
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
        let statement = Statement::of(sql, 10, &visibility());
        assert!(statement.is_ok(), "{sql}: {statement:?}");
    }
    // The third table stands beside the others.
    let third = "SELECT 1 FROM blocks a JOIN blocks b ON a.id = b.root_id JOIN refs c ON a.id = b.id";
    assert!(refused(third).contains("ON with a column"));
    let path = |many: usize| -> String {
        (0..many).fold("SELECT 1 FROM blocks t".to_owned(), |sql, at| {
            format!("{sql} JOIN blocks t{at} ON t.id = t{at}.root_id")
        })
    };
    assert!(Statement::of(&path(2), 10, &visibility()).is_ok());
    assert!(refused(&path(3)).contains("more than 4 tables that depend on each other"));
    let inside = |depth: usize| {
        let open: String =
            (0..depth).map(|at| format!("SELECT 1 FROM blocks b{at} WHERE EXISTS (")).collect();
        format!("{open}SELECT 1{}", ")".repeat(depth))
    };
    assert!(Statement::of(&inside(4), 10, &visibility()).is_ok());
    assert!(refused(&inside(5)).contains("depend on each other"));
    // A select that is read like a table weighs as much as the tables in it, each time that it is read.
    let pair = "SELECT a.id FROM blocks a JOIN blocks b ON a.id = b.root_id";
    for sql in [
        format!("SELECT 1 FROM ({pair} JOIN refs c ON c.block_id = a.id) x JOIN ({pair}) y ON x.id = y.id"),
        format!("WITH q AS ({pair}) SELECT 1 FROM q x JOIN q y ON x.id = y.id JOIN q z ON x.id = z.id"),
        format!(
            "WITH q AS ({pair}), r AS (SELECT x.id FROM q x JOIN q y ON x.id = y.id) SELECT 1 FROM r JOIN q ON r.id = q.id"
        ),
        format!(
            "SELECT 1 FROM (SELECT id FROM blocks a WHERE EXISTS (SELECT 1 FROM refs b WHERE EXISTS ({pair}))) x JOIN refs ON refs.content = x.id"
        ),
    ] {
        assert!(refused(&sql).starts_with("more than "), "{sql}");
    }
    for sql in [
        format!("WITH q AS ({pair}) SELECT 1 FROM q x JOIN q y ON x.id = y.id"),
        "WITH q AS (SELECT id FROM blocks UNION SELECT id FROM refs UNION SELECT id FROM spans) SELECT 1 FROM q JOIN blocks b ON b.id = q.id JOIN refs r ON r.block_id = q.id".to_owned(),
        format!("SELECT 1 FROM blocks x JOIN ({pair}) y ON x.id = y.id"),
    ] {
        let statement = Statement::of(&sql, 10, &visibility());
        assert!(statement.is_ok(), "{sql}: {statement:?}");
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
        let statement = Statement::of(sql, 10, &visibility());
        assert!(statement.is_ok(), "{sql}: {statement:?}");
    }
}

/// F10: one document may hold all blocks, one block all references, and one table of a document all spans. Three tables
/// that are joined by such an id have as many rows as their cube.
#[test]
fn the_rows_of_one_document_multiply_like_those_of_one_text() {
    let many = "more than 4 tables that depend on each other";
    for sql in [
        "SELECT count(*) FROM blocks a JOIN blocks b ON a.root_id = b.root_id JOIN blocks c ON b.root_id = c.root_id",
        "SELECT count(*) FROM blocks d JOIN blocks a ON a.root_id = d.id JOIN blocks b ON b.root_id = d.id JOIN blocks c ON c.root_id = d.id",
        "SELECT count(*) FROM refs a JOIN refs b ON a.def_block_id = b.def_block_id JOIN refs c ON b.def_block_id = c.def_block_id",
        "SELECT count(*) FROM spans a JOIN spans b USING (block_id) JOIN spans c USING (block_id)",
        "SELECT count(*) FROM attributes a JOIN attributes b ON a.block_id = b.block_id JOIN attributes c ON b.block_id = c.block_id",
        "SELECT (SELECT count(*) FROM blocks b WHERE b.root_id = a.root_id AND EXISTS (SELECT 1 FROM blocks c WHERE c.root_id = b.root_id AND c.length > 9)) FROM blocks a",
        // An id that a select repeats is not the id of one row, and a row that a join repeats is not one row.
        "SELECT 1 FROM (SELECT d.id AS i FROM blocks d JOIN blocks b ON b.root_id = d.id) x JOIN blocks y ON y.root_id = x.i JOIN blocks z ON z.root_id = x.i",
        "SELECT 1 FROM refs r JOIN blocks d ON d.id = r.root_id JOIN blocks b ON b.root_id = d.id JOIN blocks c ON c.root_id = d.id",
        // NULL is NULL in any number of rows.
        "WITH x AS (SELECT b.id AS j FROM blocks a LEFT JOIN blocks b ON b.id = a.id AND a.type = '') \
         SELECT count(*) FROM x p JOIN x q ON p.j IS q.j JOIN x r ON q.j IS r.j",
        // A name that is compared with no text narrows nothing.
        "SELECT 1 FROM blocks b JOIN attributes x ON x.block_id = b.id AND x.name = b.name JOIN attributes y ON y.block_id = b.id AND y.name <> 'a' \
         JOIN attributes z ON z.block_id = b.id AND (z.name = 'a' OR 1)",
    ] {
        assert!(refused(sql).contains(many), "{sql}: {}", refused(sql));
    }
    for sql in [
        // Each block has one document, and each reference one target and one source.
        "SELECT d.hpath, count(*) FROM blocks d JOIN blocks b ON b.root_id = d.id JOIN blocks p ON p.parent_id = b.id \
         JOIN refs r ON r.block_id = p.id JOIN blocks t ON t.id = r.def_block_id JOIN blocks o ON o.id = t.root_id GROUP BY d.id",
        "WITH docs AS (SELECT id, hpath FROM blocks WHERE type = 'd') SELECT docs.hpath, count(*) FROM docs JOIN blocks b ON b.root_id = docs.id \
         JOIN refs r ON r.def_block_id = b.id GROUP BY docs.id",
        "SELECT a.id, b.id FROM blocks a JOIN blocks b ON a.parent_id = b.parent_id AND a.id < b.id JOIN blocks d ON d.id = a.root_id",
        // A block has an attribute once, wherever its name is said.
        "SELECT b.id, x.value, y.value, z.value, w.value FROM blocks b JOIN attributes x ON x.block_id = b.id AND x.name = 'custom-a' \
         LEFT JOIN attributes y ON y.block_id = b.id AND 'custom-b' = y.name JOIN attributes z ON z.block_id = b.id JOIN attributes w ON w.block_id = b.id \
         WHERE z.name = 'custom-c' AND (w.name = 'custom-d' AND b.type = 'd')",
        "SELECT id FROM blocks d WHERE type = 'd' AND EXISTS (SELECT 1 FROM blocks b WHERE b.root_id = d.id \
         AND EXISTS (SELECT 1 FROM refs r WHERE r.block_id = b.id))",
    ] {
        let statement = Statement::of(sql, 10, &visibility());
        assert!(statement.is_ok(), "{sql}: {statement:?}");
    }
}
