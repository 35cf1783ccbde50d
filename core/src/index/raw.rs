//! The statements without views: a change must know texts that the views leave out.
//!
//! Their rows may hold text from hidden notebooks (K19). They serve checks and plans, and no answer renders them.

use super::RowCondition;
use crate::kernel::api::query::{self, Row};
use crate::kernel::{self, Kernel, KernelError, sql};

/// A statement over the tables themselves. Only this file makes one.
#[derive(Debug, Clone)]
pub struct Raw(String);

impl Raw {
    /// The notebooks with a block that mentions this in its text, its attributes or a cell: `box`.
    pub fn mentions(text: &str) -> Raw {
        let text = sql::text(text);
        let each = ["markdown", "content", "ial"].map(|column| format!("instr({column}, {text}) > 0"));
        Raw(format!("SELECT box FROM blocks WHERE {} GROUP BY box LIMIT 4096", each.join(" OR ")))
    }

    /// Whether each of these occurs in a block's text, its attributes or a cell: `box`, and a column for each, named
    /// by `mentioned`.
    pub fn each_mentioned(texts: &[&str]) -> Raw {
        let each = texts.iter().enumerate().map(|(at, text)| {
            let text = sql::text(text);
            let any = ["markdown", "content", "ial"].map(|column| format!("instr({column}, {text}) > 0"));
            format!(", MAX({}) AS {}", any.join(" OR "), Raw::mentioned(at))
        });
        let each: String = each.collect();
        Raw(format!("SELECT box{each} FROM blocks GROUP BY box LIMIT 4096"))
    }

    /// The column of `each_mentioned` for the text at this place: 1 if it occurs.
    pub fn mentioned(at: usize) -> String {
        format!("n_{at}")
    }

    /// The attribute lists of these documents: `id`, `box`, `ial`.
    pub fn attribute_lists<'a>(documents: impl ExactSizeIterator<Item = &'a str>) -> Raw {
        // A document that is being moved may stand in two notebooks.
        let limit = documents.len() * 2;
        let list = sql::list(documents);
        Raw(format!(
            "SELECT id, box, ial FROM blocks WHERE type = 'd' AND id IN ({list}) GROUP BY id, box LIMIT {limit}"
        ))
    }

    /// The databases that these blocks are rows of: `id`, `box`, `value` with ids between commas.
    pub fn databases_of<'a>(blocks: impl ExactSizeIterator<Item = &'a str>) -> Raw {
        let limit = blocks.len() * 2;
        let list = sql::list(blocks);
        Raw(format!(
            "SELECT block_id AS id, box, value FROM attributes WHERE name = 'custom-avs' AND block_id IN ({list}) \
             GROUP BY block_id, box LIMIT {limit}"
        ))
    }

    /// The blocks that are rows of databases, among attributes `a` for which this holds: `id`, `box`, `value` with ids
    /// between commas.
    pub fn bound(RowCondition(own): &RowCondition) -> Raw {
        Raw(format!(
            "SELECT a.block_id AS id, a.box AS box, a.value AS value FROM attributes AS a WHERE a.name = 'custom-avs' \
             AND {own} GROUP BY a.block_id, a.box ORDER BY a.root_id, a.block_id LIMIT 4096"
        ))
    }

    /// The query embeds of all notebooks, with the columns of `whole`.
    pub(crate) fn embeds() -> Raw {
        Raw::whole("type = 'query_embed'")
    }

    /// The blocks that show a database, with the columns of `whole`.
    pub(crate) fn shown_databases() -> Raw {
        Raw::whole("type = 'av'")
    }

    /// The code blocks that SiYuan may draw as one of these languages, and the blocks that may hold a command of a formula,
    /// with the columns of `whole`.
    pub(crate) fn drawn(languages: &[&str]) -> Raw {
        // The first line contains the language, after the mark of the fence.
        let named = |it: &&str| format!("substr(markdown, 1, 200) LIKE {}", sql::text(&format!("%{it}%")));
        let named: Vec<String> = languages.iter().map(named).collect();
        Raw::whole(&format!(
            "type = 'c' AND ({}) OR type IN ('m', 'p', 'h', 't') AND instr(markdown, '\\') > 0 AND instr(markdown, '$') > 0",
            named.join(" OR ")
        ))
    }

    /// The blocks whose Markdown may hold HTML or an address that acts, with the columns of `whole`.
    pub(crate) fn shown_pages(words: &[&str]) -> Raw {
        let any = words.iter().map(|it| format!("instr(lower(markdown), {}) > 0", sql::text(it)));
        let any: Vec<String> = any.collect();
        Raw::whole(&format!(
            "type NOT IN ('d', 'c', 'query_embed', 'av', 'l', 'i', 'b', 's', 'callout') AND ({})",
            any.join(" OR ")
        ))
    }

    /// The blocks of all notebooks for which this holds: `id`, `box`, `root_id`, `hpath`, `type`, `markdown`.
    fn whole(own: &str) -> Raw {
        Raw(format!(
            "SELECT id, box, root_id, hpath, type, substr(markdown, 1, 20000) AS markdown FROM blocks WHERE {own} \
             ORDER BY box, hpath LIMIT 20000"
        ))
    }

    /// Reads the rows for a person, who sees every notebook.
    pub(crate) async fn for_the_person(&self, kernel: &dyn Kernel) -> Result<Vec<Row>, KernelError> {
        Ok(kernel::ask(kernel, query::sql(&self.0)).await?.for_the_person())
    }

    /// The statement as text.
    pub(crate) fn print(&self) -> &str {
        &self.0
    }
}
