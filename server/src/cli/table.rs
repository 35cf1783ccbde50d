//! Renders rows of objects as a table for people; the only place that uses the table crate.

use comfy_table::{ContentArrangement, Table, presets};
use serde_json::{Map, Value};

/// Renders a list of objects as a table; `None` for any other list.
pub(super) fn table(items: &[Value]) -> Option<String> {
    let rows: Vec<&Map<String, Value>> = items.iter().map(Value::as_object).collect::<Option<_>>()?;
    let mut columns: Vec<&str> = Vec::new();
    for name in rows.iter().flat_map(|row| row.keys()) {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    if columns.is_empty() {
        return None;
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(columns.iter().map(|name| name.replace('_', " ")));
    for row in rows {
        table.add_row(columns.iter().map(|name| row.get(*name).map(cell).unwrap_or_default()));
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    Some(lines.join("\n"))
}

/// One value on one line.
pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.replace(['\n', '\r', '\t'], " "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// B-099: columns line up, wide characters included, and nothing is coloured.
    #[test]
    fn table_columns_are_aligned() {
        let items = [json!({ "name": "小白菜", "open": true }), json!({ "name": "a", "n": 7 })];
        let text = table(&items).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines, [" name    open  n", " 小白菜  yes", " a             7"]);
        assert!(!text.contains('\u{1b}'));
        assert_eq!(table(&[json!("text")]), None);
    }
}
