//! There are eleven tools.

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(notes.look, workspace = Read, danger = None, idempotent = true, calls = [])]
pub struct Look;

impl Run for Look {
    async fn run(self, _cx: &Cx<'_>) -> Reply {
        Ok(Output::new())
    }
}

fn main() {}
