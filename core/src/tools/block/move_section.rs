//! `block.move_section`: moves a heading with its whole section within its document.

use std::collections::BTreeSet;
use std::ops::Range;

use super::moving::{self, MoveRequest};
use crate::error::ErrorType;
use crate::kernel::api::block::ChildBlock;
use crate::kernel::api::transactions::BlockPlace;
use crate::prelude::*;

/// Move a heading with its section after or into another one; levels adapt.
#[derive(Debug, Action)]
#[action(
    block.move_section,
    tier = advanced,
    danger = None,
    idempotent = true,
    calls = [block::GET_CHILD_BLOCKS, block::MOVE_OUTLINE_HEADING, ..moving],
    examples = [{ "id": "{heading}", "after": "{other_heading}" }, { "id": "{heading}", "into": "{other_heading}" }],
)]
pub struct MoveSection {
    /// The block.
    #[needs(Write)]
    pub id: BlockId,
    /// The heading to follow, with its section.
    pub after: Option<Child<BlockId>>,
    /// The heading to become the first subsection of.
    pub into: Option<Child<BlockId>>,
}

/// The new place of a section.
#[derive(Debug, Hash)]
enum SectionPlace {
    After(BlockId),
    Into(BlockId),
    Front,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    doc: DocId,
    goal: SectionPlace,
    /// The ids and levels of the document's own blocks.
    outline: Vec<(String, Option<usize>)>,
}

/// The ids of blocks with the levels of headings.
fn outline(children: &[ChildBlock]) -> Vec<(String, Option<usize>)> {
    let level = |it: &ChildBlock| it.subtype.strip_prefix('h').filter(|_| it.kind == "h")?.parse().ok();
    children.iter().map(|it| (it.id.clone(), level(it))).collect()
}

/// The places of a heading and of the blocks below it.
fn section(outline: &[(String, Option<usize>)], id: &str) -> Option<Range<usize>> {
    let at = outline.iter().position(|(it, level)| it == id && level.is_some())?;
    let level = outline.get(at)?.1;
    let below = outline.iter().skip(at + 1).take_while(|(_, it)| it.is_none() || *it > level);
    Some(at..at + 1 + below.count())
}

impl Facts {
    /// The blocks that move, each with its place, and the block after which they go; without one they go to the front.
    /// `None` if the move changes levels, or nothing.
    fn moved(&self, id: &BlockId) -> Option<(Vec<BlockId>, Vec<BlockPlace>, Option<BlockId>)> {
        let own = section(&self.outline, id.as_str())?;
        let level_of = |at: usize| self.outline.get(at).and_then(|(_, level)| *level);
        let other = |id: &BlockId| section(&self.outline, id.as_str());
        // The level that the section gets, and the block that it goes in front of.
        let (level, to) = match &self.goal {
            SectionPlace::After(id) => (level_of(other(id)?.start)?, other(id)?.end),
            SectionPlace::Into(id) => {
                let other = other(id)?;
                let lead = self.outline.get(other.start + 1..other.end)?;
                let lead = lead.iter().take_while(|(_, level)| level.is_none()).count();
                (level_of(other.start)? + 1, other.start + 1 + lead)
            }
            SectionPlace::Front => {
                let first = self.outline.iter().position(|(_, level)| level.is_some())?;
                (level_of(first)?, first)
            }
        };
        if level_of(own.start) != Some(level) || (own.start..=own.end).contains(&to) {
            return None;
        }
        let parse = |at: usize| BlockId::parse(&self.outline.get(at)?.0);
        let place = |at: usize| match at.checked_sub(1) {
            Some(before) => parse(before).map(BlockPlace::After),
            None => Some(BlockPlace::FirstIn(self.doc.block())),
        };
        let ids = own.clone().map(parse).collect::<Option<Vec<BlockId>>>()?;
        let places = own.map(place).collect::<Option<Vec<BlockPlace>>>()?;
        let after = match to.checked_sub(1) {
            Some(at) => Some(parse(at)?),
            None => None,
        };
        Some((ids, places, after))
    }

    /// Moves the section with a way back. False if it has none: nothing was done.
    async fn move_reversibly(&self, id: &BlockId, cx: &Cx<'_>) -> Result<bool, ToolError> {
        let Some((ids, places, after)) = self.moved(id) else { return Ok(false) };
        let (parent, documents) = (self.doc.block(), BTreeSet::from([self.doc.clone()]));
        let request = MoveRequest {
            ids: &ids,
            places: Some(places),
            parent: &parent,
            after: after.as_ref(),
            documents: &documents,
        };
        Ok(moving::make(request, cx).await?.is_some())
    }
}

