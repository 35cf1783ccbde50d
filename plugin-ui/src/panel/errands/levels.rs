//! The levels of notebooks for the document tree, where a change holds at once.

use puppy_core::config::GRANTS_FILE;
use puppy_core::id::NotebookId;
use puppy_core::kernel::files;
use puppy_core::permission::{Grants, Level};
use puppy_plugin_ui::kernel::PageKernel;
use puppy_plugin_ui::words::PanelWords;

use crate::line;
use crate::store::{notebooks, read_table};

/// A line for each notebook: its id, its level, and the name of that level, between tabs.
pub(crate) async fn list() -> Option<String> {
    let grants = Grants::of(read_table().await.ok()?);
    let words = PanelWords::of(&line::lang());
    let rows = notebooks().await.ok()?.into_iter().filter(|it| !it.encrypted);
    let lines = rows.map(|it| {
        let level = grants.level_of(&it.id);
        format!("{}\t{level}\t{}", it.id, words.level(level))
    });
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// Sets the level of a notebook; returns the one that held before. The rest of the table stays as it is.
pub(crate) async fn set(notebook: &str, level: Level) -> Option<String> {
    let notebook = NotebookId::parse(notebook)?;
    let mut table = read_table().await.ok()?;
    let before = Grants::of(table.clone()).level(&notebook);
    table.set(&notebook, level);
    let path = format!("{}{GRANTS_FILE}", files::STORAGE);
    files::write(&PageKernel, &path, table.to_json().into_bytes()).await.ok()?;
    line::changed(&[GRANTS_FILE]).await;
    Some(before.to_string())
}
