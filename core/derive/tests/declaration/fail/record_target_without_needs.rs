//! An object with a marked target needs a level (B-062).

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = None, idempotent = true, calls = [], examples = [{}])]
pub struct Look {
    /// The pieces.
    pub pieces: Many<Piece, 1, 8>,
}

/// A piece.
#[derive(Debug, Record)]
pub struct Piece {
    /// The block.
    #[target]
    pub id: BlockId,
}

impl Run for Look {
    async fn run(self, _cx: &Cx<'_>) -> Reply {
        Ok(Output::new())
    }
}

fn main() {}
