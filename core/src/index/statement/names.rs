//! Names in a caller's statement: those of tables, columns and aliases.

/// Names by which SQLite numbers rows, hidden ones among them.
const NUMBERS: [&str; 3] = ["rowid", "oid", "_rowid_"];

/// A part of the printed statement, or the reason why it is refused.
pub(super) type PrintResult = Result<String, String>;

/// A name, without its quotes.
pub(super) fn name(raw: &str) -> PrintResult {
    let inside = |quote: char, end: char| {
        let text = raw.strip_prefix(quote)?.strip_suffix(end)?;
        Some(text.replace(&format!("{end}{end}"), &end.to_string()))
    };
    if raw.starts_with('\'') {
        return Err("a name is between single quotes, which are for text".to_owned());
    }
    let name = inside('"', '"').or_else(|| inside('`', '`')).or_else(|| inside('[', ']'));
    let name = name.unwrap_or_else(|| raw.to_owned());
    let is_odd = |it: char| it.is_control() || matches!(it, '"' | '\\' | '`' | '[' | ']' | '\'');
    if name.is_empty() || name.len() > 128 || name.contains(is_odd) {
        return Err("a name with quotes, backslashes or more than 128 letters".to_owned());
    }
    if NUMBERS.contains(&name.to_ascii_lowercase().as_str()) {
        return Err(format!("{name} is not available: use id"));
    }
    Ok(name)
}

/// A name between quotes. It holds none itself, see `name`.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}
