//! Reads where documents are, and where SiYuan keeps their versions.

use std::time::Duration;

use serde_json::Value;

use super::MOST_RUNS;
use super::hash_of_database;
use super::record::{self, RunDocument};
use super::tree::BlockTree;
use crate::id::{BlockId, is_node_id};
use crate::kernel::api::file::{self, Entry};
use crate::kernel::api::{filetree, system};
use crate::kernel::{self, Kernel, KernelError, files};

/// The folder of versions.
const HISTORY: &str = "/history";
/// The operation in the name of a folder of versions that were asked for.
const UPDATE: &str = "-update";
/// The operation in the name of a folder of removed documents.
const DELETE: &str = "-delete";
/// The number of newest folders in which a version is looked for.
const FOLDERS: usize = 12;
/// The maximum number of folders below one, in which a removed document is looked for.
const BELOW: usize = 500;
/// The days for which SiYuan keeps versions, unless a person set others.
const DAYS: u64 = 30;
/// The number of times that SiYuan is asked while it indexes, and the time between them.
const INDEXING_TRIES: usize = 20;
const INDEXING_PAUSE: Duration = Duration::from_millis(250);

/// The file of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DocumentFile {
    pub(super) notebook: String,
    /// The storage path: `/a/b.sy`.
    pub(super) storage: String,
}

impl DocumentFile {
    /// Notebook and storage path.
    pub(super) fn place(&self) -> String {
        format!("{}{}", self.notebook, self.storage)
    }

    /// The ids of the documents above it.
    pub(super) fn parents(&self) -> impl Iterator<Item = &str> {
        let parents = self.storage.rsplit_once('/').map_or("", |(parents, _)| parents);
        parents.split('/').filter(|id| !id.is_empty())
    }

    /// The path in the workspace.
    pub(super) fn path(&self) -> String {
        format!("/data/{}", self.place())
    }
}

impl RunDocument {
    /// Notebook and storage path before the run.
    pub(super) fn place(&self) -> String {
        format!("{}{}", self.notebook, self.path)
    }
}

/// Whether SiYuan knows no document and no block with an id, which it says only while it does not index.
pub(super) async fn is_nowhere(kernel: &dyn Kernel, id: &str) -> bool {
    let Some(id) = BlockId::parse(id) else { return false };
    matches!(kernel::ask(kernel, filetree::get_path_by_id(&id)).await, Err(KernelError::Code(..)))
}

/// The id of the document that holds a block.
pub(super) async fn document_of(kernel: &dyn Kernel, block: &str) -> Option<String> {
    let found = kernel::ask(kernel, filetree::get_path_by_id(&BlockId::parse(block)?)).await.ok()?;
    let name = found.path.rsplit('/').next()?;
    name.strip_suffix(".sy").map(str::to_owned)
}

/// The file of a document; `None` for one that is gone, also where its id is that of a block now.
///
/// # Errors
/// An error if SiYuan does not answer, or indexes.
async fn document(kernel: &dyn Kernel, id: &str) -> Result<Option<DocumentFile>, KernelError> {
    let Some(block) = BlockId::parse(id) else { return Ok(None) };
    let found = match kernel::ask(kernel, filetree::get_path_by_id(&block)).await {
        Err(KernelError::Code(..)) => return Ok(None),
        found => found?,
    };
    let file = DocumentFile { notebook: found.notebook, storage: found.path };
    Ok(file.storage.ends_with(&format!("/{id}.sy")).then_some(file))
}

/// Like `document`; also `None` without an answer.
pub(super) async fn file_of(kernel: &dyn Kernel, id: &str) -> Option<DocumentFile> {
    document(kernel, id).await.ok().flatten()
}

/// Like `document`, but waits while SiYuan indexes, as it does right after a removal.
///
/// # Errors
/// An error if SiYuan does not answer, or indexes for longer.
pub(super) async fn settled_file_of(
    kernel: &dyn Kernel,
    id: &str,
) -> Result<Option<DocumentFile>, KernelError> {
    for _ in 0..INDEXING_TRIES {
        match document(kernel, id).await {
            Err(KernelError::Indexing) => kernel.pause(INDEXING_PAUSE).await,
            found => return found,
        }
    }
    Err(KernelError::Indexing)
}

/// The blocks of a document's file.
pub(super) async fn tree_at(kernel: &dyn Kernel, path: &str) -> Option<BlockTree> {
    files::read(kernel, path).await.ok().flatten().and_then(|bytes| BlockTree::parse(&bytes))
}

/// The path of a database's file.
pub(super) fn database_path(id: &str) -> String {
    format!("/data/{}", in_storage(id))
}

/// The path of a database's file beside a document's version.
pub(super) fn database_of_version(version: &str, id: &str) -> Option<String> {
    let (folder, _) = version.strip_prefix(HISTORY)?.strip_prefix('/')?.split_once('/')?;
    Some(format!("{HISTORY}/{folder}/{}", in_storage(id)))
}

