//! Pieces of our own SQL statements: everything a caller gave goes through here.

/// A text as an SQL expression.
///
/// SiYuan reads a statement by a parser of its own, and where that one fails by one of MySQL, to which a backslash
/// takes the quote behind it into the literal: the rest of the text would be SQL. So no literal has one, and a
/// statement with `||` is not given to that parser at all.
pub fn text(value: &str) -> String {
    let literal = |text: &str| format!("'{}'", text.replace('\'', "''").replace('\0', ""));
    let parts: Vec<String> = value.split('\\').map(literal).collect();
    match parts.as_slice() {
        [only] => only.clone(),
        several => format!("({})", several.join(" || char(92) || ")),
    }
}

/// A list of literals for `IN (...)`; never empty, so that nothing matches an empty list.
pub fn list<'a>(values: impl IntoIterator<Item = &'a str>) -> String {
    let values: Vec<String> = values.into_iter().map(text).collect();
    if values.is_empty() { "''".to_owned() } else { values.join(",") }
}

#[cfg(test)]
mod tests {
    use super::{list, text};

    #[test]
    fn quotes_cannot_end_a_literal() {
        assert_eq!(text("a'b''c"), "'a''b''''c'");
        assert_eq!(text("\\' OR 1 --"), "('' || char(92) || ''' OR 1 --')");
        assert_eq!(list([]), "''");
        assert_eq!(list(["a", "b'"]), "'a','b'''");
    }
}
