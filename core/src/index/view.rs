//! The visible part of each table of the index, as text that replaces the table's name in a statement.

use crate::kernel::api::query::Row;
use crate::kernel::sql;

/// A table of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// Blocks, documents among them.
    Blocks,
    /// References from one block to another; a query embed refers to the blocks that it shows.
    Refs,
    /// Attributes of blocks.
    Attributes,
    /// Pieces of text inside blocks: tags, links, marks.
    Spans,
    /// Uses of assets.
    Assets,
    /// References to places in PDF files.
    Annotations,
    /// References to blocks that the caller cannot see: they are gone, or lie in a hidden notebook. Nobody can tell
    /// the two apart, and the anchor, which may repeat the text of the target, is left out.
    LostRefs,
}

/// The notebooks whose rows a caller may see, and whether there are hidden ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visibility {
    /// Ids of the open notebooks that the caller may read.
    boxes: Vec<String>,
    any_hidden: bool,
    /// Whether the tables are seen as they are.
    is_whole: bool,
}

/// Blocks whose indexed text shows rows or results from any notebook (K19), and the containers that hold one of them,
/// because the index keeps the text of the first leaf with its container. What is no known leaf counts as a container:
/// newer versions of SiYuan have more of them.
/// The cheapest conditions come first: most blocks are leaves, named by one letter, and few texts have braces.
const SHOWS_ELSEWHERE: &str = "t.type NOT GLOB '[dhpcmt]' AND t.type NOT IN ('html', 'tb', 'iframe', 'widget', 'video', 'audio') \
     AND (t.type IN ('av', 'query_embed') OR instr(t.markdown, 'data-av-id=') > 0 \
     OR (instr(t.markdown, '{{') > 0 AND instr(replace(t.markdown, '{{{', ''), '{{') > 0))";

/// Blocks whose attributes name databases, which may lie in any notebook.
const TELLS_OF_DATABASES: &str = "instr(t.ial, 'av-names=') > 0 OR instr(t.ial, 'custom-avs=') > 0 \
     OR instr(t.ial, 'custom-sy-av-s-text') > 0";

impl Visibility {
    /// Visibility of these notebooks; `any_hidden` says whether others are hidden.
    pub fn new<'a>(boxes: impl IntoIterator<Item = &'a str>, any_hidden: bool) -> Visibility {
        Visibility { boxes: boxes.into_iter().map(str::to_owned).collect(), any_hidden, is_whole: false }
    }

    /// The same for a caller's own statement: where no notebook is hidden, the tables are seen as they are, and reading
    /// them costs what it costs in SiYuan. A notebook that is newer than the list of notebooks is readable then, too.
    #[must_use]
    pub fn for_callers(self) -> Visibility {
        Visibility { is_whole: !self.any_hidden, ..self }
    }

    /// Whether there is nothing to see.
    pub fn is_nothing(&self) -> bool {
        self.boxes.is_empty()
    }

    /// The second lock of texts, as `Unfiltered` is the one of rows: texts that may come from a hidden notebook stay
    /// here.
    pub(crate) fn locked(&self, mut rows: Vec<Row>) -> Vec<Row> {
        let shows_elsewhere = |row: &Row| matches!(row.text("type"), "av" | "query_embed");
        for row in rows.iter_mut().filter(|row| self.any_hidden && shows_elsewhere(row)) {
            row.0.retain(|column, _| !matches!(column.as_str(), "content" | "fcontent" | "length"));
        }
        rows
    }

    /// Whether the tables are seen as they are.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    fn boxes(&self) -> String {
        sql::list(self.boxes.iter().map(String::as_str))
    }
}

impl Table {
    /// The tables that a caller's own statement may name.
    pub const FOR_CALLERS: [Table; 6] =
        [Table::Blocks, Table::Spans, Table::Refs, Table::Attributes, Table::Assets, Table::Annotations];

