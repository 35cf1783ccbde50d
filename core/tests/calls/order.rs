//! The order of a call's steps: a call with two mistakes is answered for the earlier one (B-020).

use puppy_core::dispatch::Approval;
use puppy_core::error::{ErrorType, ToolError};
use puppy_core::spec::Tool;
use serde_json::{Value, json};

use crate::kernel::{BOOKS, LEAF, PLAN, PLANTS, Workspace, call, engine};

/// Every way in which a call can go wrong, in the order of the steps.
const STEPS: [&str; 6] = ["find", "visible", "decode", "resolve", "authorize", "plan"];

/// A call of `fs.edit` with these mistakes.
fn wrong(ways: &[&str]) -> Result<(), ToolError> {
    let has = |way: &str| ways.contains(&way);
    let mut workspace = Workspace::new(true);
    if has("visible") {
        workspace = workspace
            .file("mcpToolsConfig", &json!({ "fs": { "enabled": true, "actions": { "edit": false } } }));
    }
    let path = match (has("resolve"), has("authorize")) {
        // Hidden and missing alike; a hidden document is also not allowed.
        (true, _) => PLAN,
        (false, true) => BOOKS,
        (false, false) => PLANTS,
    };
    let mut arguments = json!({
        "action": if has("find") { "edut" } else { "edit" },
        "path": path,
        "edits": [{ "old": if has("plan") { "not there" } else { "leaf" }, "new": "twig" }],
        "preview": true
    });
    if has("decode") {
        arguments["edits"] = json!("text");
    }
    call(&engine(workspace), Tool::Fs, &arguments, Approval::Missing).map(drop)
}

/// The step of an error.
fn step(error: &ToolError) -> &'static str {
    match error.kind {
        ErrorType::Validation if error.message.contains("has no action") => "find",
        ErrorType::Disabled => "visible",
        ErrorType::Validation if error.example.is_some() => "decode",
        ErrorType::PermissionDenied => "authorize",
        ErrorType::NotFound if error.message.contains("that you may see") => "resolve",
        _ => "plan",
    }
}

#[test]
fn valid_call_succeeds() {
    assert_eq!(wrong(&[]), Ok(()));
}

#[test]
fn each_single_fault_has_its_own_error() {
    for way in STEPS {
        let error = wrong(&[way]).unwrap_err();
        assert_eq!(step(&error), way, "{error:?}");
    }
}

#[test]
fn earlier_of_two_faults_is_reported() {
    for (at, first) in STEPS.iter().enumerate() {
        for second in &STEPS[at + 1..] {
            let error = wrong(&[first, second]).unwrap_err();
            assert_eq!(step(&error), *first, "with {second}: {error:?}");
        }
    }
}

/// A pause stops everything but help, before arguments are read.
#[test]
fn pause_is_checked_before_decoding() {
    let paused = || engine(Workspace::new(true).file("mcpHttpSettings", &json!({ "paused": true })));
    let reply = |arguments: Value| call(&paused(), Tool::Fs, &arguments, Approval::Missing);
    let error = reply(json!({ "action": "edit", "path": 7 })).unwrap_err();
    assert_eq!(error.kind, ErrorType::Paused);
    assert!(error.message.contains("paused"), "{}", error.message);
    assert_eq!(reply(json!({ "action": "edut" })).unwrap_err().kind, ErrorType::Validation);
    assert!(reply(json!({ "action": "help" })).is_ok());
}

/// F13: settings that cannot be read, or that could mean a pause, are a pause.
#[test]
fn ambiguous_pause_setting_stops_every_call() {
    for (settings, kind) in [
        (json!({ "paused": "true" }), ErrorType::Paused),
        (json!({ "paused": 1 }), ErrorType::Paused),
        // The error names the file, as for any broken file of the plugin.
        (json!("torn"), ErrorType::Api),
    ] {
        let paused = engine(Workspace::new(true).file("mcpHttpSettings", &settings));
        let reply = call(&paused, Tool::Notebook, &json!({ "action": "list" }), Approval::Given);
        assert_eq!(reply.unwrap_err().kind, kind, "{settings}");
    }
}

/// Permission comes before confirmation, confirmation before the change; a preview needs none.
#[test]
fn person_is_not_asked_about_a_denied_call() {
    let remove = |id: &str, preview: bool, level: &str| {
        let table = json!({ crate::kernel::GARDEN: level, crate::kernel::PRIVATE: "none" });
        let engine = engine(Workspace::new(true).file("notebookPermissions", &table));
        let reply = call(
            &engine,
            Tool::Document,
            &json!({ "action": "remove", "ids": [id], "preview": preview }),
            Approval::Missing,
        );
        let writes = engine.kernel.sent().iter().any(|it| it.path == "/api/filetree/removeDocByID");
        assert!(!writes, "nothing is removed without a yes");
        reply
    };
    assert_eq!(remove(PLANTS, false, "rw").unwrap_err().kind, ErrorType::PermissionDenied);
    assert_eq!(remove(PLAN, false, "rwd").unwrap_err().kind, ErrorType::NotFound);
    let error = remove(PLANTS, false, "rwd").unwrap_err();
    assert_eq!(error.kind, ErrorType::ConfirmationRequired);
    assert!(!error.message.contains('{'), "the holes of the sentence are filled: {}", error.message);
    assert!(remove(PLANTS, true, "rwd").is_ok());
    // A block in place of a document is reported as such, before a person is asked.
    assert_eq!(remove(LEAF, false, "rwd").unwrap_err().kind, ErrorType::Validation);
}

/// A read runs alongside its check; an early failure of the read is still answered last.
#[test]
fn early_read_failure_does_not_precede_the_permission_error() {
    for slow in [false, true] {
        let reply = |under: &str| {
            let arguments = json!({ "action": "text", "query": PLANTS, "under": under });
            call(&engine(Workspace::new(true).slow_check(slow)), Tool::Search, &arguments, Approval::Missing)
        };
        assert_eq!(reply(PLAN).unwrap_err().kind, ErrorType::NotFound, "slow: {slow}");
        assert_eq!(reply(PLANTS).unwrap_err().kind, ErrorType::Validation, "slow: {slow}");
    }
}
