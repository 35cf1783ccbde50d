//! Random statements of a caller, most of them valid, some reaching for what they must not see; and attacks by hand.

use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};

/// Runs a test with this many seeded statements.
pub(crate) fn each_statement(seed: u64, cases: u32, test: impl Fn(&str) -> Result<(), TestCaseError>) {
    let config = ProptestConfig {
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    };
    TestRunner::new(config)
        .run(&prop::collection::vec(any::<u16>(), 64), |picks| {
            let mut at = 0;
            let mut roll = |below: usize| {
                at += 1;
                usize::from(picks.get(at - 1).copied().unwrap_or_default()) % below.max(1)
            };
            test(&Dice(&mut roll).statement())
        })
        .unwrap_or_else(|why| panic!("{why}"));
}

/// A stream of choices: a number below the given one.
pub(crate) struct Dice<'a>(pub(crate) &'a mut dyn FnMut(usize) -> usize);

/// Tables with a few of their columns.
const TABLES: [(&str, [&str; 7]); 5] = [
    ("blocks", ["id", "root_id", "content", "type", "length", "parent_id", "hash"]),
    ("refs", ["id", "block_id", "def_block_id", "content", "box", "root_id", "type"]),
    ("attributes", ["id", "name", "value", "block_id", "box", "root_id", "type"]),
    ("spans", ["id", "block_id", "content", "type", "box", "root_id", "markdown"]),
    ("assets", ["id", "block_id", "path", "name", "box", "root_id", "hash"]),
];

/// Ways to name a table that must all end in a view or a refusal.
const ODD_TABLES: [&str; 9] = [
    "main.blocks",
    "\"main\".\"blocks\"",
    "'blocks'",
    "blocks_fts",
    "sqlite_master",
    "temp.blocks",
    "pragma_table_info('blocks')",
    "blocks INDEXED BY blocks_id",
    "block_embeddings",
];

const TEXTS: [&str; 8] = ["'d'", "'p'", "'a%'", "''", "'it''s'", "'\\'", "'-- x'", "'cinn*'"];

