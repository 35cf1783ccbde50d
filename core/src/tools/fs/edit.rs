//! `fs.edit`: replaces exact strings inside a document; other blocks stay untouched.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::edited_blocks;
use crate::args::Replacement;
use crate::content::edits::{self, ReadableBlock};
use crate::content::incoming::{self, ReplacedContent};
use crate::content::replacement::check_kind;
use crate::content::{edited, hash, kramdown, overwrite, printed};
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// Up to this many changed blocks are read one by one; beyond that, reading the whole document is cheaper.
const FEW: usize = 3;

/// Replace exact strings inside a document; other blocks stay unchanged.
#[derive(Debug, Action)]
#[action(
    fs.edit,
    danger = None,
    idempotent = false,
    calls = [
        block::GET_CHILD_BLOCKS, block::GET_BLOCK_KRAMDOWNS, block::GET_BLOCK_KRAMDOWN, history::CREATE_DOC_HISTORY,
        ..edited_blocks, ..incoming, ..printed,
    ],
    examples = [
        { "path": "{path}", "edits": [{ "old": "in spring", "new": "in early spring" }] },
        { "path": "{path}", "edits": [{ "old": "grows", "new": "spreads", "all": true }] },
    ],
)]
#[alias(replace)]
pub struct Edit {
    /// Workspace path such as /Notebook/Folder/Doc, or a document's id.
    #[needs(Write)]
    pub path: WorkspacePath,
    /// Replacements, applied in this order; each `old` must lie within one block.
    pub edits: Many<Replacement, 1, 50>,
    /// The `hash` of an earlier read; if the text has changed since, nothing is written.
    #[read_by()]
    pub expect: Option<Text<1, 64>>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    doc: DocId,
    /// Changed blocks with their new kramdown.
    updates: Vec<(BlockId, String)>,
    /// Hashes of the changed blocks.
    hashes: Vec<Value>,
    replacements: usize,
    /// The amount of old text that is replaced, counting nested blocks and rows of tables.
    replaced: usize,
    hash: String,
    ids_dropped: Vec<String>,
}

impl Change for Edit {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let doc = cx.document(&self.path).await?.clone();
        let blocks = cx.ask(block::get_child_blocks(&doc)).await?;
        let before: Vec<ReadableBlock> =
            blocks.into_iter().map(|it| ReadableBlock { id: it.id, text: it.markdown }).collect();
        let now = hash::of_blocks(before.iter().map(|it| it.text.as_str()));
        overwrite::expected(self.expect.as_ref().map(Text::as_str), &now)?;
        let mut after = before.clone();
        let mut replacements = 0;
        let mut made: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, edit) in self.edits.as_slice().iter().enumerate() {
            for (block, times) in edits::in_shown(&mut after, edit.into(), &format!("edits[{number}]"))? {
                replacements += times;
                made.entry(block).or_default().push(number);
            }
        }
        made.retain(|block, _| {
            before.get(*block).map(|it| edits::visible(&it.text))
                != after.get(*block).map(|it| edits::visible(&it.text))
        });
        let changed: Vec<BlockId> =
            made.keys().filter_map(|block| BlockId::parse(&before.get(*block)?.id)).collect();
        cx.keeps_rows().await;
        let originals = kramdown_of(cx, &doc, &changed).await?;
        let texts: Vec<(&BlockId, &str)> =
            changed.iter().filter_map(|it| Some((it, originals.get(it.as_str())?.as_str()))).collect();
        printed::check_blocks(cx, &texts).await?;
        let (mut texts, mut hashes, mut shown, mut replaced) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for (block, numbers) in &made {
            let (Some(old), Some(new)) = (before.get(*block), after.get(*block)) else { continue };
            let original = originals.get(&old.id).ok_or_else(ToolError::not_found)?;
            let first = numbers.first().copied().unwrap_or_default();
            check_kind(&format!("edits[{first}].old"), original)
                .map_err(|error| error.with("block", old.id.as_str()))?;
            let numbered = self.edits.as_slice().iter().enumerate();
            let made = numbered.filter(|(number, _)| numbers.contains(number));
            let id = BlockId::parse(&old.id).ok_or_else(ToolError::not_found)?;
            texts.push((
                id,
                edited::edited(original, made, &old.id)?,
                ReplacedContent::of(original).at_top_of(Some(doc.clone())),
            ));
            replaced += overwrite::size(original);
            hashes.push(json!({ "id": old.id, "hash": hash::of_markdown(&new.text) }));
            let (was, becomes) = edits::changed_lines(&old.text, &new.text);
            shown.push(json!({ "block": old.id, "before": was, "after": becomes }));
        }
        let edited: Vec<(&str, &ReplacedContent)> =
            texts.iter().map(|(_, text, kept)| (text.as_str(), kept)).collect();
        let checked = incoming::check_all(cx, &edited).await?;
        let ids_dropped = checked.iter().flat_map(|it| it.ids_dropped.iter().cloned()).collect();
        let updates: Vec<(BlockId, String)> =
            texts.into_iter().zip(checked).map(|((id, ..), checked)| (id, checked.markdown)).collect();
        let hash = hash::of_blocks(after.iter().map(|it| it.text.as_str()));
        let n = updates.len();
        let changes = (n > 0).then(|| doc.clone());
        let facts = Facts { doc, updates, hashes, replacements, replaced, hash, ids_dropped };
        Ok(Plan::of_facts(facts)
            .show("replacements", replacements)
            .show("changes", shown)
            .changing(changes)
            .touching(n, self.path.to_string()))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { doc, updates, hashes, replacements, replaced, hash, ids_dropped } = plan.facts;
        let output = Output::new().with("id", doc.as_str()).with("replacements", replacements);
        if updates.is_empty() {
            return Ok(output.with("changed", false).with("hash", hash));
        }
        if replaced > overwrite::MUCH {
            cx.ask(history::create_doc_history(&doc)).await?;
        }
        let (added, failed) = edited_blocks::write(&doc, &updates, cx).await?;
        Ok(output
            .with("changed", true)
            .with("changed_blocks", hashes)
            .list("added", added)
            .list("ids_dropped", ids_dropped)
            .with("hash", hash)
            .failed(failed))
    }
}

