//! Rows of the kernel are not output before the grants saw them (B-055).

use puppy_core::prelude::*;

/// Look at rows.
#[derive(Debug, Action)]
#[action(search.look, workspace = Read, danger = None, idempotent = true, calls = [query::SQL])]
pub struct Look;

impl Run for Look {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let rows = cx.ask(query::sql("SELECT 1")).await?;
        Ok(Output::new().with("total", rows.len()))
    }
}

fn main() {}
