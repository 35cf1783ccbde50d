//! Tests of the page's actions: what they ask for, and what they let through of its answers.

use std::time::Duration;

use serde_json::{Value, json};

use crate::dispatch::{Approval, Engine};
use crate::error::ErrorType;
use crate::kernel::page::PageRequest;
use crate::output::Reply;
use crate::spec::Tool;
use crate::testing::world::{Nobody, World, call, world};

fn notes() -> World {
    world()
        .notebook("Private", "none")
        .doc("/Garden/Plants", "mint\n\nsage")
        .doc("/Garden/Beds", "north")
        .doc("/Private/Letters", "cinnabar")
}

fn system(engine: &Engine<World, Nobody>, action: &str, arguments: &Value) -> Reply {
    let mut arguments: Value = serde_json::from_str(&engine.kernel.fill(&arguments.to_string())).unwrap();
    arguments["action"] = json!(action);
    engine.kernel.pass(4_000);
    call(engine, Tool::System, &arguments, &Approval::Missing)
}

fn told(engine: &Engine<World, Nobody>, reply: Reply) -> Value {
    let text = engine.kernel.unfill(&Value::Object(reply.unwrap().data).to_string());
    serde_json::from_str(&text).unwrap()
}

/// The arguments are judged first: what is hidden answers like what is missing, with or without a page.
#[test]
fn page_actions_without_a_page_tell_so_after_their_checks() {
    let engine = Engine::new(notes(), Nobody);
    let missing = "20250109000000-missing";
    for (action, arguments, kind) in [
        ("get_ui_state", json!({}), ErrorType::NoFrontend),
        ("ask_user", json!({ "question": "Which bed?" }), ErrorType::NoFrontend),
        ("ask_user", json!({ "question": "Which bed?", "options": ["one"] }), ErrorType::Validation),
        ("ask_user", json!({ "question": "Which bed?", "options": ["a", "a "] }), ErrorType::Validation),
        ("ask_user", json!({ "question": " " }), ErrorType::Validation),
        ("ask_user", json!({ "question": "?", "allow_text": false }), ErrorType::Validation),
        ("open_document", json!({ "id": "{/Garden/Plants}" }), ErrorType::NoFrontend),
        ("open_document", json!({ "id": "{/Private/Letters}" }), ErrorType::NotFound),
        ("open_document", json!({ "id": missing }), ErrorType::NotFound),
        ("scroll_to_block", json!({ "id": "{/Garden/Plants#1}" }), ErrorType::NoFrontend),
        ("scroll_to_block", json!({ "id": "{/Private/Letters#0}" }), ErrorType::NotFound),
        ("reload_ui", json!({}), ErrorType::NoFrontend),
        ("reload_ui", json!({ "id": "{/Private/Letters}" }), ErrorType::NotFound),
        ("reload_ui", json!({ "database": missing, "parts": ["databases"] }), ErrorType::NotFound),
        ("reload_ui", json!({ "id": "{/Garden/Plants}", "parts": ["tree"] }), ErrorType::Validation),
    ] {
        assert_eq!(system(&engine, action, &arguments).unwrap_err().kind, kind, "{action} {arguments}");
    }
}

