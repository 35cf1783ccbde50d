//! `needs` has two keys.

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = None, idempotent = true, calls = [], examples = [{}])]
pub struct Look {
    /// The document.
    #[needs(Read, unless = workspace)]
    pub id: DocId,
}

fn main() {}
