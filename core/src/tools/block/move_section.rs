//! `block.move_section`: moves a heading with its whole section within its document.

use super::outline::{HeadingOutline, SectionPlace, moved, outline, section};
use super::source::BlockInDoc;
use crate::content::{block_dom, way_back};
use crate::error::ErrorType;
use crate::kernel::api::transactions::{BlockPlace, Reversible};
use crate::prelude::*;

/// Move a heading with its section after or into another one; levels adapt.
#[derive(Debug, Action)]
#[action(
    block.move_section,
    tier = advanced,
    danger = None,
    idempotent = true,
    calls = [block::GET_CHILD_BLOCKS, ..way_back],
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

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    doc: DocId,
    goal: SectionPlace,
    /// The ids and levels of the document's own blocks.
    outline: HeadingOutline,
}

/// Whether a heading in the kernel's markup is folded.
fn is_folded(dom: &str) -> bool {
    block_dom::attribute(block_dom::first_tag(dom), "fold") == Some("1")
}

/// The change that makes the move.
async fn moving(id: &BlockId, facts: &Facts, cx: &Cx<'_>) -> Result<Reversible, ToolError> {
    let Facts { doc, goal, outline } = facts;
    let own = section(outline, id.as_str()).ok_or_else(ToolError::not_found)?;
    let mut change = Reversible::new();
    let Some((after, rises)) = moved(outline, &own, goal).filter(|(after, _)| after != outline) else {
        return Ok(change);
    };
    let parse = |at: usize| outline.get(at).and_then(|(id, _)| BlockId::parse(id));
    let place = |at: usize| BlockPlace { parent: doc.block(), previous: at.checked_sub(1).and_then(parse) };
    let is_same = |at: &usize| outline.get(*at).map(|(id, _)| id) == after.get(*at).map(|(id, _)| id);
    let is_heading = |at: &usize| outline.get(*at).is_some_and(|(_, level)| level.is_some());
    let headings = own.clone().filter(is_heading);
    let headings: Vec<BlockInDoc> = headings.filter_map(|at| Some((parse(at)?, Some(doc.clone())))).collect();
    cx.keeps_rows().await;
    let mut headings = way_back::doms(&headings, cx).await?;
    // A folded heading takes along what it hides. Where only the levels change, nothing has to go back to its place.
    let moves = own.clone().filter(|_| !(0..outline.len()).all(|at| is_same(&at)));
    let (mut blocks, mut hidden_to) = (Vec::new(), 0);
    for at in moves {
        let Some(id) = parse(at).filter(|_| at >= hidden_to) else { continue };
        if headings.get(&id).is_some_and(|dom| is_folded(dom)) {
            hidden_to = section(outline, id.as_str()).map_or(at, |it| it.end);
        }
        blocks.push((id, place(at)));
    }
    if rises == 0 {
        headings.clear();
    }
    let headings = headings.into_iter().collect();
    let (previous, parent) = match goal {
        SectionPlace::After(id) => (Some(id), None),
        SectionPlace::Into(id) => (None, Some(id)),
        SectionPlace::Front => (None, None),
    };
    change.move_section(id, previous, parent, blocks, headings);
    Ok(change)
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
        let change = moving(&self.id, &plan.facts, cx).await?;
        let Facts { doc, outline: before, .. } = plan.facts;
        way_back::make(&change, &[], &plan.changes, cx).await?;
        let answer = |level, changed: Option<bool>| {
            let output = Output::new().with("id", self.id.as_str()).with("doc", doc.as_str());
            output.with("level", level).with("changed", changed)
        };
        if change.is_empty() {
            let level = section(&before, self.id.as_str()).and_then(|it| before.get(it.start)?.1);
            return Ok(answer(level, Some(false)));
        }
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

    use crate::testing::taken_back::check_taken_back;
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
                getPathByID getChildBlocks getBlockDOMs transactions getChildBlocks
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
                getPathByID getChildBlocks getBlockDOMs transactions getChildBlocks
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
                getPathByID getChildBlocks getBlockDOMs transactions getChildBlocks
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

    /// The blocks go back to their places, and headings to levels that the outline does not suggest.
    #[test]
    fn a_moved_section_is_taken_back() {
        let plants = || {
            let text = "lead\n\n# Spring\n\nmint\n\n#### Late\n\nsage\n\n# Autumn\n\nrue\n\n## Last";
            world().doc("/Garden/Plants", text)
        };
        for call in [
            json!({ "id": "{/Garden/Plants#3}", "after": "{/Garden/Plants#5}" }),
            json!({ "id": "{/Garden/Plants#3}", "after": "{/Garden/Plants#1}" }),
            json!({ "id": "{/Garden/Plants#1}", "into": "{/Garden/Plants#7}" }),
            json!({ "id": "{/Garden/Plants#5}" }),
        ] {
            check_taken_back("block.move_section", plants(), &call, ["/Garden/Plants"]);
        }
        // A folded heading takes along what it hides.
        let folded = plants();
        folded.ask("block/foldBlock", &json!({ "id": folded.id("/Garden/Plants#1") }));
        let call = json!({ "id": "{/Garden/Plants#1}", "after": "{/Garden/Plants#5}" });
        check_taken_back("block.move_section", folded, &call, ["/Garden/Plants"]);
    }

    /// B-036.
    #[test]
    fn a_section_that_is_there_stays() {
        check(
            "block.move_section",
            plants(),
            &json!({ "id": "{/Garden/Plants#4}", "after": "{/Garden/Plants#1}" }),
            &expect![[r#"
                getPathByID getChildBlocks
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
