//! A model reads every action.

use puppy_core::prelude::*;

#[derive(Debug, Action)]
#[action(document.look, workspace = Read, danger = None, idempotent = true, calls = [])]
pub struct Look;

fn main() {}
