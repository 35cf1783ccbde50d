//! Tests of `system.put_back`: the order of documents, and calls that a run does not have.

use super::*;

/// A call that the run does not have is refused with those that it has.
#[test]
fn a_call_that_is_not_of_the_run_is_refused() {
    let (engine, _, _) = worked();
    let arguments = json!({ "action": "put_back", "run": newest(&engine), "call": 99 });
    let error = made(&engine, None, Tool::System, &arguments).unwrap_err();
    assert_eq!(error.kind, ErrorType::Validation);
    assert!(error.message.contains("0 (block.update), 1 (document.move)"), "{}", error.message);
}

/// The titles of the documents in a notebook in the person's order.
fn order(world: &World) -> String {
    let body = json!({ "notebook": world.id("/Garden"), "path": "/", "sort": 6, "maxListCount": 0 });
    let list = world.ask("filetree/listDocsByPath", &body);
    let name = |it: &Value| it["name"].as_str().unwrap().trim_end_matches(".sy").to_owned();
    list["files"].as_array().unwrap().iter().map(name).collect::<Vec<_>>().join(" ")
}

/// The person's order comes back too, around what is there meanwhile, unless somebody changed it since.
#[test]
fn documents_go_back_to_their_place_among_the_others() {
    let reorder =
        json!({ "action": "reorder", "notebook": "{/Garden}", "order": ["{/Garden/C}", "{/Garden/A}"] });
    let remove = json!({ "action": "remove", "ids": ["{/Garden/B}"] });
    for arguments in [&reorder, &remove] {
        for is_reordered_since in [false, true] {
            let world = World::new().notebook("Garden", "rwd").docs(["/Garden/A", "/Garden/B", "/Garden/C"]);
            let paths: Vec<Value> =
                ["A", "B", "C"].map(|it| json!(format!("/{}.sy", world.id(&format!("/Garden/{it}"))))).into();
            world.ask("filetree/changeSort", &json!({ "notebook": world.id("/Garden"), "paths": paths }));
            let (engine, runs) = keeping(world);
            let before = order(&engine.kernel);
            assert_eq!(before, "A B C");
            let run = did(&engine, &runs, Tool::Document, arguments);
            assert_ne!(order(&engine.kernel), before);
            if is_reordered_since {
                let paths: Vec<&Value> = paths.iter().rev().collect();
                let body = json!({ "notebook": engine.kernel.id("/Garden"), "paths": paths });
                engine.kernel.ask("filetree/changeSort", &body);
            }
            let was = order(&engine.kernel);
            let reply = put_back(&engine, &runs, Some("s"), &run);
            let is_left = is_reordered_since && arguments["action"] == "reorder";
            assert_eq!(count(&reply, "left") > 0, is_left, "{reply}");
            match is_reordered_since {
                false => assert_eq!(order(&engine.kernel), before, "{reply}"),
                true if is_left => assert_eq!(order(&engine.kernel), was, "{reply}"),
                // The order of the others is theirs.
                true => assert!(order(&engine.kernel).contains("C A"), "{reply}"),
            }
            if !is_reordered_since {
                let reply = put_back(&engine, &runs, Some("s"), &newest(&engine));
                assert_eq!(count(&reply, "left"), 0, "{reply}");
                assert_eq!(order(&engine.kernel), was, "{reply}");
            }
        }
    }
}
