//! Documents as zips in SiYuan's own format: one `.sy` file each, together with their assets.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::documents::{Assets, gather};
use super::pack::{Pack, folder_name};
use super::{database, markdown};
use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;
use crate::markdown::sy;
use crate::markdown::write::{Style, write};
use crate::store::{Db, Tree};

pub(in crate::endpoints) fn many(kernel: &Kernel, args: &Args) -> Outcome {
    of_documents(kernel, &args.texts("ids")?)
}

fn of_documents(kernel: &Kernel, ids: &[&str]) -> Outcome {
    let (first, trees) = kernel.store.read(|db| gather(db, ids, true))?;
    let root = first.path.rsplit_once('/').map_or("", |(root, _)| root);
    let zip = zip(kernel, trees, root, first.title(), Pack::default())?;
    Ok(json!({ "zip": zip }))
}

pub(in crate::endpoints) fn notebook(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.field_filled("id")?;
    let found = kernel.store.read(|db| {
        let Some(notebook) = db.notebook(id)? else { return Ok(None) };
        Ok(Some((notebook.name.clone(), notebook.conf(), db.trees_in(id)?)))
    })?;
    let Some((name, mut conf, trees)) = found else { return Ok(json!({ "zip": "" })) };
    if let Some(conf) = conf.as_object_mut() {
        conf.extend([("sort".to_owned(), json!(0)), ("closed".to_owned(), json!(true))]);
    }
    let mut pack = Pack::default();
    pack.add(Path::new(&folder_name(&name)).join(".siyuan/conf.json"), conf.to_string().into_bytes());
    Ok(json!({ "zip": zip(kernel, trees, "", &name, pack)? }))
}

/// Packs documents below a folder of that name; the documents they refer to are at its top.
fn zip(kernel: &Kernel, trees: Vec<Tree>, root: &str, name: &str, mut pack: Pack) -> Result<String, Refusal> {
    let mut seen = HashSet::new();
    let trees: Vec<Tree> = trees.into_iter().filter(|tree| seen.insert(tree.id().to_owned())).collect();
    let related = kernel.store.read(|db| related(db, &trees, &mut seen))?;
    let folder = PathBuf::from(folder_name(name));
    let placed = trees
        .iter()
        .map(|tree| (tree, tree.path.trim_start_matches(root).trim_start_matches('/').to_owned()));
    let loose = related.iter().map(|tree| (tree, format!("{}.sy", tree.id())));
    let all: Vec<&Tree> = trees.iter().chain(&related).collect();
    database::pack(kernel, &all, &folder, &mut pack)?;
    for (tree, path) in placed.chain(loose) {
        pack.add(folder.join(path), sy::document(&tree.root).into_bytes());
        Assets::as_they_are().take(kernel, write(&tree.root, Style::Kramdown), &folder, &mut pack);
    }
    pack.publish(kernel, &format!("{}.sy.zip", folder_name(name)))
}

/// The documents that others refer to or whose blocks are in their databases, transitively.
fn related(db: &Db<'_>, trees: &[Tree], seen: &mut HashSet<String>) -> Result<Vec<Tree>, Refusal> {
    let mut found: Vec<Tree> = Vec::new();
    let named = |tree: &Tree| -> Result<Vec<String>, Refusal> {
        let rows = database::rows_of(db, tree)?;
        Ok(markdown::targets_of(tree).into_iter().chain(rows).collect())
    };
    let mut due: Vec<String> = Vec::new();
    for tree in trees {
        due.extend(named(tree)?);
    }
    while let Some(id) = due.pop() {
        if let Some(tree) = db.tree_of(&id)?.filter(|tree| seen.insert(tree.id().to_owned())) {
            due.extend(named(&tree)?);
            found.push(tree);
        }
    }
    Ok(found)
}
