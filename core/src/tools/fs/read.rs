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
    /// Whether images in it come along.
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
mod tests {
    use serde_json::json;

    use crate::error::ErrorType;
    use crate::spec::Tool;
    use crate::testing::{FakeKernel, GARDEN, PRIVATE, call, engine};

    const DOC: &str = "20250101000001-welcome";
    const HIDDEN: &str = "20250101000002-diary00";

    fn kernel() -> FakeKernel {
        FakeKernel::new()
            .answer("/api/filetree/getIDsByHPath", |ask| {
                if ask["path"] == "/Welcome" { json!([DOC]) } else { json!([]) }
            })
            .answer("/api/filetree/getPathByID", |ask| match ask["id"].as_str() {
                Some(DOC) => json!({ "notebook": GARDEN, "path": format!("/{DOC}.sy") }),
                Some(HIDDEN) => json!({ "notebook": PRIVATE, "path": format!("/{HIDDEN}.sy") }),
                _ => json!({ "code": -1, "msg": "tree not found", "data": null }),
            })
            .answer("/api/block/getChildBlocks", |ask| match ask["id"].as_str() {
                Some(HIDDEN) => json!([{ "id": HIDDEN, "type": "p", "markdown": "quicksilver" }]),
                Some(DOC) => {
                    json!([{ "id": "20250101000003-block00", "type": "p", "markdown": "Hello *garden*" }])
                }
                _ => json!([]),
            })
    }

    #[test]
    fn reading_by_path_makes_two_requests() {
        let engine = engine(kernel());
        let reply =
            call(&engine, Tool::Fs, json!({ "action": "read", "path": "/Garden/Welcome", "with_ids": true }))
                .unwrap();
        assert_eq!(reply.body.as_deref(), Some("<!-- 20250101000003-block00 -->\nHello *garden*"));
        assert_eq!((&reply.data["id"], &reply.data["title"]), (&json!(DOC), &json!("Welcome")));
        let asked: Vec<&str> = engine.kernel.asked().iter().map(|(path, _)| *path).collect();
        assert_eq!(asked, ["/api/filetree/getIDsByHPath", "/api/block/getChildBlocks"]);
    }

    #[test]
    fn reading_by_id_tells_no_title() {
        let engine = engine(kernel());
        let reply = call(&engine, Tool::Fs, json!({ "action": "read", "path": DOC })).unwrap();
        assert_eq!((&reply.data["id"], reply.data.get("title")), (&json!(DOC), None));
    }

    /// B-055: by id, hidden and missing give the same answer after the same requests.
    #[test]
    fn reading_a_hidden_document_answers_like_a_missing_one() {
        let ask = |id: &str| {
            let engine = engine(kernel());
            let error = call(&engine, Tool::Fs, json!({ "action": "read", "path": id })).unwrap_err();
            let asked: Vec<&str> = engine.kernel.asked().iter().map(|(path, _)| *path).collect();
            (error, asked)
        };
        let (hidden, missing) = (ask(HIDDEN), ask("20250101000009-nothing"));
        assert_eq!(hidden, missing);
        assert_eq!(hidden.0.kind, ErrorType::NotFound);
    }

    #[test]
    fn reading_an_unknown_path_is_not_found() {
        let engine = engine(kernel());
        let error =
            call(&engine, Tool::Fs, json!({ "action": "read", "path": "/Garden/Nothing" })).unwrap_err();
        assert_eq!(error.kind, ErrorType::NotFound);
    }
}
