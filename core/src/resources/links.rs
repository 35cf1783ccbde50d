//! The documents found by a search or list, as addresses that a client can read later (B-117).

use serde_json::{Map, Value};

use super::uri;
use crate::id::is_node_id;
use crate::output::Output;
use crate::spec::Tool;
use crate::visible;

/// The maximum number of links in one answer: each costs the reader some tokens.
const MOST: usize = 20;

/// Address and title of each document among the items, once, in their order.
pub fn links(tool: Tool, output: &Output) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    if !matches!(tool, Tool::Fs | Tool::Document | Tool::Search | Tool::Tag) {
        return found;
    }
    let items = output.data.get("items").and_then(Value::as_array);
    for item in items.into_iter().flatten().filter_map(Value::as_object) {
        let Some((id, title)) = document(item) else { continue };
        let address = uri::of_document(id);
        if found.len() < MOST && !found.iter().any(|(it, _)| *it == address) {
            found.push((address, visible::shown(title).into_owned()));
        }
    }
    found
}

/// The document that an item is, or is part of.
fn document(item: &Map<String, Value>) -> Option<(&str, &str)> {
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    let last = |path: &'_ str| path.rsplit('/').next().map_or(0, str::len);
    let of_path = text("hpath").map(|path| path.get(path.len() - last(path)..).unwrap_or(path));
    let title = text("title").or(of_path).filter(|it| !it.is_empty())?;
    // A notebook has a name but no title.
    let id = text("doc").or_else(|| text("title").and(text("id")))?;
    is_node_id(id).then_some((id, title))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// B-117.
    #[test]
    fn answer_links_each_document_once() {
        let items = json!([
            { "id": "20250101000001-block00", "doc": "20250101000000-mint000", "hpath": "/Plants/Mint" },
            { "id": "20250101000002-block00", "doc": "20250101000000-mint000", "hpath": "/Plants/Mint" },
            { "id": "20250101000000-sage000", "title": "Sa\u{202e}ge", "path": "/Garden/Sage" },
            { "id": "20250101000000-garden0", "name": "Garden" },
            { "label": "herb", "count": 2 },
        ]);
        let output = Output::new().with("items", items);
        let of = |id: &str, title: &str| (format!("siyuan://doc/20250101000000-{id}"), title.to_owned());
        assert_eq!(links(Tool::Search, &output), [of("mint000", "Mint"), of("sage000", "Sa⟨U+202E⟩ge")]);
        assert!(links(Tool::Notebook, &output).is_empty());
    }
}
