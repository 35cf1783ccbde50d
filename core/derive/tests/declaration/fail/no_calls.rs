//! So are the endpoints.

use puppy_core::prelude::*;

/// Look at something.
#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = None, idempotent = true)]
pub struct Look;

fn main() {}
