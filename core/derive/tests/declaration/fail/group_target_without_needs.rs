//! A choice of groups with a marked target needs a level (B-062).

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = None, idempotent = true, calls = [], examples = [{}])]
pub struct Look {
    /// The document, directly or by a word.
    #[one_of]
    pub place: Place,
}

/// A document, directly or by a word.
#[derive(Debug, OneOf)]
pub enum Place {
    /// The document.
    #[target]
    Parent(DocId),
    /// By a word.
    #[read_by()]
    Word(Text<1, 8>),
}

impl Run for Look {
    async fn run(self, _cx: &Cx<'_>) -> Reply {
        Ok(Output::new())
    }
}

fn main() {}
