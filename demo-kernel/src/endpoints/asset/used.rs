//! `/api/asset`: the files that documents show, missing ones among them, and unused files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::endpoints::history;
use crate::endpoints::shape::nil_when_empty;
use crate::kernel::Kernel;
use crate::markdown::{Node, Span};
use crate::store::{Db, Tree};

/// The number of unused files that are listed.
const MOST: usize = 512;

/// The target of a link or image.
fn target(span: &Span) -> Option<&str> {
    span.attrs.get("data-src").or(span.attrs.get("data-href")).map(str::trim)
}

/// The files that one block shows.
fn of_block(node: &Node) -> Vec<String> {
    let spans = node.texts().into_iter().flatten().filter_map(target);
    let listed = node.attrs.iter().filter(|(name, _)| name.starts_with("custom-data-assets"));
    let all = spans.chain(node.source()).chain(listed.map(|(_, value)| value));
    all.filter(|path| path.starts_with("assets/")).map(str::to_owned).collect()
}

/// The files that a document shows, each once.
fn of_tree(tree: &Tree) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    tree.root.walk(&mut |node| {
        for path in of_block(node) {
            if !found.contains(&path) {
                found.push(path);
            }
        }
    });
    found
}

/// The picture above a document's title.
fn title_image(tree: &Tree) -> Option<String> {
    let style = tree.root.attrs.get("title-img")?;
    let (_, url) = style.split_once("url(")?;
    let path = url.split(')').next()?.trim_matches(['"', '\'', ' ']).trim_start_matches('/');
    path.starts_with("assets/").then(|| path.to_owned())
}

pub(crate) fn of_document(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("id")?;
    let with_query = args.bool_or("retainQueryStr", true);
    let tree = kernel.store.read(|db| db.need_tree(id))?;
    let cut = |path: String| match with_query {
        true => path,
        false => without_query(&path).to_owned(),
    };
    Ok(nil_when_empty(of_tree(&tree).into_iter().map(cut).collect::<Vec<_>>()))
}

/// The paths of the images of a document, one for each time an image occurs.
pub(crate) fn images_of_document(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("id")?;
    let tree = kernel.store.read(|db| db.need_tree(id))?;
    let mut found: Vec<Value> = Vec::new();
    tree.root.walk(&mut |node| {
        let images = node.texts().into_iter().flatten().filter(|span| span.is("img"));
        found.extend(images.filter_map(target).filter(|path| !path.is_empty()).map(|path| json!(path)));
    });
    Ok(nil_when_empty(found))
}

pub(crate) fn without_query(path: &str) -> &str {
    path.split('?').next().unwrap_or(path)
}

/// All files below `data/assets` except hidden ones, each with the time of its last change.
pub(crate) fn files(kernel: &Kernel) -> BTreeMap<String, SystemTime> {
    let data = kernel.workspace.join("data");
    let mut found = BTreeMap::new();
    history::files(&data.join("assets"), &mut |file: &Path| {
        let Ok(path) = file.strip_prefix(&data) else { return };
        let path = path.to_string_lossy().into_owned();
        let changed = file.metadata().and_then(|meta| meta.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        if !path.split('/').any(|part| part.starts_with('.')) {
            found.insert(path, changed);
        }
    });
    found
}

/// Every document of the open notebooks, and on request of the closed ones.
fn trees(db: &Db<'_>, closed: bool) -> Result<Vec<Tree>, Refusal> {
    let notebooks = db.notebooks()?.into_iter().filter(|notebook| closed || !notebook.closed);
    let trees = notebooks.map(|notebook| db.trees_in(&notebook.id)).collect::<Result<Vec<_>, _>>()?;
    Ok(trees.into_iter().flatten().collect())
}

/// The files that no document shows, the newest first.
fn unused_files(kernel: &Kernel) -> Result<Vec<String>, Refusal> {
    let used: BTreeSet<String> = kernel.store.read(|db| {
        let shown = |tree: &Tree| of_tree(tree).into_iter().chain(title_image(tree)).collect::<Vec<_>>();
        let paths = trees(db, true)?.iter().flat_map(shown).collect::<Vec<_>>();
        Ok(paths.iter().map(|path| without_query(path).to_owned()).collect())
    })?;
    let databases = super::texts_of_databases(kernel)?;
    let is_used = |path: &String| {
        used.contains(path)
            || path.strip_suffix(".sya").is_some_and(|pdf| used.contains(pdf))
            || used.iter().any(|link| link.ends_with('/') && path.starts_with(link))
            || path.ends_with("ocr-texts.json")
            || path.ends_with("android-notification-texts.txt")
            || databases.iter().any(|text| text.contains(path.as_str()))
    };
    let mut unused: Vec<(String, SystemTime)> =
        files(kernel).into_iter().filter(|(path, _)| !is_used(path)).collect();
    unused.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| b.0.cmp(&a.0)));
    Ok(unused.into_iter().map(|(path, _)| path).collect())
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

