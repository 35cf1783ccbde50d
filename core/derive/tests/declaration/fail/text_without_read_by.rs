//! Free text names the interpreters of SiYuan that read it.

use puppy_core::prelude::*;

/// Look for something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = None, idempotent = true, calls = [], examples = [{ "query": "x" }])]
pub struct Look {
    /// The words.
    pub query: Text<1, 512>,
}

impl Run for Look {
    async fn run(self, _cx: &Cx<'_>) -> Reply {
        Ok(Output::new())
    }
}

fn main() {}
