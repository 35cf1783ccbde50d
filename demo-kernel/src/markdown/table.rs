//! Tables: rows of cells, each a list of spans.

use serde::{Deserialize, Serialize};

use super::{Span, inline};

/// A table; the first row is its head.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Table {
    pub(crate) aligns: Vec<Align>,
    pub(crate) rows: Vec<Vec<Vec<Span>>>,
}

/// The alignment of a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Align {
    #[default]
    None,
    Left,
    Center,
    Right,
}

impl Align {
    /// The value of the HTML attribute.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Align::None => None,
            Align::Left => Some("left"),
            Align::Center => Some("center"),
            Align::Right => Some("right"),
        }
    }
}

/// The columns of a line such as `| - | :-: |`, if it is one.
pub(super) fn delimiter(line: &str) -> Option<Vec<Align>> {
    let line = line.trim();
    if !line.contains('-') || !line.contains('|') {
        return None;
    }
    cells(line).iter().map(|cell| align(cell.trim())).collect()
}

fn align(cell: &str) -> Option<Align> {
    let dashes = cell.trim_start_matches(':').trim_end_matches(':');
    if dashes.is_empty() || dashes.contains(|c| c != '-') {
        return None;
    }
    Some(match (cell.starts_with(':'), cell.ends_with(':')) {
        (false, false) => Align::None,
        (true, false) => Align::Left,
        (true, true) => Align::Center,
        (false, true) => Align::Right,
    })
}

/// The cells of a row, cut at bars that are not escaped.
pub(super) fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut cells = vec![String::new()];
    let mut escaped = false;
    for c in line.chars() {
        match (c, cells.last_mut()) {
            ('|', Some(cell)) if escaped => {
                cell.pop();
                cell.push('|');
            }
            ('|', _) => cells.push(String::new()),
            (_, Some(cell)) => cell.push(c),
            (_, None) => {}
        }
        escaped = c == '\\' && !escaped;
    }
    if cells.len() > 1 && cells.last().is_some_and(|cell| cell.trim().is_empty()) {
        cells.pop();
    }
    cells
}

/// A table of its head, columns and other rows; rows are made as long as the head.
pub(super) fn read(head: &str, aligns: Vec<Align>, rows: &[&str]) -> Table {
    let row = |line: &str| {
        let mut cells: Vec<_> = cells(line).iter().map(|cell| inline::parse(cell.trim())).collect();
        cells.resize(aligns.len(), Vec::new());
        cells
    };
    let rows = std::iter::once(head).chain(rows.iter().copied()).map(row).collect();
    Table { aligns, rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_bars_do_not_split_cells() {
        assert_eq!(cells("| a | `b\\|c` | `d|e` |"), [" a ", " `b|c` ", " `d", "e` "]);
        assert_eq!(cells("a|b"), ["a", "b"]);
        assert_eq!(cells("||x|"), ["", "x"]);
    }

    #[test]
    fn delimiter_row_defines_the_columns() {
        assert_eq!(delimiter("| - | :-: | --: |"), Some(vec![Align::None, Align::Center, Align::Right]));
        assert_eq!(delimiter("| ------| --: |"), Some(vec![Align::None, Align::Right]));
        assert_eq!(delimiter("|---|"), Some(vec![Align::None]));
        assert!(delimiter("---").is_none());
        assert!(delimiter("| a | - |").is_none());
    }
}
