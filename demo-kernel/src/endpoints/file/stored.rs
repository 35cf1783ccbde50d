//! Files that the real kernel has and this one keeps in its databases: documents, and the databases of notes.

use crate::answer::Refusal;
use crate::av::database::Database;
use crate::kernel::Kernel;
use crate::markdown::sy;
use crate::store::Tree;

/// The entries of a folder: each name, and whether it is a folder.
pub(super) type FolderEntries = Vec<(String, bool)>;

/// The part of a path below `data`.
fn below(path: &str) -> &str {
    path.trim_matches('/').strip_prefix("data/").unwrap_or_default()
}

/// The text of a document's or a database's file.
pub(super) fn text(kernel: &Kernel, path: &str) -> Result<Option<String>, Refusal> {
    if let Some(id) = database_of(path) {
        let database = kernel.store.read(|db| db.find_database(id))?;
        return Ok(database.map(|it| serde_json::json!(it).to_string()));
    }
    let Some((notebook, storage)) = below(path).split_once('/') else { return Ok(None) };
    let name = storage.rsplit('/').next().unwrap_or_default();
    let Some(id) = name.strip_suffix(".sy").filter(|id| crate::id::is_node_id(id)) else { return Ok(None) };
    let tree = kernel.store.read(|db| db.tree_of(id))?;
    let there = |tree: &Tree| tree.notebook == notebook && tree.path.trim_start_matches('/') == storage;
    Ok(tree.filter(there).map(|tree| sy::document(&tree.root)))
}

/// The id of the database whose file this is.
fn database_of(path: &str) -> Option<&str> {
    below(path).strip_prefix("storage/av/")?.strip_suffix(".json").filter(|id| crate::id::is_node_id(id))
}

/// Takes the file of a database over; whether it was one. What cannot be read as a database is a file like others.
pub(super) fn take(kernel: &Kernel, path: &str, bytes: &[u8]) -> Result<bool, Refusal> {
    let read = database_of(path).and_then(|_| serde_json::from_slice::<Database>(bytes).ok());
    let Some(mut database) = read else { return Ok(false) };
    kernel.store.write(|db| db.save_database(&mut database))?;
    Ok(true)
}

/// Removes the file of a database; whether there was one.
pub(super) fn remove(kernel: &Kernel, path: &str) -> Result<bool, Refusal> {
    let Some(id) = database_of(path) else { return Ok(false) };
    kernel.store.write(|db| {
        let found = db.find_database(id)?.is_some();
        db.forget_database(id)?;
        Ok(found)
    })
}

/// The entries of a notebook's folder or of the folder of databases; `None` for other folders.
pub(super) fn entries(kernel: &Kernel, path: &str) -> Result<Option<FolderEntries>, Refusal> {
    if below(path) == "storage/av" {
        let file = |it: &Database| (format!("{}.json", it.id), false);
        return Ok(Some(kernel.store.read(|db| db.databases().map(|all| all.iter().map(file).collect()))?));
    }
    let (notebook, folder) = below(path).split_once('/').unwrap_or((below(path), ""));
    let folder = if folder.is_empty() { "/".to_owned() } else { format!("/{folder}/") };
    if !crate::id::is_node_id(notebook) {
        return Ok(None);
    }
    let trees = kernel.store.read(|db| db.trees_in(notebook))?;
    let mut entries = FolderEntries::new();
    if folder == "/" && !trees.is_empty() {
        entries.push((".siyuan".to_owned(), true));
    }
    for storage in trees.iter().filter_map(|tree| tree.path.strip_prefix(&folder)) {
        match storage.split_once('/') {
            None => entries.push((storage.to_owned(), false)),
            Some((folder, _)) if !entries.iter().any(|(name, _)| name == folder) => {
                entries.push((folder.to_owned(), true));
            }
            Some(_) => {}
        }
    }
    Ok(Some(entries))
}
