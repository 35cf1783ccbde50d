//! Lays out rows of objects as a table that fits the window; the only place that uses the table crate.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Row, Table, Width, presets};
use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr;

use super::branches::{branches, depth_key};
use super::paint::Style;
use super::view::View;
use super::words::{emoji, is_id, said, title};

/// The least columns of a text: with fewer, a row becomes a block of lines.
const NARROWEST: usize = 12;
/// The width up to which a column is never broken, and the same for one of single words, such as times and paths.
const SHORT: usize = 14;
const WORD: usize = 25;
/// The most lines of one text; of a longer one the beginning is shown.
const TALLEST: usize = 3;
/// The blanks beside a column.
const PADDING: usize = 2;
/// The names of fields that hold an icon, a title, and a path that may end with that title.
const ICON: &str = "icon";
const TITLE: &str = "title";
const PATHS: [&str; 2] = ["path", "hpath"];

struct Column<'a> {
    key: &'a str,
    /// Whether all its values are ids.
    is_ids: bool,
    /// Whether all its values are numbers.
    is_numbers: bool,
    cells: Vec<String>,
}

impl Column<'_> {
    fn width(&self) -> usize {
        let widest = self.cells.iter().map(|it| it.width()).max().unwrap_or_default();
        widest.max(title(self.key).width())
    }

    /// Whether its cells are shown whole, on one line.
    fn is_whole(&self) -> bool {
        let is_words = || self.cells.iter().all(|it| !it.trim().contains(' '));
        self.is_ids || self.width() <= SHORT || (self.width() <= WORD && is_words())
    }

    /// The least columns that it takes.
    fn least(&self) -> usize {
        if self.is_whole() { self.width() } else { self.width().min(NARROWEST) }
    }
}

/// Lays out rows; `None` if they have no fields.
pub(crate) fn table(view: &View, rows: &[&Map<String, Value>]) -> Option<String> {
    let room = view.width.unwrap_or(usize::MAX);
    let whole = |columns: &[Column<'_>]| columns.iter().map(|it| it.width() + PADDING).sum::<usize>();
    let least = |columns: &[Column<'_>]| columns.iter().map(|it| it.least() + PADDING).sum::<usize>();
    let mut columns = columns(view, rows, None);
    if whole(&columns) > room {
        columns = self::columns(view, rows, repeated(rows));
    }
    if columns.is_empty() {
        return None;
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    if whole(&columns) > room {
        if least(&columns) > room {
            return Some(blocks(&columns, rows.len(), room));
        }
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns_of(room));
    }
    table.set_header(columns.iter().map(|it| Style::Heading.on(&title(it.key))));
    for at in 0..rows.len() {
        let cells = columns.iter().map(|it| it.cells.get(at).map_or("", String::as_str));
        let mut row = Row::from(cells);
        row.max_height(TALLEST);
        table.add_row(row);
    }
    for (laid, column) in table.column_iter_mut().zip(&columns) {
        laid.set_constraint(if column.is_whole() {
            ColumnConstraint::ContentWidth
        } else {
            ColumnConstraint::LowerBoundary(Width::Fixed(columns_of(column.least())))
        });
        if column.is_numbers {
            laid.set_cell_alignment(CellAlignment::Right);
        }
    }
    Some(lines(&table))
}

/// The columns in the order of the fields, but ids last: a person reads names first. Icons and branches stand in the
/// first one, and a switch that is off everywhere needs none.
fn columns<'a>(view: &View, rows: &[&'a Map<String, Value>], left_out: Option<&str>) -> Vec<Column<'a>> {
    let depth = depth_key(rows);
    let icons = icons(rows);
    let mut keys: Vec<&str> = Vec::new();
    for key in rows.iter().flat_map(|row| row.keys()) {
        let is_elsewhere = depth.as_ref().is_some_and(|(depth, _)| depth == key)
            || (icons.is_some() && key == ICON)
            || left_out == Some(key);
        let is_off = || rows.iter().all(|row| row.get(key).is_none_or(|it| it == &Value::Bool(false)));
        if !is_elsewhere && !keys.contains(&key.as_str()) && !is_off() {
            keys.push(key);
        }
    }
    let column = |key| {
        let values = || rows.iter().filter_map(|row| row.get(key));
        let is_named = key == "notebook" && !view.notebooks.is_empty();
        let cell = |row: &&Map<String, Value>| row.get(key).map(|it| said(view, key, it)).unwrap_or_default();
        Column {
            key,
            is_ids: values().all(is_id) && !is_named,
            is_numbers: values().all(Value::is_number),
            cells: rows.iter().map(cell).collect(),
        }
    };
    let mut columns: Vec<Column<'_>> = keys.into_iter().map(column).collect();
    columns.sort_by_key(|it| it.is_ids);
    if view.hides_ids && columns.iter().any(|it| !it.is_ids) {
        columns.retain(|it| !it.is_ids);
    }
    if let Some(first) = columns.first_mut() {
        let icons = icons.unwrap_or_default();
        first.cells.iter_mut().zip(icons).for_each(|(cell, icon)| cell.insert_str(0, &icon));
        let branches = depth.map(|(_, depths)| branches(&depths)).unwrap_or_default();
        first.cells.iter_mut().zip(branches).for_each(|(cell, branch)| cell.insert_str(0, &branch));
    }
    columns
}

