//! `block.append`: Markdown at the end of a document or container.

use serde_json::Value;

use crate::content::incoming::{self, Incoming, Kept};
use crate::content::written;
use crate::prelude::*;

/// Add Markdown at the end of a document or container.
#[derive(Debug, Action)]
#[action(
    block.append,
    danger = None,
    idempotent = false,
    calls = [block::GET_BLOCK_TREE_INFOS, block::GET_CHILD_BLOCKS, block::APPEND_BLOCK, ..incoming],
    examples = [{ "id": "{doc}", "markdown": "Sage grows in autumn." }],
)]
pub struct Append {
    /// The block.
    #[needs(Write)]
    pub id: BlockId,
    /// The text, as Markdown.
    pub markdown: Markdown,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    incoming: Incoming,
    doc: String,
    into_list: bool,
}

impl Change for Append {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        if self.markdown.as_str().trim().is_empty() {
            return Err(ToolError::field("markdown", "text to add"));
        }
        let doc = cx.found(&self.id).await?.doc.as_ref().map(ToString::to_string).unwrap_or_default();
        let is_document = doc == self.id.as_str();
        let kind = if is_document { "NodeDocument".to_owned() } else { self.kind(cx).await? };
        let incoming = incoming::check(cx, self.markdown.as_str(), &Kept::nothing()).await?;
        let characters = incoming.markdown.chars().count();
        let (told, changes) = (doc.clone(), DocId::parse(&doc));
        Ok(Plan::new(Facts { incoming, doc, into_list: kind == "NodeList" })
            .show("would", "append")
            .show("doc", told)
            .show("characters", characters)
            .changing(changes))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { incoming, doc, into_list } = plan.facts;
        let added = cx.ask(block::append_block(&self.id, &incoming.markdown)).await?;
        let elements = written::elements(&added)?;
        let mut ids = Vec::new();
        for element in elements.into_iter().flatten() {
            match into_list && element.kind == "NodeList" {
                true => ids.extend(written::items(&element)),
                false => ids.push(element.id),
            }
        }
        let output = Output::new().with("ids", ids).with("doc", doc);
        Ok(match incoming.ids_dropped.is_empty() {
            true => output,
            false => output.with("ids_dropped", incoming.ids_dropped),
        })
    }
}

impl Append {
    /// The type of the container; refuses a block that can hold nothing, with an alternative.
    async fn kind(&self, cx: &Cx<'_>) -> Result<String, ToolError> {
        let id = self.id.as_str();
        let mut infos = cx.ask(block::get_block_tree_infos(NonEmpty::one(&self.id))).await?;
        let kind = infos.remove(id).ok_or_else(ToolError::not_found)?.kind;
        match kind.as_str() {
            "NodeList" | "NodeListItem" | "NodeBlockquote" | "NodeSuperBlock" | "NodeCallout" | "NodeDocument" => Ok(kind),
            "NodeHeading" => {
                let section = cx.ask(block::get_child_blocks(&self.id)).await?;
                let last = section.last().map_or(id, |it| it.id.as_str());
                let expected =
                    "a document or a container; to add to a heading's section, add behind its last block";
                Err(ToolError::field("id", expected).with("last_block", last))
            }
            _ => Err(ToolError::field(
                "id",
                "a document, list, list item, quote or super block; this block can hold no others, so add beside it, or to its document",
            )
            .with("block_type", Value::from(written::short_type(&kind)))),
        }
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
