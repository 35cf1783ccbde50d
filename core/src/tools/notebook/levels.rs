//! Writes the level of one notebook into a file of levels.

use crate::error::ErrorType;
use crate::grants::{GRANTS_FILE, MADE_FILE};
use crate::id::NotebookId;
use crate::kernel::files;
use crate::permission::{Closed, LevelTable};
use crate::prelude::*;

/// The maximum number of attempts to write an entry that others overwrite.
const TRIES: usize = 4;

/// Writes a notebook's entry and leaves the others alone, until a read-back confirms it. An entry that is no longer the
/// one before was changed by somebody else meanwhile, and stays.
///
/// The kernel has no locks, so only what a person approved goes into the table of levels; notebooks that agents create
/// have a file of their own.
pub(super) async fn set(
    cx: &Cx<'_>,
    file: &'static str,
    id: &NotebookId,
    before: Option<Level>,
    level: Level,
) -> Result<(), ToolError> {
    let path = format!("{}{file}", files::STORAGE);
    let _alone = cx.alone().await;
    for tries in 0.. {
        let mut table = match cx.read_file(&path).await? {
            None => LevelTable::default(),
            Some(bytes) => LevelTable::parse(&bytes).ok_or_else(|| unreadable(file))?,
        };
        let entry = table.get(id.as_str());
        if entry == Some(level) {
            return Ok(());
        }
        if tries == TRIES || entry != before {
            break;
        }
        table.set(id, level);
        cx.write_file(&path, table.to_json().into_bytes()).await?;
    }
    Err(ToolError::conflict("other programs are writing the same file"))
}

/// The error of a file of levels that nobody can read; it is not overwritten.
pub(super) fn unreadable(file: &'static str) -> ToolError {
    if file == GRANTS_FILE {
        return ToolError::from(&Closed::Malformed(GRANTS_FILE));
    }
    ToolError::new(
        ErrorType::Api,
        format!(
            "The file {MADE_FILE}, which contains the levels of notebooks created by agents, cannot be read, so no notebook was created. A person can delete it in {}: these notebooks then have level r, or the level in the table of levels.",
            files::STORAGE
        ),
    )
}
