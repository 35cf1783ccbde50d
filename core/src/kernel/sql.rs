//! Literals for built-in SQL statements: every value from a caller passes through here.

/// A text as an SQL expression.
///
/// SiYuan parses a statement with a parser of its own and, if that fails, with one for MySQL, to which a backslash
/// includes the quote after it in the literal: the rest of the text would then be SQL. So no literal contains a
/// backslash, and a statement with `||` never reaches that parser at all.
pub fn text(value: &str) -> String {
    let literal = |text: &str| format!("'{}'", text.replace('\'', "''").replace('\0', ""));
    let parts: Vec<String> = value.split('\\').map(literal).collect();
    match parts.as_slice() {
        [only] => only.clone(),
        several => format!("({})", several.join(" || char(92) || ")),
    }
}

/// A list of literals for `IN (...)`. It is never empty, so that an empty list of values matches nothing.
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
