//! Versions by their names, their text, their operation and their time.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use time::PrimitiveDateTime;
use time::macros::format_description;

use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;
use crate::markdown::plain::{self, Take};
use crate::markdown::{Kind, Node};

/// The number of times on a page, and of versions shown of one time.
const PAGE: usize = 32;
/// Older versions are not found.
const KEPT: i64 = 30 * 24 * 3600;

/// The meanings of `type`.
const NAMES: i64 = 0;
const DOCUMENTS: i64 = 1;
const ASSETS: i64 = 2;
const IDS: i64 = 3;
const DATABASES: i64 = 4;

/// A kept document, asset or database.
struct Version {
    id: String,
    operation: String,
    title: String,
    content: String,
    /// Below `history`.
    path: String,
    created: i64,
}

/// The arguments of a history search.
struct Query<'a> {
    words: Vec<String>,
    whole: &'a str,
    notebook: &'a str,
    operation: &'a str,
    kind: i64,
}

impl<'a> Query<'a> {
    fn of(args: &'a Args) -> Result<Query<'a>, Refusal> {
        let optional = |name: &str| args.get(name).map_or(Ok(""), |_| args.field_text(name));
        let whole = optional("query")?;
        Ok(Query {
            words: whole.split_whitespace().map(str::to_lowercase).collect(),
            whole,
            notebook: optional("notebook")?,
            operation: optional("op")?.trim(),
            kind: number(args, "type", DOCUMENTS)?,
        })
    }

    fn fits(&self, version: &Version) -> bool {
        let holds = |fields: &[&str]| {
            self.words.iter().all(|word| fields.iter().any(|field| field.to_lowercase().contains(word)))
        };
        let text = match self.kind {
            NAMES => holds(&[&version.title]),
            DATABASES => holds(&[&version.content]),
            IDS => self.whole.is_empty() || self.whole == version.id,
            _ => holds(&[&version.title, &version.content]),
        };
        let place = match self.kind {
            NAMES | DOCUMENTS => {
                let here = format!("/{}/", self.notebook);
                version.path.ends_with(".sy")
                    && (!crate::id::is_node_id(self.notebook) || version.path.contains(&here))
            }
            ASSETS => version.path.contains("/assets/"),
            DATABASES => version.path.contains("/storage/av/"),
            _ => true,
        };
        let operation = matches!(self.operation, "" | "all") || self.operation == version.operation;
        text && place && operation && version.created > crate::id::now_ms() / 1000 - KEPT
    }
}

fn number(args: &Args, name: &str, default: i64) -> Result<i64, Refusal> {
    let Some(value) = args.get(name) else { return Ok(default) };
    let why = || Refusal::new(format!("Field [{name}] should be of type [Number]"));
    value.as_f64().map(|number| number as i64).ok_or_else(why)
}

/// Seconds since 1970 of a time as folders have it: `2025-01-31-235959`.
pub(super) fn seconds(time: &str) -> Option<i64> {
    let stamp = format_description!("[year]-[month]-[day]-[hour][minute][second]");
    PrimitiveDateTime::parse(time, stamp).ok().map(|time| time.assume_utc().unix_timestamp())
}

/// The times at which versions were made, the last first; a page of them.
pub(in crate::endpoints) fn times(kernel: &Kernel, args: &Args) -> Outcome {
    let query = Query::of(args)?;
    let page = usize::try_from(number(args, "page", 1)?.max(1)).unwrap_or(1);
    let found = versions(kernel).into_iter().filter(|version| query.fits(version));
    let times: BTreeSet<i64> = found.map(|version| version.created).collect();
    let shown = times.iter().rev().skip((page - 1) * PAGE).take(PAGE).map(i64::to_string);
    Ok(json!({
        "histories": shown.collect::<Vec<_>>(),
        "pageCount": times.len().div_ceil(PAGE),
        "totalCount": times.len(),
    }))
}

/// The versions of one time.
pub(in crate::endpoints) fn items(kernel: &Kernel, args: &Args) -> Outcome {
    let created = args.field_filled("created")?;
    let query = Query::of(args)?;
    let Ok(created) = created.parse::<i64>() else { return Ok(json!({ "items": [] })) };
    let found = versions(kernel).into_iter().filter(|v| v.created == created && query.fits(v));
    Ok(json!({ "items": found.take(PAGE).map(|version| show(&version)).collect::<Vec<_>>() }))
}

fn show(version: &Version) -> Value {
    let is_asset = version.path.contains("/assets/");
    let notebook = version.path.split('/').nth(1).filter(|_| !is_asset).unwrap_or_default();
    json!({
        "title": version.title,
        "path": format!("/history/{}", version.path),
        "op": version.operation,
        "notebook": notebook,
    })
}

/// Everything below `history`.
fn versions(kernel: &Kernel) -> Vec<Version> {
    let root = kernel.workspace.join("history");
    let mut out = Vec::new();
    for folder in super::subfolders(&root) {
        let Some((time, operation)) = folder.rsplit_once('-') else { continue };
        let Some(created) = seconds(time) else { continue };
        files(&root.join(&folder), &mut |file| {
            let Ok(path) = file.strip_prefix(&root) else { return };
            let path = path.to_string_lossy().into_owned();
            out.extend(read(file, path, operation, created));
        });
    }
    out
}

/// Calls `f` for every file below a folder, in the order of names.
pub(in crate::endpoints) fn files(folder: &Path, f: &mut impl FnMut(&Path)) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if path.is_dir() { files(&path, f) } else { f(&path) }
    }
}

