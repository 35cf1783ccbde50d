//! Without a level the effect is said.

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(document.look, danger = None, idempotent = true, calls = [])]
pub struct Look;

fn main() {}
