//! The puppy in the corner of the window; nothing here touches notes.

pub mod buy;
pub mod shop;
pub mod status;

use crate::activity::stats::{STATS_FILE, Stats};
use crate::kernel::files;
use crate::prelude::*;

/// The puppy's file; a missing or broken one counts as zero.
async fn stats(cx: &Cx<'_>) -> Result<Stats, ToolError> {
    let file = cx.read_file(&path()).await?;
    Ok(file.map(|bytes| Stats::parse(&bytes)).unwrap_or_default())
}

fn path() -> String {
    format!("{}{STATS_FILE}", files::TEMP)
}
