//! Names, sentences, sizes and schemas of the declarations.

use std::collections::BTreeMap;

use puppy_core::config::{Offer, Switches};
use puppy_core::find::actions_of;
use puppy_core::part::{Grouping, Part};
use puppy_core::permission::Level;
use puppy_core::registry::ACTIONS;
use puppy_core::render::help;
use puppy_core::render::schema::{Descriptor, Detail, Style, descriptors, descriptors_within};
use puppy_core::spec::{ActionSpec, Danger, Effect, Kind, Param, Presence, Tier, Tool};
use serde_json::Value;

fn is_snake(name: &str) -> bool {
    let characters = name.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_');
    characters && (1..=40).contains(&name.len()) && name.starts_with(|it: char| it.is_ascii_lowercase())
}

/// Every action switched on, including those that are off by default.
pub(crate) fn everything() -> Switches {
    let mut switches = Switches::default();
    for spec in ACTIONS {
        switches.set(spec.tool, spec.name, true);
    }
    switches
}

/// The offer of these switches where a notebook is at the highest level.
pub(crate) fn offered(switches: Switches) -> Offer {
    Offer::new(switches, Some(Level::Delete))
}

fn all() -> Vec<Descriptor> {
    descriptors(&offered(everything()))
}

#[test]
fn names_are_snake_case_and_unique() {
    let mut seen = Vec::new();
    for spec in ACTIONS {
        assert!(is_snake(spec.name), "{}", spec.path());
        assert!(!seen.contains(&spec.path()), "{} is there twice", spec.path());
        assert_ne!(spec.name, "help", "belongs to every tool");
        seen.push(spec.path());
        let mut names = Vec::new();
        for param in spec.params() {
            let at = format!("{} {}", spec.path(), param.name);
            assert!(is_snake(param.name) && !names.contains(&param.name), "{at}");
            assert!(
                !["action", "preview", "confirm", "topic"].contains(&param.name),
                "{at} belongs to every action"
            );
            names.push(param.name);
        }
    }
}

/// Whether two kinds have the same shape, although bounds and words may differ from action to action.
fn same_shape(one: Kind, other: Kind) -> bool {
    match (one, other) {
        (Kind::List { item, .. }, Kind::List { item: other, .. }) => same_shape(*item, *other),
        (Kind::Record(one), Kind::Record(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(a, b)| a.name == b.name && same_shape(a.kind, b.kind))
        }
        (one, other) => std::mem::discriminant(&one) == std::mem::discriminant(&other),
    }
}

