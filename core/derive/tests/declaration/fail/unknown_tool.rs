//! There are eleven tools.

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(notes.look, workspace = Read, danger = None, idempotent = true, calls = [])]
pub struct Look;

impl Run for Look {
    async fn run<K: Kernel>(self, _cx: &Cx<'_, K>) -> Reply {
        Ok(Output::new())
    }
}

fn main() {}