    /// Its name in the index.
    pub const fn name(self) -> &'static str {
        match self {
            Table::Blocks => "blocks",
            Table::Refs | Table::LostRefs => "refs",
            Table::Attributes => "attributes",
            Table::Spans => "spans",
            Table::Assets => "assets",
            Table::Annotations => "file_annotation_refs",
        }
    }

    /// The letter that stands for it in statements.
    pub(super) const fn letter(self) -> &'static str {
        match self {
            Table::Blocks => "b",
            Table::Refs => "r",
            Table::Attributes => "a",
            Table::Spans => "s",
            Table::Assets => "f",
            Table::Annotations => "n",
            Table::LostRefs => "l",
        }
    }

    /// The columns of its view.
    pub(super) const fn columns(self) -> &'static [&'static str] {
        match self {
            Table::Blocks => &BLOCKS,
            Table::Refs => &[
                "id",
                "def_block_id",
                "def_block_parent_id",
                "def_block_root_id",
                "def_block_path",
                "block_id",
                "root_id",
                "box",
                "path",
                "content",
                "markdown",
                "type",
            ],
            Table::Attributes => &["id", "name", "value", "type", "block_id", "root_id", "box", "path"],
            Table::Spans => {
                &["id", "block_id", "root_id", "box", "path", "content", "markdown", "type", "ial"]
            }
            Table::Assets => {
                &["id", "block_id", "root_id", "box", "docpath", "path", "name", "title", "hash"]
            }
            Table::Annotations => {
                &["id", "file_path", "annotation_id", "block_id", "root_id", "box", "path", "content", "type"]
            }
            Table::LostRefs => &["id", "box", "block_id", "root_id", "def_block_id", "type"],
        }
    }

    /// A subselect of the visible rows and texts, with all columns of the table.
    pub fn view(self, visibility: &Visibility) -> String {
        format!("({})", self.rows(visibility, &|_| true, &[]))
    }

    /// A select of the visible rows with these columns alone, among the rows that these lookups find: a column that the
    /// statement does not name costs nothing, neither in SQLite nor in the kernel, which prepares each statement twice.
    pub(super) fn rows(
        self,
        visibility: &Visibility,
        is_wanted: &dyn Fn(&str) -> bool,
        lookups: &[Lookup],
    ) -> String {
        let Visibility { any_hidden, is_whole, .. } = visibility;
        let mut wanted: Vec<&str> = self.columns().iter().copied().filter(|it| is_wanted(it)).collect();
        // A subselect needs a column.
        if wanted.is_empty() {
            wanted.extend(self.columns().first());
        }
        let columns = || match self {
            Table::Spans => spans_columns(&wanted),
            Table::LostRefs => own_columns(&wanted),
            _ if *is_whole || wanted.len() == self.columns().len() => "t.*".to_owned(),
            _ => own_columns(&wanted),
        };
        let name = self.name();
        if *is_whole {
            return format!("SELECT {} FROM main.{name} AS t", columns());
        }
        let boxes = visibility.boxes();
        let mut more = match self {
            // The anchor of a reference repeats the text of its target.
            Table::Refs => format!(" AND t.def_block_id IN ({})", targets(&boxes)),
            Table::LostRefs => format!(" AND t.def_block_id NOT IN ({})", targets(&boxes)),
            Table::Attributes if *any_hidden => {
                " AND t.name NOT IN ('av-names', 'custom-avs') AND instr(t.name, 'custom-sy-av-s-text') <> 1"
                    .to_owned()
            }
            _ => String::new(),
        };
        more.extend(lookups.iter().map(|it| format!(" AND {}", it.condition(&boxes))));
        let visible = match self {
            Table::Spans => format!("({})", spans_visible(&boxes)),
            _ => format!("t.box IN ({boxes})"),
        };
        let source = format!("main.{name} AS t WHERE {visible}{more}");
        match self {
            Table::Blocks if *any_hidden => blocks(&wanted, &source),
            _ => format!("SELECT {} FROM {source}", columns()),
        }
    }
}

/// An indexed column of a table and the values of which it is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lookup {
    pub(super) column: &'static str,
    pub(super) among: LookupValues,
}

/// Values to look up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LookupValues {
    /// Texts of a caller's.
    Texts(Vec<String>),
    /// A column of visible rows, as a select.
    Rows(String),
}

impl Lookup {
    /// The columns of a table that can be looked up.
    pub(super) fn columns(table: Table) -> &'static [&'static str] {
        match table {
            Table::Blocks => &["id", "parent_id", "root_id"],
            Table::Attributes => &["block_id", "root_id"],
            Table::Spans | Table::Assets => &["root_id"],
            Table::Refs | Table::Annotations | Table::LostRefs => &[],
        }
    }

    /// The rows of a hidden document or block are not read at all: their number would show in the time.
    fn condition(&self, boxes: &str) -> String {
        let column = self.column;
        let texts = match &self.among {
            LookupValues::Texts(texts) => texts,
            LookupValues::Rows(rows) => return format!("t.{column} IN ({rows})"),
        };
        let list = sql::list(texts.iter().map(String::as_str));
        match column {
            "id" => format!("t.id IN ({list})"),
            _ => format!(
                "t.{column} IN (SELECT d.id FROM main.blocks AS d WHERE d.id IN ({list}) AND d.box IN ({boxes}))"
            ),
        }
    }
}