pub(crate) fn unused(kernel: &Kernel, _: &Args) -> Outcome {
    let show = |path: String| json!({ "item": path, "name": name(&path) });
    Ok(unused_files(kernel)?.into_iter().take(MOST).map(show).collect())
}

/// The missing assets that documents show, with the blocks that show them.
pub(crate) fn missing(kernel: &Kernel, _: &Args) -> Outcome {
    let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    kernel.store.read(|db| {
        for tree in trees(db, false)? {
            tree.root.walk(&mut |node| {
                for path in of_block(node) {
                    users.entry(path).or_default().insert(node.id.clone());
                }
            });
            if let Some(path) = title_image(&tree) {
                users.entry(path).or_default().insert(tree.id().to_owned());
            }
        }
        Ok(())
    })?;
    let there = |path: &str| kernel.file(&format!("/data/{path}")).is_ok_and(|file| file.exists());
    let lost = users.into_iter().filter(|(path, _)| !there(without_query(path)));
    Ok(lost.map(|(path, ids)| json!({ "item": path, "name": name(&path), "blockIDs": ids })).collect())
}

/// Removes any file below `data`, used or not, as the real kernel does; history keeps it.
pub(crate) fn remove_one(kernel: &Kernel, args: &Args) -> Outcome {
    let path = args.text("path")?;
    let file = kernel.file(&format!("/data/{path}"))?;
    if file.exists() {
        take_away(kernel, path)?;
        kernel.assets.went(path);
    }
    Ok(json!({ "path": file.to_string_lossy() }))
}

fn take_away(kernel: &Kernel, path: &str) -> Result<(), Refusal> {
    let file = kernel.file(&format!("/data/{path}"))?;
    if file.is_dir() {
        return Err(Refusal::not_here("folders that are removed as assets"));
    }
    history::keep_file(kernel, path, "clean")?;
    Ok(std::fs::remove_file(file)?)
}

/// Renames a file and updates documents that show it. A missing file changes no documents.
pub(crate) fn rename(kernel: &Kernel, args: &Args) -> Outcome {
    let (old, new) = (args.text("oldPath")?, args.text("newName")?.trim());
    let clean = without_query(old.trim());
    let new = super::clean_name(new);
    if new.is_empty() || name(clean) == new {
        return Ok(json!({ "newPath": "" }));
    }
    let folder = clean.strip_suffix(name(clean)).unwrap_or_default();
    let end = name(clean).rsplit_once('.').map(|(_, end)| format!(".{end}")).unwrap_or_default();
    let path = format!("{folder}{new}-{}{end}", crate::id::new_id());
    let file = super::find(kernel, old);
    if let Some(file) = file {
        std::fs::rename(file, kernel.file(&format!("/data/{path}"))?)?;
        kernel.assets.renamed(clean, &path);
        follow(kernel, name(clean), name(&path))?;
    }
    Ok(json!({ "newPath": path }))
}

/// Puts the new name of a file in the place of the old one in all documents and databases.
fn follow(kernel: &Kernel, old: &str, new: &str) -> Result<(), Refusal> {
    kernel.store.write(|db| {
        for mut tree in trees(db, false)? {
            let before = tree.clone();
            let mut changed = false;
            tree.root.walk_mut(&mut |node| {
                for span in node.texts_mut().into_iter().flatten() {
                    for attr in ["data-src", "data-href"] {
                        let path = span.attrs.text(attr).to_owned();
                        if path.contains(old) {
                            span.attrs.set(attr, &path.replace(old, new));
                            changed = true;
                        }
                    }
                    changed |= span.text.contains(old);
                    span.text = span.text.replace(old, new);
                }
            });
            if changed {
                history::keep(kernel, &before, "replace")?;
                db.save(&tree)?;
            }
        }
        for mut database in db.databases()? {
            let cells = database.columns.iter_mut().flat_map(|column| &mut column.values);
            for file in cells.flat_map(|cell| &mut cell.m_asset) {
                file.content = file.content.replace(old, new);
                file.name = file.name.replace(old, new);
            }
            db.save_database(&mut database)?;
        }
        Ok(())
    })
}
