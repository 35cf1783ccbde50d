//! `block.info`: the place of a block in its document.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join;
use serde_json::{Value, json};

use super::shape::{self, DOCUMENT};
use super::{source, writer};
use crate::content::impact::{self, references_to_blocks};
use crate::content::kinds::short_type;
use crate::index::{self, Select, Table};
use crate::kernel::api::block::Step;
use crate::prelude::*;

/// Locate a block: document, ancestors, neighbours, number of references.
#[derive(Debug, Action)]
#[action(
    block.info,
    danger = None,
    idempotent = true,
    calls = [block::GET_BLOCK_BREADCRUMB, filetree::GET_HPATH_BY_ID, query::SQL, ..shape, ..impact, ..writer],
    examples = [{ "id": "{block}", "count_refs": true, "writer": true }],
)]
pub struct Info {
    /// The block.
    #[needs(Read)]
    pub id: BlockId,
    /// Whether to count references to it.
    pub count_refs: Flag<false>,
    /// Whether to say who wrote it.
    pub writer: Flag<false>,
}

impl Run for Info {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let id = self.id.as_str();
        let (way, infos) = join(
            cx.ask(block::get_block_breadcrumb(&self.id)),
            shape::infos(std::slice::from_ref(&self.id), cx),
        )
        .await;
        let place = cx.found(&self.id).await?;
        let (mut way, mut infos) = (way?, infos?);
        let info = infos.remove(id).ok_or_else(ToolError::not_found)?;
        let own = way.pop().filter(|it| it.id == id);
        let doc = place.doc.as_ref().ok_or_else(ToolError::not_found)?;
        let hpath = match *doc == place.notebook.own_document() {
            true => "/".to_owned(),
            false => cx.ask(filetree::get_hpath_by_id(doc)).await?,
        };
        let refs = match self.count_refs.is_set() {
            true => Some(references_to_blocks(&BTreeSet::from([id.to_owned()]), cx).await?),
            false => None,
        };
        let writer = match self.writer.is_set() {
            true => writer::writer(&self.id, place, cx).await?,
            false => None,
        };
        let ancestors = ancestors(way, cx).await?;
        Ok(Output::new()
            .with("id", id)
            .with("type", short_type(&info.kind))
            .with("subtype", own.map(|it| it.sub_type))
            .with("doc", doc.as_str())
            .with("hpath", hpath)
            .with("notebook", place.notebook.as_str())
            .with("depth", ancestors.len())
            .list("ancestors", ancestors)
            .with("parent", info.parent)
            .with("previous", info.previous)
            .with("next", info.next)
            .with("refs", refs)
            .with("writer", writer))
    }
}

/// Whether the kernel gives a block above another the text of its first block: all but documents and headings.
fn may_quote(kind: &str) -> bool {
    !matches!(kind, DOCUMENT | "NodeHeading")
}

/// The blocks above a block, the document first, each with the beginning of its text.
///
/// The kernel gives an item the text of its first block, and a database there the name, whoever may read it. While a
/// notebook is hidden, the texts of items come from the index instead, whose view leaves such texts out.
async fn ancestors(way: Vec<Step>, cx: &Cx<'_>) -> Result<Vec<Value>, ToolError> {
    let items = way.iter().filter(|it| may_quote(&it.kind)).map(|it| it.id.as_str());
    let items: Vec<&str> = items.filter(|_| cx.grants().any_hidden()).collect();
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    if !items.is_empty() {
        let select =
            Select::from(Table::Blocks).columns(["id", "content"]).filter(index::in_list("id", items));
        let rows = cx.select(select).await?.rows;
        texts.extend(rows.iter().map(|row| (row.text("id").to_owned(), row.text("content").to_owned())));
    }
    let steps = way.iter().map(|it| {
        let is_withheld = may_quote(&it.kind) && cx.grants().any_hidden();
        let text = match is_withheld {
            true => texts.remove(&it.id).unwrap_or_default(),
            false => unescaped(&it.name),
        };
        let fields = [
            ("id", json!(it.id)),
            ("type", json!(short_type(&it.kind))),
            ("text", json!(source::start(text.trim()))),
        ];
        Value::Object(object(fields))
    });
    Ok(steps.collect())
}

