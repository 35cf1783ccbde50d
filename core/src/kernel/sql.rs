//! Pieces of our own SQL statements: everything a caller gave goes through here.

/// A text as an SQL literal.
pub fn text(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''").replace('\0', ""))
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
        assert_eq!(list([]), "''");
        assert_eq!(list(["a", "b'"]), "'a','b'''");
    }
}
