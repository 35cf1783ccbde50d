//! `/api/template`, and the templates of `/api/search`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;
use crate::markdown::attrs::escape;
use crate::markdown::write::{Style, write};
use crate::markdown::{Kind, Node, dom, scan_as};
use crate::store::Db;
use crate::template::{self, ACTION, Any, BRACES};

/// Writes the Kramdown of a document below `data/templates`.
pub(super) fn save_document(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, name) = (args.text("id")?, args.text("name")?);
    let path = format!("/data/templates/{}.md", name.replace(['/', '\\'], "_"));
    let overwrite = args.get("overwrite").and_then(Value::as_bool).ok_or_else(Refusal::panicked)?;
    if kernel.file(&path)?.exists() && !overwrite {
        return Err(Refusal::code(1, ""));
    }
    let Some(mut tree) = kernel.store.read(|db| db.tree_of(id))? else { return Ok(Value::Null) };
    tree.root.walk_mut(&mut |node| node.attrs.set("updated", ""));
    kernel.write_file(&path, write(&tree.root, Style::Kramdown).as_bytes())?;
    Ok(Value::Null)
}

/// The message of a template that cannot be rendered, as the page shows it.
fn template_error(refusal: Refusal) -> Refusal {
    match refusal.code {
        501 => refusal,
        _ => Refusal::new(format!("Parse template failed: {}", html(&refusal.msg))),
    }
}

fn html(text: &str) -> String {
    escape(text).replace("&quot;", "&#34;").replace('\'', "&#39;")
}

pub(super) fn render_sprig(kernel: &Kernel, args: &Args) -> Outcome {
    let text = args.text("template")?;
    kernel.store.read(|db| sprig(db, text).map(Value::from))
}

/// A text with its templates filled in.
pub(in crate::endpoints) fn sprig(db: &Db<'_>, text: &str) -> Result<String, Refusal> {
    template::render(db, text, BRACES, &Any::Nil).map_err(template_error)
}

/// Renders a template file for a block; the answer is editor DOM with new ids.
pub(super) fn render(kernel: &Kernel, args: &Args) -> Outcome {
    let (path, id) = (args.text("path")?, args.id("id")?);
    let file = PathBuf::from(path);
    if !file.starts_with(&kernel.workspace) || path.contains("..") {
        return Err(Refusal::new(format!("Path [{path}] is not in workspace")));
    }
    kernel.store.read(|db| {
        let tree = db.need_tree(id)?;
        let node = tree.root.find(id).ok_or_else(|| Refusal::new("tree not found"))?;
        let text = std::fs::read_to_string(&file)
            .map_err(|_| Refusal::new(format!("open {path}: no such file or directory")))?;
        let name = node.attrs.text("name");
        let title = if node.kind == Kind::Document { tree.title() } else { name };
        let data = [("title", title), ("id", id), ("name", name), ("alias", node.attrs.text("alias"))];
        let data = Any::map(data.map(|(name, value)| (name.to_owned(), Any::text(value))));
        let text = template::render(db, &text, ACTION, &data).map_err(template_error)?;
        let mut blocks = scan_as(kernel.siyuan, &text);
        renew(&mut blocks);
        blocks.iter_mut().try_for_each(|block| db.name_references(block))?;
        refuse_databases(db, &blocks)?;
        Ok(json!({ "path": path, "content": dom::blocks(&blocks, 1) }))
    })
}

/// New ids and times; references inside the template follow.
fn renew(blocks: &mut [Node]) {
    let mut renamed = std::collections::HashMap::new();
    for block in blocks.iter_mut() {
        block.walk_mut(&mut |node| {
            let new = crate::id::new_id();
            renamed.insert(std::mem::replace(&mut node.id, new.clone()), new);
            node.attrs.set("custom-avs", "");
            node.attrs.set("updated", &crate::id::stamp());
        });
    }
    for block in blocks {
        block.walk_mut(&mut |node| {
            for span in node.texts_mut().into_iter().flatten().filter(|span| span.is("block-ref")) {
                if let Some(new) = renamed.get(span.attrs.text("data-id")) {
                    span.attrs.set("data-id", new);
                }
            }
        });
    }
}

/// The kernel copies databases that a template shows.
fn refuse_databases(db: &Db<'_>, blocks: &[Node]) -> Result<(), Refusal> {
    let mut shown = Vec::new();
    for block in blocks {
        block.walk(&mut |node| {
            if let Kind::Database { av, .. } = &node.kind {
                shown.push(av.clone());
            }
        });
    }
    for av in shown {
        if db.find_database(&av)?.is_some() {
            return Err(Refusal::not_here("templates that show a database"));
        }
    }
    Ok(())
}

/// The template files whose path contains all words.
pub(super) fn search(kernel: &Kernel, args: &Args) -> Outcome {
    let keyword = args.text("k")?;
    let folder = kernel.workspace.join("data/templates");
    let words: Vec<String> = keyword.split_whitespace().map(str::to_lowercase).collect();
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    files.sort();
    let found = files.iter().filter_map(|file| {
        let relative = file.strip_prefix(&folder).ok()?.to_str()?.replace('\\', "/");
        let name = relative.strip_suffix(".md")?;
        let low = name.to_lowercase();
        if !words.iter().all(|word| low.contains(word.as_str())) {
            return None;
        }
        let name = if name.contains('/') { format!("/{name}") } else { name.to_owned() };
        Some(json!({ "path": file, "relativePath": relative, "content": marked(&name, &words) }))
    });
    Ok(json!({ "k": keyword, "templates": found.collect::<Vec<_>>() }))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Refusal> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with('.') || name == "README.md" {
            continue;
        }
        if path.is_dir() {
            collect(&path, files)?;
        } else if name.to_lowercase().ends_with(".md") {
            files.push(path);
        }
    }
    Ok(())
}

/// Marks the words in a path.
fn marked(text: &str, words: &[String]) -> String {
    let pattern = words.iter().map(|word| regex::escape(word)).collect::<Vec<_>>().join("|");
    match regex::Regex::new(&format!("(?i){pattern}")) {
        Ok(pattern) if !words.is_empty() => pattern
            .replace_all(text, |hit: &regex::Captures<'_>| format!("<mark>{}</mark>", &hit[0]))
            .into_owned(),
        _ => text.to_owned(),
    }
}

/// Removes a template file or folder; the real kernel accepts any path, this one only its own templates.
pub(super) fn remove(kernel: &Kernel, args: &Args) -> Outcome {
    let path = PathBuf::from(args.text("path")?);
    let inside = path.starts_with(kernel.workspace.join("data/templates"));
    if !inside || path.components().any(|part| part.as_os_str() == "..") {
        return Err(Refusal::not_here("removing files that are no templates"));
    }
    if path.is_dir() {
        std::fs::remove_dir_all(&path)?;
    } else if path.exists() {
        std::fs::remove_file(&path)?;
    }
    Ok(Value::Null)
}