/// The emoji before each row; `None` if there are none, or pictures among them.
fn icons(rows: &[&Map<String, Value>]) -> Option<Vec<String>> {
    let has_one = rows.iter().any(|row| row.contains_key(ICON));
    let icon = |row: &&Map<String, Value>| match row.get(ICON) {
        // As wide as an emoji and its blank.
        None => Some("   ".to_owned()),
        Some(icon) => emoji(icon.as_str()?).map(|it| format!("{it} ")),
    };
    rows.iter().map(icon).collect::<Option<_>>().filter(|_| has_one)
}

/// A column that a narrow window can do without: the path where a tree shows the place, else the title that ends it.
fn repeated<'a>(rows: &[&'a Map<String, Value>]) -> Option<&'a str> {
    let text = |row: &&'a Map<String, Value>, key: &str| row.get(key).and_then(Value::as_str);
    let ends = |path: &&str| {
        rows.iter().all(|row| {
            text(row, TITLE)
                .is_some_and(|it| text(row, path).and_then(|it| it.rsplit('/').next()) == Some(it))
        })
    };
    let path = PATHS.into_iter().find(ends)?;
    Some(if depth_key(rows).is_some() { path } else { TITLE })
}

/// Each row as lines of a name and a value, for a window that is too narrow for all columns.
fn blocks(columns: &[Column<'_>], rows: usize, room: usize) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(columns_of(room));
    for at in 0..rows {
        if at > 0 {
            table.add_row(["", ""]);
        }
        for column in columns {
            let cell = column.cells.get(at).map_or("", |it| it.trim_start_matches([' ', '│', '├', '└', '─']));
            if cell.is_empty() {
                continue;
            }
            let mut row = Row::from([Style::Heading.on(&title(column.key)), cell.to_owned()]);
            row.max_height(TALLEST);
            table.add_row(row);
        }
    }
    if let Some(names) = table.column_mut(0) {
        names.set_constraint(ColumnConstraint::ContentWidth);
    }
    lines(&table)
}

fn lines(table: &Table) -> String {
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}

fn columns_of(room: usize) -> u16 {
    u16::try_from(room).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use unicode_width::UnicodeWidthStr;

    use super::super::objects;
    use super::super::paint::painted;
    use super::*;

    const ID: &str = "20250101000000-abcdefg";

    fn laid(width: Option<usize>, rows: &Value) -> Vec<String> {
        let rows = objects(rows.as_array().unwrap()).unwrap();
        let view = View { width, ..View::default() };
        let text = table(&view, &rows).unwrap();
        painted(&text, false).lines().map(str::to_owned).collect()
    }

    /// B-099: columns line up, wide characters included, and numbers end below each other.
    #[test]
    fn table_columns_are_aligned() {
        let rows = json!([{ "name": "小白菜", "open": true, "n": 12 }, { "name": "a", "n": 7 }]);
        assert_eq!(laid(None, &rows), [" name    open   n", " 小白菜  yes   12", " a              7"]);
    }

    /// Ids come last and are never broken; texts share the room that is left.
    #[test]
    fn table_fits_its_window() {
        let long = "a long text of many words ".repeat(9);
        let rows = json!([{ "id": ID, "title": "Garden", "text": long }, { "id": ID, "title": "小白菜".repeat(99) }]);
        for width in [60, 80, 120] {
            let lines = laid(Some(width), &rows);
            assert!(lines.iter().all(|it| it.width() <= width), "{lines:#?}");
            assert_eq!(lines.iter().filter(|it| it.ends_with(ID)).count(), 2, "{lines:#?}");
            assert_eq!(lines.len(), 1 + 2 * TALLEST, "{lines:#?}");
            assert!(lines.iter().any(|it| it.contains('…')), "{lines:#?}");
        }
        assert_eq!(laid(None, &rows).len(), 3, "a pipe gets whole lines");
    }

    /// Emoji stand before names; a switch that is off everywhere has no column.
    #[test]
    fn icons_stand_before_names() {
        let rows = json!([{ "icon": "1f4d4", "name": "A", "closed": false, "id": ID }, { "name": "B", "closed": false, "id": ID }]);
        assert_eq!(
            laid(None, &rows),
            [" name  id".to_owned(), format!(" 📔 A  {ID}"), format!("    B  {ID}")]
        );
        let rows = json!([{ "icon": "leaf.png", "name": "A", "closed": true }, { "icon": "1f4d4", "name": "B", "closed": false }]);
        assert_eq!(
            laid(None, &rows),
            [" icon      name  closed", " leaf.png  A     yes", " 📔        B     no"]
        );
    }

    /// In a narrow window a title that ends its path is not repeated.
    #[test]
    fn narrow_window_repeats_no_title() {
        let row = |path: &str| json!({ "title": path.rsplit('/').next(), "hpath": path, "id": ID });
        let rows = json!([row("/Plants/Mint"), row("/Plants/Sage")]);
        assert!(laid(Some(60), &rows)[1].contains("Mint   /Plants/Mint"));
        assert_eq!(laid(Some(44), &rows)[1], format!(" /Plants/Mint  {ID}"));
        let rows = json!([row("/Plants/Mint"), { "title": "Other", "hpath": "/Plants/Sage", "id": ID }]);
        assert_eq!(laid(Some(44), &rows)[0], " title  Mint");
    }

    /// A window that is too narrow for a table shows each row as lines.
    #[test]
    fn narrow_window_shows_blocks() {
        let rows = json!([{ "id": ID, "doc": ID, "title": "Garden" }, { "id": ID, "title": "Shed" }]);
        let due = [
            " title  Garden",
            &format!(" id     {ID}"),
            &format!(" doc    {ID}"),
            "",
            " title  Shed",
            &format!(" id     {ID}"),
        ];
        assert_eq!(laid(Some(50), &rows), due);
        for width in [0, 1, 10, 30] {
            assert!(!laid(Some(width), &rows).is_empty(), "no width stops it");
        }
    }

    /// Rows with depths are a tree.
    #[test]
    fn depths_are_branches() {
        let row = |title: &str, depth: u8| json!({ "id": ID, "title": title, "depth": depth });
        let rows = json!([row("A", 1), row("B", 2), row("C", 3), row("D", 2), row("E", 1)]);
        let lines = laid(None, &rows);
        let titles: Vec<&str> = lines.iter().map(|it| it.split("  ").next().unwrap().trim_start()).collect();
        assert_eq!(titles, ["title", "A", "├─ B", "│", "└─ D", "E"], "{lines:#?}");
    }
}
