//! Stored query embeds that run more than one SELECT, for the person whose notes they are.

use super::incoming::runs_more_than_a_select;
use crate::index::{self, Raw};
use crate::kernel::{Kernel, KernelError};

/// A document with such an embed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct OddEmbed {
    /// The id of its notebook.
    pub notebook: String,
    /// Its path of titles in the notebook.
    pub hpath: String,
    /// Its id.
    pub doc: String,
}

/// The documents of all notebooks with such embeds, each once.
pub async fn find(kernel: &dyn Kernel) -> Result<Vec<OddEmbed>, KernelError> {
    let rows = Raw::embeds().for_the_person(kernel).await?;
    let odd = rows.iter().filter(|row| runs_more_than_a_select(row.text("markdown")));
    let mut found: Vec<OddEmbed> = odd
        .map(|row| OddEmbed {
            notebook: row.text("box").to_owned(),
            hpath: index::hpath(row).to_owned(),
            doc: row.text("root_id").to_owned(),
        })
        .collect();
    found.sort();
    found.dedup();
    Ok(found)
}
