//! `system.scroll_to_block`: scrolls to a block in the open document and highlights it.

use serde::Deserialize;

use super::screen;
use crate::kernel::page::PageRequest;
use crate::prelude::*;

/// Scroll to a block in the open document and highlight it.
#[derive(Debug, Action)]
#[action(
    system.scroll_to_block,
    effect = Screen,
    danger = None,
    tier = advanced,
    idempotent = true,
    calls = [..screen],
    examples = [{ "id": "{block}", "open": true }],
)]
pub struct ScrollToBlock {
    /// The document or block.
    #[needs(Read)]
    pub id: BlockId,
    /// Whether to open the document if it is not open.
    pub open: Flag<true>,
}

/// The page's answer.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ScrollReply {
    visible: bool,
    /// Whether the document is not open.
    closed: bool,
}

impl Change for ScrollToBlock {
    type Facts = ();

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<()>, ToolError> {
        let (_, hpath) = screen::place(&self.id, cx).await?;
        cx.needs_page()?;
        Ok(Plan::new("scroll", ()).show("hpath", hpath))
    }

    async fn run(self, _plan: Plan<()>, cx: &Cx<'_>) -> Reply {
        let request = PageRequest::ScrollToBlock { id: self.id.to_string(), open: self.open.is_set() };
        let scrolled: ScrollReply = cx.page(request).await?;
        if scrolled.closed {
            return Err(ToolError::field("open", "true: the document is not open"));
        }
        Ok(Output::new().with("visible", scrolled.visible))
    }
}

#[cfg(test)]
#[path = "scroll_to_block_tests.rs"]
mod tests;
