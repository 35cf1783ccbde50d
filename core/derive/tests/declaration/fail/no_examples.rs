//! An action with arguments shows how it is called.

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = None, idempotent = true, calls = [])]
pub struct Look {
    /// The document.
    #[needs(Read)]
    pub id: DocId,
}

fn main() {}
