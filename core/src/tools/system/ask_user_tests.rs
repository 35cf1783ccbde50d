//! Tests of `system.ask_user`: answers, and questions after an unanswered one.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::kernel::page::PageRequest;
use crate::testing::world::{Nobody, World};
use crate::tools::system::testing::{notes, system, with_holes};

#[test]
fn answers_of_the_person_are_those_that_were_offered() {
    let ask = |answer: Value, arguments: Value| {
        let engine = Engine::new(notes().page(&answer), Nobody);
        let reply = system(&engine, "ask_user", &arguments);
        (with_holes(&engine, reply), engine.kernel.asked_page())
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
        kernel: Arc::new(Arc::into_inner(engine.kernel).unwrap().page(&answer)),
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
