//! The levels of notebooks for the document tree, where a change takes effect immediately.

use puppy_core::config::GRANTS_FILE;
use puppy_core::id::NotebookId;
use puppy_core::kernel::files;
use puppy_core::permission::{Grants, Level, LevelTable};
use puppy_ui_web::kernel::{PageKernel, notebooks};
use puppy_ui_web::words::PanelWords;

use crate::channel;
use crate::store::{read_made, read_table};

/// A line for each notebook with its id and its level, separated by tabs, after a line for each level with its name.
pub(crate) async fn list() -> Option<String> {
    let grants = grants(read_table().await.ok()?).await?;
    let words = PanelWords::of(&channel::lang());
    let names = Level::ALL.into_iter().map(|it| format!("\t{it}\t{}", words.level(it)));
    let rows = notebooks().await.ok()?.into_iter().filter(|it| !it.encrypted);
    let rows = rows.map(|it| format!("{}\t{}", it.id, grants.level_of(&it.id)));
    Some(names.chain(rows).collect::<Vec<_>>().join("\n"))
}

/// The highest level of any notebook; `None` where it is not known.
pub(crate) async fn highest() -> Option<Level> {
    let grants = grants(read_table().await.ok()?).await?;
    let open = notebooks().await.ok()?.into_iter().filter(|it| !it.encrypted);
    open.map(|it| grants.level_of(&it.id)).max()
}

/// Sets the level of a notebook and returns the previous one. The rest of the table stays unchanged.
pub(crate) async fn set(notebook: &str, level: Level) -> Option<String> {
    let notebook = NotebookId::parse(notebook)?;
    let mut table = read_table().await.ok()?;
    let before = grants(table.clone()).await?.level(&notebook);
    table.set(&notebook, level);
    files::write(&PageKernel, &files::stored(GRANTS_FILE), table.to_json().into_bytes()).await.ok()?;
    channel::changed(&[GRANTS_FILE]).await;
    Some(before.to_string())
}

/// The grants of agents under a table; `None` if the levels of notebooks that agents made cannot be read.
async fn grants(table: LevelTable) -> Option<Grants> {
    Some(Grants { made: Ok(read_made().await.ok()?), ..Grants::of(table) })
}
