//! A deed is for a danger.

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = None, deed = Delete(Never), idempotent = true, calls = [])]
pub struct Look;

fn main() {}