impl Dice<'_> {
    fn roll(&mut self, below: usize) -> usize {
        (self.0)(below)
    }

    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.roll(all.len())]
    }

    /// One statement.
    pub(crate) fn statement(&mut self) -> String {
        if self.roll(12) == 0 {
            return self.of(&ATTACKS).to_owned();
        }
        let select = self.select(0);
        match self.roll(8) {
            0 => {
                let other = self.select(1);
                let name = self.of(&["w", "blocks", "\"Refs\"", "main"]);
                format!("WITH {name} AS ({other}) {select}")
            }
            1 => {
                let name = self.of(&["w", "blocks", "refs"]);
                let columns = self.of(&["id", "*", "count(*) AS id"]);
                format!("WITH {name} AS (SELECT id, content, type FROM blocks) SELECT {columns} FROM {name}")
            }
            2 => {
                let word = self.of(&["UNION", "UNION ALL", "EXCEPT", "INTERSECT"]);
                let (one, other) = (self.column_of("blocks"), self.column_of("refs"));
                format!("SELECT {one} FROM blocks {word} SELECT {other} FROM refs")
            }
            _ => select,
        }
    }

    fn column_of(&mut self, table: &str) -> String {
        let columns = TABLES.iter().find(|it| it.0 == table).map_or(TABLES[0].1, |it| it.1);
        self.of(&columns).to_owned()
    }

    fn select(&mut self, depth: usize) -> String {
        let (table, columns) = TABLES[self.roll(TABLES.len())];
        let odd = self.roll(25) == 0;
        let named = if odd { self.of(&ODD_TABLES) } else { table };
        let column = |dice: &mut Self| format!("t.{}", dice.of(&columns));
        let mut from = format!("{named} AS t");
        let mut joined = None;
        if self.roll(3) == 0 && depth < 2 {
            let (other, theirs) = TABLES[self.roll(TABLES.len())];
            let word = self.of(&["JOIN", "LEFT JOIN", "INNER JOIN"]);
            let mut condition = format!("t.{} = u.{}", self.of(&columns), self.of(&theirs));
            if self.roll(3) == 0 {
                let column = format!("u.{}", self.of(&theirs));
                condition = format!("{condition} AND {}", self.failing(&column));
            }
            from.push_str(&format!(" {word} {other} u ON {condition}"));
            joined = Some(theirs);
        }
        let condition = if self.roll(3) > 0 {
            format!(" WHERE {}", self.condition(&columns, depth))
        } else {
            String::new()
        };
        match self.roll(6) {
            0 => {
                let aggregate = self.of(&[
                    "count(*)",
                    "count(DISTINCT t.id)",
                    "max(t.id)",
                    "min(t.id)",
                    "sum(length(t.id))",
                    "total(1)",
                ]);
                format!("SELECT {aggregate} FROM {from}{condition}")
            }
            1 => {
                let key = column(self);
                let aggregate = self.of(&["count(*) AS n", "count(*)", "min(t.id)"]);
                let having = match self.roll(4) {
                    0 => " HAVING count(*) > 1".to_owned(),
                    1 => format!(" HAVING {}", self.failing(&key)),
                    _ => String::new(),
                };
                format!("SELECT {key}, {aggregate} FROM {from}{condition} GROUP BY {key}{having}")
            }
            2 if joined.is_none() => format!("SELECT * FROM {from}{condition}"),
            3 => {
                let (one, two) = (column(self), self.expression(&columns, depth));
                let order = self.of(&["", " DESC"]);
                let end = self.of(&["", " LIMIT 2", " LIMIT 3 OFFSET 1", " LIMIT 1, 2"]);
                format!(
                    "SELECT DISTINCT {one} AS a, {two} AS b FROM {from}{condition} ORDER BY 1{order}, 2{end}"
                )
            }
            4 => {
                let inner = self.select(depth + 3);
                format!("SELECT count(*) AS n FROM ({inner}) AS x")
            }
            _ => {
                let (one, two) = (column(self), self.expression(&columns, depth));
                let last = joined.map_or(String::new(), |theirs| format!(", u.{}", self.of(&theirs)));
                format!("SELECT {one}, {two}{last} FROM {from}{condition}")
            }
        }
    }

    fn expression(&mut self, columns: &[&str], depth: usize) -> String {
        let column = format!("t.{}", self.of(columns));
        match self.roll(18) {
            14 => self.failing(&column),
            15 => format!("count(*) FILTER (WHERE {}) OVER (PARTITION BY {column})", self.failing(&column)),
            16 => format!("ntile({}) OVER (ORDER BY {column})", self.of(&["0", "2", "length(t.id)"])),
            17 => format!("hex(substr({column}, 2, 2))"),
            0 => format!("length({column})"),
            1 => format!("substr({column}, 1, 3) || 'x'"),
            2 => format!("CASE WHEN {} THEN {column} ELSE 'no' END", self.condition(columns, depth + 1)),
            3 => format!("coalesce({column}, 'none')"),
            4 => format!("CAST(length({column}) AS TEXT)"),
            5 if depth < 2 => {
                let (table, others) = TABLES[self.roll(TABLES.len())];
                format!("(SELECT count(*) FROM {table} WHERE {table}.{} = {column})", self.of(&others))
            }
            6 => format!("-length({column}) + 2 * 3 - (4 - 1)"),
            7 => format!("upper({column}) = lower({column})"),
            8 => format!("{column} IS NULL"),
            9 => format!("quote({column})"),
            10 => format!("replace({column}, 'a', '\\''')"),
            11 => self.of(TEXTS.as_slice()).to_owned(),
            12 => format!("NOT {column} = {column} COLLATE nocase"),
            _ => column,
        }
    }

    /// A condition that fails for some texts, those of a hidden notebook among them.
    fn failing(&mut self, column: &str) -> String {
        let hit = match self.roll(4) {
            0 => format!("instr({column}, 'cinn') > 0"),
            1 => format!("lower({column}) LIKE 'cinn%'"),
            2 => format!("{column} GLOB 'A*'"),
            _ => format!("substr({column}, 1, 1) = 'h'"),
        };
        match self.roll(4) {
            0 => format!("json_extract(CASE WHEN {hit} THEN 'x' ELSE '{{}}' END, '$') IS NOT NULL"),
            1 => format!("abs(CASE WHEN {hit} THEN -9223372036854775807 - 1 ELSE 1 END) = 1"),
            2 => format!("json_array_length(CASE WHEN {hit} THEN '[' ELSE '[1]' END) = 1"),
            _ => format!("({hit} OR json_type({column}, '$') IS NULL)"),
        }
    }

    /// The id of a document, a hidden one among them, or of none.
    fn id(&mut self) -> &'static str {
        self.of(&["'b0'", "'b2'", "'hidden-1'", "'b3'", "'x'"])
    }

    fn condition(&mut self, columns: &[&str], depth: usize) -> String {
        let column = format!("t.{}", self.of(columns));
        let text = self.of(&TEXTS);
        match self.roll(20) {
            14 => self.failing(&column),
            // Each branch of an OR may use an index of its own.
            15 => {
                let other = format!("t.{}", self.of(columns));
                let (id, more) = (self.id(), self.failing(&other));
                format!("(t.root_id = {id} AND {more}) OR t.root_id = {}", self.id())
            }
            16 => format!("t.root_id > '' AND {}", self.failing("t.root_id")),
            17 => format!("t.root_id IN ({}, {}) AND {}", self.id(), self.id(), self.failing(&column)),
            18 => format!("{} AND t.id = {}", self.failing(&column), self.id()),
            19 => format!("t.root_id = {} OR {}", self.id(), self.failing(&column)),
            0 => format!("{column} = {text}"),
            1 => format!("{column} LIKE {text}"),
            2 => format!("{column} GLOB {text}"),
            3 => format!("{column} IN ({text}, 'p')"),
            4 if depth < 2 => {
                let (table, others) = TABLES[self.roll(TABLES.len())];
                format!("{column} IN (SELECT {} FROM {table})", self.of(&others))
            }
            5 if depth < 2 => {
                let (table, others) = TABLES[self.roll(TABLES.len())];
                format!("EXISTS (SELECT 1 FROM {table} AS e WHERE e.{} = {column})", self.of(&others))
            }
            6 => format!("length({column}) BETWEEN 1 AND 9 AND {column} <> {text}"),
            7 => format!("{column} IS NOT NULL OR 1 = 0"),
            8 => format!("NOT ({column} < {text})"),
            9 => format!("instr({column}, {text}) > 0"),
            10 => format!("{column} > {text} AND ({column} <= 'z' OR 1 < 2 = 1)"),
            11 => format!("length({column}) - 1 - 1 > 1 << 1"),
            12 => format!("{column} NOT LIKE {text} -- the end\n"),
            _ => format!("{column} NOT NULL /* a comment */"),
        }
    }
}