/// B-055: documents of closed notebooks are neither among the open ones nor in front, whatever the page says.
#[test]
fn ui_state_shows_readable_documents_only() {
    let tabs = json!([
        { "doc": "{/Private/Letters}", "pinned": true }, { "doc": "{/Garden/Beds}", "pinned": true },
        { "doc": "{/Garden/Plants}" }, { "doc": "nonsense" }, { "doc": "{/Garden/Plants#0}" },
    ]);
    let active = json!({
        "doc": "{/Garden/Plants}", "block": "{/Garden/Plants#1}", "zoomed": "{/Private/Letters#0}",
        "selected": ["{/Garden/Plants#0}", "{/Private/Letters#0}", "{/Garden/Beds#0}"],
    });
    let engine =
        Engine::new(notes().page(&json!({ "frontend": "desktop", "open": tabs, "active": active })), Nobody);
    let expected = json!({
        "frontend": "desktop",
        "active": {
            "doc": "{/Garden/Plants}", "title": "Plants", "hpath": "/Plants", "notebook": "{/Garden}",
            "block": "{/Garden/Plants#1}", "selected": [{ "id": "{/Garden/Plants#0}", "type": "p", "text": "mint" }],
        },
        "open": [
            { "doc": "{/Garden/Beds}", "title": "Beds", "hpath": "/Beds", "notebook": "{/Garden}", "pinned": true },
            { "doc": "{/Garden/Plants}", "title": "Plants", "hpath": "/Plants", "notebook": "{/Garden}" },
        ],
    });
    assert_eq!(told(&engine, system(&engine, "get_ui_state", &json!({}))), expected);
    let hidden = json!({ "frontend": "desktop", "active": { "doc": "{/Private/Letters}", "selected": ["{/Private/Letters#0}"] } });
    let engine = Engine::new(notes().page(&hidden), Nobody);
    assert_eq!(
        told(&engine, system(&engine, "get_ui_state", &json!({}))),
        json!({ "frontend": "desktop", "open": [] })
    );
}

#[test]
fn answers_of_the_person_are_those_that_were_offered() {
    let ask = |answer: Value, arguments: Value| {
        let engine = Engine::new(notes().page(&answer), Nobody);
        let reply = system(&engine, "ask_user", &arguments);
        (told(&engine, reply), engine.kernel.asked_page())
    };
    let both = json!({ "question": "Which bed?", "options": ["North", "South"], "seconds": 30 });
    let (reply, asked) = ask(json!({ "option": 1, "text": "<b>" }), both.clone());
    assert_eq!(reply, json!({ "answered": true, "option": "South" }));
    let expected = PageRequest::AskUser {
        question: "Which bed?".to_owned(),
        options: vec!["North".to_owned(), "South".to_owned()],
        allow_text: false,
        time: Duration::from_secs(30),
    };
    assert_eq!(asked, std::slice::from_ref(&expected));
    assert_eq!(expected.deadline(), Duration::from_secs(30));
    for (answer, reason) in [(json!({ "option": 9 }), "timeout"), (json!({ "dismissed": true }), "dismissed")]
    {
        assert_eq!(ask(answer, both.clone()).0, json!({ "answered": false, "reason": reason }));
    }
    let (reply, _) = ask(json!({ "text": "In the pot" }), json!({ "question": "Which bed?" }));
    assert_eq!(reply, json!({ "answered": true, "text": "In the pot" }));
}

/// After an unanswered question no further one is shown for a while, longer each time, until one is answered.
#[test]
fn questions_wait_after_an_unanswered_one() {
    let with_page = |engine: Engine<World, Nobody>, answer: Value| Engine {
        kernel: engine.kernel.page(&answer),
        cache: engine.cache,
        process: engine.process,
        observer: engine.observer,
    };
    let ask = |engine: &Engine<World, Nobody>| match system(
        engine,
        "ask_user",
        &json!({ "question": "Which bed?" }),
    ) {
        Ok(reply) => reply.data["answered"].to_string(),
        Err(error) => format!("{} {}", error.kind.word(), error.details["seconds"]),
    };
    let (dismissed, answered) = (json!({ "dismissed": true }), json!({ "text": "North" }));
    let engine = Engine::new(notes().page(&dismissed), Nobody);
    assert_eq!([ask(&engine), ask(&engine)], ["false", "conflict 26"]);
    assert_eq!(engine.kernel.asked_page().len(), 1, "no dialog appears");
    let error = system(&engine, "ask_user", &json!({ "question": "Which bed?" })).unwrap_err();
    assert!(error.message.contains("22 more seconds"), "{}", error.message);
    // A fault of the call itself is reported first, and other requests to the page go on.
    assert_eq!(
        system(&engine, "ask_user", &json!({ "question": " " })).unwrap_err().kind,
        ErrorType::Validation
    );
    assert!(system(&engine, "get_ui_state", &json!({})).is_ok());
    engine.kernel.pass(10_000);
    let engine = with_page(engine, Value::Null);
    assert_eq!(
        system(&engine, "ask_user", &json!({ "question": "?" })).unwrap_err().kind,
        ErrorType::NoFrontend
    );
    assert_eq!(ask(&engine), "conflict 56");
    engine.kernel.pass(52_000);
    let engine = with_page(engine, answered);
    assert_eq!([ask(&engine), ask(&engine)], ["true", "true"]);
    let engine = with_page(engine, dismissed);
    assert_eq!([ask(&engine), ask(&engine)], ["false", "conflict 26"]);
}