/// A text without the character references in which the kernel writes it.
fn unescaped(html: &str) -> String {
    let each =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    each.iter().fold(html.to_owned(), |text, (code, letter)| text.replace(code, letter))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::activity::Transport;
    use crate::dispatch::{Approval, Call, Engine};
    use crate::part::Part;
    use crate::runs::Runs;
    use crate::spec::Tool;
    use crate::testing::world::{Nobody, World, check, ready, world};

    fn plants() -> World {
        let world = world()
            .docs(["/Garden/Herbs"])
            .doc("/Garden/Herbs/Plants", "# Summer\n\n* sage <b>\n\n  * rue\n\nlast");
        let items = world.ask("block/getChildBlocks", &json!({ "id": world.id("/Garden/Herbs/Plants#1") }));
        let item = items[0]["id"].as_str().unwrap().to_owned();
        let inner = world.ask("block/getChildBlocks", &json!({ "id": item }));
        let id = |at: usize| inner[at]["id"].as_str().unwrap().to_owned();
        let (text, list) = (id(0), id(1));
        let world = world.named("item", item).named("text", text).named("list", list);
        world.doc("/Garden/Elsewhere", "see (({text} 'sage'))")
    }

    #[test]
    fn a_block_a_container_and_a_document() {
        check(
            "block.info",
            plants(),
            &json!({ "id": "{list}" }),
            &expect![[r#"
            getPathByID getBlockBreadcrumb getBlockTreeInfos getHPathByID
            {"id":"{list}","type":"l","subtype":"u","doc":"{/Garden/Herbs/Plants}","hpath":"/Herbs/Plants","notebook":"{/Garden}","depth":3,"ancestors":[{"id":"{/Garden/Herbs/Plants}","type":"d","text":"Garden/Herbs/Plants"},{"id":"{/Garden/Herbs/Plants#0}","type":"h","text":"Summer"},{"id":"{item}","type":"i","text":"sage"}],"parent":"{item}","previous":"{text}"}
        "#]],
        );
        check(
            "block.info",
            plants(),
            &json!({ "id": "{/Garden/Herbs/Plants#2}" }),
            &expect![[r#"
            getPathByID getBlockBreadcrumb getBlockTreeInfos getHPathByID
            {"id":"{/Garden/Herbs/Plants#2}","type":"p","doc":"{/Garden/Herbs/Plants}","hpath":"/Herbs/Plants","notebook":"{/Garden}","depth":2,"ancestors":[{"id":"{/Garden/Herbs/Plants}","type":"d","text":"Garden/Herbs/Plants"},{"id":"{/Garden/Herbs/Plants#0}","type":"h","text":"Summer"}],"parent":"{/Garden/Herbs/Plants}","previous":"{/Garden/Herbs/Plants#1}"}
        "#]],
        );
        check(
            "block.info",
            plants(),
            &json!({ "id": "{/Garden/Herbs/Plants}" }),
            &expect![[r#"
            getPathByID getBlockBreadcrumb getBlockTreeInfos getHPathByID
            {"id":"{/Garden/Herbs/Plants}","type":"d","doc":"{/Garden/Herbs/Plants}","hpath":"/Herbs/Plants","notebook":"{/Garden}","depth":0}
        "#]],
        );
    }

    /// A notebook's own document lies at its top.
    #[test]
    fn a_block_of_the_notebooks_own_document() {
        let world = world();
        let own = world.ask("block/getChildBlocks", &json!({ "id": world.id("/Garden") }));
        let block = own[0]["id"].as_str().unwrap().to_owned();
        let world = world.named("own", block);
        check(
            "block.info",
            world,
            &json!({ "id": "{own}" }),
            &expect![[r#"
            getPathByID getBlockBreadcrumb getBlockTreeInfos
            {"id":"{own}","type":"p","doc":"{/Garden}","hpath":"/","notebook":"{/Garden}","depth":1,"ancestors":[{"id":"{/Garden}","type":"d","text":"Garden"}],"parent":"{/Garden}"}
        "#]],
        );
    }

    /// B-055.
    #[test]
    fn references_of_readable_notebooks_are_counted() {
        check(
            "block.info",
            plants(),
            &json!({ "id": "{text}", "count_refs": true }),
            &expect![[r#"
            getPathByID getBlockBreadcrumb getBlockTreeInfos getHPathByID sql
            {"id":"{text}","type":"p","doc":"{/Garden/Herbs/Plants}","hpath":"/Herbs/Plants","notebook":"{/Garden}","depth":3,"ancestors":[{"id":"{/Garden/Herbs/Plants}","type":"d","text":"Garden/Herbs/Plants"},{"id":"{/Garden/Herbs/Plants#0}","type":"h","text":"Summer"},{"id":"{item}","type":"i","text":"sage"}],"parent":"{item}","next":"{list}","refs":1}
        "#]],
        );
        check(
            "block.info",
            plants().notebook("Private", "none").doc("/Private/B", "see (({text} 'sage'))"),
            &json!({ "id": "{text}", "count_refs": true }),
            &expect![[r#"
                getPathByID getBlockBreadcrumb getBlockTreeInfos getHPathByID sql sql
                {"id":"{text}","type":"p","doc":"{/Garden/Herbs/Plants}","hpath":"/Herbs/Plants","notebook":"{/Garden}","depth":3,"ancestors":[{"id":"{/Garden/Herbs/Plants}","type":"d","text":"Garden/Herbs/Plants"},{"id":"{/Garden/Herbs/Plants#0}","type":"h","text":"Summer"},{"id":"{item}","type":"i","text":"sage  rue"}],"parent":"{item}","next":"{list}","refs":1}
            "#]],
        );
    }

    /// K19: the kernel calls an item with a database by the name of that database, whoever may read it.
    #[test]
    fn a_database_in_an_item_does_not_tell_its_name() {
        let world = plants().notebook("Private", "none");
        let av = r#"<div data-type="NodeAttributeView" data-av-id="20250601000000-secret0" data-av-type="table"></div>"#;
        let body =
            |parent: &str, data: &str| json!({ "parentID": parent, "dataType": "markdown", "data": data });
        world.ask(
            "block/appendBlock",
            &body(world.id("/Garden/Herbs/Plants#1"), &format!("* {av}\n\n  below")),
        );
        let items = world.ask("block/getChildBlocks", &json!({ "id": world.id("/Garden/Herbs/Plants#1") }));
        let item = items.as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
        let inner = world.ask("block/getChildBlocks", &json!({ "id": item }));
        let (carrier, below) =
            (inner[0]["id"].as_str().unwrap(), inner[1]["id"].as_str().unwrap().to_owned());
        world.ask("av/renderAttributeView", &json!({ "id": "20250601000000-secret0", "blockID": carrier }));
        let name =
            json!({ "action": "setAttrViewName", "id": "20250601000000-secret0", "data": "quicksilver" });
        world.ask("transactions", &json!({ "transactions": [{ "doOperations": [name] }], "reqId": 1 }));
        world.pass(4_000);
        let way = world.ask("block/getBlockBreadcrumb", &json!({ "id": below, "excludeTypes": [] }));
        assert!(way.to_string().contains("quicksilver"), "{way}");
        check(
            "block.info",
            world,
            &json!({ "id": below }),
            &expect![[r#"
            getPathByID getBlockBreadcrumb getBlockTreeInfos getHPathByID sql
            {"id":"{new 1}","type":"p","doc":"{/Garden/Herbs/Plants}","hpath":"/Herbs/Plants","notebook":"{/Garden}","depth":3,"ancestors":[{"id":"{/Garden/Herbs/Plants}","type":"d","text":"Garden/Herbs/Plants"},{"id":"{/Garden/Herbs/Plants#0}","type":"h","text":"Summer"},{"id":"{new 2}","type":"i"}],"parent":"{new 2}","previous":"{new 3}"}
        "#]],
        );
    }

    /// The run that wrote a text is named, and a person's text is not a run's.
    #[test]
    fn the_writer_of_a_block_is_told() {
        let runs = Arc::new(Runs::default());
        let world = world().doc("/Garden/Plants", "mint\n\nsage");
        world.pass(60_000);
        let engine = Engine::new(world, Nobody).keeping(Arc::clone(&runs));
        let call = |arguments: &Value| {
            let arguments = serde_json::from_str(&engine.kernel.fill(&arguments.to_string())).unwrap();
            let client = "Mint".to_owned();
            let call =
                Call { tool: Tool::Block, arguments, part: Part::Whole, transport: Transport::Stdio, client };
            let reply = ready(engine.dispatch_in(Some("s"), call, &Approval::Given)).unwrap().data;
            ready(runs.settle(&*engine.kernel));
            reply
        };
        let writer = || {
            let reply = call(&json!({ "action": "info", "id": "{/Garden/Plants#0}", "writer": true }));
            reply.get("writer").cloned()
        };
        // The text is older than all runs.
        assert_eq!(writer(), None);
        call(&json!({ "action": "update", "id": "{/Garden/Plants#0}", "markdown": "rue" }));
        engine.kernel.pass(60_000);
        let shown = writer().unwrap();
        assert_eq!((&shown["by"], &shown["action"]), (&json!("Mint"), &json!("block.update")), "{shown}");
        assert!(shown["run"].is_string() && shown["at"].is_string(), "{shown}");
        // Nobody changed the other block.
        let other = call(&json!({ "action": "info", "id": "{/Garden/Plants#1}", "writer": true }));
        assert_eq!(other.get("writer"), None, "{other:?}");
        let body =
            json!({ "id": engine.kernel.id("/Garden/Plants#0"), "dataType": "markdown", "data": "own" });
        engine.kernel.ask("block/updateBlock", &body);
        engine.kernel.pass(60_000);
        let shown = writer().unwrap();
        assert_eq!((&shown["by"], shown.get("run")), (&json!("a person"), None), "{shown}");
    }
}
