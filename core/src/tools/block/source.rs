//! The kramdown of several blocks, in as few requests as the kernel needs to be quick.

use std::collections::BTreeMap;

use futures_util::future::{join, join_all};
use serde_json::json;

use crate::content::kramdown;
use crate::prelude::*;

/// From how many blocks of one document on its whole kramdown is read once: the kernel loads the
/// document anew for each block.
const WHOLE: usize = 3;

/// Kramdown by id; what does not exist has no entry (`GET_BLOCK_KRAMDOWNS`, `GET_BLOCK_KRAMDOWN`).
///
/// Each id comes with its document, where it is known.
pub(super) async fn kramdowns(
    blocks: &[(String, Option<String>)],
    cx: &Cx<'_>,
) -> Result<BTreeMap<String, String>, ToolError> {
    let mut by_doc: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (id, doc) in blocks {
        by_doc.entry(doc.as_deref().unwrap_or_default()).or_default().push(id);
    }
    let (whole, single): (Vec<_>, Vec<_>) =
        by_doc.into_iter().partition(|(doc, ids)| !doc.is_empty() && ids.len() > WHOLE);
    let single: Vec<&str> = single.into_iter().flat_map(|(_, ids)| ids).collect();
    let documents =
        join_all(whole.iter().map(|(doc, _)| cx.call(api::GET_BLOCK_KRAMDOWN, json!({ "id": doc }))));
    let (documents, found) = join(documents, each(&single, cx)).await;
    let mut found = found?;
    let mut nested = Vec::new();
    for ((doc, ids), document) in whole.iter().zip(documents) {
        let document = document?.kramdown;
        let cut: BTreeMap<String, String> = kramdown::blocks(&document)
            .into_iter()
            .filter_map(|it| Some((it.attributes.id()?.to_owned(), it.kramdown)))
            .collect();
        for id in ids {
            let text = if id == doc { Some(&document) } else { cut.get(*id) };
            match text {
                Some(text) => found.extend([((*id).to_owned(), text.clone())]),
                None => nested.push(*id),
            }
        }
    }
    found.extend(each(&nested, cx).await?);
    found.retain(|_, kramdown| !kramdown.is_empty());
    Ok(found)
}

async fn each(ids: &[&str], cx: &Cx<'_>) -> Result<BTreeMap<String, String>, ToolError> {
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    cx.call(api::GET_BLOCK_KRAMDOWNS, json!({ "ids": ids, "mode": "md" })).await
}