/// Statements that reach for the rows of other notebooks, or for the machine. Each ends in a refusal, or in what a
/// workspace without closed notebooks would answer.
pub(crate) const ATTACKS: [&str; 84] = [
    "SELECT * FROM main.blocks",
    "SELECT * FROM \"main\".\"blocks\"",
    "SELECT * FROM [main].[blocks]",
    "SELECT * FROM `main`.`blocks`",
    "SELECT * FROM main.'blocks'",
    "SELECT * FROM 'blocks'",
    "SELECT * FROM temp.blocks",
    "SELECT * FROM notes.tree",
    "SELECT * FROM BLOCKS",
    "SELECT count(*) FROM \"Blocks\"",
    "SELECT * FROM [blocks]",
    "SELECT * FROM blocks_fts",
    "SELECT * FROM blocks_fts_content",
    "SELECT * FROM blocks_fts_data",
    "SELECT * FROM blocks_fts WHERE blocks_fts MATCH 'cinnabar'",
    "SELECT * FROM blocks WHERE blocks MATCH 'cinnabar'",
    "SELECT * FROM block_embeddings",
    "SELECT * FROM stat",
    "SELECT * FROM sqlite_master",
    "SELECT * FROM sqlite_schema",
    "SELECT * FROM sqlite_temp_master",
    "SELECT * FROM pragma_table_info('blocks')",
    "SELECT * FROM pragma_database_list",
    "SELECT * FROM pragma_database_list()",
    "SELECT * FROM dbstat",
    "SELECT * FROM generate_series(1, 1000000000)",
    "SELECT 1 WHERE 'x' IN main.blocks",
    "SELECT 1 WHERE ('x', 'y') IN refs",
    "SELECT 1 WHERE 'x' IN blocks",
    "SELECT * FROM blocks INDEXED BY blocks_id",
    "SELECT * FROM blocks NOT INDEXED",
    "WITH blocks AS (SELECT * FROM main.blocks) SELECT * FROM blocks",
    "WITH blocks AS (SELECT * FROM blocks) SELECT count(*) FROM blocks",
    "WITH x AS (SELECT * FROM y), y AS (SELECT * FROM blocks) SELECT * FROM x",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n",
    "WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT * FROM n",
    "SELECT (WITH refs AS (SELECT 1 AS x) SELECT count(*) FROM refs) + (SELECT count(*) FROM refs)",
    "WITH q1 AS (SELECT 1 AS a) SELECT * FROM q2",
    "WITH a AS (SELECT 1 AS x) SELECT * FROM (WITH a AS (SELECT 2 AS x) SELECT * FROM a) JOIN a ON 1",
    "SELECT * FROM blocks UNION SELECT * FROM main.blocks",
    "SELECT id FROM blocks UNION ALL SELECT id FROM blocks_fts",
    "SELECT 1 WHERE EXISTS (SELECT 1 FROM main.blocks WHERE content LIKE '%cinnabar%')",
    "SELECT (SELECT content FROM main.blocks LIMIT 1)",
    "SELECT rowid, id FROM blocks",
    "SELECT max(oid) FROM blocks",
    "SELECT b.\"_rowid_\" FROM blocks AS b",
    "SELECT [rowid] FROM blocks",
    "SELECT t.box FROM blocks AS b",
    "SELECT d.content FROM refs",
    "SELECT t.content FROM blocks",
    "SELECT content FROM blocks AS t WHERE t.id = main.blocks.id",
    "SELECT content FROM blocks b ORDER BY (SELECT content FROM main.blocks)",
    "SELECT load_extension('x')",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('/tmp/x', 'x')",
    "SELECT randomblob(1000000000)",
    "SELECT zeroblob(1000000000)",
    "SELECT printf('%1000000000d', 1)",
    "SELECT format('%1000000000d', 1)",
    "SELECT printf('%*d', 1000000000, 1)",
    "SELECT length(format('%.1000000000c', 'x')) FROM blocks",
    "SELECT printf('%s', content) FROM main.blocks",
    "SELECT content, markdown, type FROM spans WHERE type LIKE '%tag%'",
    "SELECT box, content, count(*) AS n FROM spans WHERE content IN ('ore', 'herbs') GROUP BY box, content",
    "SELECT id, tag FROM blocks WHERE tag LIKE '%#ore#%' OR tag LIKE '%#herbs#%'",
    "SELECT content, markdown FROM blocks WHERE markdown LIKE '%&%' OR content LIKE '% & %'",
    "SELECT count(*) FROM blocks WHERE instr(content, char(99) || 'innabar & ') > 0",
    "SELECT count(*) FROM blocks WHERE instr(markdown, '&#99;innabar') > 0",
    "SELECT fts5(1), highlight(blocks_fts, 1, '', '') FROM blocks",
    "SELECT regexp('cinnabar', content) FROM blocks",
    "SELECT sqlite_version(), last_insert_rowid(), changes()",
    "DELETE FROM blocks",
    "INSERT INTO blocks (id) VALUES ('x')",
    "EXPLAIN SELECT * FROM blocks",
    "PRAGMA database_list",
    "ATTACH '/tmp/x.db' AS x",
    "VALUES (1), (2)",
    "SELECT 1; SELECT * FROM main.blocks",
    "SELECT 1; -- \nDELETE FROM blocks",
    "SELECT '\\' AS a, ' FROM main.blocks -- '",
    "SELECT \"\\\" FROM blocks",
    "SELECT 1 AS \"x\"\" FROM main.blocks --\" FROM blocks",
    "SELECT ?1, :a, @b, $c FROM blocks",
    "SELECT id FROM blocks LIMIT (SELECT count(*) FROM main.blocks)",
];

