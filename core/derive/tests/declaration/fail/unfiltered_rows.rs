//! Rows of the kernel are not output before the grants saw them (B-055).

use puppy_core::prelude::*;
use serde_json::json;

/// Look at rows.
#[derive(Debug, Action)]
#[action(search.look, workspace = Read, danger = None, idempotent = true, calls = [SQL])]
pub struct Look;

impl Run for Look {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let rows = cx.call(api::SQL, json!({})).await?;
        Ok(Output::new().with("total", rows.len()))
    }
}

fn main() {}