impl Change for MoveSection {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let doc = cx.found(&self.id).await?.doc.clone().ok_or_else(ToolError::not_found)?;
        let outline = outline(&cx.ask(block::get_child_blocks(&doc)).await?);
        let expected = "a heading of the document itself, in no list or quote";
        let own = section(&outline, self.id.as_str()).ok_or_else(|| ToolError::field("id", expected))?;
        let among = |name: &str, id: &Child<BlockId>| {
            let found = id.among(|id| Some((id.clone(), section(&outline, id.as_str())?.start)));
            let (id, at) =
                found.ok_or_else(|| ToolError::field(name, "another heading of the same document"))?;
            match own.contains(&at) {
                true => Err(ToolError::field(name, "a heading outside the section that moves")),
                false => Ok(id),
            }
        };
        let goal = match (&self.after, &self.into) {
            (Some(_), Some(_)) => return Err(ToolError::field("into", "left out where `after` is given")),
            (Some(id), None) => SectionPlace::After(among("after", id)?),
            (None, Some(id)) => SectionPlace::Into(among("into", id)?),
            (None, None) => SectionPlace::Front,
        };
        let blocks = own.len();
        let changes = doc.clone();
        let plan = Plan::new("move section", Facts { doc, goal, outline });
        Ok(plan.show("blocks", blocks).changing([changes]).touching(blocks, ""))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        if !plan.facts.move_reversibly(&self.id, cx).await? {
            let (previous, parent) = match &plan.facts.goal {
                SectionPlace::After(id) => (Some(id), None),
                SectionPlace::Into(id) => (None, Some(id)),
                SectionPlace::Front => (None, None),
            };
            cx.ask(block::move_outline_heading(&self.id, previous, parent)).await?;
        }
        let Facts { doc, outline: before, .. } = plan.facts;
        let answer = |level, changed: Option<bool>| {
            let output = Output::new().with("id", self.id.as_str()).with("doc", doc.as_str());
            output.with("level", level).with("changed", changed)
        };
        // SiYuan reports success for moves that it does not make, too.
        let after = match cx.ask(block::get_child_blocks(&doc)).await {
            Ok(children) => outline(&children),
            Err(error) => {
                let failed = Failed::new(error).what("the check of its new place");
                return Ok(answer(None, None).failed(vec![failed]));
            }
        };
        let level = section(&after, self.id.as_str()).and_then(|it| after.get(it.start)?.1);
        let gone =
            || ToolError::new(ErrorType::Api, "The heading is no longer in its document. Read it again.");
        Ok(answer(Some(level.ok_or_else(gone)?), Some(before != after)))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::content::way_back::MOST_MOVED;
    use crate::testing::taken_back::{check_no_step, check_taken_back};
    use crate::testing::world::{World, check, check_then, world};

    fn plants() -> World {
        world()
            .doc("/Garden/Plants", "lead\n\n# Spring\n\nmint\n\n## Late\n\n# Autumn\n\nrue\n\n> # Quoted")
            .doc("/Garden/Other", "# Elsewhere")
    }