/// A merged schema must not lie: within a tool one name is one type with one sentence.
#[test]
fn argument_name_has_one_type_and_sentence_per_tool() {
    let mut known: BTreeMap<(Tool, &str), (String, Param)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for spec in ACTIONS {
        for param in spec.params() {
            let (first, seen) =
                known.entry((spec.tool, param.name)).or_insert_with(|| (spec.path(), param)).clone();
            if !same_shape(seen.kind, param.kind) {
                wrong.push(format!(
                    "{}: `{}` is {:?}, in {first} {:?}",
                    spec.path(),
                    param.name,
                    param.kind,
                    seen.kind
                ));
            }
            if seen.doc != param.doc {
                wrong.push(format!(
                    "{}: `{}` says {:?}, in {first} {:?}",
                    spec.path(),
                    param.name,
                    param.doc,
                    seen.doc
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A model reads them: a summary in one line, arguments in one sentence, each of limited length.
#[test]
fn sentences_are_short_and_end_with_a_period() {
    for spec in ACTIONS {
        let summary = spec.summary();
        assert!(summary.ends_with('.') && summary.chars().count() <= 160, "{}: {summary}", spec.path());
        for param in spec.params() {
            let ends = param.doc.ends_with(['.', '?']);
            assert!(
                ends && !param.doc.contains('\n') && param.doc.chars().count() <= 140,
                "{} {}: {}",
                spec.path(),
                param.name,
                param.doc
            );
        }
        if let Some(sentence) = spec.danger.sentence() {
            assert!(sentence.ends_with('.'), "{}: {sentence}", spec.path());
        }
    }
}

/// B-005.
#[test]
fn a_description_is_within_its_budget_and_names_every_basic_action() {
    for tool in all() {
        let (bytes, chars) = (tool.description.len(), tool.description.chars().count());
        assert!(
            bytes <= 2_048 && chars.div_ceil(4) <= 500,
            "{}: {bytes} bytes, {chars} characters",
            tool.tool.name()
        );
        for spec in actions_of(tool.tool).filter(|it| it.tier == Tier::Basic) {
            assert!(tool.description.contains(&format!("\n{}(", spec.name)), "{}", spec.path());
        }
    }
}

/// B-006: with everything on.
#[test]
fn the_whole_list_is_within_its_budget() {
    for detail in [Detail::Full, Detail::Compact] {
        for grouping in Grouping::ALL {
            let style = Style { grouping, detail };
            let tools = descriptors_within(&offered(everything()), style, style.bytes());
            let bytes = super::listing::json(&tools).to_string().len();
            assert!(bytes <= style.bytes(), "{bytes} bytes, {style:?}");
            // A compact list says in signatures what its properties have no room for.
            if detail == Detail::Full {
                requires(&tools);
                assert!(tools.iter().all(|it| it.hint.is_some()), "{style:?}");
            }
        }
    }
}

/// B-004: an argument that a basic action requires has a property.
fn requires(tools: &[Descriptor]) {
    for tool in tools {
        let is_here = |it: &&ActionSpec| [Part::Whole, Grouping::Split.part_of(it)].contains(&tool.part);
        for spec in actions_of(tool.tool).filter(is_here).filter(|it| it.tier == Tier::Basic) {
            for param in spec.params().filter(|it| it.presence == Presence::Required) {
                let listed = tool.input_schema["properties"].get(param.name).is_some();
                assert!(listed, "{} {}", spec.path(), param.name);
            }
        }
    }
}

/// B-004: plain object schemas only.
pub(crate) fn lint(at: &str, schema: &Value, found: &mut Vec<String>) {
    let Some(map) = schema.as_object() else {
        found.push(format!("{at} is no object"));
        return;
    };
    for key in ["oneOf", "anyOf", "allOf", "not", "$ref", "$defs", "format", "additionalProperties"] {
        if map.contains_key(key) {
            found.push(format!("{at} has {key}"));
        }
    }
    if !map.get("type").is_some_and(Value::is_string) {
        found.push(format!("{at} has no plain type"));
    }
    for (name, inner) in map.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if !is_snake(name) {
            found.push(format!("{at}.{name} is no name"));
        }
        lint(&format!("{at}.{name}"), inner, found);
    }
    if let Some(items) = map.get("items") {
        lint(&format!("{at}[]"), items, found);
    }
}

#[test]
fn schemas_are_plain() {
    let mut found = Vec::new();
    for tool in all() {
        lint(tool.tool.name(), &Value::Object(tool.input_schema), &mut found);
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// B-004: the enum lists the actions, and required arguments of basic ones have a property.
#[test]
fn a_schema_has_the_actions_and_what_basic_ones_require() {
    for tool in all() {
        let names: Vec<&str> = actions_of(tool.tool).map(|it| it.name).chain(["help"]).collect();
        assert_eq!(tool.input_schema["properties"]["action"]["enum"], serde_json::json!(names));
    }
    requires(&all());
}

/// B-002, B-003, B-007: an action that is off appears nowhere, and the hints are about those that are on.
#[test]
fn switched_off_action_is_not_listed() {
    for spec in ACTIONS {
        let mut switches = everything();
        switches.set(spec.tool, spec.name, false);
        match descriptors(&offered(switches)).into_iter().find(|it| it.tool == spec.tool) {
            None => assert_eq!(actions_of(spec.tool).count(), 1),
            Some(tool) => {
                assert!(!tool.description.contains(&format!("\n{}(", spec.name)), "{}", spec.path());
                let names = tool.input_schema["properties"]["action"]["enum"].as_array().unwrap();
                assert!(!names.contains(&Value::from(spec.name)), "{}", spec.path());
                let left: Vec<&ActionSpec> =
                    actions_of(spec.tool).filter(|it| it.name != spec.name).collect();
                assert_eq!(tool.read_only, left.iter().all(|it| it.worst == Effect::Read));
                assert_eq!(tool.destructive, left.iter().any(|it| it.worst == Effect::Destructive));
                assert_eq!(tool.open_world, left.iter().any(|it| it.worst == Effect::External));
                assert_eq!(tool.idempotent, left.iter().all(|it| it.idempotent));
            }
        }
    }
}

/// B-070: the danger is declared once and the same everywhere.
#[test]
fn dangerous_actions_are_the_same_in_description_and_help() {
    for tool in all() {
        let declared: Vec<&str> =
            actions_of(tool.tool).filter(|it| it.danger != Danger::None).map(|it| it.name).collect();
        let line = tool.description.lines().find_map(|it| it.strip_prefix("May ask a person: "));
        let named: Vec<&str> =
            line.map(|names| names.trim_end_matches('.').split(", ").collect()).unwrap_or_default();
        assert_eq!(named, declared, "{}", tool.tool.name());
        // Clients that send only declared properties could confirm nothing without it.
        assert_eq!(tool.input_schema["properties"].get("confirm").is_some(), !declared.is_empty());
        for spec in actions_of(tool.tool) {
            let page = help::page(spec, None);
            let shown = page.lines().any(|it| it.starts_with("- Dangerous: "));
            assert_eq!(shown, spec.danger != Danger::None, "{}", spec.path());
            assert_eq!(shown, page.contains("- `confirm` "), "{}", spec.path());
            assert!(spec.danger.sentence().is_none_or(|it| page.contains(it)), "{}", spec.path());
        }
    }
}

/// An action that loses something asks a person, always or when it does.
#[test]
fn destructive_action_asks_a_person() {
    for spec in ACTIONS.iter().filter(|it| it.worst >= Effect::Destructive) {
        assert_ne!(spec.danger, Danger::None, "{}", spec.path());
    }
}
