//! `mcpToolsConfig`: the present shape, the three older ones, and the effect of an update.

use expect_test::expect_file;
use proptest::prelude::*;
use puppy_core::config::Switches;
use puppy_core::find::action_named;
use puppy_core::registry::ACTIONS;
use puppy_core::spec::{ActionSpec, Tool};
use serde_json::{Map, Value, json};

fn parse(value: &Value) -> Switches {
    Switches::parse(value.to_string().as_bytes()).unwrap()
}

fn spec(path: &str) -> &'static ActionSpec {
    let (tool, action) = path.split_once('.').unwrap();
    action_named(Tool::named(tool).unwrap(), action).unwrap()
}

/// The differences from the defaults, so that a new action elsewhere does not change the results here.
fn changes(switches: &Switches) -> String {
    let object =
        |switches: &Switches| serde_json::from_str::<Map<String, Value>>(&switches.to_json()).unwrap();
    let (mut changed, defaults) = (object(switches), object(&Switches::default()));
    changed.retain(|key, value| {
        let Some(known) = defaults.get(key) else { return true };
        let actions = value.get_mut("actions").and_then(Value::as_object_mut);
        let untouched = |name: &String, on: &Value| known["actions"].get(name) == Some(on);
        if let Some(actions) = actions {
            actions.retain(|name, on| !untouched(name, on));
            return !actions.is_empty() || value["enabled"] != known["enabled"];
        }
        true
    });
    format!("{}\n", serde_json::to_string_pretty(&changed).unwrap())
}

/// B-233: the content that the first start writes.
#[test]
fn default_switches_match_the_declarations() {
    let switches = Switches::default();
    for spec in ACTIONS {
        assert_eq!(switches.is_on(spec), spec.default_on, "{}", spec.path());
    }
    let again = Switches::parse(switches.to_json().as_bytes()).unwrap();
    assert_eq!(again, switches);
}

/// B-231: `{"<old tool name>": bool}`. An action is on if any of its old names is.
#[test]
fn flat_switches_are_migrated() {
    let old = json!({
        "list_notebooks": true, "create_notebook": false,
        "open_notebook": false, "close_notebook": true,
        "get_block_kramdown": false, "get_child_blocks": false,
        "get_version": true, "get_current_time": false,
        "nobody_knows_this": true
    });
    let switches = parse(&old);
    assert!(switches.is_on(spec("notebook.list")) && !switches.is_on(spec("notebook.create")));
    assert!(switches.is_on(spec("system.get_info")));
    // A tool without any named action keeps its defaults; one with all of them off is off.
    assert!(switches.is_on(spec("tag.list")) && switches.is_on(spec("mascot.status")));
    assert!(!switches.tool_is_on(Tool::Block));
    expect_file!["../golden/switches-flat.json"].assert_eq(&changes(&switches));
}

/// B-231: `{"<tool>": bool}` sets the tool and leaves its actions.
#[test]
fn tool_switches_are_migrated() {
    let switches = parse(&json!({ "notebook": false, "tag": true, "nobody_knows_this": 7 }));
    assert!(!switches.is_on(spec("notebook.list")) && switches.action_switch(spec("notebook.list")));
    assert!(switches.is_on(spec("tag.list")));
    expect_file!["../golden/switches-tools.json"].assert_eq(&changes(&switches));
}

/// B-231: `{"<tool>": ["<action or old tool name>"]}`.
#[test]
fn tool_lists_are_migrated() {
    let switches = parse(&json!({ "notebook": ["create_notebook"], "tag": [], "system": ["get_info"] }));
    assert!(switches.is_on(spec("notebook.create")) && !switches.is_on(spec("notebook.list")));
    assert!(!switches.tool_is_on(Tool::Tag), "nothing of it is listed");
    assert!(switches.is_on(spec("system.get_info")) && switches.is_on(spec("mascot.status")));
    expect_file!["../golden/switches-lists.json"].assert_eq(&changes(&switches));
}

