//! What a caller may see of each table of the index, as text that stands where the table's name would.

use crate::kernel::api::query::Row;
use crate::kernel::sql;

/// A table of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// Blocks, documents among them.
    Blocks,
    /// References from one block to another; a query embed refers to what it shows.
    Refs,
    /// Attributes of blocks.
    Attributes,
    /// Pieces of text inside blocks: tags, links, marks.
    Spans,
    /// Uses of assets.
    Assets,
}

/// The notebooks whose rows a caller may see, and whether there are others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visibility {
    /// Ids of open notebooks that may be read.
    boxes: Vec<String>,
    any_hidden: bool,
}

/// Blocks whose indexed text shows rows or results of any notebook (K19), and containers that hold one of them: the
/// text of the first leaf is kept with the container.
const SHOWS_ELSEWHERE: &str = "t.type IN ('av', 'query_embed') OR (t.type IN ('b', 'callout', 'i', 'l', 's') \
     AND (instr(t.markdown, 'data-av-id=') > 0 OR instr(replace(t.markdown, '{{{', ''), '{{') > 0))";

/// Blocks whose attributes tell of databases, which may lie in any notebook.
const TELLS_OF_DATABASES: &str = "instr(t.ial, 'av-names=') > 0 OR instr(t.ial, 'custom-avs=') > 0 \
     OR instr(t.ial, 'custom-sy-av-s-text') > 0";

impl Visibility {
    /// Of these notebooks, while others are hidden or not.
    pub fn new<'a>(boxes: impl IntoIterator<Item = &'a str>, any_hidden: bool) -> Visibility {
        Visibility { boxes: boxes.into_iter().map(str::to_owned).collect(), any_hidden }
    }

    /// Whether there is nothing to see.
    pub fn is_nothing(&self) -> bool {
        self.boxes.is_empty()
    }

    /// The second lock of texts, as `Unfiltered` is that of rows: whatever came, they do not leave.
    pub(crate) fn locked(&self, mut rows: Vec<Row>) -> Vec<Row> {
        let shows_elsewhere = |row: &Row| matches!(row.text("type"), "av" | "query_embed");
        for row in rows.iter_mut().filter(|row| self.any_hidden && shows_elsewhere(row)) {
            row.0.retain(|column, _| !matches!(column.as_str(), "content" | "fcontent" | "length"));
        }
        rows
    }

    fn boxes(&self) -> String {
        sql::list(self.boxes.iter().map(String::as_str))
    }
}

impl Table {
    /// Every table.
    pub const ALL: [Table; 5] = [Table::Blocks, Table::Refs, Table::Attributes, Table::Spans, Table::Assets];

    /// Its name in the index.
    pub const fn name(self) -> &'static str {
        match self {
            Table::Blocks => "blocks",
            Table::Refs => "refs",
            Table::Attributes => "attributes",
            Table::Spans => "spans",
            Table::Assets => "assets",
        }
    }

    /// The letter that stands for it in statements of ours.
    pub(super) const fn letter(self) -> &'static str {
        match self {
            Table::Blocks => "b",
            Table::Refs => "r",
            Table::Attributes => "a",
            Table::Spans => "s",
            Table::Assets => "f",
        }
    }

    /// A subselect of the rows and texts that may be seen, with all columns of the table.
    pub fn view(self, visibility: &Visibility) -> String {
        let Visibility { any_hidden, .. } = visibility;
        let boxes = visibility.boxes();
        let columns = match self {
            Table::Blocks if *any_hidden => blocks_columns(),
            _ => "t.*".to_owned(),
        };
        let more = match self {
            // The anchor of a reference repeats what it refers to.
            Table::Refs => {
                format!(
                    " AND EXISTS (SELECT 1 FROM main.blocks AS d WHERE d.id = t.def_block_id AND d.box IN ({boxes}))"
                )
            }
            Table::Attributes if *any_hidden => {
                " AND t.name NOT IN ('av-names', 'custom-avs') AND instr(t.name, 'custom-sy-av-s-text') <> 1"
                    .to_owned()
            }
            _ => String::new(),
        };
        let name = self.name();
        format!("(SELECT {columns} FROM main.{name} AS t WHERE t.box IN ({boxes}){more})")
    }
}

/// The columns of `blocks` without the text that may come from a hidden notebook, and without its length.
fn blocks_columns() -> String {
    const COLUMNS: [&str; 21] = [
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
    let each = COLUMNS.map(|column| match column {
        "content" | "fcontent" => {
            format!("CASE WHEN {SHOWS_ELSEWHERE} THEN '' ELSE t.{column} END AS {column}")
        }
        "length" => format!("CASE WHEN {SHOWS_ELSEWHERE} THEN 0 ELSE t.length END AS length"),
        "ial" => format!("CASE WHEN {TELLS_OF_DATABASES} THEN '' ELSE t.ial END AS ial"),
        column => format!("t.{column}"),
    });
    each.join(", ")
}
