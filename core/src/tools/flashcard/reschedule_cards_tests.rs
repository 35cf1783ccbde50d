//! Tests of `flashcard.reschedule_cards`: due times, and cards that start anew.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::dispatch::Approval;
use crate::error::ErrorType;
use crate::spec::Tool;
use crate::testing::world::{call, check};
use crate::tools::flashcard::testing::{cards, data, engine, flashcard};

/// B-071: removing and resetting wait for a person; the plan is the same when it is read again.
#[test]
fn losing_history_needs_an_approval() {
    for (action, arguments, asks) in [
        ("remove_cards", json!({ "ids": ["{/Garden/Plants#0}"] }), true),
        ("reschedule_cards", json!({ "ids": ["{/Garden/Plants#0}"], "reset": true }), true),
        ("reschedule_cards", json!({ "ids": ["{/Garden/Plants#0}"], "due": "2030-01-01" }), false),
    ] {
        let engine = engine(cards());
        let mut arguments: Value = serde_json::from_str(&engine.kernel.fill(&arguments.to_string())).unwrap();
        arguments["action"] = json!(action);
        let kind = call(&engine, Tool::Flashcard, &arguments, &Approval::Missing).err().map(|it| it.kind);
        assert_eq!(kind, asks.then_some(ErrorType::ConfirmationRequired), "{arguments}");
    }
}

/// K17: only the named cards are started anew.
#[test]
fn resetting_a_card_leaves_the_others() {
    let engine = engine(cards());
    for block in ["{/Garden/Plants#0}", "{/Garden/Plants#1}"] {
        flashcard(&engine, "review_card", json!({ "id": block, "rating": "easy" })).unwrap();
    }
    let reply =
        data(flashcard(&engine, "reschedule_cards", json!({ "ids": ["{/Garden/Plants#0}"], "reset": true })));
    assert_eq!(
        engine.kernel.unfill(&reply.to_string()),
        r#"{"changed":[{"id":"{/Garden/Plants#0}","state":"new","reps":0,"lapses":0}]}"#
    );
    assert_eq!(data(flashcard(&engine, "list_cards", json!({ "state": "learned" })))["total"], 1);
}

#[test]
fn due_times_are_set_in_the_built_in_deck_only() {
    let check = |arguments: Value, expected: Expect| {
        check("flashcard.reschedule_cards", cards(), &arguments, &expected);
    };
    check(
        json!({ "ids": ["{/Garden/Plants#0}"], "due": "2030-04-06T08:30" }),
        expect![[r#"
        getPathByID flushTransaction getRiffCardsByBlockIDs batchSetRiffCardsDueTime flushTransaction getRiffCardsByBlockIDs
        {"changed":[{"id":"{/Garden/Plants#0}","state":"new","due":"2030-04-06T08:30:00Z","reps":0,"lapses":0}]}
    "#]],
    );
    check(
        json!({ "ids": ["{/Garden/Plants#0}"], "due": "soon" }),
        expect![[r#"

            {"error":{"type":"validation_error","message":"flashcard.reschedule_cards: `due` must be a day such as 2026-11-21, or a time such as 2026-11-21T08:30.","fields":{"due":"a day such as 2026-11-21, or a time such as 2026-11-21T08:30"},"hint":"flashcard(action=\"reschedule_cards\", ids=[\"{/Garden/Plants#0}\"], due=\"<a day such as 2026-11-21, or a time such as 2026-11-21T08:30>\")"}}
        "#]],
    );
    check(
        json!({ "ids": ["{/Garden/Plants#0}"], "reset": false }),
        expect![[r#"

            {"error":{"type":"validation_error","message":"flashcard.reschedule_cards: `reset` must be true, or left out.","fields":{"reset":"true, or left out"},"hint":"flashcard(action=\"reschedule_cards\", ids=[\"{/Garden/Plants#0}\"], reset=\"<true, or left out>\")"}}
        "#]],
    );
    let engine = engine(cards());
    flashcard(&engine, "create_deck", json!({ "name": "Botany" })).unwrap();
    let arguments = json!({ "ids": ["{/Garden/Plants#0}"], "due": "2030-01-01", "deck": "Botany" });
    assert_eq!(flashcard(&engine, "reschedule_cards", arguments).unwrap_err().kind, ErrorType::Validation);
}
