//! An id is only ever an id: no name, title or path can stand in for it (B-055, F1, F3).

use proptest::prelude::*;
use puppy_core::dispatch::Approval;
use puppy_core::error::ErrorType;
use puppy_core::output::Reply;
use puppy_core::registry::ACTIONS;
use puppy_core::render::result::{Audience, error, texts};
use puppy_core::spec::Tool;
use serde_json::{Value, json};

use crate::kernel::{BOOKS, LEAF, MERCURY, PLAN, PLANTS, PRIVATE, SECRET, UNSEEN, Workspace, call, engine};
use crate::privacy::{Picks, arguments};

const MISSING: &str = "20250109000000-missing";

/// The id that is requested in place of a hidden one.
const NOWHERE: &str = "19700101000000-nowhere";

/// An answer and the requests behind it, with this id written as `ID`.
fn outcome(workspace: Workspace, tool: Tool, arguments: &Value, id: &str) -> (String, Vec<String>) {
    let engine = engine(workspace);
    let text = shown(&call(&engine, tool, arguments, Approval::Given)).replace(id, "ID");
    let sent = engine.kernel.sent().into_iter().map(|it| format!("{} {}", it.path, it.body));
    (text, sent.map(|it| it.replace(id, "ID").replace(NOWHERE, "ID")).collect())
}

fn shown(reply: &Reply) -> String {
    match reply {
        Ok(output) => texts(output).join("\n"),
        Err(failed) => error(failed, Audience::Model).to_string(),
    }
}

/// F1: a notebook that a person named like a hidden document or block is never read in its place, and the document is
/// never read by the notebook's level.
#[test]
fn notebook_named_like_an_id_is_not_resolved_as_one() {
    let named = |id: &str| Workspace::new(true).notebook("20250107000000-named00", id);
    let forms = [
        json!({}),
        json!({ "tail": 3 }),
        json!({ "section": "first" }),
        json!({ "with_ids": true, "budget": 32_000 }),
    ];
    for hidden in [PLAN, MERCURY, UNSEEN, PRIVATE] {
        for form in &forms {
            for slow in [false, true] {
                let read = |id: &str| {
                    let mut arguments = form.clone();
                    arguments["action"] = json!("read");
                    arguments["path"] = json!(id);
                    outcome(named(id).slow_check(slow), Tool::Fs, &arguments, id)
                };
                let (answer, sent) = read(hidden);
                assert!(answer.contains("not_found") && !answer.contains(SECRET), "{hidden}: {answer}");
                assert_eq!((answer, sent), read(MISSING), "{hidden} {form}");
            }
        }
        for (tool, action) in [(Tool::Notebook, "info"), (Tool::Tag, "list"), (Tool::Search, "text")] {
            let ask = |id: &str| {
                let arguments = json!({ "action": action, "notebook": id, "query": "x" });
                let mut arguments = arguments;
                if tool == Tool::Notebook {
                    arguments.as_object_mut().unwrap().remove("query");
                }
                outcome(named(id), tool, &arguments, id)
            };
            assert_eq!(ask(hidden), ask(MISSING), "{action}");
        }
    }
    // The thing with the id is not shadowed by the thing with the name either.
    let engine = engine(named(PLANTS));
    let reply =
        call(&engine, Tool::Fs, &json!({ "action": "read", "path": PLANTS }), Approval::Missing).unwrap();
    assert_eq!(reply.body.as_deref(), Some("green leaf"));
}

/// F1: no agent can give a notebook such a name, whichever characters the kernel would drop from it.
#[test]
fn notebook_named_like_an_id_cannot_be_created() {
    for name in [
        PLAN.to_owned(),
        format!(" {PLAN}\u{a0}"),
        PLAN.replace('0', "0\u{200b}"),
        PLAN.replace('-', "－").replace('2', "２"),
        PLAN.to_uppercase(),
        MISSING.to_owned(),
    ] {
        let engine = engine(Workspace::new(true));
        let made =
            call(&engine, Tool::Notebook, &json!({ "action": "create", "name": name }), Approval::Given);
        assert_eq!(made.unwrap_err().kind, ErrorType::Validation, "{name:?}");
        assert_eq!(engine.kernel.sent(), [], "{name:?}");
    }
}

