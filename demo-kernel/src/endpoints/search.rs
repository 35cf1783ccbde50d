//! `/api/search`: full-text search over blocks.

use serde_json::{Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;
use crate::store::{Search, SearchPage};

pub(super) mod files;

/// The types of a request, each with the short name of rows and whether it is searched by default.
const TYPES: [(&str, &str, bool); 19] = [
    ("document", "d", true),
    ("heading", "h", true),
    ("paragraph", "p", true),
    ("codeBlock", "c", true),
    ("mathBlock", "m", true),
    ("table", "t", true),
    ("htmlBlock", "html", true),
    ("databaseBlock", "av", true),
    ("list", "l", false),
    ("listItem", "i", false),
    ("blockquote", "b", false),
    ("callout", "callout", false),
    ("superBlock", "s", false),
    ("embedBlock", "query_embed", false),
    // Since SiYuan 3.8. The defaults of mind maps are known; those of tabs and custom blocks are a guess.
    ("tabs", "tabs", true),
    ("tabItem", "tab", true),
    ("mindmap", "mindmap", true),
    ("mindmapItem", "mindmap_item", false),
    ("customBlock", "custom", true),
];

/// The limits of page number and page size.
const MOST: i64 = 1_000_000;

/// The arguments of a search except its text.
fn query(args: &Args, query: &str) -> Search {
    let given = args.get("types").and_then(Value::as_object);
    let wanted = |name: &str, default: bool| match given {
        Some(types) => types.get(name).and_then(Value::as_bool).unwrap_or(false),
        None => default,
    };
    let types = TYPES.iter().filter(|(name, _, default)| wanted(name, *default)).map(|(_, short, _)| *short);
    Search {
        query: query.to_owned(),
        method: args.int_or("method", 0),
        types: types.collect(),
        paths: args.texts("paths").unwrap_or_default().into_iter().map(str::to_owned).collect(),
        order: args.int_or("orderBy", 0),
        page: args.int_or("page", 1).clamp(1, MOST),
        // None at all means as many as usual.
        size: match args.int_or("pageSize", 32) {
            ..=0 => 32,
            size => size.min(MOST),
        },
    }
}

pub(super) fn full_text(kernel: &Kernel, args: &Args) -> Outcome {
    // A wrong type of one of these ends the real handler; of any other argument it counts as missing.
    let numbers = ["method", "orderBy", "groupBy", "page", "pageSize"];
    let odd = |name: &str, right: fn(&Value) -> bool| args.get(name).is_some_and(|value| !right(value));
    if numbers.iter().any(|name| odd(name, Value::is_number)) || odd("paths", Value::is_array) {
        return Err(Refusal::panicked());
    }
    let search = match args.get("query") {
        None => query(args, ""),
        Some(text) => query(args, text.as_str().ok_or_else(Refusal::panicked)?),
    };
    let found = kernel.store.search(&search)?;
    let blocks =
        if args.int_or("groupBy", 0) == 1 { by_document(kernel, found.blocks)? } else { json!(found.blocks) };
    Ok(json!({
        "blocks": blocks,
        "matchedBlockCount": found.matched,
        "matchedRootCount": found.documents,
        "pageCount": found.pages,
        "docMode": found.by_document,
    }))
}

/// Semantic search, which finds nothing without a model, as in a fresh workspace. An absent list of types means all.
pub(super) fn by_meaning(kernel: &Kernel, args: &Args) -> Outcome {
    let text = args.get("query").and_then(Value::as_str).unwrap_or_default();
    let mut search = query(args, text);
    if args.get("types").is_none() {
        search.types.clear();
    }
    let found = if kernel.switches.get().embedding {
        kernel.store.by_meaning(&search)?
    } else {
        SearchPage::default()
    };
    Ok(json!({
        "blocks": found.blocks,
        "matchedBlockCount": found.matched,
        "matchedRootCount": found.documents,
        "pageCount": found.pages,
    }))
}

/// Each document once, with its found blocks.
fn by_document(kernel: &Kernel, blocks: Vec<Value>) -> Outcome {
    let mut roots: Vec<(String, Vec<Value>)> = Vec::new();
    for block in blocks {
        let root = block.get("rootID").and_then(Value::as_str).unwrap_or_default().to_owned();
        match roots.iter_mut().find(|(id, _)| *id == root) {
            Some((_, children)) => children.push(block),
            None => roots.push((root, vec![block])),
        }
    }
    kernel.store.read(|db| {
        let mut out = Vec::new();
        for (root, children) in roots {
            for mut document in db.blocks_where("id = ?1 LIMIT 1", &[&root])? {
                if let Some(document) = document.as_object_mut() {
                    document.insert("children".into(), json!(children));
                }
                out.push(document);
            }
        }
        Ok(Value::Array(out))
    })
}
