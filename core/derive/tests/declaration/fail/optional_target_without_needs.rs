//! Neither does one whose target may be left out.

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = None, idempotent = true, calls = [], examples = [{}])]
pub struct Look {
    /// The blocks.
    pub ids: Option<Many<BlockId, 1, 64>>,
    /// The document or folder.
    pub path: Option<WorkspacePath>,
}

impl Run for Look {
    async fn run(self, _cx: &Cx<'_>) -> Reply {
        Ok(Output::new())
    }
}

fn main() {}
