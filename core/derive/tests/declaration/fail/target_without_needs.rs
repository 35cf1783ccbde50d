//! A handler that forgets its check does not compile (B-062).

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = None, idempotent = true, calls = [], examples = [{}])]
pub struct Look {
    /// The document.
    pub id: DocId,
}

impl Run for Look {
    async fn run(self, _cx: &Cx<'_>) -> Reply {
        Ok(Output::new())
    }
}

fn main() {}
