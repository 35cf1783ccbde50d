//! The statement of a query embed: judged by the rules of a caller's statement, and printed over SiYuan's own tables.
//!
//! A job of SiYuan runs the statement of every embed, with write access and over all notebooks. It passes the text to
//! SQLite unchanged, and exports pass it to a MySQL parser first. So the stored text is our print, restricted to the
//! syntax that both parse alike.

use sqlite3_parser::ast::Select;

use super::select::{PrintFacts, StatementPrinter};
use super::{Statement, parsed, plain, read};
use crate::index::Visibility;

/// The maximum number of characters of a statement.
const LONGEST: usize = 2_000;
/// The maximum number of tables that depend on each other, as `search.sql` counts them: a table, what is joined to it by an id, and
/// selects in `IN`. Nobody waits for an embed, and nobody ends it.
const DEPENDENT_IN_EMBEDS: usize = 2;

/// The statement of a query embed, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embed(String);

impl Embed {
    /// A statement as it is accepted.
    pub const EXAMPLE: &str = "SELECT * FROM blocks WHERE content LIKE '%mint%' LIMIT 10";
    /// The maximum number of blocks that an embed shows.
    pub const MOST: usize = 200;

    /// Reads one SELECT of blocks. The error is a sentence about what is refused.
    pub fn of(sql: &str) -> Result<Embed, String> {
        if sql.len() > LONGEST {
            return Err(format!("more than {LONGEST} characters"));
        }
        // The first judgement bounds the depth, the second is about the text that SiYuan runs.
        let text = parsed(sql, |select| judge(select).and_then(|()| plain::print(select, Embed::MOST)))?;
        let again = parsed(&text, |select| judge(select).and_then(|()| plain::print(select, Embed::MOST)))?;
        if again != text {
            return Err("a name that is a word of SQL".to_owned());
        }
        // Whatever `search.sql` refuses besides.
        Statement::of(&text, Embed::MOST, &tables())?;
        Ok(Embed(text))
    }

    /// Whether a text is one SELECT as SQLite reads it, whatever it selects.
    pub fn is_one_select(sql: &str) -> bool {
        // The parser needs room for each open parenthesis.
        let is_long = sql.len() > 10 * LONGEST || sql.bytes().filter(|it| *it == b'(').count() > LONGEST / 10;
        !is_long && read(sql, |_| Ok(())).is_ok()
    }