fn read(file: &Path, path: String, operation: &str, created: i64) -> Option<Version> {
    let name = file.file_name()?.to_string_lossy().into_owned();
    let stem = file.file_stem()?.to_string_lossy().into_owned();
    let (id, title, content) = if name.ends_with(".sy") {
        let root = super::parse(&std::fs::read(file).ok()?).ok()?;
        let title = root.attrs.get("title").unwrap_or("Untitled").to_owned();
        (root.id.clone(), title, text(&root))
    } else if path.contains("/assets/") {
        let id = stem.get(stem.len().saturating_sub(22)..).filter(|id| crate::id::is_node_id(id));
        (id.unwrap_or_default().to_owned(), name, String::new())
    } else if path.contains("/storage/av/") && crate::id::is_node_id(&stem) {
        (stem.clone(), stem, std::fs::read_to_string(file).ok()?)
    } else {
        return None;
    };
    Some(Version { id, operation: operation.to_owned(), title, content, path, created })
}

/// The text of a whole document.
fn text(root: &Node) -> String {
    let mut out = String::new();
    root.walk(&mut |node| {
        if !node.kind.is_container() || matches!(node.kind, Kind::Callout { .. }) {
            out += &plain::content(node, Take::Seen);
            out.push('\n');
        }
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(title: &str, path: &str) -> Version {
        Version {
            id: "20250101000000-aaaaaaa".into(),
            operation: "delete".into(),
            title: title.into(),
            content: "Quartz stone".into(),
            path: path.into(),
            created: crate::id::now_ms() / 1000,
        }
    }

    #[test]
    fn history_search_filters_versions() {
        let document = version("Old pears", "2025-01-01-000000-delete/20250101000000-bbbbbbb/x.sy");
        let asset = version("pear.png", "2025-01-01-000000-clean/assets/pear.png");
        let fits = |query: &str, kind: i64, extra: &str, version: &Version| {
            let args = serde_json::from_str(&format!("{{\"query\": \"{query}\", \"type\": {kind}{extra}}}"))
                .unwrap();
            Query::of(&Args(args)).unwrap().fits(version)
        };
        assert!(fits("pears", NAMES, "", &document) && !fits("quartz", NAMES, "", &document));
        assert!(fits("QUARTZ old", DOCUMENTS, "", &document) && !fits("quartz", DOCUMENTS, "", &asset));
        assert!(fits("pear", ASSETS, "", &asset) && !fits("pear", ASSETS, "", &document));
        assert!(fits("20250101000000-aaaaaaa", IDS, "", &document) && !fits("x", IDS, "", &document));
        assert!(fits("", DOCUMENTS, ", \"op\": \"delete\"", &document));
        assert!(!fits("", DOCUMENTS, ", \"op\": \"update\"", &document));
        assert!(fits("", DOCUMENTS, ", \"notebook\": \"20250101000000-bbbbbbb\"", &document));
        assert!(!fits("", DOCUMENTS, ", \"notebook\": \"20250101000000-ccccccc\"", &document));
    }

    #[test]
    fn history_folders_are_named_by_time() {
        assert_eq!(seconds("2025-01-31-235959"), Some(1_738_367_999));
        assert_eq!(seconds("nonsense"), None);
    }
}