    #[test]
    fn a_section_goes_behind_into_and_before() {
        check_then(
            "block.move_section",
            plants(),
            &json!({ "id": "{/Garden/Plants#1}", "after": "{/Garden/Plants#4}" }),
            ["/Garden/Plants"],
            &expect![[r#"
                getPathByID getChildBlocks batchGetBlockAttrs transactions getBlockTreeInfos getChildBlocks
                {"id":"{/Garden/Plants#1}","doc":"{/Garden/Plants}","level":1,"changed":true}
                {/Garden/Plants#0} lead
                {/Garden/Plants#4} # Autumn
                {/Garden/Plants#5} rue
                {/Garden/Plants#6} > # Quoted
                {/Garden/Plants#1} # Spring
                {/Garden/Plants#2} mint
                {/Garden/Plants#3} ## Late
            "#]],
        );
        check_then(
            "block.move_section",
            plants(),
            &json!({ "id": "{/Garden/Plants#4}", "into": "{/Garden/Plants#1}" }),
            ["/Garden/Plants"],
            &expect![[r#"
                getPathByID getChildBlocks moveOutlineHeading getChildBlocks
                {"id":"{/Garden/Plants#4}","doc":"{/Garden/Plants}","level":2,"changed":true}
                {/Garden/Plants#0} lead
                {/Garden/Plants#1} # Spring
                {/Garden/Plants#2} mint
                {/Garden/Plants#4} ## Autumn
                {/Garden/Plants#5} rue
                {/Garden/Plants#6} > # Quoted
                {/Garden/Plants#3} ## Late
            "#]],
        );
        check_then(
            "block.move_section",
            plants(),
            &json!({ "id": "{/Garden/Plants#4}" }),
            ["/Garden/Plants"],
            &expect![[r#"
                getPathByID getChildBlocks batchGetBlockAttrs transactions getBlockTreeInfos getChildBlocks
                {"id":"{/Garden/Plants#4}","doc":"{/Garden/Plants}","level":1,"changed":true}
                {/Garden/Plants#0} lead
                {/Garden/Plants#4} # Autumn
                {/Garden/Plants#5} rue
                {/Garden/Plants#6} > # Quoted
                {/Garden/Plants#1} # Spring
                {/Garden/Plants#2} mint
                {/Garden/Plants#3} ## Late
            "#]],
        );
    }

    /// A section whose levels stay comes back to its place; one whose levels change, a long one and a folded one are no
    /// steps.
    #[test]
    fn a_moved_section_is_taken_back() {
        let plants = || {
            let text = "lead\n\n# Spring\n\nmint\n\n#### Late\n\nsage\n\n# Autumn\n\nrue\n\n#### Last";
            world().doc("/Garden/Plants", text)
        };
        for call in [
            json!({ "id": "{/Garden/Plants#3}", "after": "{/Garden/Plants#7}" }),
            json!({ "id": "{/Garden/Plants#1}", "after": "{/Garden/Plants#5}" }),
            json!({ "id": "{/Garden/Plants#5}" }),
        ] {
            check_taken_back("block.move_section", plants(), &call, ["/Garden/Plants"]);
        }
        let into = json!({ "id": "{/Garden/Plants#5}", "into": "{/Garden/Plants#1}" });
        check_no_step("block.move_section", plants(), &into, ["/Garden/Plants"]);
        let folded = plants();
        folded.ask("block/foldBlock", &json!({ "id": folded.id("/Garden/Plants#1") }));
        let after = json!({ "id": "{/Garden/Plants#1}", "after": "{/Garden/Plants#5}" });
        check_no_step("block.move_section", folded, &after, ["/Garden/Plants"]);
        let long = world().doc("/Garden/Plants", &format!("# A\n\n{}# B", "x\n\n".repeat(MOST_MOVED)));
        check_no_step(
            "block.move_section",
            long,
            &json!({ "id": "{/Garden/Plants#0}", "after": format!("{{/Garden/Plants#{}}}", MOST_MOVED + 1) }),
            ["/Garden/Plants"],
        );
    }

    /// B-036.
    #[test]
    fn a_section_that_is_there_stays() {
        check(
            "block.move_section",
            plants(),
            &json!({ "id": "{/Garden/Plants#4}", "after": "{/Garden/Plants#1}" }),
            &expect![[r#"
                getPathByID getChildBlocks moveOutlineHeading getChildBlocks
                {"id":"{/Garden/Plants#4}","doc":"{/Garden/Plants}","level":1,"changed":false}
            "#]],
        );
    }

    /// It reports success for each of these.
    #[test]
    fn what_the_kernel_would_not_move_is_refused() {
        check(
            "block.move_section",
            plants(),
            &json!({ "id": "{/Garden/Plants#1}", "after": "{/Garden/Plants#3}" }),
            &expect![[r#"
                getPathByID getChildBlocks
                {"error":{"type":"validation_error","message":"`after` must be a heading outside the section that moves.","fields":{"after":"a heading outside the section that moves"}}}
            "#]],
        );
        check(
            "block.move_section",
            plants(),
            &json!({ "id": "{/Garden/Plants#1}", "into": "{/Garden/Plants#1}" }),
            &expect![[r#"
                getPathByID getChildBlocks
                {"error":{"type":"validation_error","message":"`into` must be a heading outside the section that moves.","fields":{"into":"a heading outside the section that moves"}}}
            "#]],
        );
        check(
            "block.move_section",
            plants(),
            &json!({ "id": "{/Garden/Plants#1}", "after": "{/Garden/Other#0}" }),
            &expect![[r#"
                getPathByID getChildBlocks
                {"error":{"type":"validation_error","message":"`after` must be another heading of the same document.","fields":{"after":"another heading of the same document"}}}
            "#]],
        );
        check(
            "block.move_section",
            plants(),
            &json!({ "id": "{/Garden/Plants#1}", "into": "{/Garden/Plants#0}" }),
            &expect![[r#"
                getPathByID getChildBlocks
                {"error":{"type":"validation_error","message":"`into` must be another heading of the same document.","fields":{"into":"another heading of the same document"}}}
            "#]],
        );
        check(
            "block.move_section",
            plants(),
            &json!({ "id": "{/Garden/Plants#2}" }),
            &expect![[r#"
            getPathByID getChildBlocks
            {"error":{"type":"validation_error","message":"`id` must be a heading of the document itself, in no list or quote.","fields":{"id":"a heading of the document itself, in no list or quote"}}}
        "#]],
        );
        check(
            "block.move_section",
            plants(),
            &json!({ "id": "{/Garden/Plants#1}", "into": "{/Garden/Plants#4}", "after": "{/Garden/Plants#4}" }),
            &expect![[r#"
                getPathByID getChildBlocks
                {"error":{"type":"validation_error","message":"`into` must be left out where `after` is given.","fields":{"into":"left out where `after` is given"}}}
            "#]],
        );
    }
}
