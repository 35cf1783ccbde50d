//! Danger is said, never assumed.

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, idempotent = true, calls = [])]
pub struct Look;

fn main() {}
