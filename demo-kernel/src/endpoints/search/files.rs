//! Assets by the text in them.

use regex::Regex;
use serde_json::{Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::endpoints::asset::{self, index::AssetEntry, search};
use crate::kernel::Kernel;

/// Files whose text is searched.
const TEXTS: [&str; 34] = [
    "txt", "md", "markdown", "json", "log", "sql", "html", "xml", "java", "h", "c", "cpp", "go", "rs",
    "swift", "kt", "py", "php", "js", "css", "ts", "sh", "bat", "cmd", "ini", "yaml", "rst", "adoc",
    "textile", "opml", "org", "wiki", "cs", "csv",
];

/// The numbers of two orders. A rank is the smaller, the better the text fits; the default is the largest first.
const BEST_FIRST: i64 = 1;
const NEWEST_FIRST: i64 = 3;

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

/// An asset with its text.
struct AssetText {
    id: String,
    path: String,
    name: String,
    end: String,
    size: usize,
    /// Seconds since 1970.
    updated: i64,
    content: String,
}

impl AssetText {
    /// The text of a file; none for types that need a reader of their own.
    fn read(kernel: &Kernel, AssetEntry { id, path }: AssetEntry) -> Option<AssetText> {
        let name = search::shown_name(&path);
        let end = name.rsplit_once('.').map(|(_, end)| format!(".{}", end.to_lowercase()))?;
        if !TEXTS.contains(&end.trim_start_matches('.')) {
            return None;
        }
        let file = kernel.workspace.join("data").join(&path);
        let changed = file.metadata().and_then(|meta| meta.modified());
        let updated = changed.map_or_else(|_| crate::id::now_ms(), asset::millis) / 1000;
        let bytes = std::fs::read(file).unwrap_or_default();
        let content = String::from_utf8_lossy(&bytes).into_owned();
        Some(AssetText { id, path, name, end, size: bytes.len(), updated, content })
    }

    fn show(&self, content: &str) -> Value {
        json!({
            "id": self.id,
            "name": self.name,
            "ext": self.end,
            "path": self.path,
            "size": self.size,
            "hSize": asset::size(self.size as u64),
            "updated": self.updated,
            "content": content,
        })
    }
}

/// The whole text of one asset; null until search finds it.
pub(in crate::endpoints) fn content_of_asset(kernel: &Kernel, args: &Args) -> Outcome {
    let path = args.text("path")?.trim();
    let entry = kernel.assets.entries().into_iter().find(|entry| entry.path == path);
    let text = entry.and_then(|entry| AssetText::read(kernel, entry));
    Ok(json!({ "assetContent": text.map(|text| text.show(&text.content)) }))
}

/// The number of occurrences of the words per byte of text, negated like the rank of FTS5.
fn rank(text: &str, words: &[String]) -> f64 {
    let times: usize = words.iter().map(|word| text.matches(word.as_str()).count()).sum();
    -(times as f64) / text.len().max(1) as f64
}

/// Assets by their names and the text in them; pictures, PDF and Office files have none here.
pub(in crate::endpoints) fn asset_contents(kernel: &Kernel, args: &Args) -> Outcome {
    let query = args.text_or("query", "");
    let method = args.int_or("method", 0);
    let types = args.get("types").and_then(Value::as_object);
    let page = usize::try_from(args.int_or("page", 1).max(1)).unwrap_or(1);
    let size = usize::try_from(args.int_or("pageSize", 32).max(1)).unwrap_or(32);
    if matches!(method, 1 | 2) {
        return Err(Refusal::not_here("search in assets by query syntax or SQL"));
    }
    let words = words(query);
    let pattern = Regex::new(query).ok();
    let mut found = Vec::new();
    for text in kernel.assets.entries().into_iter().filter_map(|entry| AssetText::read(kernel, entry)) {
        if types.is_some_and(|types| types.get(&text.end) != Some(&Value::Bool(true))) {
            continue;
        }
        let content = text.content.trim();
        let (small, title) = (content.to_lowercase(), text.name.to_lowercase());
        let fits = match method {
            3 => pattern.as_ref().is_some_and(|p| p.is_match(content) || p.is_match(&text.name)),
            _ => !words.is_empty() && words.iter().all(|word| small.contains(word) || title.contains(word)),
        };
        if fits {
            let marked = if method == 3 { content.to_owned() } else { search::marked(content, &words) };
            found.push((text.updated, rank(&small, &words), text.show(&marked)));
        }
    }
    match args.int_or("orderBy", 0) {
        NEWEST_FIRST => found.sort_by_key(|(updated, ..)| std::cmp::Reverse(*updated)),
        BEST_FIRST => found.sort_by(|(_, one, _), (_, other, _)| one.total_cmp(other)),
        _ => found.sort_by(|(_, one, _), (_, other, _)| other.total_cmp(one)),
    }
    let found: Vec<Value> = found.into_iter().map(|(.., shown)| shown).collect();
    let count = found.len();
    let shown: Vec<Value> = found.into_iter().skip((page - 1) * size).take(size).collect();
    Ok(json!({ "assetContents": shown, "matchedAssetCount": count, "pageCount": count.div_ceil(size) }))
}