/// B-231: once one tool has the present shape, older keys are ignored but kept; a tool without `false` is on.
#[test]
fn present_shape_of_one_tool_voids_older_keys() {
    let old =
        json!({ "tag": { "enabled": false }, "list_notebooks": false, "notebook": true, "block": false });
    let switches = parse(&old);
    assert!(!switches.is_on(spec("tag.list")) && switches.is_on(spec("notebook.list")));
    assert!(!switches.is_on(spec("block.get")));
    assert_eq!(serde_json::from_str::<Value>(&switches.to_json()).unwrap(), old);
}

/// B-232.
#[test]
fn tool_without_enabled_actions_is_off() {
    let mut switches = Switches::default();
    switches.set(Tool::Tag, "list", false);
    for spec in ACTIONS.iter().filter(|it| it.tool == Tool::Tag) {
        switches.set(Tool::Tag, spec.name, false);
    }
    assert!(switches.tool_switch(Tool::Tag) && !switches.tool_is_on(Tool::Tag));
}

/// B-234: a new action has its default, and nothing that a person switched off comes on.
#[test]
fn update_keeps_switched_off_actions_off() {
    let before = parse(
        &json!({ "notebook": { "enabled": true, "actions": { "list": false } }, "tag": { "enabled": false } }),
    );
    assert!(!before.is_on(spec("notebook.list")));
    assert_eq!(before.is_on(spec("notebook.create")), spec("notebook.create").default_on);
    for spec in ACTIONS.iter().filter(|it| it.tool == Tool::Tag) {
        assert!(!before.is_on(spec), "{}", spec.path());
    }
}

/// B-053, B-233: a value that is not an object, or the kernel's answer for a missing file, is not read as switches.
#[test]
fn malformed_switches_file_is_refused() {
    for garbage in ["", "[]", "7", "{", r#"{"code":404,"msg":"file does not exist","data":null}"#] {
        assert_eq!(Switches::parse(garbage.as_bytes()), None, "{garbage}");
    }
}

fn json_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z]{0,6}".prop_map(Value::from)
    ]
}

fn actions() -> impl Strategy<Value = Value> {
    let name = prop_oneof!["[a-z_]{1,8}", Just("list".to_owned()), Just("create".to_owned())];
    prop::collection::btree_map(name, json_value(), 0..5)
        .prop_map(|map| Value::Object(map.into_iter().collect()))
}

proptest! {
    /// B-230: all other keys of the file survive reading, switching one action, and writing.
    #[test]
    fn unknown_keys_survive_a_round_trip(
        others in prop::collection::btree_map("[a-z]{3,8}X", json_value(), 0..4),
        tools in prop::collection::btree_map(0..Tool::ALL.len(), (actions(), any::<bool>(), json_value()), 1..4),
        at in 0..ACTIONS.len(),
        on in any::<bool>(),
    ) {
        let mut file: Map<String, Value> = others.into_iter().collect();
        for (tool, (actions, enabled, extra)) in tools {
            file.insert(Tool::ALL[tool].name().to_owned(), json!({ "enabled": enabled, "actions": actions, "extra": extra }));
        }
        let mut switches = parse(&Value::Object(file.clone()));
        let unchanged: Value = serde_json::from_str(&switches.to_json()).unwrap();
        prop_assert_eq!(&unchanged, &Value::Object(file.clone()));
        let spec = ACTIONS[at];
        switches.set(spec.tool, spec.name, on);
        prop_assert_eq!(switches.action_switch(spec), on);
        let mut written: Value = serde_json::from_str(&switches.to_json()).unwrap();
        // Apart from the one switch, the file is the same.
        let tool = written[spec.tool.name()].as_object_mut().unwrap();
        tool.get_mut("actions").unwrap().as_object_mut().unwrap().remove(spec.name);
        let mut before = Value::Object(file);
        if let Some(actions) = before.get_mut(spec.tool.name()).and_then(|it| it.get_mut("actions")) {
            actions.as_object_mut().unwrap().remove(spec.name);
        } else {
            before[spec.tool.name()] = json!({ "actions": {} });
        }
        prop_assert_eq!(written, before);
    }
}
