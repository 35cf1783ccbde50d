//! `block.append`: Markdown at the end of a document or container.

use super::adding::{self, Adding, End};
use crate::prelude::*;

/// Add Markdown at the end of a document or container.
#[derive(Debug, Action)]
#[action(
    block.append,
    danger = None,
    idempotent = false,
    calls = [..adding],
    examples = [{ "id": "{doc}", "markdown": "Sage grows in autumn." }],
)]
pub struct Append {
    /// The block.
    #[needs(Write)]
    pub id: BlockId,
    /// The text, as Markdown.
    pub markdown: Markdown,
}

impl Change for Append {
    type Facts = Adding;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Adding>, ToolError> {
        adding::plan(&self.id, &self.markdown, End::End, cx).await
    }

    async fn run(self, plan: Plan<Adding>, cx: &Cx<'_>) -> Reply {
        adding::run(&self.id, End::End, plan.facts, cx).await
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::error::ErrorType;
    use crate::output::Reply;
    use crate::spec::Tool;
    use crate::testing::{ATTIC, FakeKernel, GARDEN, PRIVATE, call, engine};

    const DOC: &str = "20250101000000-doc0000";
    const LIST: &str = "20250101000000-list000";
    const HEADING: &str = "20250101000000-head000";
    const PARAGRAPH: &str = "20250101000000-para000";
    const SECRET: &str = "20250101000000-secret0";
    const OTHER: &str = "20250101000000-other00";

    fn kernel() -> FakeKernel {
        FakeKernel::new()
            .answer("/api/filetree/getPathByID", |ask| match ask["id"].as_str() {
                Some(SECRET) => json!({ "notebook": PRIVATE, "path": format!("/{DOC}.sy") }),
                Some(OTHER) => json!({ "notebook": ATTIC, "path": format!("/{DOC}.sy") }),
                Some(DOC | LIST | HEADING | PARAGRAPH) => json!({ "notebook": GARDEN, "path": format!("/{DOC}.sy") }),
                _ => json!({ "code": -1, "msg": "tree not found", "data": null }),
            })
            .answer("/api/block/getBlockTreeInfos", |ask| {
                let kind = match ask["ids"][0].as_str() {
                    Some(LIST) => "NodeList",
                    Some(HEADING) => "NodeHeading",
                    _ => "NodeParagraph",
                };
                json!({ ask["ids"][0].as_str().unwrap(): { "type": kind, "parentID": DOC, "parentType": "NodeDocument" } })
            })
            .answer("/api/block/getChildBlocks", |_| json!([{ "id": PARAGRAPH, "type": "p", "markdown": "x" }]))
            .answer("/api/block/appendBlock", |ask| {
                let new = |at: usize, kind: &str| format!("<div data-node-id=\"20250101000000-new000{at}\" data-node-index=\"{at}\" data-type=\"{kind}\"><div data-node-id=\"20250101000000-item00{at}\" data-type=\"NodeListItem\"></div></div>");
                let dom = if ask["parentID"] == LIST { new(1, "NodeList") } else { new(1, "NodeParagraph") + &new(2, "NodeParagraph") };
                json!([{ "doOperations": [{ "action": "insert", "id": "20250101000000-new0001", "data": dom }] }])
            })
    }

    fn append(id: &str, markdown: &str) -> (Reply, Vec<(&'static str, Value)>) {
        let engine = engine(kernel());
        let reply = call(&engine, Tool::Block, json!({ "action": "append", "id": id, "markdown": markdown }));
        (reply, engine.kernel.asked())
    }

    /// B-026: the check and the write.
    #[test]
    fn append_to_a_document_checks_and_writes() {
        let (reply, asked) = append(DOC, "a\n\nb");
        let expected = json!({ "ids": ["20250101000000-new0001", "20250101000000-new0002"], "doc": DOC });
        assert_eq!(Value::Object(reply.unwrap().data), expected);
        assert_eq!(asked.len(), 2);
        assert_eq!(asked[1].1, json!({ "data": "a\n\nb", "dataType": "markdown", "parentID": DOC }));
    }

    /// The kernel moves a list's items into the list that it is appended to.
    #[test]
    fn append_to_a_list_counts_its_items() {
        let (reply, asked) = append(LIST, "- a");
        assert_eq!(reply.unwrap().data["ids"], json!(["20250101000000-item001"]));
        assert_eq!(asked[1].0, "/api/block/getBlockTreeInfos");
    }

    #[test]
    fn append_to_a_leaf_block_is_refused_with_advice() {
        let (reply, asked) = append(PARAGRAPH, "x");
        assert_eq!(reply.unwrap_err().kind, ErrorType::Validation);
        assert!(!asked.iter().any(|(path, _)| path.ends_with("appendBlock")));
        let error = append(HEADING, "x").0.unwrap_err();
        assert_eq!((error.kind, &error.details["last_block"]), (ErrorType::Validation, &json!(PARAGRAPH)));
        assert_eq!(append(DOC, " \n").0.unwrap_err().kind, ErrorType::Validation);
    }

    /// B-055, B-063.
    #[test]
    fn append_checks_levels() {
        let (hidden, asked) = append(SECRET, "x");
        let (missing, asked_too) = append("20250101000000-missing", "x");
        let (hidden, missing) = (hidden.unwrap_err(), missing.unwrap_err());
        assert_eq!(
            (hidden.kind, &hidden.message, asked.len()),
            (ErrorType::NotFound, &missing.message, asked_too.len())
        );
        assert_eq!(append(OTHER, "x").0.unwrap_err().kind, ErrorType::PermissionDenied);
    }

    #[test]
    fn append_with_an_empty_id_in_the_reply_is_an_error() {
        let engine = engine(kernel().answer(
            "/api/block/appendBlock",
            |_| json!([{ "doOperations": [{ "id": "", "data": "<div></div>" }] }]),
        ));
        let reply = call(&engine, Tool::Block, json!({ "action": "append", "id": DOC, "markdown": "x" }));
        assert_eq!(reply.unwrap_err().kind, ErrorType::Api);
    }
}
