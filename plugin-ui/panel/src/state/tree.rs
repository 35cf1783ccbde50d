//! The keys of a tree in two columns: branches that open, and their leaves.

use super::matrix;

/// The columns: what opens or selects a row, and its switch.
const COLUMNS: usize = 2;

/// The effect of a key in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// It leads to a row and a column.
    To(usize, usize),
    /// It presses what stands in a column of the row.
    Press(usize),
}

/// The effect of a key at a row and a column; `None` if it has none. `rows` are the shown rows: `Some(is_open)` for a
/// branch, `None` for a leaf.
pub fn led(key: &str, ctrl: bool, (row, column): (usize, usize), rows: &[Option<bool>]) -> Option<Move> {
    let is_open = *rows.get(row)?;
    match (key, column, is_open) {
        ("ArrowRight", 0, Some(false)) | ("ArrowLeft", 0, Some(true)) => return Some(Move::Press(0)),
        ("ArrowLeft", 0, None) => {
            let branch = rows.iter().take(row).rposition(Option::is_some)?;
            return Some(Move::To(branch, 0));
        }
        ("Enter", ..) if !ctrl => return Some(Move::Press(column)),
        _ => {}
    }
    matrix::led(key, ctrl, (row, column), (rows.len(), COLUMNS)).map(|(row, column)| Move::To(row, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two tools, of which the first is open and has two actions.
    const ROWS: [Option<bool>; 4] = [Some(true), None, None, Some(false)];

    #[test]
    fn arrows_open_close_and_lead_up() {
        for (key, at, does) in [
            ("ArrowRight", (3, 0), Some(Move::Press(0))),
            ("ArrowRight", (0, 0), Some(Move::To(0, 1))),
            ("ArrowLeft", (0, 1), Some(Move::To(0, 0))),
            ("ArrowLeft", (0, 0), Some(Move::Press(0))),
            ("ArrowLeft", (2, 1), Some(Move::To(2, 0))),
            ("ArrowLeft", (2, 0), Some(Move::To(0, 0))),
            ("ArrowLeft", (3, 0), Some(Move::To(3, 0))),
            ("ArrowDown", (0, 1), Some(Move::To(1, 1))),
            ("ArrowUp", (0, 0), Some(Move::To(0, 0))),
            ("ArrowDown", (3, 0), Some(Move::To(3, 0))),
            ("End", (1, 0), Some(Move::To(1, 1))),
            ("Enter", (1, 1), Some(Move::Press(1))),
            ("a", (0, 0), None),
        ] {
            assert_eq!(led(key, false, at, &ROWS), does, "{key} at {at:?}");
        }
        assert_eq!(led("End", true, (0, 0), &ROWS), Some(Move::To(3, 0)));
        // Ctrl+Enter is the panel's.
        assert_eq!(led("Enter", true, (0, 0), &ROWS), None);
        assert_eq!(led("ArrowDown", false, (9, 0), &ROWS), None);
    }
}