    /// The statement as text: one line without semicolons, comments, backslashes, brackets, braces and references to
    /// characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// SiYuan's own tables, as a person sees them.
fn tables() -> Visibility {
    Visibility::new([], false).for_callers()
}

/// Refuses what `search.sql` refuses, and more tables than an embed may have.
fn judge(select: &Select<'_>) -> Result<(), String> {
    let tables = tables();
    let nothing = PrintFacts::default();
    let mut first = StatementPrinter::new(&tables, &nothing);
    first.select(select, Some(Embed::MOST))?;
    if first.most_dependent > DEPENDENT_IN_EMBEDS {
        return Err("more tables than an embed may join: write id IN (SELECT block_id FROM ...), or join blocks by its id".to_owned());
    }
    // SiYuan has few indexes, so such a select would read its table again for every block.
    if first.looks_outward() {
        return Err(
            "a select that names columns of the select around it: write id IN (SELECT block_id FROM ...)"
                .to_owned(),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(sql: &str) -> String {
        Embed::of(sql).unwrap_or_else(|why| panic!("{sql}: {why}")).as_str().to_owned()
    }

    #[test]
    fn embed_is_printed_as_people_write_it() {
        for (sql, print) in [
            ("select * from blocks", "SELECT * FROM blocks LIMIT 64"),
            (
                "SELECT * FROM \"blocks\" /* all */ WHERE (((type = 'p') AND (content LIKE '%mint%'))) OR [id] = '' -- x",
                "",
            ),
            (
                "SELECT * FROM blocks WHERE ((type = 'p') AND (content LIKE '%mint%')) OR NOT (length<3) ORDER BY updated DESC, id limit 10;",
                "SELECT * FROM blocks WHERE type = 'p' AND content LIKE '%mint%' OR NOT (length < 3) ORDER BY updated DESC, id LIMIT 10",
            ),
            (
                "SELECT * FROM blocks WHERE type == 'p' AND (content LIKE '%a%' OR tag LIKE '%#b c#%') LIMIT 5 OFFSET 2",
                "SELECT * FROM blocks WHERE type = 'p' AND (content LIKE '%a%' OR tag LIKE '%#b c#%') LIMIT 5 OFFSET 2",
            ),
            (
                "SELECT b.* FROM blocks AS b JOIN refs r ON r.block_id = b.id WHERE r.def_block_id='x' AND b.length != 1+2*(3-1)",
                "SELECT b.* FROM blocks AS b JOIN refs AS r ON r.block_id = b.id WHERE r.def_block_id = 'x' AND b.length <> 1 + 2 * (3 - 1) LIMIT 64",
            ),
            (
                "SELECT DISTINCT * FROM blocks WHERE id IN (SELECT block_id FROM attributes WHERE name = 'custom-x' AND value <> '') AND id NOT IN ('a','b') AND created BETWEEN '1' AND '2'",
                "SELECT DISTINCT * FROM blocks WHERE id IN (SELECT block_id FROM attributes WHERE name = 'custom-x' AND value <> '') AND id NOT IN ('a', 'b') AND created BETWEEN '1' AND '2' LIMIT 64",
            ),
            (
                "SELECT * FROM blocks WHERE root_id IN (SELECT root_id FROM blocks GROUP BY root_id HAVING COUNT(*) > 5) AND Substr(created,1,8) = strftime('%Y%m%d','now') AND memo IS NOT NULL",
                "SELECT * FROM blocks WHERE root_id IN (SELECT root_id FROM blocks GROUP BY root_id HAVING count(*) > 5) AND substr(created, 1, 8) = strftime('%Y%m%d', 'now') AND memo IS NOT NULL LIMIT 64",
            ),
            (
                "SELECT * FROM blocks WHERE length > - 1 - - 1 ORDER BY CASE type WHEN 'd' THEN 0 ELSE 1 END",
                "SELECT * FROM blocks WHERE length > -1 - -1 ORDER BY CASE type WHEN 'd' THEN 0 ELSE 1 END LIMIT 64",
            ),
        ] {
            if print.is_empty() {
                assert!(Embed::of(sql).is_err());
                continue;
            }
            assert_eq!(printed(sql), print, "{sql}");
            assert_eq!(printed(print), print);
        }
    }

    /// S0: the five spellings of the review, and more.
    #[test]
    fn second_statement_is_refused_however_it_is_spelled() {
        for sql in [
            "SELECT * FROM blocks /*'*/; DELETE FROM blocks /*'*/",
            "SELECT * FROM blocks WHERE `a'b` = 1 ; DELETE FROM blocks",
            "SELECT [a'b] FROM blocks ; DELETE FROM blocks",
            "SELECT * FROM blocks --'\n; DELETE FROM blocks",
            "SELECT 1; UPDATE blocks SET box = 'x'",
            "SELECT 1; VACUUM INTO 'x'",
            "SELECT * FROM blocks;; SELECT 1",
            "UPDATE blocks SET box = 'x'",
            "VACUUM INTO 'x'",
            "ATTACH 'x' AS y",
            "EXPLAIN SELECT * FROM blocks",
            "WITH x AS (SELECT * FROM blocks) SELECT * FROM x",
            "",
            "//!js return []",
        ] {
            assert!(Embed::of(sql).is_err(), "{sql}");
        }
    }

    #[test]
    fn refusals_say_what_to_write() {
        for (sql, part) in [
            ("SELECT id FROM blocks", "SELECT * FROM blocks"),
            ("SELECT 1", "SELECT * FROM blocks"),
            ("SELECT * FROM refs", "SELECT * FROM blocks"),
            ("SELECT *, 1 FROM blocks", "SELECT * FROM blocks"),
            ("SELECT r.* FROM blocks b JOIN refs r ON r.block_id = b.id", "SELECT * FROM blocks"),
            ("SELECT * FROM blocks b JOIN refs r ON r.block_id = b.id", "b.*"),
            ("SELECT * FROM blocks_fts", "table blocks_fts is not available"),
            ("SELECT * FROM sqlite_master", "table sqlite_master is not available"),
            ("SELECT * FROM pragma_database_list", "not available"),
            ("SELECT * FROM main.blocks", "no schema"),
            ("SELECT * FROM blocks WHERE id IN blocks_fts", "IN (SELECT"),
            ("SELECT * FROM blocks WHERE load_extension('x')", "function load_extension is not available"),
            ("SELECT * FROM blocks WHERE length(zeroblob(9)) = 1", "function zeroblob is not available"),
            ("SELECT * FROM blocks WHERE content = 'it''s'", "_"),
            ("SELECT * FROM blocks WHERE content LIKE '%R&D%'", "_"),
            ("SELECT * FROM blocks WHERE content = 'a;b'", "_"),
            ("SELECT * FROM blocks WHERE content = 'a--b'", "--"),
            ("SELECT * FROM blocks WHERE content = 'a/*b'", "/*"),
            ("SELECT * FROM blocks WHERE content = '((a))'", "(("),
            ("SELECT * FROM blocks WHERE content = 'a_esc_newline_b'", "_esc_newline_"),
            ("SELECT * FROM blocks WHERE content = 'a\u{200b}b'", "_"),
            ("SELECT * FROM blocks WHERE content = 'a\nb'", "_"),
            ("SELECT * FROM blocks WHERE content = 'a\\b'", "_"),
            ("SELECT * FROM blocks WHERE content = \"mint\"", "single quotes"),
            ("SELECT * FROM blocks WHERE \"content\" = ''", "single quotes"),
            ("SELECT * FROM blocks WHERE content = type || 'a'", "||"),
            ("SELECT * FROM blocks WHERE length & 1", "operator"),
            ("SELECT * FROM blocks WHERE ial ->> 'a' = 1", "operator"),
            ("SELECT * FROM blocks WHERE nowhere = 1", "nowhere"),
            ("SELECT * FROM blocks WHERE x'41' = 1", "literal"),
            ("SELECT * FROM blocks WHERE length = 0x10", "number"),
            ("SELECT * FROM blocks LIMIT 1000", "LIMIT"),
            ("SELECT * FROM blocks LIMIT 1, 2", "LIMIT"),
            ("SELECT * FROM blocks UNION SELECT * FROM blocks", "one SELECT"),
            ("SELECT * FROM (SELECT * FROM blocks)", "SELECT * FROM blocks"),
            ("SELECT b.* FROM blocks b JOIN (SELECT id FROM refs) r ON r.id = b.id", "plain table"),
            ("SELECT * FROM blocks GROUP BY id", "GROUP BY"),
            ("SELECT * FROM blocks a JOIN blocks b", "ON"),
            ("SELECT a.* FROM blocks a, blocks b", "comma"),
            (
                "SELECT b.* FROM blocks b JOIN blocks c ON c.content = b.content",
                "more tables than an embed may join",
            ),
            (
                "SELECT * FROM blocks b WHERE EXISTS (SELECT 1 FROM refs r WHERE r.block_id = b.id)",
                "the select around it",
            ),
            (
                "SELECT * FROM blocks WHERE id IN (SELECT block_id FROM refs WHERE def_block_id IN (SELECT block_id FROM spans WHERE root_id IN (SELECT id FROM blocks)))",
                "more tables",
            ),
        ] {
            let why = Embed::of(sql).unwrap_err();
            assert!(why.contains(part), "{sql}: {why}");
        }
        let long = format!("SELECT * FROM blocks WHERE content = '{}'", "a".repeat(2_000));
        assert!(Embed::of(&long).unwrap_err().contains("characters"));
        let chain = format!("SELECT * FROM blocks WHERE 1{}", " OR 1".repeat(300));
        assert!(Embed::of(&chain).unwrap_err().contains("in a row"));
    }

    /// SiYuan's second parser reads a print as SQLite does: these are the forms in which it would not.
    #[test]
    fn print_has_no_form_that_another_parser_reads_otherwise() {
        let each = [
            "SELECT * FROM blocks WHERE content <> 'a' AND length % 2 = 1 AND tag LIKE '%#x#%'",
            "SELECT * FROM blocks WHERE (length < 3) = (length > 1) AND NOT NOT length",
            "SELECT * FROM blocks WHERE content LIKE '%日记：a，b。%' AND hpath LIKE '/a/%'",
        ];
        for sql in each {
            let print = printed(sql);
            for mark in
                [";", "--", "/*", "`", "[", "]", "&", "_esc_newline_", "\\", "\n", "{", "}", "\"", "||", "(("]
            {
                assert!(!print.contains(mark), "{print}");
            }
        }
        assert!(printed(each[1]).contains("(length < 3) = (length > 1) AND NOT (NOT length)"));
    }
}
