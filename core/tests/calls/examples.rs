//! The examples in help and errors can be called as they are.

use puppy_core::dispatch::Approval;
use puppy_core::error::ErrorType;
use puppy_core::registry::ACTIONS;
use puppy_core::render::example;
use serde_json::{Value, json};

use crate::kernel::{Workspace, call, engine};

fn with_action(arguments: &serde_json::Map<String, Value>, action: &str) -> Value {
    let mut all = arguments.clone();
    all.insert("action".to_owned(), json!(action));
    Value::Object(all)
}

fn everything_on() -> Workspace {
    let mut switches = puppy_core::config::Switches::default();
    for spec in ACTIONS {
        switches.set(spec.tool, spec.name, true);
    }
    Workspace::new(true).file("mcpToolsConfig", &serde_json::from_str(&switches.to_json()).unwrap())
}

/// B-081, B-112: arguments built from a declaration decode.
#[test]
fn the_example_of_every_action_decodes() {
    for spec in ACTIONS {
        let arguments = with_action(&example::arguments(spec), spec.name);
        let reply = call(&engine(everything_on()), spec.tool, &arguments, Approval::Missing);
        // Only calls whose arguments do not decode get a corrected call.
        let undecoded = reply.err().filter(|it| it.kind == ErrorType::Validation && it.example.is_some());
        assert_eq!(undecoded, None, "{}: {arguments}", spec.path());
    }
}

/// B-081: every bad argument is named, and the corrected call decodes.
#[test]
fn the_corrected_call_of_an_error_decodes() {
    for spec in ACTIONS {
        let mut wrong: serde_json::Map<String, Value> =
            spec.params().map(|it| (it.name.to_owned(), json!({ "not": ["at", "all"] }))).collect();
        wrong.insert("zzzz".to_owned(), json!(1));
        let engine = engine(everything_on());
        let error = call(&engine, spec.tool, &with_action(&wrong, spec.name), Approval::Missing).unwrap_err();
        assert_eq!(error.kind, ErrorType::Validation, "{}", spec.path());
        let named = |name: &str| {
            error.fields.iter().any(|it| it.field.split(['|', '.', '[']).any(|part| part == name))
        };
        assert!(named("zzzz"), "{}: {:?}", spec.path(), error.fields);
        let grouped: Vec<&str> = spec
            .slots
            .iter()
            .filter_map(|slot| match slot {
                puppy_core::spec::Slot::OneOf(groups, _) => {
                    Some(groups.iter().copied().flatten().map(|it| it.name))
                }
                puppy_core::spec::Slot::One(_) => None,
            })
            .flatten()
            .collect();
        for param in spec.params().filter(|it| !grouped.contains(&it.name)) {
            assert!(named(param.name), "{} {}: {:?}", spec.path(), param.name, error.fields);
        }
        let example = error.example.unwrap();
        let again =
            call(&engine, example.tool, &with_action(&example.arguments, example.action), Approval::Missing);
        let undecoded = again.err().filter(|it| it.kind == ErrorType::Validation && it.example.is_some());
        assert_eq!(undecoded, None, "{}", spec.path());
    }
}

/// B-022: help makes no request.
#[test]
fn help_makes_no_request() {
    for spec in ACTIONS {
        let engine = engine(everything_on());
        for arguments in [json!({ "action": "help" }), json!({ "action": "help", "topic": spec.name })] {
            let reply = call(&engine, spec.tool, &arguments, Approval::Missing).unwrap();
            assert!(reply.body.unwrap().contains(spec.name));
        }
        assert!(engine.kernel.sent().is_empty());
    }
}