/// The kramdown of the blocks that will change.
async fn kramdown_of(
    cx: &Cx<'_>,
    doc: &DocId,
    ids: &[BlockId],
) -> Result<BTreeMap<String, String>, ToolError> {
    let Some(few) = NonEmpty::of(ids) else { return Ok(BTreeMap::new()) };
    if ids.len() <= FEW {
        return cx.ask(block::get_block_kramdowns(few)).await;
    }
    let whole = cx.ask(block::get_block_kramdown(doc)).await?.kramdown;
    let blocks = kramdown::blocks(&whole).into_iter();
    Ok(blocks.filter_map(|it| Some((it.attributes.id()?.to_owned(), it.kramdown))).into_map())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::dispatch::{Approval, Engine};
    use crate::error::ErrorType;
    use crate::spec::Tool;
    use crate::testing::world::{self, Nobody, world};
    use crate::testing::{FakeKernel, call, engine};

    const DOC: &str = "20250101000001-welcome";
    const P: &str = "20250101000002-para000";
    const Q: &str = "20250101000003-para111";

    fn kernel() -> FakeKernel {
        let done = |id: &str, doms: &[&str]| {
            let dom: String = doms
                .iter()
                .enumerate()
                .map(|(at, id)| format!("<div data-node-id=\"{id}\" data-node-index=\"{}\" data-type=\"NodeParagraph\"></div>", at + 1))
                .collect();
            json!([{ "timestamp": 0, "doOperations": [{ "action": "update", "id": id, "data": dom }], "undoOperations": null }])
        };
        FakeKernel::new()
            .answer("/api/filetree/getIDsByHPath", |_| json!([DOC]))
            .answer("/api/block/getChildBlocks", |_| {
                json!([{ "id": P, "type": "p", "markdown": "one two" }, { "id": Q, "type": "p", "markdown": "two" }])
            })
            .answer("/api/block/getBlockKramdowns", |ask| {
                let all = json!({ P: format!("one two\n{{: id=\"{P}\" custom-x=\"1\"}}"), Q: format!("two\n{{: id=\"{Q}\"}}") });
                let ids = ask["ids"].as_array().cloned().unwrap_or_default();
                Value::Object(ids.iter().filter_map(Value::as_str).map(|id| (id.to_owned(), all[id].clone())).collect())
            })
            .answer("/api/block/batchUpdateBlock", move |ask| match ask["blocks"][0]["data"].as_str() {
                Some(data) if data.contains("\n\nnew") => done(P, &[P, "20250101000009-rest000"]),
                _ => done(P, &[P]),
            })
            .answer("/api/block/insertBlock", move |_| done("20250101000009-rest000", &["20250101000009-rest000"]))
    }

    fn edit(
        engine: &crate::dispatch::Engine<FakeKernel, crate::testing::Seen>,
        edits: &Value,
    ) -> crate::output::Reply {
        call(engine, Tool::Fs, json!({ "action": "edit", "path": "/Garden/Welcome", "edits": edits }))
    }

    #[test]
    fn edit_writes_the_block_with_its_attributes() {
        let engine = engine(kernel());
        let reply = edit(&engine, &json!([{ "old": "one two", "new": "one 2" }])).unwrap();
        let asked = engine.kernel.asked();
        let paths: Vec<&str> = asked.iter().map(|(path, _)| *path).collect();
        assert_eq!(
            paths,
            [
                "/api/filetree/getIDsByHPath",
                "/api/block/getChildBlocks",
                "/api/block/getBlockKramdowns",
                "/api/block/getBlockDOMs",
                "/api/block/batchUpdateBlock"
            ]
        );
        let data = asked[4].1["blocks"][0]["data"].as_str().unwrap();
        assert!(
            data.starts_with("one 2\n{: ") && data.contains("custom-x=\"1\"") && data.contains(P),
            "{data}"
        );
        assert_eq!((&reply.data["replacements"], &reply.data["changed"]), (&json!(1), &json!(true)));
        assert_eq!(reply.data["changed_blocks"][0]["id"], json!(P));
    }

    #[test]
    fn edit_of_an_ambiguous_text_is_refused() {
        let engine = engine(kernel());
        let error = edit(&engine, &json!([{ "old": "two", "new": "2" }])).unwrap_err();
        assert_eq!((error.kind, error.fields[0].field.as_str()), (ErrorType::Validation, "edits[0].old"));
        let reply = edit(&engine, &json!([{ "old": "two", "new": "2", "all": true }])).unwrap();
        assert_eq!(reply.data["replacements"], json!(2));
    }

    /// B-035.
    #[test]
    fn edit_with_a_stale_hash_is_a_conflict() {
        let engine = engine(kernel());
        let arguments = json!({ "action": "edit", "path": "/Garden/Welcome", "expect": "000000000000", "edits": [{ "old": "one two", "new": "x" }] });
        let error = call(&engine, Tool::Fs, arguments).unwrap_err();
        assert_eq!(error.kind, ErrorType::Conflict);
        let hash = error.details["hash"].clone();
        let arguments = json!({ "action": "edit", "path": "/Garden/Welcome", "expect": hash, "edits": [{ "old": "one two", "new": "x" }] });
        assert!(call(&engine, Tool::Fs, arguments).is_ok());
    }

    #[test]
    fn edit_inserts_further_blocks_after_the_first() {
        let engine = engine(kernel());
        let reply = edit(&engine, &json!([{ "old": "one two", "new": "one\n\nnew" }])).unwrap();
        assert_eq!(reply.data["added"], json!(["20250101000009-rest000"]));
        let (_, insert) = engine.kernel.asked().pop().unwrap();
        assert_eq!((&insert["dataType"], &insert["previousID"]), (&json!("dom"), &json!(P)));
    }

    /// B-036.
    #[test]
    fn edit_without_a_change_reports_unchanged() {
        let engine = engine(kernel());
        let reply = edit(&engine, &json!([{ "old": "one two", "new": "one two" }])).unwrap();
        assert_eq!(reply.data["changed"], json!(false));
        assert!(!engine.kernel.asked().iter().any(|(path, _)| path.ends_with("batchUpdateBlock")));
    }

    /// B-034.
    #[test]
    fn edit_preview_shows_lines_and_writes_nothing() {
        let engine = engine(kernel());
        let arguments = json!({ "action": "edit", "path": "/Garden/Welcome", "preview": true, "edits": [{ "old": "one two", "new": "x" }] });
        let reply = call(&engine, Tool::Fs, arguments).unwrap();
        assert_eq!(reply.data["changes"], json!([{ "block": P, "before": "one two", "after": "x" }]));
        assert!(!engine.kernel.asked().iter().any(|(path, _)| path.ends_with("batchUpdateBlock")));
    }

    /// Blocks that another action changes stay as they are, as with block.edit.
    #[test]
    fn databases_and_embeds_are_not_edited() {
        let carrier = r#"<div data-type="NodeAttributeView" data-av-id="20250601000000-avtable" data-av-type="table"></div>"#;
        let garden = || {
            let world = world().doc("/Garden/Plan", "mint\n\n{{SELECT * FROM blocks}}");
            let body =
                json!({ "parentID": world.id("/Garden/Plan"), "dataType": "markdown", "data": carrier });
            world.ask("block/appendBlock", &body);
            world
        };
        for old in [carrier, "SELECT * FROM blocks"] {
            let engine = Engine::new(garden(), Nobody);
            let edits = json!([{ "old": "mint", "new": "sage" }, { "old": old, "new": "x" }]);
            let arguments = json!({ "action": "edit", "path": "/Garden/Plan", "edits": edits });
            let error = world::call(&engine, Tool::Fs, &arguments, &Approval::Given).unwrap_err();
            assert_eq!((error.kind, error.fields[0].field.as_str()), (ErrorType::Validation, "edits[1].old"));
            let paths = engine.kernel.take_paths();
            assert!(!paths.iter().any(|path| path.ends_with("batchUpdateBlock")), "{paths:?}");
        }
    }

    /// Above fifty replaced blocks a version is kept, as with block.update.
    #[test]
    fn large_edits_keep_a_version() {
        for (items, keeps) in [(60, true), (40, false)] {
            let text: Vec<String> = (0..items).map(|at| format!("mint {at}")).collect();
            let engine = Engine::new(world().doc("/Garden/Plan", &text.join("\n\n")), Nobody);
            let edits = json!([{ "old": "mint", "new": "sage", "all": true }]);
            let arguments = json!({ "action": "edit", "path": "/Garden/Plan", "edits": edits });
            world::call(&engine, Tool::Fs, &arguments, &Approval::Given).unwrap();
            let paths = engine.kernel.take_paths();
            assert_eq!(paths.iter().any(|path| path.ends_with("createDocHistory")), keeps, "{paths:?}");
        }
    }
}
