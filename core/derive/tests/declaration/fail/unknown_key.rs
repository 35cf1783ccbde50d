//! The attribute language is closed.

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, dangerous = None, idempotent = true, calls = [])]
pub struct Look;

fn main() {}