/// The ids of the readable blocks to which readable blocks refer. Without a column of the reference in it, SQLite
/// computes it once, and a condition on the reference is not tested before this one.
fn targets(boxes: &str) -> String {
    format!(
        "SELECT d.id FROM main.blocks AS d WHERE d.id IN (SELECT o.def_block_id FROM main.refs AS o WHERE o.box IN ({boxes})) \
         AND d.box IN ({boxes})"
    )
}

/// The columns of `t` as they are.
fn own_columns(wanted: &[&str]) -> String {
    wanted.iter().map(|it| format!("t.{it}")).collect::<Vec<_>>().join(", ")
}

/// The columns of the view of blocks that stand in one index of the kernel.
pub(super) const INDEXED: [&str; 3] = ["id", "root_id", "hash"];

/// A select of the visible blocks by these columns alone, for statements that need no others: SQLite reads them in the
/// index, without reading a block.
pub(super) fn indexed_blocks(visibility: &Visibility) -> String {
    let columns = INDEXED.map(|it| format!("t.{it}")).join(", ");
    let documents = documents(&visibility.boxes());
    format!("SELECT {columns} FROM main.blocks AS t WHERE t.root_id IN ({documents})")
}

/// The ids of the visible documents. A document has no parent, so an index finds them; one that stands in two notebooks
/// must be visible in both.
fn documents(boxes: &str) -> String {
    format!(
        "SELECT d.id FROM main.blocks AS d WHERE d.parent_id = '' GROUP BY d.id HAVING MIN(d.box IN ({boxes}))"
    )
}

/// The condition for spans: a tag of a document has no notebook of its own in the index (3.7.3), so that of the document
/// counts.
fn spans_visible(boxes: &str) -> String {
    format!("t.box IN ({boxes}) OR t.box = '' AND t.root_id IN ({})", documents(boxes))
}

/// Columns of `spans`, with the notebook of the document where the index has none.
fn spans_columns(wanted: &[&str]) -> String {
    let each = wanted.iter().map(|column| match *column {
        "box" => {
            "CASE t.box WHEN '' THEN (SELECT d.box FROM main.blocks AS d WHERE d.id = t.root_id LIMIT 1) ELSE t.box END AS box"
                .to_owned()
        }
        column => format!("t.{column}"),
    });
    each.collect::<Vec<_>>().join(", ")
}

const BLOCKS: [&str; 21] = [
    "id",
    "parent_id",
    "root_id",
    "hash",
    "box",
    "path",
    "hpath",
    "name",
    "alias",
    "memo",
    "tag",
    "content",
    "fcontent",
    "markdown",
    "length",
    "type",
    "subtype",
    "ial",
    "sort",
    "created",
    "updated",
];

/// The visible blocks by these columns, without the text that may come from a hidden notebook, and without that text's
/// length. Where several columns depend on the same condition, it is written once: it is the longest part of a short
/// statement, and the kernel reads the text of a statement twice before SQLite does.
fn blocks(wanted: &[&str], source: &str) -> String {
    let shown = wanted.iter().filter(|it| matches!(**it, "content" | "fcontent" | "length")).count();
    let condition = if shown > 1 { "t.shows_elsewhere" } else { SHOWS_ELSEWHERE };
    let each = wanted.iter().map(|column| match *column {
        "content" | "fcontent" => format!("CASE WHEN {condition} THEN '' ELSE t.{column} END AS {column}"),
        "length" => format!("CASE WHEN {condition} THEN 0 ELSE t.length END AS length"),
        "ial" => format!("CASE WHEN {TELLS_OF_DATABASES} THEN '' ELSE t.ial END AS ial"),
        column => format!("t.{column}"),
    });
    let columns = each.collect::<Vec<_>>().join(", ");
    match shown {
        0 | 1 => format!("SELECT {columns} FROM {source}"),
        _ => format!(
            "SELECT {columns} FROM (SELECT t.*, {SHOWS_ELSEWHERE} AS shows_elsewhere FROM {source}) AS t"
        ),
    }
}
