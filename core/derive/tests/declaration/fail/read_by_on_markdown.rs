//! A type that knows its interpreters is not given others.

use puppy_core::prelude::*;

/// Look for something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = None, idempotent = true, calls = [], examples = [{ "text": "x" }])]
pub struct Look {
    /// The words.
    #[read_by(Sql)]
    pub text: Markdown,
}

impl Run for Look {
    async fn run(self, _cx: &Cx<'_>) -> Reply {
        Ok(Output::new())
    }
}

fn main() {}
