//! `system.open_document`: opens a document, or a block in its document, in SiYuan.

use serde_json::Value;

use super::screen;
use crate::kernel::page::PageRequest;
use crate::prelude::*;

/// Open a document, or a block in its document, in SiYuan.
#[derive(Debug, Action)]
#[action(
    system.open_document,
    effect = Screen,
    danger = None,
    idempotent = true,
    calls = [..screen],
    examples = [{ "id": "{doc}" }, { "id": "{block}", "focus": false, "zoom": true }],
)]
pub struct OpenDocument {
    /// The document or block.
    #[needs(Read)]
    pub id: BlockId,
    /// Whether to bring it to the front.
    pub focus: Flag<true>,
    /// Whether to show only the block.
    pub zoom: Flag<false>,
}

impl Change for OpenDocument {
    /// The path of titles.
    type Facts = String;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<String>, ToolError> {
        let (_, hpath) = screen::place(&self.id, cx).await?;
        cx.needs_page()?;
        Ok(Plan::new("open", hpath.clone()).show("hpath", hpath))
    }

    async fn run(self, plan: Plan<String>, cx: &Cx<'_>) -> Reply {
        let (focus, zoom) = (self.focus.is_set(), self.zoom.is_set());
        let _: Value = cx.page(PageRequest::OpenDocument { id: self.id.to_string(), focus, zoom }).await?;
        Ok(Output::new().with("opened", plan.facts))
    }
}

#[cfg(test)]
#[path = "open_document_tests.rs"]
mod tests;
