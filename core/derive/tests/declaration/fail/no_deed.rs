//! A danger has a deed.

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = "Looks.", idempotent = true, calls = [])]
pub struct Look;

fn main() {}