/// S1: statements that fail, or take long, for a row with a condition that only a hidden row meets. SQLite tested it
/// before the notebook: in one index with it, in a branch of an OR, and before a condition that looks outward.
pub(crate) const ORACLES: [&str; 12] = [
    "SELECT count(*) AS n FROM blocks WHERE (root_id = 'hidden-1' AND json_extract(CASE WHEN instr(content, 'cinn') > 0 THEN 'x' ELSE '{}' END, '$') IS NOT NULL) OR root_id = 'x'",
    "SELECT count(*) AS n FROM blocks WHERE root_id > '2' AND json_extract(CASE WHEN root_id NOT IN (SELECT o.root_id FROM blocks o) THEN 'x' ELSE '{}' END, '$') IS NOT NULL",
    "SELECT count(*) AS n FROM spans WHERE json_extract(CASE WHEN instr(content, 'cinn') > 0 THEN 'x' ELSE '{}' END, '$') IS NOT NULL",
    "SELECT count(*) AS n FROM blocks WHERE root_id = 'hidden-1' AND id > '2' AND abs(CASE WHEN instr(hash, 'cinn') > 0 THEN -9223372036854775807 - 1 ELSE 1 END) = 1",
    "SELECT count(*) AS n FROM refs WHERE json_type(def_block_id) IS NOT NULL OR 1",
    "SELECT root_id, count(*) FROM blocks GROUP BY root_id HAVING json_type(CASE root_id WHEN 'hidden-1' THEN 'x' ELSE '1' END) = 'integer'",
    "SELECT * FROM (SELECT root_id AS r, count(*) AS n FROM blocks GROUP BY root_id) AS x WHERE json_type(CASE r WHEN 'hidden-1' THEN 'x' ELSE '1' END) = 'integer'",
    "SELECT count(*) FROM refs r LEFT JOIN blocks b ON b.id = r.def_block_id AND json_type(CASE WHEN instr(b.content, 'cinn') THEN 'x' ELSE '1' END) = 'integer'",
    "SELECT id FROM blocks a WHERE EXISTS (SELECT 1 FROM blocks b WHERE b.root_id = a.root_id AND json_type(CASE WHEN instr(b.content, 'cinn') THEN 'x' ELSE '1' END) = 'integer')",
    "SELECT id FROM attributes WHERE block_id = 'hidden-1' AND json_type(CASE WHEN instr(value, 'cinn') THEN 'x' ELSE '1' END) = 'integer'",
    "SELECT id FROM blocks ORDER BY json_type(CASE WHEN instr(content, 'cinn') THEN 'x' ELSE '1' END) LIMIT 1",
    "WITH w AS (SELECT root_id, json_type(CASE WHEN instr(content, 'cinn') THEN 'x' ELSE '1' END) AS j FROM blocks) SELECT count(*) FROM w WHERE j = 'integer' AND root_id > ''",
];
