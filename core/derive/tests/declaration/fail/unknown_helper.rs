//! A helper has a list of what it asks.

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = None, idempotent = true, calls = [query::SQL, ..incomming])]
pub struct Look;

impl Run for Look {
    async fn run(self, _cx: &Cx<'_>) -> Reply {
        Ok(Output::new())
    }
}

fn main() {}
