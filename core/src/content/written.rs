//! The effect of a write, read from its reply: the kernel also answers code 0 for writes that did nothing.

use std::collections::BTreeMap;

use crate::cx::Cx;
use crate::error::{ErrorType, ToolError};
use crate::id::BlockId;
use crate::kernel::api::block::{self, Transaction};
use crate::kernel::{NonEmpty, Route};
use crate::sorted::IntoSorted as _;

/// The routes that `put_all_behind` calls.
pub const CALLS: &[Route] = &[block::INSERT_BLOCK, block::BATCH_INSERT_BLOCK];

/// An outermost element of a reply's editor DOM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// The block's id.
    pub id: String,
    /// Its node type, such as `NodeParagraph`.
    pub kind: String,
    /// The element itself, for a second request.
    pub dom: String,
}

/// The key of an error's detail that says what became of a write.
pub const OUTCOME: &str = "outcome";
/// The value for a write that did nothing, whatever the kernel said.
pub const NOTHING: &str = "nothing written";

/// Ids of the blocks that a write created or changed, outermost ones only, in order.
pub fn ids(transactions: &[Transaction]) -> Result<Vec<String>, ToolError> {
    Ok(elements(transactions)?.into_iter().flatten().map(|it| it.id).collect())
}

/// The outermost elements of each operation that carried text.
///
/// An operation with text and an empty id wrote nothing: its anchor was missing or its notebook closed.
pub fn elements(transactions: &[Transaction]) -> Result<Vec<Vec<Element>>, ToolError> {
    let operations = transactions.iter().flat_map(|it| &it.do_operations);
    let with_text: Vec<_> = operations.filter_map(|it| it.data.as_str().map(|dom| (it, dom))).collect();
    let mut all = Vec::new();
    for (operation, dom) in &with_text {
        if operation.id.is_empty() {
            let is_part = with_text.iter().any(|(it, _)| !it.id.is_empty());
            return Err(if is_part { part_written() } else { nothing_written() });
        }
        let mut found = outermost(dom);
        if found.is_empty() {
            // An empty paragraph has no index; the operation names it.
            found.push(Element { id: operation.id.clone(), kind: String::new(), dom: (*dom).to_owned() });
        }
        all.push(found);
    }
    if all.is_empty() { Err(nothing_written()) } else { Ok(all) }
}

/// Ids of the items of a list element: a list that is added to a list hands over its items and disappears.
pub fn items(list: &Element) -> Vec<String> {
    let mut items = Vec::new();
    let mut depth = 0_usize;
    for tag in list.dom.split('<').skip(1) {
        if tag.starts_with("/div") {
            depth = depth.saturating_sub(1);
        } else if tag.starts_with("div") {
            let tag = tag.split('>').next().unwrap_or_default();
            if depth == 1 && value(tag, " data-type=\"") == Some("NodeListItem") {
                items.extend(value(tag, " data-node-id=\"").map(str::to_owned));
            }
            depth += 1;
        }
    }
    items
}

/// Puts the rest of each split block behind it, with one request: the kernel keeps only the first part. The ids of the
/// inserted blocks come by the block that they stand behind.
pub async fn put_all_behind(
    cx: &Cx<'_>,
    split: &[Vec<Element>],
) -> Result<BTreeMap<BlockId, Vec<String>>, ToolError> {
    cx.declares(CALLS)?;
    let mut rests = Vec::new();
    for elements in split.iter().filter(|it| it.len() > 1) {
        let id = elements.first().and_then(|it| BlockId::parse(&it.id)).ok_or_else(part_written)?;
        rests.push((id, elements.iter().skip(1).map(|it| it.dom.as_str()).collect::<String>()));
    }
    let replies = match (rests.as_slice(), NonEmpty::of(&rests)) {
        ([(id, dom)], _) => cx.ask(block::insert_dom_behind(id, dom)).await?,
        (_, Some(rests)) => cx.ask(block::insert_doms_behind(rests)).await?,
        (_, None) => return Ok(BTreeMap::new()),
    };
    let mut ids = vec![ids(&replies)?];
    if rests.len() > 1 {
        // Of several, each has a reply of its own.
        ids = replies.iter().map(|it| self::ids(std::slice::from_ref(it))).collect::<Result<_, _>>()?;
    }
    if ids.len() != rests.len() {
        return Err(part_written());
    }
    Ok(rests.into_iter().map(|(id, _)| id).zip(ids).into_map())
}

