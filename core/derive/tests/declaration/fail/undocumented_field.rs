//! A model reads every argument.

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = None, idempotent = true, calls = [], examples = [{}])]
pub struct Look {
    pub limit: Int<1, 100, 20>,
}

fn main() {}