/// F3: below and at an id of another notebook there is nothing, and nothing can be created: hidden documents and
/// blocks, documents of other notebooks and unused ids all look the same.
#[test]
fn foreign_id_in_a_path_is_not_found() {
    for (notebook, foreign) in [("Garden", BOOKS), ("Reading", PLANTS), ("Attic", PLANTS)] {
        for path in ["ID/x", "ID/y/x", "ID", "Plants/ID", "Plants/ID/x", "ID/ID/x"] {
            for (action, rest) in [
                ("write", json!({ "markdown": "x", "preview": true })),
                ("write", json!({ "markdown": "x" })),
                ("write", json!({ "markdown": "x", "mode": "upsert" })),
                ("write", json!({ "markdown": "x", "mode": "append" })),
                ("edit", json!({ "edits": [{ "old": "a", "new": "b" }] })),
                ("read", json!({})),
                ("list", json!({})),
                ("tree", json!({})),
            ] {
                let ask = |id: &str| {
                    let mut arguments = rest.clone();
                    arguments["action"] = json!(action);
                    arguments["path"] = json!(format!("/{notebook}/{}", path.replace("ID", id)));
                    outcome(Workspace::new(true), Tool::Fs, &arguments, id)
                };
                let missing = ask(MISSING);
                assert!(missing.0.contains("not_found"), "{path} {action}: {}", missing.0);
                let places = r#"/api/filetree/getPathByID {"id":"ID"}"#;
                let (last, before) = missing.1.split_last().unwrap();
                let before: Vec<&str> = before.iter().map(|it| it.split(' ').next().unwrap()).collect();
                assert_eq!(last, places, "{path} {action}");
                assert_eq!(before, ["/api/query/sql", "/api/sqlite/flushTransaction", "/api/query/sql"]);
                for id in [PLAN, MERCURY, UNSEEN, PRIVATE] {
                    assert_eq!(ask(id), missing, "{id} {path} {action}");
                }
                // The caller may know of this one, so that the index need not be flushed for it.
                let (answer, sent) = ask(foreign);
                assert_eq!((answer, sent.len()), (missing.0, 2), "{path} {action}");
                assert_eq!(sent[1], places, "{path} {action}");
            }
        }
    }
}

/// F3: below a document of this notebook, everything is created by the id and hpath that were resolved.
#[test]
fn document_is_created_below_the_resolved_parent() {
    let write = |path: &str| {
        let engine = engine(Workspace::new(true));
        let arguments = json!({ "action": "write", "path": path, "markdown": "x" });
        let reply = call(&engine, Tool::Fs, &arguments, Approval::Missing);
        let made = engine.kernel.sent().into_iter().find(|it| it.path == "/api/filetree/createDocWithMd");
        (reply.err().map(|it| it.kind), made.map(|it| (it.body["path"].clone(), it.body["parentID"].clone())))
    };
    let below_plants = (None, Some((json!("/Plants/New"), json!(PLANTS))));
    assert_eq!(write(&format!("/Garden/{PLANTS}/New")), below_plants);
    assert_eq!(write("/Garden/Plants/New"), below_plants);
    assert_eq!(write(&format!("/Garden/{LEAF}/New")), (Some(ErrorType::Validation), None));
    // The document is at the top, not below one of these.
    for before in ["Plants", "Elsewhere", PLANTS, MISSING] {
        assert_eq!(write(&format!("/Garden/{before}/{PLANTS}/New")), (Some(ErrorType::NotFound), None));
    }
}

/// Names that an agent may choose: words, and ids of known, forbidden and missing things.
const NAMES: [&str; 8] = [
    "Seeds",
    PLAN,
    " 20250104000000-secret0",
    "20250104000000-\u{200b}secret0",
    MERCURY,
    PRIVATE,
    PLANTS,
    MISSING,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// F1, F3: whatever the names, a later call reveals nothing of a hidden notebook: the twin workspace with an
    /// empty Private answers the same, after the same requests.
    #[test]
    fn no_name_reveals_a_hidden_notebook(
        kind in 0..3_usize,
        name in 0..NAMES.len(),
        at in 0..ACTIONS.len(),
        all in prop::collection::vec(any::<u16>(), 24),
        slow_check in any::<bool>(),
    ) {
        let name = NAMES[name];
        let (tool, first) = match kind {
            0 => (Tool::Notebook, json!({ "action": "create", "name": name })),
            1 => (Tool::Document, json!({ "action": "create", "notebook": "Garden", "title": name })),
            _ => (Tool::Fs, json!({ "action": "write", "path": format!("/Garden/{name}/{name}"), "markdown": "x" })),
        };
        let spec = ACTIONS[at];
        let mut second = arguments(spec, &mut Picks { all, at: 0 });
        if second.get("path").is_some() {
            second["path"] = json!(name.trim());
        }
        let both = |full: bool| {
            let engine = engine(Workspace::new(full).slow_check(slow_check));
            let first = shown(&call(&engine, tool, &first, Approval::Given));
            let second = shown(&call(&engine, spec.tool, &second, Approval::Given));
            let sent: Vec<&str> = engine.kernel.sent().iter().map(|it| it.path).collect();
            (first, second, sent)
        };
        let (full, empty) = (both(true), both(false));
        prop_assert!(!full.1.contains("quicksilver") || second.to_string().contains(SECRET), "{}", full.1);
        prop_assert_eq!(full, empty, "{} {}", spec.path(), second);
    }
}
