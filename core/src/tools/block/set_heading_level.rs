//! `block.set_heading_level`: another level for a heading and those below it.
//!
//! Ctrl+Z does not take it back: SiYuan's undo log could only bring the whole heading back, with the text that it had
//! then.

use serde_json::{Value, json};

use super::source;
use crate::content::way_back;
use crate::prelude::*;

/// Change the level of a heading and its subheadings.
#[derive(Debug, Action)]
#[action(
    block.set_heading_level,
    tier = advanced,
    danger = None,
    idempotent = true,
    calls = [
        block::GET_BLOCK_KRAMDOWN, block::GET_HEADING_LEVEL_TRANSACTION, transactions::TRANSACTIONS,
    ],
    examples = [{ "id": "{heading}", "level": 3 }],
)]
pub struct SetHeadingLevel {
    /// The block.
    #[needs(Write)]
    pub id: BlockId,
    /// The new level.
    pub level: Int<1, 6>,
}

/// The headings that change, each as the kernel would write it.
#[derive(Debug, Hash)]
pub struct Facts {
    doms: Vec<(BlockId, String)>,
}

impl Facts {
    fn levels_json(&self) -> Vec<Value> {
        self.doms.iter().map(|(id, dom)| json!({ "id": id.as_str(), "level": level_of(dom) })).collect()
    }
}

/// The level of a heading in the kernel's markup.
fn level_of(dom: &str) -> Option<u32> {
    let (_, behind) = dom.split_once("data-subtype=\"h")?;
    behind.chars().next()?.to_digit(10)
}

impl Change for SetHeadingLevel {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let doc = cx.found(&self.id).await?.doc.clone();
        let is_document = doc.as_ref().is_some_and(|it| it.block() == self.id);
        let text = cx.ask(block::get_block_kramdown(&self.id)).await?.kramdown;
        let level = source::heading_level(&text).filter(|_| !is_document);
        let level = level.ok_or_else(|| ToolError::field("id", "a heading"))?;
        let mut facts = Facts { doms: Vec::new() };
        // For the level that it has, the kernel answers nothing.
        if level != self.level.get() {
            let change = cx.ask(block::get_heading_level_transaction(&self.id, self.level.get())).await?;
            for it in change.do_operations {
                let (Some(id), Value::String(dom)) = (BlockId::parse(&it.id), it.data) else { continue };
                facts.doms.push((id, dom));
            }
        }
        let changes = doc.filter(|_| !facts.doms.is_empty());
        let (n, levels) = (facts.doms.len(), facts.levels_json());
        let plan = Plan::new("change levels", facts).show("changed", levels);
        Ok(plan.changing(changes).touching(n, ""))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let output = Output::new().with("id", self.id.as_str());
        let Some(doms) = NonEmpty::of(&plan.facts.doms) else { return Ok(output.with("changed", false)) };
        cx.ask(transactions::update_doms(doms)).await?;
        // The kernel reports success for a change that failed, too. It makes all of it or nothing.
        let text = cx.ask(block::get_block_kramdown(&self.id)).await;
        let text = text.map_err(|error| way_back::unknown(&error, cx))?.kramdown;
        if source::heading_level(&text) != Some(self.level.get()) {
            return Err(way_back::not_made(cx));
        }
        Ok(output.with("changed", plan.facts.levels_json()))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::world::{World, check, check_then, world};

    fn plants() -> World {
        world().doc("/Garden/Plants", "# Spring\n{: memo=\"kept\"}\n\nmint\n\n## Late\n\n# Autumn\n\nrue")
    }

    #[test]
    fn subheadings_follow() {
        check_then(
            "block.set_heading_level",
            plants(),
            &json!({ "id": "{/Garden/Plants#0}", "level": 2 }),
            ["/Garden/Plants"],
            &expect![[r#"
                getPathByID getBlockKramdown getHeadingLevelTransaction transactions getBlockKramdown
                {"id":"{/Garden/Plants#0}","changed":[{"id":"{/Garden/Plants#0}","level":2},{"id":"{/Garden/Plants#2}","level":3}]}
                {/Garden/Plants#0} ## Spring
                {/Garden/Plants#1} mint
                {/Garden/Plants#2} ### Late
                {/Garden/Plants#3} # Autumn
                {/Garden/Plants#4} rue
            "#]],
        );
        check_then(
            "block.set_heading_level",
            plants(),
            &json!({ "id": "{/Garden/Plants#0}", "level": 6 }),
            ["/Garden/Plants"],
            &expect![[r#"
                getPathByID getBlockKramdown getHeadingLevelTransaction transactions getBlockKramdown
                {"id":"{/Garden/Plants#0}","changed":[{"id":"{/Garden/Plants#0}","level":6},{"id":"{/Garden/Plants#2}","level":6}]}
                {/Garden/Plants#0} ###### Spring
                {/Garden/Plants#1} mint
                {/Garden/Plants#2} ###### Late
                {/Garden/Plants#3} # Autumn
                {/Garden/Plants#4} rue
            "#]],
        );
    }

    /// B-036.
    #[test]
    fn the_level_that_it_has_writes_nothing() {
        check(
            "block.set_heading_level",
            plants(),
            &json!({ "id": "{/Garden/Plants#0}", "level": 1 }),
            &expect![[r#"
                getPathByID getBlockKramdown
                {"id":"{/Garden/Plants#0}","changed":false}
            "#]],
        );
    }

    #[test]
    fn only_headings_have_a_level() {
        check(
            "block.set_heading_level",
            plants(),
            &json!({ "id": "{/Garden/Plants#1}", "level": 2 }),
            &expect![[r#"
                getPathByID getBlockKramdown
                {"error":{"type":"validation_error","message":"`id` must be a heading.","fields":{"id":"a heading"}}}
            "#]],
        );
        check(
            "block.set_heading_level",
            plants(),
            &json!({ "id": "{/Garden/Plants}", "level": 2 }),
            &expect![[r#"
                getPathByID getBlockKramdown
                {"error":{"type":"validation_error","message":"`id` must be a heading.","fields":{"id":"a heading"}}}
            "#]],
        );
        check(
            "block.set_heading_level",
            plants(),
            &json!({ "id": "{/Garden/Plants#0}", "level": 7 }),
            &expect![[r#"

                {"error":{"type":"validation_error","message":"block.set_heading_level: `level` must be a whole number from 1 to 6.","fields":{"level":"a whole number from 1 to 6"},"hint":"block(action=\"set_heading_level\", id=\"{/Garden/Plants#0}\", level=6)"}}
            "#]],
        );
    }
}
