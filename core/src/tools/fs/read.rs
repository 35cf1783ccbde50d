//! `fs.read`: a document as Markdown.

use serde_json::json;

use crate::content::pictures;
use crate::content::reading::{Reading, read};
use crate::prelude::*;

/// Read a document as Markdown, from the start, from block `start`, from a heading, or the last blocks.
#[derive(Debug, Action)]
#[action(
    fs.read,
    danger = None,
    idempotent = true,
    calls = [block::GET_CHILD_BLOCKS, block::GET_TAIL_CHILD_BLOCKS, ..pictures],
    examples = [
        { "path": "{path}" },
        { "path": "{path}", "start": 0, "limit": 10, "budget": 500, "with_ids": true },
        { "path": "{path}", "tail": 1 },
        { "path": "{path}", "section": "Summer" },
        { "path": "{path}", "pictures": true },
    ],
)]
pub struct Read {
    /// Workspace path such as /Notebook/Folder/Doc, or a document's id.
    #[needs(Read)]
    pub path: WorkspacePath,
    /// Which part of it.
    #[args]
    pub part: Reading,
    /// Whether to return its images too.
    pub pictures: Flag<false>,
}

impl Run for Read {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        if self.path.is_root() {
            return Err(ToolError::field("path", "a document; list shows what is there").try_call(
                crate::spec::Tool::Fs,
                "list",
                json!({ "path": "/" }),
            ));
        }
        let tail = self.part.tail;
        let blocks = |id: DocId| async move {
            match tail {
                Some(n) => cx.ask(block::get_tail_child_blocks(&id, n.get())).await,
                None => cx.ask(block::get_child_blocks(&id)).await,
            }
        };
        let (id, blocks) = cx.read_document(&self.path, blocks).await?;
        let output = read(blocks, &self.part)?;
        let title = self.path.split_last().map(|(_, title)| title).filter(|title| *title != id.as_str());
        let mut data = object([("id", json!(id.as_str())), ("title", json!(title))]);
        data.extend(output.data);
        let output = Output { data, ..output };
        if self.pictures.is_set() { pictures::add(id, output, cx).await } else { Ok(output) }
    }
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