fn in_storage(id: &str) -> String {
    format!("storage/av/{id}.json")
}

/// The hash of a database's file; `None` if there is none.
pub(super) async fn database_at(kernel: &dyn Kernel, path: &str) -> Option<String> {
    let bytes = files::read(kernel, path).await.ok().flatten()?;
    Some(hash_of_database(&bytes))
}

/// The folders of versions, the newest first; read once.
#[derive(Debug, Default)]
pub(super) struct VersionFolders {
    names: Option<Vec<String>>,
}

impl VersionFolders {
    async fn names(&mut self, kernel: &dyn Kernel) -> Vec<String> {
        if self.names.is_none() {
            let listed = folders(kernel, HISTORY).await;
            let mut names: Vec<String> =
                listed.into_iter().filter(|it| it.ends_with(UPDATE) || it.ends_with(DELETE)).collect();
            names.sort_unstable();
            names.reverse();
            self.names = Some(names);
        }
        self.names.clone().unwrap_or_default()
    }

    /// The newest version of a document, which was made just now: at its place before the call, else at its place
    /// after it. That of a removed document is where SiYuan put it.
    pub(super) async fn find(
        &mut self,
        kernel: &dyn Kernel,
        id: &str,
        (notebook, path): (&str, &str),
        now: Option<&DocumentFile>,
    ) -> Option<(String, BlockTree)> {
        let mut places: Vec<String> = Vec::new();
        places.extend((!path.is_empty()).then(|| format!("{notebook}{path}")));
        places.extend(now.map(DocumentFile::place).filter(|it| !places.contains(it)));
        let names = self.names(kernel).await;
        for name in names.iter().take(FOLDERS) {
            let mut places = places.clone();
            if places.is_empty() || now.is_none() {
                places.extend(inside(kernel, &format!("{HISTORY}/{name}"), id).await);
            }
            for place in places {
                let path = format!("{HISTORY}/{name}/{place}");
                // An older version than one that cannot be read is not the state before.
                if let Some(bytes) = files::read(kernel, &path).await.ok()? {
                    return BlockTree::parse(&bytes).map(|tree| (path, tree));
                }
            }
        }
        None
    }
}

/// The notebook and the storage path of a version: `/history/<time>/<notebook>/<path>`.
pub(super) fn place_of_version(path: &str) -> Option<(&str, &str)> {
    let (_, place) = path.strip_prefix(HISTORY)?.strip_prefix('/')?.split_once('/')?;
    place.find('/').map(|at| place.split_at(at))
}

/// The folders in a folder.
async fn folders(kernel: &dyn Kernel, path: &str) -> Vec<String> {
    let entries = kernel::ask(kernel, file::read_dir(path)).await.unwrap_or_default();
    entries.into_iter().filter(|it| it.is_dir).map(|it| it.name).collect()
}

/// The place of a document in a folder of versions, without the folder.
async fn inside(kernel: &dyn Kernel, folder: &str, id: &str) -> Option<String> {
    let file = format!("{id}.sy");
    let mut open: Vec<String> =
        folders(kernel, folder).await.into_iter().filter(|it| is_node_id(it)).collect();
    let mut left = BELOW;
    while let Some(below) = open.pop() {
        left = left.checked_sub(1)?;
        let path = format!("{folder}/{below}");
        let entries: Vec<Entry> = kernel::ask(kernel, file::read_dir(&path)).await.unwrap_or_default();
        for entry in entries {
            match entry.is_dir {
                true if is_node_id(&entry.name) => open.push(format!("{below}/{}", entry.name)),
                false if entry.name == file => return Some(format!("{below}/{file}")),
                _ => {}
            }
        }
    }
    None
}

/// Removes the file of a run that changed nothing.
pub(super) async fn forget(kernel: &dyn Kernel, id: &str) {
    // A file that stays is an empty run, which is not listed.
    let _ = kernel::ask(kernel, file::remove_file(&record::path_of(id))).await;
}

/// Removes the files of runs whose versions SiYuan no longer keeps.
pub(super) async fn prune(kernel: &dyn Kernel) {
    let Ok(listed) = files::list(kernel, &record::folder()).await else { return };
    if listed.is_empty() {
        return;
    }
    let days = match kernel::ask(kernel, system::get_conf()).await {
        Ok(reply) => reply.conf.editor.0.get("historyRetentionDays").and_then(Value::as_u64).unwrap_or(DAYS),
        Err(_) => DAYS,
    };
    let oldest = (kernel.now_ms() / 1_000).saturating_sub(days.saturating_mul(24 * 60 * 60));
    let mut ids: Vec<(&str, bool)> =
        listed.iter().filter_map(|it| Some((record::id_of(&it.name)?, it.updated < oldest))).collect();
    // Their names begin with the time.
    ids.sort_unstable();
    ids.reverse();
    for (_, (id, _)) in ids.iter().enumerate().filter(|(at, (_, is_old))| *is_old || *at >= MOST_RUNS) {
        forget(kernel, id).await;
    }
}
