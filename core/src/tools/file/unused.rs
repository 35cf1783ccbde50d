//! Finds the assets that no note uses.
//!
//! The kernel's own list is not believed: it names folders, and assets that stand in HTML, in addresses with another
//! form, and in documents that it could not load. Each of its entries is looked for in the texts of all notebooks, in
//! the files of all databases, and in those of documents that the index does not have.

use std::collections::BTreeSet;

use futures_util::future::try_join_all;

use crate::id::is_node_id;
use crate::index::{self, Raw, Select, Table};
use crate::kernel::Route;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The routes that `find` calls.
pub(super) const CALLS: &[Route] =
    &[asset::GET_UNUSED_ASSETS, file::GET_FILE, file::READ_DIR, query::SQL, query::FLUSH_TRANSACTION];

/// Names that one statement looks for.
const CHUNK: usize = 128;
/// Documents that one statement looks for.
const DOCUMENTS: usize = 1000;
/// The folder of the databases of notes.
const DATABASES: &str = "/data/storage/av";

/// The files that nothing uses, as far as can be determined.
#[derive(Debug, Default)]
pub(super) struct UnusedFiles {
    /// The files, in the kernel's order: the newest first.
    pub files: Vec<AssetPath>,
    /// The number of documents that SiYuan could not load. What their files still say is looked at, not what they
    /// have lost.
    pub unloaded: usize,
}

/// Finds the files that nothing uses. While a notebook is hidden there are none.
pub(super) async fn find(cx: &Cx<'_>) -> Result<UnusedFiles, ToolError> {
    cx.declares(CALLS)?;
    if cx.grants().any_hidden() {
        return Ok(UnusedFiles::default());
    }
    cx.ask(query::flush_transaction()).await?;
    let listed = cx.ask(asset::get_unused_assets()).await?.unwrap_or_default();
    let listed: Vec<AssetPath> =
        listed.iter().flatten().filter_map(|it| AssetPath::parse(&it.item)).collect();
    let files = files(&listed, cx).await?;
    if files.is_empty() {
        return Ok(UnusedFiles::default());
    }
    let unloaded = unloaded(cx).await?;
    let databases = entries(DATABASES, cx).await?.into_iter().map(|it| format!("{DATABASES}/{}", it.name));
    let texts: Vec<String> = unloaded.iter().cloned().chain(databases).collect();
    let texts = try_join_all(texts.iter().map(|path| cx.read_file(path))).await?;
    let texts: Vec<String> =
        texts.iter().flatten().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
    let mut found = Vec::new();
    for some in files.chunks(CHUNK) {
        let marks: Vec<&str> = some.iter().map(|it| mark(it.file_name())).collect();
        let rows = cx.select_raw(&Raw::each_mentioned(&marks)).await?;
        let is_used = |(at, mark): (usize, &&str)| {
            rows.iter().any(|row| row.number(&Raw::mentioned(at)) > 0)
                || texts.iter().any(|it| it.contains(*mark))
        };
        let is_free = marks.iter().enumerate().map(|it| !is_used(it));
        found.extend(
            some.iter().zip(is_free).filter(|(_, is_free)| *is_free).map(|(path, _)| (*path).clone()),
        );
    }
    Ok(UnusedFiles { files: found, unloaded: unloaded.len() })
}

/// The entries of a folder; none where it is missing.
async fn entries(folder: &str, cx: &Cx<'_>) -> Result<Vec<file::Entry>, ToolError> {
    match cx.ask(file::read_dir(folder)).await {
        Err(error) if error.code == Some(404) => Ok(Vec::new()),
        listed => listed,
    }
}

/// The files of documents in open notebooks that the index does not have.
async fn unloaded(cx: &Cx<'_>) -> Result<Vec<String>, ToolError> {
    let open: Vec<&str> =
        cx.scope().visible_notebooks().filter(|it| !it.closed).map(|it| it.id.as_str()).collect();
    let mut folders: Vec<String> = open.iter().map(|id| format!("/data/{id}")).collect();
    let mut documents: Vec<(String, String)> = Vec::new();
    while !folders.is_empty() {
        let listed = try_join_all(folders.iter().map(|folder| entries(folder, cx))).await?;
        let mut below = Vec::new();
        for (folder, entry) in folders
            .iter()
            .zip(listed)
            .flat_map(|(it, listed)| listed.into_iter().map(move |entry| (it, entry)))
        {
            let path = format!("{folder}/{}", entry.name);
            let id = entry.name.strip_suffix(".sy").unwrap_or(&entry.name);
            if entry.is_dir && is_node_id(id) {
                below.push(path);
            // A notebook's own document has its id, and stands in no index.
            } else if !entry.is_dir && id != entry.name && is_node_id(id) && !open.contains(&id) {
                documents.push((id.to_owned(), path));
            }
        }
        folders = below;
    }
    let mut known: BTreeSet<String> = BTreeSet::new();
    for some in documents.chunks(DOCUMENTS) {
        let select = Select::from(Table::Blocks).columns(["id"]).filter(index::eq("type", "d"));
        let select = select.filter(index::in_list("id", some.iter().map(|(id, _)| id.as_str())));
        let rows = cx.select(select.limit(some.len())).await?.rows;
        known.extend(rows.iter().map(|row| row.text("id").to_owned()));
    }
    Ok(documents.into_iter().filter(|(id, _)| !known.contains(id)).map(|(_, path)| path).collect())
}

/// Those of the paths that are files and no folders.
async fn files<'p>(paths: &'p [AssetPath], cx: &Cx<'_>) -> Result<Vec<&'p AssetPath>, ToolError> {
    let folder = |path: &AssetPath| path.as_str().rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let folders: BTreeSet<String> = paths.iter().filter_map(folder).into_set();
    let entries = try_join_all(folders.iter().map(|folder| async move {
        let listed = entries(&format!("/data/{folder}"), cx).await?;
        let files = listed.into_iter().filter(|it| !it.is_dir).map(|it| format!("{folder}/{}", it.name));
        Ok::<Vec<String>, ToolError>(files.collect())
    }));
    let there: BTreeSet<String> = entries.await?.into_iter().flatten().into_set();
    Ok(paths.iter().filter(|it| there.contains(it.as_str())).collect())
}

/// The part of a file's name that every address of it contains, however it is encoded: the id in it, or else the
/// longest run of letters that no encoding changes.
fn mark(name: &str) -> &str {
    let id = |at: usize| name.get(at..at + 22).filter(|it| is_node_id(it));
    let plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.');
    let runs = name.split(|it| !plain(it));
    name.char_indices().find_map(|(at, _)| id(at)).or_else(|| runs.max_by_key(|it| it.len())).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::mark;

    #[test]
    fn a_mark_stands_in_every_encoding_of_a_name() {
        assert_eq!(mark("a b-20250601000000-asset00.png"), "20250601000000-asset00");
        assert_eq!(mark("leaf.png"), "leaf.png");
        assert_eq!(mark("日記 plan_1.pdf"), "plan_1.pdf");
        assert_eq!(mark("日記.png"), ".png");
    }
}
