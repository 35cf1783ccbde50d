//! Other spellings that are accepted and never advertised.

use puppy_core::args::{Args, snake_case};
use puppy_core::find::{action_named, actions_of};
use puppy_core::registry::ACTIONS;
use puppy_core::spec::{ActionSpec, Presence, Tool};
use serde_json::{Map, Value, json};

fn camel(name: &str) -> String {
    let mut out = String::new();
    let mut up = false;
    for character in name.chars() {
        if character == '_' {
            up = true;
        } else if up {
            out.push(character.to_ascii_uppercase());
            up = false;
        } else {
            out.push(character);
        }
    }
    out
}

/// The refused names when one argument is sent in this spelling.
fn unknown(spec: &ActionSpec, name: &str) -> Vec<String> {
    let given: Map<String, Value> = [(name.to_owned(), json!("x"))].into_iter().collect();
    match Args::new(spec, given).finish::<()>(None) {
        Err(problems) => problems
            .into_iter()
            .filter(|it| {
                it.expected.contains("no such argument") || it.expected.contains("takes no arguments")
            })
            .map(|it| it.field)
            .collect(),
        Ok(()) => Vec::new(),
    }
}

/// B-023.
#[test]
fn every_argument_has_its_camel_case_and_hyphens() {
    for spec in ACTIONS {
        for param in spec.params() {
            let hyphens = param.name.replace('_', "-");
            for name in
                [camel(param.name), hyphens].iter().map(String::as_str).chain(param.aliases.iter().copied())
            {
                assert_eq!(unknown(spec, name), Vec::<String>::new(), "{} {name}", spec.path());
            }
        }
    }
}

/// B-023: `notebookID` and `notebookId` are `notebook`, `blockID` of `block` is `id`.
#[test]
fn id_arguments_have_aliases_by_their_type() {
    for spec in ACTIONS {
        let names: Vec<&str> = spec.params().map(|it| it.name).collect();
        for name in names.iter().filter(|it| **it != "id" && !it.ends_with("id")) {
            for spelling in [format!("{name}ID"), format!("{name}Id"), format!("{name}_id")] {
                let taken = snake_case(&spelling);
                if !names.contains(&taken.as_str()) {
                    assert_eq!(unknown(spec, &spelling), Vec::<String>::new(), "{} {spelling}", spec.path());
                }
            }
        }
        if names.contains(&"id") {
            let own = format!("{}ID", spec.tool.name());
            assert_eq!(unknown(spec, &own), Vec::<String>::new(), "{} {own}", spec.path());
        }
    }
}

/// B-024.
#[test]
fn unknown_arguments_are_refused_by_name_and_transport_keys_dropped() {
    for spec in ACTIONS {
        assert_eq!(unknown(spec, "zzzz"), ["zzzz"], "{}", spec.path());
        for key in ["_sessionID", "_meta", "_requestId"] {
            assert_eq!(unknown(spec, key), Vec::<String>::new(), "{} {key}", spec.path());
        }
    }
    let list = action_named(Tool::Tag, "list").unwrap();
    let given: Map<String, Value> = [("labell".to_owned(), json!("x"))].into_iter().collect();
    let problems = Args::new(list, given).finish::<()>(None).unwrap_err();
    assert!(problems[0].expected.contains("`label`"), "{problems:?}");
}

/// B-023: actions are found by hyphenated names, by synonyms of their verbs, and by declared aliases.
#[test]
fn actions_are_found_by_synonyms_and_aliases() {
    for spec in ACTIONS {
        let found = |name: &str| action_named(spec.tool, name).map(ActionSpec::path);
        for name in [spec.name.to_owned(), spec.name.replace('_', "-"), camel(spec.name)] {
            assert_eq!(found(&name), Some(spec.path()), "{name}");
        }
        for alias in spec.aliases {
            assert_eq!(found(alias), Some(spec.path()), "{alias}");
        }
        let verbs: &[&str] = match spec.name {
            "list" => &["ls"],
            "remove" | "delete" => &["rm", "remove", "delete"],
            "move" => &["mv"],
            _ => &[],
        };
        for verb in verbs {
            assert_eq!(found(verb), Some(spec.path()), "{verb}");
        }
    }
    assert_eq!(action_named(Tool::Tag, "lists").map(ActionSpec::path), None);
}

/// None of these spellings is advertised.
#[test]
fn alternative_spellings_are_not_listed() {
    for tool in puppy_core::render::schema::descriptors(&super::shape::offered(super::shape::everything())) {
        let properties = tool.input_schema["properties"].as_object().unwrap();
        for spec in actions_of(tool.tool) {
            for param in spec.params() {
                assert!(param.aliases.iter().all(|it| !properties.contains_key(*it)), "{}", spec.path());
                assert_ne!(param.presence, Presence::DefaultText(""), "a default that says nothing");
            }
        }
    }
}
