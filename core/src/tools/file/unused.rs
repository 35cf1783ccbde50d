//! Assets that nothing uses.
//!
//! The kernel's own list is not believed: it names folders, and assets that stand in HTML, in addresses with another
//! form, and in documents that it could not load. Each of its entries is looked for in the texts of all notebooks.

use std::collections::BTreeSet;

use futures_util::future::try_join_all;

use crate::id::is_node_id;
use crate::index::Raw;
use crate::kernel::Route;
use crate::prelude::*;

/// The routes that `find` calls.
pub(super) const CALLS: &[Route] =
    &[asset::GET_UNUSED_ASSETS, file::READ_DIR, query::SQL, query::FLUSH_TRANSACTION];

/// Names that one statement looks for.
const CHUNK: usize = 128;

/// The files that nothing uses, in the kernel's order: the newest first. While a notebook is hidden there are none.
pub(super) async fn find(cx: &Cx<'_>) -> Result<Vec<AssetPath>, ToolError> {
    cx.declares(CALLS)?;
    if cx.grants().any_hidden() {
        return Ok(Vec::new());
    }
    cx.ask(query::flush_transaction()).await?;
    let listed = cx.ask(asset::get_unused_assets()).await?.unwrap_or_default();
    let listed: Vec<AssetPath> =
        listed.iter().flatten().filter_map(|it| AssetPath::parse(&it.item)).collect();
    let files = files(&listed, cx).await?;
    let mut found = Vec::new();
    for some in files.chunks(CHUNK) {
        let marks: Vec<&str> = some.iter().map(|it| mark(it.file_name())).collect();
        let rows = cx.select_raw(&Raw::each_mentioned(&marks)).await?;
        let is_used = |at: usize| rows.iter().any(|row| row.number(&Raw::mentioned(at)) > 0);
        found
            .extend(some.iter().enumerate().filter(|(at, _)| !is_used(*at)).map(|(_, path)| (*path).clone()));
    }
    Ok(found)
}

/// Those of the paths that are files and no folders.
async fn files<'p>(paths: &'p [AssetPath], cx: &Cx<'_>) -> Result<Vec<&'p AssetPath>, ToolError> {
    let folder = |path: &AssetPath| path.as_str().rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let folders: BTreeSet<String> = paths.iter().filter_map(folder).collect();
    let entries = try_join_all(folders.iter().map(|folder| async move {
        let listed = match cx.ask(file::read_dir(&format!("/data/{folder}"))).await {
            Err(error) if error.code == Some(404) => Vec::new(),
            listed => listed?,
        };
        let files = listed.into_iter().filter(|it| !it.is_dir).map(|it| format!("{folder}/{}", it.name));
        Ok::<Vec<String>, ToolError>(files.collect())
    }));
    let there: BTreeSet<String> = entries.await?.into_iter().flatten().collect();
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