fn nothing_written() -> ToolError {
    ToolError::new(
        ErrorType::Api,
        "SiYuan reported success but wrote nothing. The place may have changed, or its notebook may be closed. Read it again, then retry.",
    )
    .with(OUTCOME, NOTHING)
}

fn part_written() -> ToolError {
    ToolError::new(ErrorType::Api, "SiYuan reported success but wrote only a part.")
}

/// The elements with `data-node-index`: only outermost ones have it.
fn outermost(dom: &str) -> Vec<Element> {
    // The DOM escapes angle brackets in text but not quotes, so the match must stand in a tag.
    let in_tag = |(start, _): &(usize, &str)| {
        let tag = dom.get(start + 1..).and_then(|it| it.split(['<', '>']).next());
        tag.is_some_and(|it| it.contains(" data-node-index=\""))
    };
    let starts: Vec<usize> = dom.match_indices('<').filter(in_tag).map(|(start, _)| start).collect();
    let ends = starts.iter().skip(1).copied().chain([dom.len()]);
    let cut = starts.iter().zip(ends).filter_map(|(start, end)| dom.get(*start..end));
    cut.filter_map(|element| {
        let tag = element.split('>').next()?;
        let id = value(tag, " data-node-id=\"")?;
        Some(Element {
            id: id.to_owned(),
            kind: value(tag, " data-type=\"").unwrap_or_default().to_owned(),
            dom: element.to_owned(),
        })
    })
    .collect()
}

fn value<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split_once(name)?.1.split('"').next()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use serde_json::Value;

    use super::*;

    fn reply(operations: &Value) -> Vec<Transaction> {
        serde_json::from_value(
            json!([{ "timestamp": 0, "doOperations": operations, "undoOperations": null }]),
        )
        .unwrap()
    }

    const LIST: &str = concat!(
        r#"<div data-subtype="u" data-node-id="20250101000000-list000" data-node-index="1" data-type="NodeList" class="list" updated="1">"#,
        r#"<div data-marker="*" data-node-id="20250101000000-item000" data-type="NodeListItem" class="li"><div class="protyle-action"></div><div data-node-id="x" data-type="NodeList"><div data-node-id="y" data-type="NodeListItem"></div></div></div></div>"#,
        r#"<div data-node-id="20250101000000-para000" data-node-index="2" data-type="NodeParagraph" class="p">"#,
        r#"<div contenteditable="true">a &lt;b data-node-index="9"&gt;</div></div>"#,
    );

    #[test]
    fn only_outermost_elements_count() {
        let transactions =
            reply(&json!([{ "action": "insert", "id": "20250101000000-list000", "data": LIST }]));
        let found = elements(&transactions).unwrap();
        let short: Vec<(&str, &str)> =
            found[0].iter().map(|it| (it.id.as_str(), it.kind.as_str())).take(2).collect();
        assert_eq!(
            short,
            [("20250101000000-list000", "NodeList"), ("20250101000000-para000", "NodeParagraph")]
        );
        assert_eq!(found[0].iter().map(|it| it.dom.as_str()).collect::<String>(), LIST);
        assert_eq!(items(&found[0][0]), ["20250101000000-item000"]);
    }

    #[test]
    fn empty_id_in_the_reply_means_nothing_was_written() {
        for operations in
            [json!([{ "id": "", "data": LIST }]), json!([]), json!([{ "id": "x", "data": null }])]
        {
            let error = ids(&reply(&operations)).unwrap_err();
            assert_eq!(error.kind, ErrorType::Api);
        }
    }

    /// Replacing a document deletes each block, then inserts them all.
    #[test]
    fn operations_without_text_are_skipped() {
        let gone = json!({ "action": "delete", "id": "20250101000000-gone000", "data": { "createEmptyParagraph": false } });
        let bare = json!({ "action": "insert", "id": "20250101000000-bare000", "data": "<div data-node-id=\"20250101000000-bare000\"></div>" });
        let transactions = reply(&json!([gone, bare]));
        assert_eq!(ids(&transactions).unwrap(), ["20250101000000-bare000"]);
    }
}