#[test]
fn documents_are_opened_and_scrolled_in_the_page() {
    let engine = Engine::new(notes().page(&json!({ "visible": true })), Nobody);
    let opened = system(&engine, "open_document", &json!({ "id": "{/Garden/Plants#0}", "zoom": true }));
    assert_eq!(told(&engine, opened), json!({ "opened": "/Plants" }));
    let preview = system(&engine, "open_document", &json!({ "id": "{/Garden/Plants}", "preview": true }));
    assert_eq!(told(&engine, preview)["hpath"], "/Plants");
    let scrolled = system(&engine, "scroll_to_block", &json!({ "id": "{/Garden/Plants#1}", "open": false }));
    assert_eq!(told(&engine, scrolled), json!({ "visible": true }));
    let id = |name: &str| engine.kernel.id(name).to_owned();
    let expected = [
        PageRequest::OpenDocument { id: id("/Garden/Plants#0"), focus: true, zoom: true },
        PageRequest::ScrollToBlock { id: id("/Garden/Plants#1"), open: false },
    ];
    assert_eq!(engine.kernel.asked_page(), expected);
    let closed = Engine::new(notes().page(&json!({ "closed": true })), Nobody);
    let error = system(&closed, "scroll_to_block", &json!({ "id": "{/Garden/Plants#1}", "open": false }))
        .unwrap_err();
    assert_eq!((error.kind, error.fields[0].field.as_str()), (ErrorType::Validation, "open"));
    // A preview promises nothing that no page could do.
    for action in ["open_document", "scroll_to_block"] {
        let preview = json!({ "id": "{/Garden/Plants}", "preview": true });
        let error = system(&Engine::new(notes(), Nobody), action, &preview).unwrap_err();
        assert_eq!(error.kind, ErrorType::NoFrontend, "{action}");
    }
    let silent = Engine::new(notes().page(&Value::Null), Nobody);
    assert_eq!(system(&silent, "get_ui_state", &json!({})).unwrap_err().kind, ErrorType::NoFrontend);
    let odd = Engine::new(notes().page(&json!({ "open": "everything" })), Nobody);
    assert_eq!(system(&odd, "get_ui_state", &json!({})).unwrap_err().kind, ErrorType::Internal);
}

/// Only what the caller may read is drawn anew, whatever the page has open.
#[test]
fn readable_parts_of_the_screen_are_reloaded() {
    let open = json!({ "open": [{ "doc": "{/Private/Letters}" }, { "doc": "{/Garden/Beds}" }], "databases": ["20250109000000-missing"] });
    let engine = Engine::new(notes().page(&open), Nobody);
    engine.kernel.take_sent();
    let parts = json!({ "parts": ["documents", "tree", "tags", "databases"] });
    let reply = system(&engine, "reload_ui", &parts);
    assert_eq!(told(&engine, reply), json!({ "parts": ["documents", "tree", "tags", "databases"] }));
    let sent = engine.kernel.take_sent();
    let reloads: Vec<_> = sent.iter().filter(|(path, _)| path.starts_with("/api/ui/")).cloned().collect();
    let beds = engine.kernel.id("/Garden/Beds");
    let expected = [
        ("/api/ui/reloadProtyle", json!({ "id": beds })),
        ("/api/ui/reloadFiletree", json!({})),
        ("/api/ui/reloadTag", json!({})),
    ];
    assert_eq!(reloads, expected);
    let alone = Engine::new(notes(), Nobody);
    let reply =
        system(&alone, "reload_ui", &json!({ "id": "{/Garden/Plants#0}", "parts": ["documents", "tags"] }));
    assert_eq!(told(&alone, reply), json!({ "parts": ["documents", "tags"] }));
}
