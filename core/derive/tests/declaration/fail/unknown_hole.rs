//! A hole of an example is one that help and tests can fill.

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = None, idempotent = true, calls = [], examples = [{ "id": "{dco}" }])]
pub struct Look {
    /// The document.
    #[needs(Read)]
    pub id: DocId,
}

impl Run for Look {
    async fn run(self, _cx: &Cx<'_>) -> Reply {
        Ok(Output::new())
    }
}

fn main() {}
