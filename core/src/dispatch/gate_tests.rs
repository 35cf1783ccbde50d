//! Tests of answers that are kept for a caller that repeats an approved call.

use futures_util::FutureExt;
use serde_json::{Value, json};

use super::*;
use crate::activity::Transport;
use crate::dispatch::{Call, Engine};
use crate::part::Part;
use crate::permission::ScopeSource;
use crate::testing::{ATTIC, FakeKernel, GARDEN, Seen};

const STORAGE: &str = "/data/storage/petal/siyuan-mcp-puppy/";

/// The gate of a caller whose call was carried out.
#[derive(Debug)]
struct Ran(KeptReply);

impl Gate for Ran {
    fn standing(&self, _: &CallSettings, _: ApprovalRequest<'_>) -> ApprovalState {
        ApprovalState::Ran(Box::new(self.0.clone()))
    }

    fn ask<'a>(&'a self, _: &'a CallSettings, _: PlanQuestion) -> Boxed<'a, Verdict> {
        Box::pin(async { Verdict::Approved })
    }
}

fn desk() -> Engine<FakeKernel, Seen> {
    let engine = Engine::new(FakeKernel::new(), Seen::default());
    set(&engine, "notebookPermissions", &json!({ GARDEN: "rwd", ATTIC: "rwd" }));
    engine
}

fn set(engine: &Engine<FakeKernel, Seen>, file: &str, content: &Value) {
    engine.kernel.put(&format!("{STORAGE}{file}"), &content.to_string());
    engine.cache.forget().now_or_never();
}

/// The answer of the repeated call, which was carried out under the levels of the desk.
fn repeated(engine: &Engine<FakeKernel, Seen>, reply: Reply) -> Reply {
    let grants = desk().policy().now_or_never().unwrap().scope.grants.clone();
    let arguments = json!({ "action": "remove", "ids": ["20250101000000-aaaaaaa"] });
    let call = Call {
        tool: Tool::Document,
        arguments: arguments.as_object().cloned().unwrap(),
        part: Part::Whole,
        transport: Transport::Stdio,
        client: String::new(),
    };
    let gate = Ran(KeptReply::new(reply, grants));
    let reply = engine.dispatch(call, &gate).now_or_never().unwrap();
    assert!(engine.kernel.asked().is_empty(), "nothing runs twice");
    reply
}

/// A success and failures that name what their caller could read.
fn kept() -> [Reply; 3] {
    let title = json!([{ "title": "Roses" }]);
    let error = |kind| ToolError::new(kind, "Roses stayed.").with("plan", json!({ "removed": title }));
    [
        Ok(Output::new().with("removed", title.clone())),
        Err(error(ErrorType::Conflict)),
        Err(error(ErrorType::Api).with(OUTCOME, "partly done")),
    ]
}

/// Q2: what an answer names is not given out after a person has lowered a level, in the notebook of the call or in another
/// one, whatever became of the call. Whether it was carried out is.
#[test]
fn kept_answers_keep_to_the_levels_of_their_call() {
    for reply in kept() {
        let engine = desk();
        assert_eq!(repeated(&engine, reply.clone()), reply);
        for levels in [json!({ GARDEN: "none", ATTIC: "rwd" }), json!({ GARDEN: "rwd", ATTIC: "none" })] {
            set(&engine, "notebookPermissions", &levels);
            let given = repeated(&engine, reply.clone());
            assert!(!format!("{given:?}").contains("Roses"), "{given:?}");
            match (&reply, &given) {
                (Ok(_), Ok(output)) => assert_eq!(output, &Output::new().with("done", true)),
                (Err(before), Err(after)) => {
                    assert_eq!(after.kind, before.kind);
                    assert_eq!(after.details.get(OUTCOME), before.details.get(OUTCOME));
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Q2: no answer is given out during a pause, while the action is off, where no notebook allows it any more, or while the
/// levels cannot be read.
#[test]
fn kept_answers_pass_the_checks_of_a_new_call() {
    for (file, content, kind) in [
        ("mcpHttpSettings", json!({ "paused": true }), ErrorType::Paused),
        (
            "mcpToolsConfig",
            json!({ "document": { "enabled": true, "actions": { "remove": false } } }),
            ErrorType::Disabled,
        ),
        ("notebookPermissions", json!({ GARDEN: "rw", ATTIC: "r" }), ErrorType::PermissionDenied),
        ("notebookPermissions", json!([]), ErrorType::Api),
    ] {
        for reply in kept() {
            let engine = desk();
            set(&engine, file, &content);
            let error = repeated(&engine, reply).unwrap_err();
            assert!(error.kind == kind && !format!("{error:?}").contains("Roses"), "{content}: {error:?}");
        }
    }
}
