//! A level on plain text judges nothing.

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = None, idempotent = true, calls = [], examples = [{}])]
pub struct Look {
    /// The title.
    #[needs(Read)]
    #[read_by()]
    pub title: Text<1, 512>,
}

impl Run for Look {
    async fn run(self, _cx: &Cx<'_>) -> Reply {
        Ok(Output::new())
    }
}

fn main() {}
